"""The dossier of a release: what its steward signs and a regulator reads. A file per section."""
