"""The window in its small size: what it shows then, and where it stands."""
