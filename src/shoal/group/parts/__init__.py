"""What several families of algorithms use."""
