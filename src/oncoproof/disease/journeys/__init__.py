"""Journeys of simulated patients: who they are, what was done, what was seen, and why one came of another."""
