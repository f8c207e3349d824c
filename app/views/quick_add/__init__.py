"""The widgets of the quick-add line."""
