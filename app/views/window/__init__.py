"""The widgets of the window around the tabs."""
