"""GA4GH phenopackets, schema 2.0: a record told as one, and one read as a journey."""
