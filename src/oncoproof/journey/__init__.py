"""The words and shape of care: events, codes, units, the journey graph, what is visible at a time."""
