"""What people look at: drawings of explanations, pages, plots."""
