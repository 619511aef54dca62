"""Pipelines: programs that are cut into stages on different chips, which pass micro-batches on.

``cutting`` makes the programs of the stages, ``building`` compiles them, ``schedule`` computes when
they work, and ``executable`` runs them.
"""
