"""A reader for each format that lists come in: a file or a text in, rows of cells out."""
