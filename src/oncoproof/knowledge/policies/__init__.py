"""What guidelines advise: dated policies over a record, several of them, because practice varies."""
