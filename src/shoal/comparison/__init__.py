"""What is compared: policies that differ in a few options, and what their releases measure."""
