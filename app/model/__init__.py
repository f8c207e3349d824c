"""What is talked about: people, people flows, steps, entries and errors, as frozen data."""
