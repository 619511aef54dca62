"""PyTorch element types, with their builder and NumPy names."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import torch

from ttmlir.builder._dtypes import SMALL_FLOATS, array_dtype
from ttmlir.frontends.dtype_policy import FLOATS as FLOATS

Shape = tuple[int, ...]
Array = np.ndarray[Any, np.dtype[Any]]

#: Builder names by element type.
ELEMENTS: dict[torch.dtype, str] = {
    torch.bool: "bool",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.uint8: "u8",
    torch.uint16: "u16",
    torch.uint32: "u32",
    torch.uint64: "u64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.float8_e4m3fn: "f8_e4m3fn",
    torch.float8_e5m2: "f8_e5m2",
    torch.float8_e4m3fnuz: "f8_e4m3fnuz",
    torch.float8_e5m2fnuz: "f8_e5m2fnuz",
    **({torch.float8_e8m0fnu: "f8_e8m0fnu"} if hasattr(torch, "float8_e8m0fnu") else {}),
}
#: Types of the parts of complex numbers, which represent them in programs.
REAL_OF: dict[torch.dtype, torch.dtype] = {
    torch.complex64: torch.float32,
    torch.complex128: torch.float64,
}
#: Element types by builder name.
TORCH: dict[str, torch.dtype] = {name: dtype for dtype, name in ELEMENTS.items()}
#: Element types that NumPy gets from ``ml_dtypes``, with integer types for their bits.
_FOREIGN: dict[torch.dtype, tuple[torch.dtype, np.dtype[Any]]] = {
    torch.bfloat16: (torch.uint16, np.dtype(ml_dtypes.bfloat16)),
    **{
        dtype: (torch.uint8, array_dtype(name))
        for dtype, name in ELEMENTS.items()
        if name in SMALL_FLOATS
    },
}
#: Words of the random state.
STATE = 4
UNSIGNED = frozenset({"u8", "u16", "u32", "u64"})
#: Unsupported element types, with a remedy.
_ADVICE = {
    "complex32": "complex numbers of 32 bits are not supported: convert to complex64",
    "float4": "floats of 4 bits are not supported: convert to bfloat16 on the host",
    "q": "quantized tensors are not supported: quantize with arithmetic on int8",
}


def unsupported(dtype: torch.dtype) -> str:
    """Returns why a dtype is not supported and a remedy; empty if it is."""
    if dtype in ELEMENTS or dtype in REAL_OF:
        return ""
    name = str(dtype).removeprefix("torch.")
    for prefix, advice in _ADVICE.items():
        if name.startswith(prefix):
            return advice
    return f"elements of type {name} are not supported: convert to float32 or int32"


def element_of(dtype: torch.dtype) -> str:
    """Returns the builder's name of a dtype; for complex numbers that of the parts."""
    return ELEMENTS[REAL_OF.get(dtype, dtype)]


def array_of(tensor: torch.Tensor) -> Array:
    """Returns the elements as a NumPy array, which shares memory if possible."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.device.type != "cpu":
        tensor = tensor.cpu()
    if tensor.dtype in _FOREIGN:
        words, dtype = _FOREIGN[tensor.dtype]
        bits: Array = tensor.contiguous().view(words).numpy()
        return bits.view(dtype)
    array: Array = tensor.numpy()
    return array


def tensor_of(array: Array) -> torch.Tensor:
    """Converts a NumPy array to a tensor."""
    for dtype, (_, foreign) in _FOREIGN.items():
        if array.dtype == foreign:
            bits = _writable(array).view(f"u{array.itemsize}")
            return torch.from_numpy(bits).view(dtype)
    return torch.from_numpy(_writable(array))


def _writable(array: Array) -> Array:
    array = np.ascontiguousarray(array).reshape(array.shape)
    return array if array.flags.writeable else array.copy()


def lowest(dtype: str) -> float | int | bool:
    """Returns the lowest number of a type: the maximum of an empty set."""
    if dtype == "bool":
        return False
    return -np.inf if dtype in FLOATS else int(torch.iinfo(TORCH[dtype]).min)


def highest(dtype: str) -> float | int | bool:
    """Returns the highest number of a type: the minimum of an empty set."""
    if dtype == "bool":
        return True
    return np.inf if dtype in FLOATS else int(torch.iinfo(TORCH[dtype]).max)


def random_state() -> Array:
    """Draws a random state from PyTorch's generator."""
    words = torch.randint(0, 1 << 32, (STATE,), dtype=torch.int64)
    return np.asarray(words.numpy(), np.uint32)
