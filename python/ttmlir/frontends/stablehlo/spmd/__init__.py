"""Programs over meshes of chips: every op of the whole program becomes one of each chip's part.

Shardy propagates shardings; what is here makes local ops of global ones, and the collectives
between them.
"""
