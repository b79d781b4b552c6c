"""Other people's bibliography formats in, papers out; references in, those formats out."""
