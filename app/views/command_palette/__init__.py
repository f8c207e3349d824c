"""One field for everything: actions, people and flows by a few letters of their names."""
