"""Phrase pairs."""
