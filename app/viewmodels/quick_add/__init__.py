"""What the quick-add line shows and can do."""
