"""Shardings of parameters that a source or a plan of its framework states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ParameterSharding:
    """The sharding of a parameter.

    Args:
        shape: of the whole parameter.
        dims: the dimension that each axis shards, or None.
        origin: the statement of this sharding, for messages.
    """

    shape: tuple[int, ...]
    dims: tuple[int | None, ...]
    origin: str


@dataclass(frozen=True)
class ParameterShardings:
    """Shardings of parameters over the one or two axes of a plan.

    Args:
        parameters: by argument name; those that the program does not use are ignored.
        kinds: for each axis, ``tensor`` if it shards the weights of products, or ``none``.
        mesh_shape: the numbers of chips along the axes; empty if the caller chooses them.
    """

    parameters: Mapping[str, ParameterSharding]
    kinds: tuple[str, ...]
    mesh_shape: tuple[int, ...] = ()
