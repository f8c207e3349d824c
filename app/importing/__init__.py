"""Lists that somebody has: read, understood column by column, and judged row by row."""
