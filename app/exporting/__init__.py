"""What somebody takes out of Front Desk, as files that other programs open."""
