"""`python -m otherwords`: the command line."""

from otherwords.cli import entry

if __name__ == "__main__":
    entry()
