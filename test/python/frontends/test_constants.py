"""Constants of every element type, in every form that MLIR writes, in the texts of front ends."""

from __future__ import annotations

import struct

import ml_dtypes  # noqa: F401  (makes bfloat16 known to NumPy)
import numpy as np
import pytest

import ttmlir

TYPES = {
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "ui8": "uint8",
    "ui16": "uint16",
    "ui32": "uint32",
    "ui64": "uint64",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
}
#: An op with ``{value}`` of ``{type}``.
OPS = {
    "stablehlo": "stablehlo.constant {value} : {type}",
    "tosa": '"tosa.const"() <{{values = {value} : {type}}}> : () -> {type}',
    "linalg": "arith.constant {value} : {type}",
    "ttir": '"ttir.constant"() <{{value = {value} : {type}}}> : () -> {type}',
}
FORMS = ("splat", "dense", "bytes", "resource")


def text_of(front_end: str, element: str, form: str) -> tuple[str, np.ndarray]:  # type: ignore[type-arg]
    """A module that returns a constant, and its elements."""
    dtype = np.dtype(TYPES[element])
    numbers = np.array([3] * 4 if form == "splat" else [1, 0, 3, 100]).astype(dtype)
    raw, tail = numbers.tobytes().hex().upper(), ""
    if form == "bytes":
        value = f'dense<"0x{raw}">'
    elif form == "resource":
        value = "dense_resource<elements>"
        align = struct.pack("<I", dtype.itemsize).hex().upper()
        tail = f'{{-# dialect_resources: {{ builtin: {{ elements: "0x{align}{raw}" }} }} #-}}\n'
    else:
        words = [str(n).lower() if element == "i1" else repr(n.item()) for n in numbers]
        listed = ", ".join(words)
        value = f"dense<{words[0]}>" if form == "splat" else f"dense<[{listed}]>"
    # Signless integers have no sign in TTIR.
    own = (
        f"s{element}" if front_end == "ttir" and element in ("i8", "i16", "i32", "i64") else element
    )
    kind = f"tensor<4x{own}>"
    op = OPS[front_end].format(value=value, type=kind)
    return f"func.func @main() -> {kind} {{\n  %0 = {op}\n  return %0 : {kind}\n}}\n{tail}", numbers


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("front_end", OPS)
def test_constants(front_end: str, element: str, form: str) -> None:
    if element == "i1" and form in ("bytes", "resource"):
        pytest.skip("MLIR packs truth values")
    if element.startswith("ui") and front_end in ("tosa", "linalg"):
        pytest.skip("the dialect has no constants of unsigned types")
    text, numbers = text_of(front_end, element, form)
    if front_end == "stablehlo":
        from ttmlir.frontends.stablehlo import import_module

        executable = ttmlir.compile(import_module(text).builder)
    else:
        executable = ttmlir.compile(text)
    found = np.asarray(executable())
    assert found.dtype == numbers.dtype
    np.testing.assert_array_equal(found, numbers)


def test_a_resource_that_is_not_there() -> None:
    from ttmlir.frontends.stablehlo import import_module

    text, _ = text_of("stablehlo", "f32", "resource")
    with pytest.raises(
        ttmlir.CompileError, match="the module has no resource 'elements' of tensor"
    ):
        import_module(text.partition("{-#")[0])
