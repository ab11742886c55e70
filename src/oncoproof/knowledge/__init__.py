"""What medicine knows, as data files a clinician can read, each number with its source."""
