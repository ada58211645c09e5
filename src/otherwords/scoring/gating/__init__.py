"""A gate for continuous integration: scores and segments of a system against rules."""
