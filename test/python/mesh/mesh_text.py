"""TTIR of programs on a mesh: inputs are cut into a block for each chip, results put together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy_mesh import Array, Blocks, Mesh

Shape = tuple[int, ...]
ANY = "#tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>"


def tensor(shape: Shape, dtype: str = "f32") -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


def array(values: Any, dtype: str = "i64") -> str:
    return f"array<{dtype}: {', '.join(map(str, values))}>"


def matrix(rows: list[list[int]]) -> str:
    return f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


class Function:
    """`@main` on a mesh of two axes, which split the first two dimensions of full tensors."""

    def __init__(self, mesh: Mesh, dtype: str = "f32") -> None:
        self.mesh, self.dtype = mesh, dtype
        self.arguments: list[str] = []
        self.lines: list[str] = []
        self.results: list[tuple[str, str]] = []
        self._count = 0

    def full(self, block: Shape) -> Shape:
        """The shape of the tensor whose blocks the chips have."""
        return (block[0] * self.mesh[0], block[1] * self.mesh[1], *block[2:])

    def op(self, name: str, ins: list[tuple[str, Shape]], out: Shape, **attributes: str) -> str:
        """An op in destination-passing style; its result's name."""
        self._count += 1
        empty, result = f"%e{self._count}", f"%v{self._count}"
        constraints = ", ".join([ANY] * (len(ins) + 1))
        attributes["operand_constraints"] = f"[{constraints}]"
        listed = ", ".join(f"{key} = {value}" for key, value in sorted(attributes.items()))
        types = ", ".join(tensor(shape, self.dtype) for _, shape in [*ins, ("", out)])
        values = ", ".join([*(name for name, _ in ins), empty])
        self.lines += [
            f"{empty} = tensor.empty() : {tensor(out, self.dtype)}",
            f'{result} = "ttir.{name}"({values}) <{{{listed}}}> '
            f": ({types}) -> {tensor(out, self.dtype)}",
        ]
        return result

    def _shard(self, value: str, given: Shape, out: Shape, direction: str) -> str:
        rank = len(out)
        return self.op(
            "mesh_shard",
            [(value, given)],
            out,
            shard_shape=array([*self.mesh, *[1] * (rank - 2)]),
            shard_dims=array([0, 1]),
            shard_type="#tt.shard_type<devices>",
            shard_direction=f"#tt.shard_direction<{direction}>",
        )

    def input(self, block: Shape) -> str:
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: {tensor(self.full(block), self.dtype)}")
        return self._shard(name, self.full(block), block, "full_to_shard")

    def shared_input(self, shape: Shape) -> str:
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: {tensor(shape, self.dtype)}")
        return name

    def output(self, value: str, block: Shape) -> None:
        whole = self._shard(value, block, self.full(block), "shard_to_full")
        self.results.append((whole, tensor(self.full(block), self.dtype)))

    def collective(self, name: str, value: str, given: Shape, out: Shape, **fields: str) -> str:
        variadic = name in ("all_gather", "reduce_scatter", "all_reduce")
        if variadic:
            fields["operandSegmentSizes"] = "array<i32: 1, 1>"
        return self.op(name, [(value, given)], out, **fields)

    def __str__(self) -> str:
        types = ", ".join(kind for _, kind in self.results)
        values = ", ".join(name for name, _ in self.results)
        body = "\n  ".join([*self.lines, f"return {values} : {types}"])
        return f"func.func @main({', '.join(self.arguments)}) -> ({types}) {{\n  {body}\n}}\n"


def join(blocks: Blocks, mesh: Mesh) -> Array:
    """The full tensor of the blocks."""
    rows = [np.concatenate(blocks[i * mesh[1] : (i + 1) * mesh[1]], 1) for i in range(mesh[0])]
    return np.concatenate(rows, 0)


def random_blocks(mesh: Mesh, shape: Shape, dtype: Any = np.float32, seed: int = 0) -> Blocks:
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape).astype(dtype) for _ in range(math.prod(mesh))]
