"""Programs over meshes of chips: replaces each op of the whole program by ops on each chip's part.

Shardy propagates shardings; this package converts global ops to local ones, with collectives
between them.
"""
