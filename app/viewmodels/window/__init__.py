"""What the window around the tabs shows and can do."""
