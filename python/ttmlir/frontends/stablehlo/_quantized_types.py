"""Uniform quantized types: rewriting program text, and parsing."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from ttmlir.builder._dtypes import array_dtype

_PREFIX = "!quant.uniform<"
_ALIAS = re.compile(r"^\s*(![\w.$-]+)\s*=\s*(!quant\.uniform<.*>)\s*$", re.MULTILINE)
_QUANTIZE = re.compile(r"stablehlo\.(uniform_(?:de)?quantize)\s+(%[\w#$.-]+)\s*:")
_GENERIC_QUANTIZE = re.compile(
    r'"stablehlo\.(uniform_(?:de)?quantize)"\(([^)]*)\)\s*(?:<?\{[^}]*\}>?\s*)?:'
)
_CONSTANT = re.compile(
    r'"?stablehlo\.constant"?\(\)\s*<?\{\s*value\s*=\s*(dense<[^{}]*?>\s*:\s*tensor<[^>]*>)\s*\}>?'
    r'\s*:\s*\(\)\s*->\s*(tensor<[^>"]*"' + re.escape(_PREFIX) + r'[^"]*">)'
)
_TYPE = re.compile(
    r"!quant\.uniform<(?P<sign>[iu])(?P<bits>\d+)(?:<(?P<low>-?\d+):(?P<high>-?\d+)>)?"
    r":(?P<expressed>\w+)(?::(?P<axis>\d+))?,\s*(?P<numbers>.*)>"
)
#: Targets of the custom calls that ``readable`` writes.
CALLS = frozenset({"uniform_quantize", "uniform_dequantize", "quantized_constant"})


@dataclass(frozen=True)
class Quantized:
    """Storage type, scales and zero points of a tensor, or of each index along ``axis``."""

    text: str
    storage: str
    scales: tuple[float, ...]
    zeros: tuple[int, ...]
    axis: int | None
    low: int
    high: int


def readable(text: str) -> str:
    """Rewrites a program with quantized types, which jaxlib cannot parse.

    Tensor types become their expressed types, with the quantized type as a string in place of the
    encoding; ops that exist only for quantized tensors become custom calls.
    """
    if _PREFIX not in text:
        return text
    for name, kind in _ALIAS.findall(text):
        text = _ALIAS.sub("", text, count=1)
        text = re.sub(rf"{re.escape(name)}(?![\w.$-])", kind, text)
    text = _encoded(text)
    text = _QUANTIZE.sub(r"stablehlo.custom_call @\1(\2) :", text)
    text = _GENERIC_QUANTIZE.sub(r'"stablehlo.custom_call"(\2) {call_target_name = "\1"} :', text)
    call = '"stablehlo.custom_call"() {call_target_name = "quantized_constant", value = '
    return _CONSTANT.sub(lambda m: f"{call}{m[1]}}} : () -> {m[2]}", text)


def _encoded(text: str) -> str:
    parts: list[str] = []
    end = 0
    while (begin := text.find(_PREFIX, end)) >= 0:
        depth, last = 1, begin + len(_PREFIX)
        while depth and last < len(text):
            depth += {"<": 1, ">": -1}.get(text[last], 0)
            last += 1
        kind = re.sub(r"\s+", " ", text[begin:last])
        found = _TYPE.fullmatch(kind)
        expressed = found["expressed"] if found else "f32"
        parts += [text[end:begin], f'{expressed}, "{kind}"']
        end = last
    return "".join([*parts, text[end:]])


def quantized_of(kind: ir.Type) -> Quantized | None:
    """Returns the quantized type of a tensor's elements; None for others.

    Raises:
        ValueError: the type is invalid.
    """
    if _PREFIX not in str(kind):
        return None
    encoding = ir.RankedTensorType(kind).encoding
    return None if encoding is None else _parsed(str(ir.StringAttr(encoding).value))


def _parsed(text: str) -> Quantized:
    found = _TYPE.fullmatch(text)
    if found is None:
        raise ValueError(f"expected a uniform quantized type, found {text}")
    storage = f"{found['sign']}{found['bits']}"
    if storage not in ("i2", "u2", "i4", "u4", "i8", "u8", "i16", "u16", "i32"):
        raise ValueError(f"a storage of {storage} is not supported: use 2 to 32 bits")
    numbers = re.findall(r"([-+.\w]+?)(?::(-?\d+))?\s*(?:,|\}|$)", found["numbers"].strip("{ "))
    bits, signed = int(found["bits"]), found["sign"] == "i"
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    low, high = int(found["low"] or least), int(found["high"] or most)
    scales = tuple(float(scale) for scale, _ in numbers)
    zeros = tuple(int(zero or 0) for _, zero in numbers)
    if low < least or high > most or low > high:
        raise ValueError(f"{text}: the range {low} to {high} is not one of {storage}")
    for scale, zero in zip(scales, zeros, strict=True):
        if not low <= zero <= high:
            raise ValueError(f"{text}: the zero point {zero} is not in {low} to {high}")
        if not 0 < scale < np.inf:
            raise ValueError(f"{text}: expected positive scales, found {scale:g}")
    axis = None if found["axis"] is None else int(found["axis"])
    return Quantized(text, storage, scales, zeros, axis, low, high)


def storage_array(kind: Quantized) -> np.dtype:  # type: ignore[type-arg]
    """Returns NumPy's dtype of the stored integers."""
    return array_dtype(kind.storage)
