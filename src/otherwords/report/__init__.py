"""What people look at: tables, plots, drawn explanations, and pages that stand alone."""
