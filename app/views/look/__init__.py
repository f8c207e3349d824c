"""What the whole window looks and reads like: colours, type, icons, motion, language."""
