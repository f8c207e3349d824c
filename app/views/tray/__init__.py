"""The icon in the tray of the desktop."""
