"""What keys do on the page in hand, and the short help."""
