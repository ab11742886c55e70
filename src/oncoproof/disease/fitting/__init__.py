"""How the numbers follow from published trials."""
