"""What each screen shows and can do."""
