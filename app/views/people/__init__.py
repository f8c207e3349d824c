"""The widgets of the People tab."""
