"""What a report is made of: costs, tables, files."""
