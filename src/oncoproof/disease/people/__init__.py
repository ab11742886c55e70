"""Who the patients of a trial are."""
