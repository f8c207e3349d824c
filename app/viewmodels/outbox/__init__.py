"""What the history shows and can do."""
