"""Front Desk: add people quickly, and see the people flows and who administers each step."""

__version__ = "0.1.0"
