"""STUDY: agreement with human scores, the papers' tables, training, reports and the studio."""
