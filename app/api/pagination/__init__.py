"""Everybody at a service, page by page: which page is asked for, with what, and in which order."""
