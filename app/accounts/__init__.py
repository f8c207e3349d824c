"""Accounts, their credentials, and whether they are signed in."""
