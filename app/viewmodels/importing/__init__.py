"""Lists of people on their way into the account: looked over, sent, and what became of each row."""
