"""The service described for programs, as OpenAPI 3.1; what it describes works without it."""
