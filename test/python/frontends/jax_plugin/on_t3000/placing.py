"""Meshes and sharded arrays."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P


def random(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def grid(devices: Any, axis_type: AxisType = AxisType.Auto) -> Mesh:
    """Two rows of devices."""
    array = np.array(devices).reshape(2, -1)
    return Mesh(array, ("data", "model"), axis_types=(axis_type,) * 2)


def row(devices: Any) -> Mesh:
    return Mesh(np.array(devices), ("x",))


def put(mesh: Mesh, array: Any, *axes: Any) -> Any:
    return jax.device_put(array, NamedSharding(mesh, P(*axes)))
