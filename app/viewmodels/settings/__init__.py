"""What the window's own pages show and can do."""
