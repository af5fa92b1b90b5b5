"""The recoding of a full-domain release, kept so that later records are recoded in the same way."""
