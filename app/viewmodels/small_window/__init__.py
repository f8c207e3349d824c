"""The small window, as far as it has screens of its own: whoever was typed last."""
