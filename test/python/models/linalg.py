"""Programs in linalg on tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from models import writer
from models.writer import DTYPES, Value, broadcast, dense

BODIES = {
    "exp": "math.exp",
    "rsqrt": "math.rsqrt",
    "tanh": "math.tanh",
    "erf": "math.erf",
    "add": "arith.addf",
    "sub": "arith.subf",
    "mul": "arith.mulf",
    "sum": "arith.addf",
    "max": "arith.maximumf",
}


class Writer(writer.Writer):
    def constant(self, array: np.ndarray[Any, Any]) -> Value:
        array = array.astype(DTYPES[self.element])
        return self.emit(f"arith.constant {dense(array)} : {self.type(array.shape)}", array.shape)

    def empty(self, shape: Sequence[int]) -> Value:
        return self.emit(f"tensor.empty() : {self.type(shape)}", shape)

    def filled(self, shape: Sequence[int], value: float) -> Value:
        number = self.emit(f"arith.constant {self.number(value)} : {self.element}", ())
        return self.into(self.empty(shape), f"linalg.fill ins({number.name} : {self.element})")

    def into(self, start: Value, op: str, rest: str = "") -> Value:
        """An op whose result has the type of ``start``, its output operand."""
        ending = rest or f"-> {start.type}"
        return self.emit(f"{op} outs({start.name} : {start.type}) {ending}", start.shape)

    def generic(self, inputs: Sequence[Value], shape: Sequence[int], body: Sequence[str]) -> Value:
        """An elementwise op whose ``body`` computes %r from %x0, %x1, ..; extents of 1 broadcast,
        and so do leading dimensions that are missing."""
        rank = len(shape)
        dims = [f"d{i}" for i in range(rank)]
        empty = self.empty(shape)
        maps = []
        for value in inputs:
            used = dims[rank - len(value.shape) :]
            target = shape[rank - len(value.shape) :]
            indices = [
                "0" if extent == 1 and full != 1 else dim
                for dim, extent, full in zip(used, value.shape, target, strict=True)
            ]
            maps.append(f"affine_map<({', '.join(dims)}) -> ({', '.join(indices)})>")
        maps.append(f"affine_map<({', '.join(dims)}) -> ({', '.join(dims)})>")
        kinds = ", ".join(['"parallel"'] * rank)
        names = ", ".join(v.name for v in inputs)
        types = ", ".join(v.type for v in inputs)
        arguments = ", ".join(f"%x{i}: {v.element}" for i, v in enumerate(inputs))
        return self.into(
            empty,
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{kinds}]}} ins({names} : {types})",
            f"{{\n  ^bb0({arguments}, %acc: {self.element}):\n"
            + "".join(f"    {line}\n" for line in body)
            + f"    linalg.yield %r : {self.element}\n  }} -> {empty.type}",
        )

    def unary(self, name: str, x: Value) -> Value:
        if name == "reciprocal":
            return self.into(self.empty(x.shape), f"linalg.reciprocal ins({x.name} : {x.type})")
        return self.generic([x], x.shape, [f"%r = {BODIES[name]} %x0 : {self.element}"])

    def binary(self, name: str, x: Value, y: Value) -> Value:
        body = [f"%r = {BODIES[name]} %x0, %x1 : {self.element}"]
        return self.generic([x, y], broadcast(x, y), body)

    def relu(self, x: Value) -> Value:
        zero = f"%zero = arith.constant 0.0 : {self.element}"
        return self.generic(
            [x], x.shape, [zero, f"%r = arith.maximumf %x0, %zero : {self.element}"]
        )

    def reduce(self, name: str, x: Value, axis: int) -> Value:
        shape = tuple(extent for i, extent in enumerate(x.shape) if i != axis)
        start = self.filled(shape, 0.0 if name == "sum" else -np.inf)
        op = f"linalg.reduce {{ {BODIES[name]} }} ins({x.name} : {x.type})"
        reduced = self.into(start, op, f"dimensions = [{axis}]")
        kept = tuple(1 if i == axis else extent for i, extent in enumerate(x.shape))
        return self.reshape(reduced, kept)

    def matmul(self, a: Value, b: Value) -> Value:
        start = self.filled((a.shape[0], a.shape[1], b.shape[2]), 0.0)
        return self.into(start, f"linalg.batch_matmul ins({a.name}, {b.name} : {a.type}, {b.type})")

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        if tuple(shape) == x.shape:
            return x
        size = len(shape)
        extents = self.emit(
            f"arith.constant dense<[{', '.join(map(str, shape))}]> : tensor<{size}xindex>", ()
        )
        return self.emit(
            f"tensor.reshape {x.name}({extents.name}) : ({x.type}, tensor<{size}xindex>) -> "
            f"{self.type(shape)}",
            shape,
        )

    def transpose(self, x: Value, permutation: Sequence[int]) -> Value:
        empty = self.empty([x.shape[i] for i in permutation])
        return self.into(
            empty,
            f"linalg.transpose ins({x.name} : {x.type})",
            f"permutation = [{', '.join(map(str, permutation))}]",
        )

    def pad(self, x: Value, size: int) -> Value:
        if size == 0:
            return x
        n, h, w, c = x.shape
        shape = (n, h + 2 * size, w + 2 * size, c)
        return self.emit(
            f"tensor.pad {x.name} low[0, {size}, {size}, 0] high[0, {size}, {size}, 0] {{\n"
            "  ^bb0(%i: index, %j: index, %k: index, %l: index):\n"
            f"    %zero = arith.constant 0.0 : {self.element}\n"
            f"    tensor.yield %zero : {self.element}\n"
            f"  }} : {x.type} to {self.type(shape)}",
            shape,
        )

    def conv2d(self, x: Value, kernel: Value, bias: Value, pad: int) -> Value:
        x = self.pad(x, pad)
        n, h, w, _ = x.shape
        o, kh, kw, _ = kernel.shape
        empty = self.empty((n, h - kh + 1, w - kw + 1, o))
        op = f"linalg.broadcast ins({bias.name} : {bias.type})"
        return self.into(
            self.into(empty, op, "dimensions = [0, 1, 2]"),
            "linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, "
            "strides = dense<1> : tensor<2xi64>} "
            f"ins({x.name}, {kernel.name} : {x.type}, {kernel.type})",
        )

    def max_pool(self, x: Value, size: int) -> Value:
        n, h, w, c = x.shape
        start = self.filled((n, h // size, w // size, c), -np.inf)
        window = self.empty((size, size))
        return self.into(
            start,
            f"linalg.pooling_nhwc_max {{dilations = dense<1> : tensor<2xi64>, "
            f"strides = dense<{size}> : tensor<2xi64>}} "
            f"ins({x.name}, {window.name} : {x.type}, {window.type})",
        )
