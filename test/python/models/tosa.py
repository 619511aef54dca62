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
        kind = self.type(array.shape)
        attribute = f"{{values = {dense(array)} : {kind}}}"
        return self.emit(f'"tosa.const"() <{attribute}> : () -> {kind}', array.shape)

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

    def op(
        self, text: str, operands: Sequence[Value], shape: Sequence[int], kinds: str = ""
    ) -> Value:
        """An op whose operands are tensors, and behind them what ``kinds`` are the types of."""
        types = ", ".join([value.type for value in operands] + [kinds] * bool(kinds))
        return self.emit(f"tosa.{text} : ({types}) -> {self.type(shape)}", shape)

    def unary(self, name: str, x: Value) -> Value:
        return self.op(f"{name} {x.name}", [x], x.shape)

    def binary(self, name: str, x: Value, y: Value) -> Value:
        text = f"{name} {x.name}, {y.name}"
        if name != "mul":
            return self.op(text, [x, y], broadcast(x, y))
        shift = self.emit(
            '"tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>', (1,)
        )
        return self.op(f"{text}, {shift.name}", [x, y], broadcast(x, y), "tensor<1xi8>")

    def relu(self, x: Value) -> Value:
        bounds = f"min_val = 0.0 : {self.element}, max_val = {self.number(np.inf)} : {self.element}"
        return self.op(f"clamp {x.name} {{{bounds}}}", [x], x.shape)

    def reduce(self, name: str, x: Value, axis: int) -> Value:
        shape = tuple(1 if i == axis else extent for i, extent in enumerate(x.shape))
        return self.op(f"reduce_{name} {x.name} {{axis = {axis} : i32}}", [x], shape)

    def matmul(self, a: Value, b: Value) -> Value:
        zero = self.zero_point()
        shape = (a.shape[0], a.shape[1], b.shape[2])
        text = f"matmul {a.name}, {b.name}, {zero.name}, {zero.name}"
        return self.op(text, [a, b, zero, zero], shape)

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        if tuple(shape) == x.shape:
            return x
        text = f"reshape {x.name}, {self.parameter(shape)}"
        return self.op(text, [x], shape, f"!tosa.shape<{len(shape)}>")

    def transpose(self, x: Value, permutation: Sequence[int]) -> Value:
        shape = [x.shape[i] for i in permutation]
        perms = ", ".join(map(str, permutation))
        return self.op(f"transpose {x.name} {{perms = array<i32: {perms}>}}", [x], shape)

    def conv2d(self, x: Value, kernel: Value, bias: Value, pad: int) -> Value:
        n, h, w, _ = x.shape
        o, kh, kw, _ = kernel.shape
        shape = (n, h + 2 * pad - kh + 1, w + 2 * pad - kw + 1, o)
        zero = self.zero_point()
        return self.op(
            f"conv2d {x.name}, {kernel.name}, {bias.name}, {zero.name}, {zero.name} "
            "{acc_type = f32, dilation = array<i64: 1, 1>, stride = array<i64: 1, 1>, "
            f"pad = array<i64: {pad}, {pad}, {pad}, {pad}>}}",
            [x, kernel, bias, zero, zero],
            shape,
        )

    def max_pool(self, x: Value, size: int) -> Value:
        n, h, w, c = x.shape
        return self.op(
            f"max_pool2d {x.name} {{kernel = array<i64: {size}, {size}>, "
            f"pad = array<i64: 0, 0, 0, 0>, stride = array<i64: {size}, {size}>}}",
            [x],
            (n, h // size, w // size, c),
        )
