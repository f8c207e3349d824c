"""The outbox on disk: who was typed, lists and batches, and what is read of a damaged file."""
