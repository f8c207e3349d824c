"""What signing in shows and can do."""
