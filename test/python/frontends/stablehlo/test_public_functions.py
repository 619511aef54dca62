"""The public functions of JAX that take arrays, each with all of a few arguments that it takes."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special
import numpy as np
import pytest
from harnesses import compare
from ways import Way, both

RNG = np.random.default_rng(0)
X = RNG.standard_normal((4, 5)).astype(np.float32)
Y = RNG.standard_normal((4, 5)).astype(np.float32)
UNIT = RNG.random((4, 5)).astype(np.float32) * 0.8 + 0.1
SQUARE = RNG.standard_normal((5, 5)).astype(np.float32)
ROW = RNG.standard_normal(7).astype(np.float32)
INTS = RNG.integers(-9, 9, (4, 5)).astype(np.int32)
COUNTS = RNG.integers(1, 6, (4, 5)).astype(np.int32)
TRUTHS = RNG.random((4, 5)) < 0.5
ARGUMENTS: list[tuple[Any, ...]] = [
    (X,),
    (X, Y),
    (X, Y, UNIT),
    (UNIT,),
    (UNIT, UNIT + 1),
    (UNIT, UNIT + 1, UNIT / 2),
    (ROW,),
    (ROW, ROW[::-1].copy()),
    (SQUARE,),
    (SQUARE, SQUARE[0]),
    (INTS,),
    (INTS, COUNTS),
    (COUNTS,),
    (COUNTS, UNIT),
    (TRUTHS,),
    (TRUTHS, ~TRUTHS),
    (TRUTHS, X, Y),
]
#: Numbers of the call that are no tensors: axes, shapes and sizes.
STATIC: list[tuple[Any, ...]] = [(1,), ((5, 4),), (0, 1), ((1, 0),)]
#: Functions that run no program, or whose results depend on the platform.
LEFT_OUT = {
    "jnp": {
        "array_repr", "array_str", "asarray", "empty", "empty_like", "frombuffer", "fromfile",
        "from_dlpack", "load", "save", "savez", "set_printoptions", "get_printoptions",
        "printoptions", "einsum_path", "eig", "eigvals", "roots",
    },
    "nn": set(),
    "special": set(),
    "linalg": {"eig", "eigvals"},
}  # fmt: skip
MODULES: dict[str, ModuleType] = {
    "jnp": jnp,
    "linalg": jnp.linalg,
    "nn": jax.nn,
    "special": jax.scipy.special,
}
#: Of each function so many calls are run: all of them take a quarter of an hour.
CALLS = 2
#: Functions where XLA's rounding or its rewriting decides.
DIFFERENT = {
    # Numbers on the edges of bins.
    "histogram",
    # XLA makes a choice of the product with a truth value, so that 0 times NaN is 0.
    "celu",
}
#: Functions whose errors grow with the condition of their arguments.
ALGEBRA = {"cond", "det", "inv", "matrix_power", "pinv", "polyfit", "slogdet", "solve", "lstsq"}
#: Factors whose signs are anybody's.
FACTORS = {"eigh", "svd", "qr"}


def _functions() -> Iterator[Any]:
    for prefix, module in MODULES.items():
        for name in sorted(dir(module)):
            function = getattr(module, name)
            is_plain = callable(function) and not inspect.isclass(function)
            if name.startswith("_") or not is_plain or name in LEFT_OUT[prefix]:
                continue
            yield pytest.param(function, name, id=f"{prefix}.{name}")


def _is_supported(tree: Any) -> bool:
    """Whether it has leaves, all of them arrays, and no complex numbers."""
    leaves = jax.tree.leaves(tree)
    return bool(leaves) and all(
        (hasattr(x, "dtype") and x.dtype.kind in "fiub")
        or str(getattr(x, "dtype", "")) == "bfloat16"
        for x in leaves
    )


@pytest.mark.sampled(24)
@pytest.mark.parametrize(("way", "function", "name"), both(_functions()))
def test_function(way: Way, function: Any, name: str) -> None:
    tolerance = 1e-4 if name in ALGEBRA else 2e-5
    calls = 0
    for args in ARGUMENTS:
        for static in [(), *(STATIC if len(args) == 1 else ())]:

            def call(*arrays: Any, static: Any = static) -> Any:
                return function(*arrays, *static)

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    shapes = jax.eval_shape(call, *args)
                except Exception:
                    continue
                if not _is_supported(shapes) or calls == CALLS:
                    continue
                calls += 1
                outcome, reason = compare(call, args, way, tolerance)
            if name in FACTORS | DIFFERENT and outcome == "precision":
                continue
            assert outcome in ("passed", "skipped"), (reason, [a.shape for a in args], static)
    if not calls:
        pytest.skip("takes other arguments")
