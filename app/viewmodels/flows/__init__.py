"""What the Flows tab shows and can do."""
