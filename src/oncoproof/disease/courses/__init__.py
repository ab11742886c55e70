"""What happens to patients, week by week."""
