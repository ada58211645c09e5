"""BUILD: bitexts, phrases, grammars, language models and generation."""
