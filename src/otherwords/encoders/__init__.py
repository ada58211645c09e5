"""Words and sentences as vectors: a table that is looked up, and a neural encoder as an extra."""
