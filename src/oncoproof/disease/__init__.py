"""What happens to a patient: clones, response, toxicity, observation, survival."""
