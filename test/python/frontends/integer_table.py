"""Integer ops of every type by every front end, against the framework itself.

``python integer_table.py`` prints what is not right. Inputs have numbers at the limits of their
type, of 32 bits for those of 64; ``wide`` ops get products of them, beyond 32 bits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    for folder in ("..", "onnx_models"):
        sys.path.insert(0, str((Path(__file__).parent / folder).resolve()))

import ttmlir
from ttmlir.errors import CompileError

Array = np.ndarray[Any, np.dtype[Any]]

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FRONT_ENDS = ("torch", "jax", "onnx")
#: Elements of the inputs.
COUNT = 12


@dataclass(frozen=True)
class Case:
    """An op of a type by a front end; ``is_wide`` where its first operand has more than 32 bits."""

    front_end: str
    op: str
    dtype: str
    is_wide: bool = False

    def __str__(self) -> str:
        return f"{self.front_end}-{self.op}-{self.dtype}{'-wide' * self.is_wide}"


def inputs(dtype: str) -> tuple[Array, Array]:
    """Numbers at the limits and others; the second array has no 0."""
    limits = np.iinfo({"int64": "int32", "uint64": "uint32"}.get(dtype, dtype))
    numbers = np.random.default_rng(0)
    low, high = int(limits.min), int(limits.max)
    x = numbers.integers(low, high, COUNT, np.int64, endpoint=True)
    y = numbers.integers(max(low, -99), min(high, 99), COUNT, np.int64)
    x[:4] = low, high, 0, min(high, low + 1)
    y[y == 0] = 3
    y[:3] = 1, high, max(low, -1) or 1
    return x.astype(dtype), y.astype(dtype)


#: Of PyTorch and of NumPy's interface in JAX: the module, and two arrays.
ARRAY_OPS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda np, x, y: x + y,
    "subtract": lambda np, x, y: x - y,
    "multiply": lambda np, x, y: x * y,
    "square": lambda np, x, y: x * x,
    "negative": lambda np, x, y: -x,
    "abs": lambda np, x, y: abs(x),
    "sign": lambda np, x, y: np.sign(x),
    "floor_divide": lambda np, x, y: x // y,
    "remainder": lambda np, x, y: x % y,
    "divide_by_7": lambda np, x, y: x // 7,
    "remainder_of_101": lambda np, x, y: x % 101,
    "maximum": lambda np, x, y: np.maximum(x, y),
    "minimum": lambda np, x, y: np.minimum(x, y),
    "less": lambda np, x, y: x < y,
    "less_equal": lambda np, x, y: x <= y,
    "equal": lambda np, x, y: x == y,
    "not_equal": lambda np, x, y: x != y,
    "bitwise_and": lambda np, x, y: x & y,
    "bitwise_or": lambda np, x, y: x | y,
    "bitwise_xor": lambda np, x, y: x ^ y,
    "bitwise_not": lambda np, x, y: ~x,
    "shift_left": lambda np, x, y: x << (y & 7),
    "shift_right": lambda np, x, y: x >> (y & 7),
    "where": lambda np, x, y: np.where(x > y, x, y),
    "sum": lambda np, x, y: x.sum(),
    "prod": lambda np, x, y: x.prod(),
    "max": lambda np, x, y: x.max(),
    "min": lambda np, x, y: x.min(),
    "cumsum": lambda np, x, y: x.cumsum(0),
    "cumprod": lambda np, x, y: x.cumprod(0),
    "argmax": lambda np, x, y: x.argmax(),
    "argmin": lambda np, x, y: x.argmin(),
    "clip": lambda np, x, y: np.clip(x, 3, 100),
    "to_float": lambda np, x, y: 1.0 * x,
    "take": lambda np, x, y: x[np.asarray([3, 1, 0])],
    "reshape": lambda np, x, y: x.reshape(3, 4).T,
    "concatenate": lambda np, x, y: np.concatenate([x, y]),
    "matmul": lambda np, x, y: x.reshape(3, 4) @ y.reshape(4, 3),
}


def _sorted(np: Any, x: Any) -> Any:
    found = np.sort(x)
    return found if np.__name__ != "torch" else found.values


ARRAY_OPS["sort"] = lambda np, x, y: _sorted(np, x)

#: Of ONNX: the node, whether it has a second input, and attributes.
NODES: dict[str, tuple[str, bool, dict[str, Any]]] = {
    "add": ("Add", True, {}),
    "subtract": ("Sub", True, {}),
    "multiply": ("Mul", True, {}),
    "negative": ("Neg", False, {}),
    "abs": ("Abs", False, {}),
    "sign": ("Sign", False, {}),
    "divide": ("Div", True, {}),
    "remainder": ("Mod", True, {}),
    "fmod": ("Mod", True, {"fmod": 1}),
    "maximum": ("Max", True, {}),
    "minimum": ("Min", True, {}),
    "less": ("Less", True, {}),
    "less_equal": ("LessOrEqual", True, {}),
    "equal": ("Equal", True, {}),
    "bitwise_and": ("BitwiseAnd", True, {}),
    "bitwise_or": ("BitwiseOr", True, {}),
    "bitwise_xor": ("BitwiseXor", True, {}),
    "bitwise_not": ("BitwiseNot", False, {}),
    "sum": ("ReduceSum", False, {}),
    "prod": ("ReduceProd", False, {}),
    "max": ("ReduceMax", False, {}),
    "min": ("ReduceMin", False, {}),
    "argmax": ("ArgMax", False, {}),
    "argmin": ("ArgMin", False, {}),
    "to_float": ("Cast", False, {"to": 1}),
    "to_int8": ("Cast", False, {"to": 3}),
    "to_uint64": ("Cast", False, {"to": 13}),
    "concatenate": ("Concat", True, {"axis": 0}),
}


def cases() -> Iterator[Case]:
    for front_end in FRONT_ENDS:
        for op in NODES if front_end == "onnx" else ARRAY_OPS:
            for dtype in DTYPES:
                yield Case(front_end, op, dtype)
                if dtype.endswith("64"):
                    yield Case(front_end, op, dtype, is_wide=True)


# Running -----------------------------------------------------------------------------------------


def run(case: Case, backend: str = "ttnn") -> tuple[Any, Any]:
    """What the chip gives by a backend, and what the framework gives.

    Raises:
        CompileError: the chip does not have it.
        NotImplementedError: the framework does not have it.
    """
    return {"torch": _torch, "jax": _jax, "onnx": _onnx}[case.front_end](case, backend)


def _widened(case: Case, x: Any) -> Any:
    return x * 3000017 if case.is_wide else x


def _torch(case: Case, backend: str) -> tuple[Any, Any]:
    import torch

    function = ARRAY_OPS[case.op]

    class Program(torch.nn.Module):
        def forward(self, x: Any, y: Any) -> Any:
            return function(torch, _widened(case, x), y)

    arrays = [torch.from_numpy(x) for x in inputs(case.dtype)]
    try:
        expected = Program()(*arrays)
    except (RuntimeError, TypeError) as error:
        raise NotImplementedError(str(error)) from None
    return ttmlir.compile(Program(), *arrays, backend=backend)(*arrays).numpy(), expected.numpy()


def _jax(case: Case, backend: str) -> tuple[Any, Any]:
    import jax.numpy as jnp
    from jax_x64 import x64

    function = ARRAY_OPS[case.op]

    def program(x: Any, y: Any) -> Any:
        return function(jnp, _widened(case, x), y)

    with x64():
        arrays = [jnp.asarray(x) for x in inputs(case.dtype)]
        try:
            expected = function(jnp, _widened(case, arrays[0]), arrays[1])
        except (NotImplementedError, TypeError, OverflowError) as error:
            raise NotImplementedError(str(error)) from None
        found = ttmlir.compile(program, *arrays, backend=backend)(*arrays)
        return np.asarray(found), np.asarray(expected)


def _onnx(case: Case, backend: str) -> tuple[Any, Any]:
    import onnx
    from nodes import model_of, reference, run

    op, has_second, attributes = NODES[case.op]
    x, y = inputs(case.dtype)
    given = {"x": x, **({"y": y} if has_second else {})}
    nodes, first, known = [], "x", {}
    if case.is_wide:
        known["factor"] = np.array(3000017, case.dtype)
        nodes.append(onnx.helper.make_node("Mul", ["x", "factor"], ["wide"]))
        first = "wide"
    names = [first, *(["y"] if has_second else [])]
    nodes.append(onnx.helper.make_node(op, names, ["z"], **attributes))
    model = model_of(nodes, given, ["z"], known=known)
    try:
        (expected,) = reference(model, given)
    except Exception as error:
        raise NotImplementedError(str(error)) from None
    (found,) = run(model, given, backend=backend)
    return found, expected


def outcome(case: Case, backend: str = "ttnn") -> str:
    """``right``, ``refused: ...``, ``none: ...`` for what the framework has not, or a fault."""
    try:
        with np.errstate(all="ignore"):
            found, expected = run(case, backend)
    except NotImplementedError as error:
        return f"none: {error}"
    except CompileError as error:
        return "refused: " + str(error).strip().splitlines()[-1]
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return f"gives {found.dtype}{found.shape}, expected {expected.dtype}{expected.shape}"
    if expected.dtype.kind in "iub":
        wrong = np.argwhere(found != expected)
    else:
        wrong = np.argwhere(~np.isclose(found, expected, rtol=1e-6, equal_nan=True))
    if not wrong.size:
        return "right"
    place = tuple(wrong[0])
    return f"gives {found[place]}, expected {expected[place]} at {[int(i) for i in place]}"


def main() -> int:
    counts: dict[str, int] = {}
    for case in cases():
        found = outcome(case)
        kind = found.partition(":")[0]
        kind = kind if kind in ("right", "refused", "none") else "wrong"
        counts[kind] = counts.get(kind, 0) + 1
        if kind in ("wrong", "refused") or (kind == "none" and "--none" in sys.argv):
            print(f"{case}: {found[:300]}", flush=True)
    print(counts)
    return int(bool(counts.get("wrong")))


if __name__ == "__main__":
    sys.exit(main())
