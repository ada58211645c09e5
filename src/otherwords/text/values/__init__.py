"""Values of English text, and whether a rewrite keeps them."""

from otherwords.text.values.comparison import NUMERIC, Difference, compare_values
from otherwords.text.values.reading import Value, read_values

__all__ = ["NUMERIC", "Difference", "Value", "compare_values", "read_values"]
