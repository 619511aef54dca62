"""Values during import: built tensors and known arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from jaxlib.mlir import ir

from ttmlir.builder import Tensor
from ttmlir.frontends.complex_numbers import Complex
from ttmlir.frontends.stablehlo._types import Array, Shape, numpy_of, shape_of


@dataclass(frozen=True, eq=False)
class Known:
    """A known array. Dimensions along which all elements are the same may have a stride of 0."""

    array: Array

    @property
    def shape(self) -> Shape:
        return tuple(self.array.shape)

    def compact(self) -> Array:
        """Returns the elements with extent 1 in dimensions with stride 0; NumPy broadcasts it
        back."""
        key = tuple(
            slice(0, 1) if stride == 0 and extent > 1 else slice(None)
            for stride, extent in zip(self.array.strides, self.shape, strict=True)
        )
        return self.array[key]

    def splat(self) -> Any:
        """Returns the value of all elements, or None if they differ."""
        flat = self.compact().reshape(-1)
        if not flat.size:
            return None
        # Bitwise: 0 and -0 differ, NaN equals NaN.
        same = flat.size == 1 or flat.tobytes() == flat[:1].tobytes() * flat.size
        return flat[0] if same else None


@dataclass(frozen=True, eq=False)
class Spread:
    """A tensor with extent 1 in each dimension along which ``shape`` repeats it; elementwise ops
    broadcast it."""

    tensor: Tensor
    shape: Shape


#: A dependency of an op that is not a tensor.
TOKEN = "token"
Value: TypeAlias = "Tensor | Known | Spread | Complex[Value] | str | tuple[Value, ...]"


def is_known_complex(value: Value) -> bool:
    """Whether a value is a known array of complex numbers."""
    return isinstance(value, Known) and value.array.dtype.kind == "c"


def components(value: Value) -> tuple[Value, ...]:
    """Returns the real and imaginary parts of complex numbers, or another value unchanged."""
    if isinstance(value, Complex):
        return value.parts
    if isinstance(value, Known) and is_known_complex(value):
        return Known(value.array.real), Known(value.array.imag)
    return (value,)


def parts_of(value: Value) -> Complex[Value]:
    """Returns the parts of complex numbers.

    Raises:
        ValueError: they are real.
    """
    found = components(value)
    if len(found) != 2:
        raise ValueError("expected complex numbers, found real ones")
    return Complex(*found)


def array_of(attribute: Any, kind: Any) -> Array:
    """Returns the elements of a constant.

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
        if dtype.kind == "u":  # The bindings return the bits as a signed integer.
            value %= 1 << 8 * dtype.itemsize
        return np.broadcast_to(np.array(value, dtype), shape)
    if dtype.kind in "iub":
        integers: Any = ir.DenseIntElementsAttr(attribute)
        return np.array([int(v) for v in integers]).astype(dtype).reshape(shape)
    return _read(str(attribute), dtype).reshape(shape)


def complex_array_of(operation: Any) -> Array:
    """Parses the elements of a complex constant from its text, since the bindings cannot return the
    attribute.

    Raises:
        ValueError: the elements are not in the text.
    """
    kind = operation.results[0].type
    shape, dtype = shape_of(kind), numpy_of(kind)
    text = operation.get_asm(use_local_scope=True)
    begin = text.find("dense<")
    if begin < 0:
        raise ValueError("expected the elements of the constant, found a resource")
    elements = text[begin : text.index("> : ", begin) + 4]
    found = _read(elements, np.dtype(f"f{dtype.itemsize // 2}")).view(dtype)
    return np.broadcast_to(found.reshape(()), shape) if found.size == 1 else found.reshape(shape)


def resources_of(operation: Any) -> dict[str, bytes]:
    """Returns the resources of an operation's module by name: the bindings only provide them in its
    text."""
    root = operation
    while root.parent is not None:
        root = root.parent
    text = str(root.operation)
    blobs = re.findall(r'([\w.$-]+|"[^"]+"): "0x([0-9A-Fa-f]+)"', text[text.rfind("\n{-#") :])
    # The first four bytes are the alignment.
    return {name.strip('"'): bytes.fromhex(blob)[4:] for name, blob in blobs}


def resource_name(attribute: Any) -> str:
    """Returns the name of the elements if they are a resource; otherwise an empty string."""
    found = re.match(r"dense_resource<(.*)> : ", str(attribute))
    return found[1].strip('"') if found else ""


def _read(text: str, dtype: np.dtype[Any]) -> Array:
    """Parses the elements of a dense attribute: the bindings do not return those of bf16.

    MLIR prints numbers so that they round-trip: in decimal, or as ``0x`` and the bits where decimal
    is not exact, and many elements as their bytes, little-endian.
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
