"""From judged paraphrases to trained metrics: control sentences and regressions."""
