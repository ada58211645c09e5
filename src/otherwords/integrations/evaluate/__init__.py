"""The metrics as a module of Hugging Face's `evaluate`: `evaluate.load(FOLDER, "maxsim")`.

The module is the file `evaluate.py` next to this one, which `evaluate` reads from its path.
"""

from pathlib import Path

__all__ = ["FOLDER"]

FOLDER = str(Path(__file__).parent)
