"""The ways in, and the account's own page in an embedded browser."""
