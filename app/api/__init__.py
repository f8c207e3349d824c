"""The contract of the service, seen from the caller."""
