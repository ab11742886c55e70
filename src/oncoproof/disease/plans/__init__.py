"""What is planned for each patient, line after line."""
