"""Systems side by side, without human scores: where they differ, and whether it is chance."""
