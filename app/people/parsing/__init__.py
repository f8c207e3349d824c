"""A typed or pasted line read as new people."""
