"""Embedded models and the file format that they and a user's own models share."""
