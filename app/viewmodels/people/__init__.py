"""What the People tab shows and can do."""
