"""From segment statistics and human scores to trust: intervals, significance, correlation."""
