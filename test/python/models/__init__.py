"""Blocks of networks written with the builder; networks as MLIR text in TOSA and in linalg, with
the same networks in JAX to compare with.

>>> from models import linalg, networks, tosa
>>> text = networks.resnet_block(tosa.Writer("f32")).text()
"""
