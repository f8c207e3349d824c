"""The widgets of the history."""
