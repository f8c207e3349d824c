"""The people flows and who administers each step."""
