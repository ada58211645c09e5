"""Measures how well a text says the same thing in other words."""
