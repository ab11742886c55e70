"""Who decides: the contract with a system under test, ways to ask one, and systems that ship."""
