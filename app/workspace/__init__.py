"""One account's open workspace: built when somebody signs in, closed when they leave."""
