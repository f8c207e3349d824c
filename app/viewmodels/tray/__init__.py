"""The icon in the tray, as far as it is decided what it says."""
