"""Taking things out of the window, as the screens see it: on paper, as a picture, as a file."""
