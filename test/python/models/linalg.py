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
        value = Value("", array.shape, self.element)
        return self.emit(f"arith.constant {dense(array)} : {value.type}", array.shape)

    def scalar(self, value: float, rank: int) -> Value:
        return self.constant(np.full((1,) * rank, value, np.float32))

    def empty(self, shape: Sequence[int]) -> Value:
        result = Value("", tuple(shape), self.element)
        return self.emit(f"tensor.empty() : {result.type}", shape)

    def filled(self, shape: Sequence[int], value: float) -> Value:
        number = self.emit(f"arith.constant {self.number(value)} : {self.element}", ())
        empty = self.empty(shape)
        return self.emit(
            f"linalg.fill ins({number.name} : {self.element}) outs({empty.name} : {empty.type}) "
            f"-> {empty.type}",
            shape,
        )

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
        return self.emit(
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{kinds}]}} ins({names} : {types}) "
            f"outs({empty.name} : {empty.type}) {{\n"
            f"  ^bb0({arguments}, %acc: {self.element}):\n"
            + "".join(f"    {line}\n" for line in body)
            + f"    linalg.yield %r : {self.element}\n  }} -> {empty.type}",
            shape,
        )

    def unary(self, name: str, x: Value) -> Value:
        if name == "reciprocal":
            empty = self.empty(x.shape)
            return self.emit(
                f"linalg.reciprocal ins({x.name} : {x.type}) outs({empty.name} : {empty.type}) "
                f"-> {empty.type}",
                x.shape,
            )
        return self.generic([x], x.shape, [f"%r = {BODIES[name]} %x0 : {self.element}"])

    def binary(self, name: str, x: Value, y: Value) -> Value:
        body = [f"%r = {BODIES[name]} %x0, %x1 : {self.element}"]
        return self.generic([x, y], broadcast(x, y), body)

    def relu(self, x: Value) -> Value:
        return self.generic(
            [x],
            x.shape,
            [
                f"%zero = arith.constant 0.0 : {self.element}",
                f"%r = arith.maximumf %x0, %zero : {self.element}",
            ],
        )

    def reduce(self, name: str, x: Value, axis: int) -> Value:
        shape = tuple(extent for i, extent in enumerate(x.shape) if i != axis)
        start = self.filled(shape, 0.0 if name == "sum" else -np.inf)
        reduced = self.emit(
            f"linalg.reduce {{ {BODIES[name]} }} ins({x.name} : {x.type}) "
            f"outs({start.name} : {start.type}) dimensions = [{axis}]",
            shape,
        )
        kept = tuple(1 if i == axis else extent for i, extent in enumerate(x.shape))
        return self.reshape(reduced, kept)

    def matmul(self, a: Value, b: Value) -> Value:
        start = self.filled((a.shape[0], a.shape[1], b.shape[2]), 0.0)
        return self.emit(
            f"linalg.batch_matmul ins({a.name}, {b.name} : {a.type}, {b.type}) "
            f"outs({start.name} : {start.type}) -> {start.type}",
            start.shape,
        )

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        if tuple(shape) == x.shape:
            return x
        size = len(shape)
        extents = self.emit(
            f"arith.constant dense<[{', '.join(map(str, shape))}]> : tensor<{size}xindex>", ()
        )
        result = Value("", tuple(shape), self.element)
        return self.emit(
            f"tensor.reshape {x.name}({extents.name}) : ({x.type}, tensor<{size}xindex>) -> "
            f"{result.type}",
            shape,
        )

    def transpose(self, x: Value, permutation: Sequence[int]) -> Value:
        empty = self.empty([x.shape[i] for i in permutation])
        return self.emit(
            f"linalg.transpose ins({x.name} : {x.type}) outs({empty.name} : {empty.type}) "
            f"permutation = [{', '.join(map(str, permutation))}]",
            empty.shape,
        )

    def pad(self, x: Value, size: int) -> Value:
        if size == 0:
            return x
        n, h, w, c = x.shape
        result = Value("", (n, h + 2 * size, w + 2 * size, c), self.element)
        return self.emit(
            f"tensor.pad {x.name} low[0, {size}, {size}, 0] high[0, {size}, {size}, 0] {{\n"
            "  ^bb0(%i: index, %j: index, %k: index, %l: index):\n"
            f"    %zero = arith.constant 0.0 : {self.element}\n"
            f"    tensor.yield %zero : {self.element}\n"
            f"  }} : {x.type} to {result.type}",
            result.shape,
        )

    def conv2d(self, x: Value, kernel: Value, bias: Value, pad: int) -> Value:
        x = self.pad(x, pad)
        n, h, w, _ = x.shape
        o, kh, kw, _ = kernel.shape
        shape = (n, h - kh + 1, w - kw + 1, o)
        empty = self.empty(shape)
        start = self.emit(
            f"linalg.broadcast ins({bias.name} : {bias.type}) outs({empty.name} : {empty.type}) "
            "dimensions = [0, 1, 2]",
            shape,
        )
        return self.emit(
            "linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, "
            "strides = dense<1> : tensor<2xi64>} "
            f"ins({x.name}, {kernel.name} : {x.type}, {kernel.type}) "
            f"outs({start.name} : {start.type}) -> {start.type}",
            shape,
        )

    def max_pool(self, x: Value, size: int) -> Value:
        n, h, w, c = x.shape
        start = self.filled((n, h // size, w // size, c), -np.inf)
        window = self.empty((size, size))
        return self.emit(
            f"linalg.pooling_nhwc_max {{dilations = dense<1> : tensor<2xi64>, "
            f"strides = dense<{size}> : tensor<2xi64>}} "
            f"ins({x.name}, {window.name} : {x.type}, {window.type}) "
            f"outs({start.name} : {start.type}) -> {start.type}",
            start.shape,
        )
