"""What the window's own pages shows and can do."""
