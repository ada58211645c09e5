"""What was found, for people: tables, plots, and a page that needs nothing but itself."""
