"""What is taken out of the window, painted: pages, pictures and the preview of them."""
