"""The local databases."""
