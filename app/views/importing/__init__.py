"""Lists of people: looked over on a page, on their way, and what became of each row."""
