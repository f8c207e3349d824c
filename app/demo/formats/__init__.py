"""The three formats an answer can be written in; what is written is left to `envelope`."""
