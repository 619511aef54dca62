"""Values while a program is imported: tensors that are built, and arrays that are known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from jaxlib.mlir import ir

from ttmlir.builder import Tensor
from ttmlir.frontends.stablehlo._types import Array, Shape, numpy_of, shape_of


@dataclass(frozen=True, eq=False)
class Known:
    """An array that is known. Where all elements along a dimension are the same it may have them
    once, with a stride of 0."""

    array: Array

    @property
    def shape(self) -> Shape:
        return tuple(self.array.shape)

    def compact(self) -> Array:
        """The elements, once along each dimension whose stride is 0; NumPy broadcasts it back."""
        key = tuple(
            slice(0, 1) if stride == 0 and extent > 1 else slice(None)
            for stride, extent in zip(self.array.strides, self.shape, strict=True)
        )
        return self.array[key]

    def splat(self) -> Any:
        """The element that is everywhere, or None."""
        flat = self.compact().reshape(-1)
        if not flat.size:
            return None
        # Bit for bit: 0 and -0 are two numbers, and NaN is one.
        same = flat.size == 1 or flat.tobytes() == flat[:1].tobytes() * flat.size
        return flat[0] if same else None


@dataclass(frozen=True, eq=False)
class Spread:
    """A tensor with an extent of 1 in each dimension along which ``shape`` repeats it: elementwise
    ops take it as it is."""

    tensor: Tensor
    shape: Shape


#: What an op depends on that is not a tensor.
TOKEN = "token"
Value: TypeAlias = "Tensor | Known | Spread | str | tuple[Value, ...]"


def array_of(attribute: Any, kind: Any) -> Array:
    """The elements of a constant.

    Args:
        attribute: a dense elements attribute, dense or a splat.
        kind: its tensor type.
    """
    shape, dtype = shape_of(kind), numpy_of(kind)
    elements = ir.DenseElementsAttr(attribute)
    if not elements.is_splat and dtype.kind in "fiub" and dtype.itemsize > 1:
        return np.array(elements).astype(dtype).reshape(shape)
    if elements.is_splat:
        value = _scalar(elements.get_splat_value())
        if dtype.kind == "u":  # The bindings give the bits as those of a signed integer.
            value %= 1 << 8 * dtype.itemsize
        return np.broadcast_to(np.array(value, dtype), shape)
    if dtype.kind in "iub":
        integers: Any = ir.DenseIntElementsAttr(attribute)
        return np.array([int(v) for v in integers]).astype(dtype).reshape(shape)
    return _read(str(attribute), dtype).reshape(shape)


def resources_of(operation: Any) -> dict[str, bytes]:
    """The elements that the module of an operation has as resources, by name: the bindings give
    them in its text alone."""
    root = operation
    while root.parent is not None:
        root = root.parent
    text = str(root.operation)
    blobs = re.findall(r'([\w.$-]+|"[^"]+"): "0x([0-9A-Fa-f]+)"', text[text.rfind("\n{-#") :])
    # The first four bytes are an alignment.
    return {name.strip('"'): bytes.fromhex(blob)[4:] for name, blob in blobs}


def resource_name(attribute: Any) -> str:
    """What the elements are called, if they are a resource; else empty."""
    found = re.match(r"dense_resource<(.*)> : ", str(attribute))
    return found[1].strip('"') if found else ""


def _read(text: str, dtype: np.dtype[Any]) -> Array:
    """The elements of a dense attribute, from its text: the bindings do not give those of bf16.

    MLIR prints numbers so that they are read as the same bits: in decimal, what that does not give
    as ``0x`` and the bits, and many elements as their bytes, little-endian.
    """
    inside = text[text.index("<") + 1 : text.rindex("> :")]
    if inside.startswith('"0x'):
        return np.frombuffer(bytes.fromhex(inside.strip('"')[2:]), dtype)
    words = re.findall(r"[-+.\w]+", inside)
    found = np.array([0.0 if w.startswith("0x") else float(w) for w in words]).astype(dtype)
    bits = found.view(f"u{dtype.itemsize}")
    for i, word in enumerate(words):
        if word.startswith("0x"):
            bits[i] = int(word, 16)
    return found


def _scalar(attribute: Any) -> Any:
    if isinstance(attribute, (int, float, bool)):
        return attribute
    for kind in (ir.BoolAttr, ir.IntegerAttr, ir.FloatAttr):
        try:
            return kind(attribute).value
        except ValueError:
            continue
    return int(str(attribute).partition(":")[0])
