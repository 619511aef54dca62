"""Tensor-parallel programs in TTIR on a mesh of 1xN, for tests of collectives."""

from __future__ import annotations

ANY = "#tt.operand_constraint<any_device_tile|any_layout>"


class Writer:
    """Writes a function op by op. A value is its name; `types` has the types."""

    def __init__(self, chips: int, dtype: str = "bf16") -> None:
        self.chips, self.dtype = chips, dtype
        self.lines: list[str] = []
        self.arguments: list[str] = []
        self.shapes: dict[str, tuple[int, ...]] = {}

    def type_of(self, shape: tuple[int, ...]) -> str:
        return f"tensor<{'x'.join(map(str, shape))}x{self.dtype}>"

    def op(self, name: str, inputs: list[str], shape: tuple[int, ...], attributes: str = "") -> str:
        """An op in destination-passing style with one result."""
        n = len(self.shapes)
        type_ = self.type_of(shape)
        types = ", ".join([*(self.type_of(self.shapes[i]) for i in inputs), type_])
        constraints = f"operand_constraints = [{', '.join([ANY] * (len(inputs) + 1))}]"
        attributes = ", ".join(filter(None, [constraints, attributes]))
        self.lines += [
            f"  %e{n} = tensor.empty() : {type_}",
            f'  %v{n} = "ttir.{name}"({", ".join([*inputs, f"%e{n}"])}) <{{{attributes}}}> '
            f": ({types}) -> {type_}",
        ]
        self.shapes[f"%v{n}"] = shape
        return f"%v{n}"

    def eltwise(self, name: str, *inputs: str) -> str:
        segments = f"operandSegmentSizes = array<i32: {len(inputs)}, 1>"
        return self.op(name, list(inputs), self.shapes[inputs[0]], segments)

    def matmul(self, a: str, b: str) -> str:
        return self.op("matmul", [a, b], (*self.shapes[a][:-1], self.shapes[b][-1]))

    def all_reduce(self, a: str) -> str:
        return self.op(
            "all_reduce",
            [a],
            self.shapes[a],
            "operandSegmentSizes = array<i32: 1, 1>, cluster_axis = 1 : ui32, "
            "reduce_type = #tt.reduce_type<sum>",
        )

    def input(self, shape: tuple[int, int], split: int | None = None) -> str:
        """An argument whose dimension `split` is divided over the chips."""
        name = f"%a{len(self.arguments)}"
        self.arguments.append(f"{name}: {self.type_of(shape)}")
        self.shapes[name] = shape
        own = tuple(n // self.chips if d == split else n for d, n in enumerate(shape))
        return self.mesh_shard(name, own, split, "full_to_shard")

    def mesh_shard(self, a: str, shape: tuple[int, ...], split: int | None, direction: str) -> str:
        counts = [1 + (self.chips - 1) * (d == split) for d in range(len(shape))]
        if split is None:
            how = "replicate", "1", "-1"
        else:
            how = "devices", ", ".join(map(str, counts)), f"-1, {split}"
        return self.op(
            "mesh_shard",
            [a],
            shape,
            f"shard_type = #tt.shard_type<{how[0]}>, "
            f"shard_direction = #tt.shard_direction<{direction}>, "
            f"shard_shape = array<i64: {how[1]}>, shard_dims = array<i64: {how[2]}>",
        )

    def text(self, result: str) -> str:
        """The module; `result` is equal on all chips."""
        whole = self.mesh_shard(result, self.shapes[result], None, "shard_to_full")
        type_ = self.type_of(self.shapes[whole])
        body = "\n".join([*self.lines, f"  return {whole} : {type_}"])
        return f"func.func @forward({', '.join(self.arguments)}) -> {type_} {{\n{body}\n}}\n"


def projection(
    chips: int,
    m: int = 32,
    k: int = 128,
    n: int = 256,
    collective: bool = True,
    dtype: str = "bf16",
) -> str:
    """residual + x w, the inner dimension divided over the chips."""
    w = Writer(chips, dtype)
    x, weights, residual = w.input((m, k), 1), w.input((k, n), 0), w.input((m, n))
    product = w.matmul(x, weights)
    if collective:
        product = w.all_reduce(product)
    return w.text(w.eltwise("add", residual, product))


def parallel_block(chips: int, m: int = 32, width: int = 128, hidden: int = 256) -> str:
    """x + (x wo + mlp(x)), as in Falcon: two chains end at the inner add."""
    w = Writer(chips)
    x, columns = w.input((m, width)), w.input((m, width), 1)
    wo = w.input((width, width), 0)
    w1, w3 = w.input((width, hidden), 1), w.input((width, hidden), 1)
    w2 = w.input((hidden, width), 0)
    attention = w.all_reduce(w.matmul(columns, wo))
    gate = w.eltwise("multiply", w.eltwise("silu", w.matmul(x, w1)), w.matmul(x, w3))
    mlp = w.all_reduce(w.matmul(gate, w2))
    return w.text(w.eltwise("add", x, w.eltwise("add", attention, mlp)))
