"""Importers: programs of other projects, as TTIR."""
