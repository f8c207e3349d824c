"""Looking at the whole from outside: what this computer offers, and what the program is made of."""
