"""Reading, finding and adding people."""
