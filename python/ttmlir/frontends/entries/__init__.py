"""The front ends of this package: each module lists its own in ``FRONT_ENDS``.

They recognize sources without importing optional packages.
"""
