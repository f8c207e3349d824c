"""A report for whoever helps: what it holds, shown before it is saved."""
