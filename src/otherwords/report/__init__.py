"""What people look at: tables, plots, drawings of explanations, and pages that need nothing else."""
