"""A service that implements the whole contract and shares nothing with the client."""
