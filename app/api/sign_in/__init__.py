"""Getting access: addresses looked at, ways to sign in, tokens exchanged and renewed."""
