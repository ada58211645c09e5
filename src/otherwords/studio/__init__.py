"""The studio: local web pages to align words, judge paraphrases and look at scores."""

from otherwords.studio.log import Log, read_log

__all__ = ["Log", "read_log"]
