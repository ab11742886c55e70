"""Published arms simulated as what they are, and compared with what was published."""
