"""The widgets of the window's own pages."""
