"""Pairs of sentences in two languages: reading, cleaning, aligning them."""
