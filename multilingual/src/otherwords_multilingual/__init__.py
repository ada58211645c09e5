"""The multilingual encoder of otherwords: `multilingual.owm`, opened by otherwords.models."""
