"""Shared code of the ttrt commands."""
