"""The widgets of the Flows tab."""
