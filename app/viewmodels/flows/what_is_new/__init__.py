"""What the readings of an account have changed since somebody looked, day by day."""
