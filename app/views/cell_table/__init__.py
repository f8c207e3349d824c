"""Tables of painted cells: the view, and how their rows are painted."""
