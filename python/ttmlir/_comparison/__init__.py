"""Comparison with a reference: the results of the ops, matching them with values, and tables."""
