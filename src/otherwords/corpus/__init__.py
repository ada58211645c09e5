"""Reading what users have: text files, JSONL rows, WMT files, CoNLL-U."""
