"""Widgets and dialogs, bound to view-models."""
