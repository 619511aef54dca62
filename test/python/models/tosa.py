"""Programs in TOSA 1.0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from models import writer
from models.writer import DTYPES, Value, broadcast, dense


class Writer(writer.Writer):
    def constant(self, array: np.ndarray[Any, Any]) -> Value:
        array = array.astype(DTYPES[self.element])
        value = Value("", array.shape, self.element)
        attribute = f"{{values = {dense(array)} : {value.type}}}"
        return self.emit(f'"tosa.const"() <{attribute}> : () -> {value.type}', array.shape)

    def scalar(self, value: float, rank: int) -> Value:
        return self.constant(np.full((1,) * rank, value, np.float32))

    def parameter(self, values: Sequence[int]) -> str:
        """A shape."""
        numbers = ", ".join(map(str, values))
        size = len(values)
        made = self.emit(
            f"tosa.const_shape {{values = dense<[{numbers}]> : tensor<{size}xindex>}} : "
            f"() -> !tosa.shape<{size}>",
            (),
        )
        return made.name

    def zero_point(self) -> Value:
        return self.constant(np.zeros(1, np.float32))

    def unary(self, name: str, x: Value) -> Value:
        return self.emit(f"tosa.{name} {x.name} : ({x.type}) -> {x.type}", x.shape)

    def binary(self, name: str, x: Value, y: Value) -> Value:
        result = Value("", broadcast(x, y), self.element)
        names, types = f"{x.name}, {y.name}", f"{x.type}, {y.type}"
        if name == "mul":
            shift = self.emit(
                '"tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>', (1,)
            )
            names, types = f"{names}, {shift.name}", f"{types}, tensor<1xi8>"
        return self.emit(f"tosa.{name} {names} : ({types}) -> {result.type}", result.shape)

    def relu(self, x: Value) -> Value:
        bounds = f"min_val = 0.0 : {self.element}, max_val = {self.number(np.inf)} : {self.element}"
        return self.emit(f"tosa.clamp {x.name} {{{bounds}}} : ({x.type}) -> {x.type}", x.shape)

    def reduce(self, name: str, x: Value, axis: int) -> Value:
        shape = tuple(1 if i == axis else extent for i, extent in enumerate(x.shape))
        result = Value("", shape, self.element)
        return self.emit(
            f"tosa.reduce_{name} {x.name} {{axis = {axis} : i32}} : ({x.type}) -> {result.type}",
            shape,
        )

    def matmul(self, a: Value, b: Value) -> Value:
        zero = self.zero_point()
        result = Value("", (a.shape[0], a.shape[1], b.shape[2]), self.element)
        return self.emit(
            f"tosa.matmul {a.name}, {b.name}, {zero.name}, {zero.name} : "
            f"({a.type}, {b.type}, {zero.type}, {zero.type}) -> {result.type}",
            result.shape,
        )

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        if tuple(shape) == x.shape:
            return x
        parameter = self.parameter(shape)
        result = Value("", tuple(shape), self.element)
        return self.emit(
            f"tosa.reshape {x.name}, {parameter} : ({x.type}, !tosa.shape<{len(shape)}>) -> "
            f"{result.type}",
            shape,
        )

    def transpose(self, x: Value, permutation: Sequence[int]) -> Value:
        result = Value("", tuple(x.shape[i] for i in permutation), self.element)
        perms = ", ".join(map(str, permutation))
        return self.emit(
            f"tosa.transpose {x.name} {{perms = array<i32: {perms}>}} : ({x.type}) -> "
            f"{result.type}",
            result.shape,
        )

    def conv2d(self, x: Value, kernel: Value, bias: Value, pad: int) -> Value:
        n, h, w, _ = x.shape
        o, kh, kw, _ = kernel.shape
        shape = (n, h + 2 * pad - kh + 1, w + 2 * pad - kw + 1, o)
        zero = self.zero_point()
        result = Value("", shape, self.element)
        return self.emit(
            f"tosa.conv2d {x.name}, {kernel.name}, {bias.name}, {zero.name}, {zero.name} "
            "{acc_type = f32, dilation = array<i64: 1, 1>, stride = array<i64: 1, 1>, "
            f"pad = array<i64: {pad}, {pad}, {pad}, {pad}>}} : "
            f"({x.type}, {kernel.type}, {bias.type}, {zero.type}, {zero.type}) -> {result.type}",
            shape,
        )

    def max_pool(self, x: Value, size: int) -> Value:
        n, h, w, c = x.shape
        result = Value("", (n, h // size, w // size, c), self.element)
        return self.emit(
            f"tosa.max_pool2d {x.name} {{kernel = array<i64: {size}, {size}>, "
            f"pad = array<i64: 0, 0, 0, 0>, stride = array<i64: {size}, {size}>}} : "
            f"({x.type}) -> {result.type}",
            result.shape,
        )
