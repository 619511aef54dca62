"""Describes a program of several chips to JAX as HLO, in the form that XLA's partitioner
returns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from jax_plugins.ttmlir._types import TensorType, mlir_type


@dataclass(frozen=True)
class Sharded:
    """The inputs or the outputs of a program: types of one chip's shard, and shardings in the
    syntax of ``mhlo.sharding``."""

    types: Sequence[TensorType]
    shardings: Sequence[str]


def optimized_program(name: str, partitions: int, inputs: Sharded, outputs: Sharded) -> bytes:
    """Returns a module with one call for the whole computation and the shardings of inputs and
    outputs; JAX reads the output shardings from it."""
    takes, gives = ([f"tensor<{mlir_type(t)}>" for t in of.types] for of in (inputs, outputs))
    arguments = [f"%arg{i}" for i in range(len(takes))]
    results = [f"%out#{i}" for i in range(len(gives))] if len(gives) > 1 else ["%out"] * len(gives)
    attributes = {
        "mhlo.num_partitions": f"{partitions} : i32",
        "mhlo.num_replicas": "1 : i32",
        "mhlo.spmd_parameters_shardings": f"[{', '.join(map(json.dumps, inputs.shardings))}]",
    }
    if gives:
        shardings = ", ".join(outputs.shardings)
        whole = f"{{{shardings}}}" if len(gives) > 1 else shardings
        attributes["mhlo.spmd_output_sharding"] = json.dumps(whole)
    parameters = ", ".join(f"{a}: {t}" for a, t in zip(arguments, takes, strict=True))
    made = f"%out{f':{len(gives)}' if len(gives) > 1 else ''} = " if gives else ""
    return f"""\
module @{json.dumps(name)} attributes {{
  {f", {chr(10)}  ".join(f"{key} = {value}" for key, value in attributes.items())}
}} {{
  func.func @main({parameters}) -> ({", ".join(gives)}) {{
    {made}stablehlo.custom_call @ttmlir.executable({", ".join(arguments)})
        : ({", ".join(takes)}) -> ({", ".join(gives)})
    return {", ".join(results)}{" : " if gives else ""}{", ".join(gives)}
  }}
}}
""".encode()
