"""Reports: costs, tables and files."""
