"""What somebody chose for this computer, and where they were in each account."""
