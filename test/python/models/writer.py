"""What the writers of TOSA and of linalg have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

DTYPES: dict[str, Any] = {
    "f32": np.dtype(np.float32),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i32": np.dtype(np.int32),
}


@dataclass(frozen=True)
class Value:
    """A value of the program."""

    name: str
    shape: tuple[int, ...]
    element: str

    @property
    def type(self) -> str:
        return "tensor<" + "".join(f"{extent}x" for extent in self.shape) + f"{self.element}>"


def dense(array: np.ndarray[Any, Any]) -> str:
    """The elements of a constant as MLIR writes them."""
    return f'dense<"0x{array.tobytes().hex().upper()}">'


class Writer(ABC):
    """Writes one function. Images are (N, H, W, C), kernels of convolutions (O, KH, KW, C)."""

    def __init__(self, element: str, name: str = "main") -> None:
        self.element = element
        self.name = name
        self.arguments: list[Value] = []
        self.lines: list[str] = []
        self.results: list[Value] = []
        self._count = 0

    def text(self) -> str:
        arguments = ", ".join(f"{a.name}: {a.type}" for a in self.arguments)
        types = ", ".join(r.type for r in self.results)
        names = ", ".join(r.name for r in self.results)
        lines = [
            f"func.func @{self.name}({arguments}) -> ({types}) {{",
            *(f"  {line}" for line in self.lines),
            f"  return {names} : {types}",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def input(self, name: str, shape: Sequence[int]) -> Value:
        value = Value(f"%{name}", tuple(shape), self.element)
        self.arguments.append(value)
        return value

    def output(self, *values: Value) -> Writer:
        self.results.extend(values)
        return self

    def emit(self, text: str, shape: Sequence[int], element: str = "") -> Value:
        """Adds ``text`` as the op of a new value."""
        self._count += 1
        value = Value(f"%{self._count}", tuple(shape), element or self.element)
        self.lines.append(f"{value.name} = {text}")
        return value

    def type(self, shape: Sequence[int]) -> str:
        """The type of a tensor of the elements of the program."""
        return Value("", tuple(shape), self.element).type

    def number(self, value: float) -> str:
        """A number as an attribute of the element type."""
        bits = np.asarray(value, DTYPES[self.element])
        return f"0x{bits.tobytes()[::-1].hex().upper()}"

    @abstractmethod
    def constant(self, array: np.ndarray[Any, Any]) -> Value: ...

    def scalar(self, value: float, rank: int) -> Value:
        """One number that broadcasts with tensors of that rank."""
        return self.constant(np.full((1,) * rank, value, np.float32))

    @abstractmethod
    def unary(self, name: str, x: Value) -> Value:
        """``exp``, ``rsqrt``, ``reciprocal``, ``tanh``, ``erf``."""

    @abstractmethod
    def binary(self, name: str, x: Value, y: Value) -> Value:
        """``add``, ``sub``, ``mul``; extents of 1 broadcast."""

    @abstractmethod
    def relu(self, x: Value) -> Value: ...

    @abstractmethod
    def reduce(self, name: str, x: Value, axis: int) -> Value:
        """``sum`` or ``max``; the axis stays with extent 1."""

    @abstractmethod
    def matmul(self, a: Value, b: Value) -> Value:
        """Of rank 3."""

    @abstractmethod
    def reshape(self, x: Value, shape: Sequence[int]) -> Value: ...

    @abstractmethod
    def transpose(self, x: Value, permutation: Sequence[int]) -> Value: ...

    @abstractmethod
    def conv2d(self, x: Value, kernel: Value, bias: Value, pad: int) -> Value: ...

    @abstractmethod
    def max_pool(self, x: Value, size: int) -> Value:
        """Windows side by side."""

    def dense(self, x: Value, weight: Value, bias: Value) -> Value:
        """x (N, M, K) times weight (1, K, O) plus bias (1, 1, O)."""
        rows = self.reshape(x, (1, x.shape[0] * x.shape[1], x.shape[2]))
        product = self.matmul(rows, weight)
        product = self.reshape(product, (*x.shape[:2], weight.shape[2]))
        return self.binary("add", product, bias)

    def softmax(self, x: Value, axis: int) -> Value:
        shifted = self.binary("sub", x, self.reduce("max", x, axis))
        powers = self.unary("exp", shifted)
        total = self.reduce("sum", powers, axis)
        return self.binary("mul", powers, self.unary("reciprocal", total))

    def mean(self, x: Value, axis: int) -> Value:
        total = self.reduce("sum", x, axis)
        return self.binary("mul", total, self.scalar(1 / x.shape[axis], len(x.shape)))

    def layer_norm(self, x: Value, weight: Value, bias: Value, epsilon: float = 1e-5) -> Value:
        axis = len(x.shape) - 1
        centred = self.binary("sub", x, self.mean(x, axis))
        variance = self.mean(self.binary("mul", centred, centred), axis)
        shifted = self.binary("add", variance, self.scalar(epsilon, len(x.shape)))
        scaled = self.binary("mul", centred, self.unary("rsqrt", shifted))
        return self.binary("add", self.binary("mul", scaled, weight), bias)

    def gelu(self, x: Value) -> Value:
        """x / 2 * (1 + erf(x / sqrt(2)))."""
        rank = len(x.shape)
        error = self.unary("erf", self.binary("mul", x, self.scalar(0.5**0.5, rank)))
        shifted = self.binary("add", error, self.scalar(1.0, rank))
        return self.binary("mul", self.binary("mul", x, self.scalar(0.5, rank)), shifted)


def broadcast(x: Value, y: Value) -> tuple[int, ...]:
    return np.broadcast_shapes(x.shape, y.shape)
