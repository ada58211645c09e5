"""Files, compression, encodings, atomic output; checks of arguments."""
