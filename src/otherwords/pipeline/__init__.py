"""`build`: a bitext to a paraphrase model, in stages that are cached and resumed."""
