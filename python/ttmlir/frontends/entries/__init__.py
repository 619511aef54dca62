"""The front ends of this package: each module has its own in ``FRONT_ENDS``.

They recognize sources without importing what may be not installed.
"""
