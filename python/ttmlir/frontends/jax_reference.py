"""Computes a function and the ops in it with JAX on the CPU, by the importer's op names.

The outputs are those of a call of the function by JAX. The ops are those of JAX's lowering for the
CPU, changed to also return the results of its ops.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

try:
    import jax
except ImportError as error:
    raise ImportError(f"{__name__} needs JAX: pip install ttmlir[jax] ({error})") from None
import numpy as np
from jax import export

from ttmlir.errors import Error
from ttmlir.frontends.jax_prng_keys import is_key
from ttmlir.frontends.reference import Array, Values
from ttmlir.frontends.stablehlo._inlining import Flat, is_divided
from ttmlir.frontends.stablehlo._loading import read
from ttmlir.frontends.stablehlo._passes import portable
from ttmlir.frontends.stablehlo._types import is_complex, numpy_of, shape_of

_RANDOM_OUTPUT = "depends on random numbers, which differ in float64"
_RANDOM = re.compile(r"random|threefry|rng")


def of_function(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Any, *, in_f64: bool = False
) -> Values:
    """Computes the values of a function on the CPU. The importer's platform must be registered with
    JAX.

    Args:
        function: a function of JAX, jitted or not.
        args: its arguments.
        kwargs: its keywords.
        in_f64: whether floats of at most 32 bits are computed in 64 bits.
    """
    jitted = function if hasattr(function, "trace") else jax.jit(function, keep_unused=True)
    title = f"{getattr(function, '__name__', 'the function')} in JAX"
    module = read(jitted.trace(*args, **kwargs))  # type: ignore[attr-defined]
    if is_divided(module):
        if in_f64:
            raise Error("a program on a mesh has no reference in float64: give the function itself")
        return Values(title, {}, _leaves(function(*args, **kwargs)))
    imported = Flat(module)
    if not in_f64:
        return _values(title, jitted, args, kwargs, imported, False)
    with _x64():
        wide, named = jax.tree_util.tree_map(_widened, (tuple(args), dict(kwargs)))
        return _values(f"{title} in float64", jitted, wide, named, imported, True)


def _x64() -> Any:
    """Enables 64-bit types in the block."""
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(True)
    from jax.experimental import enable_x64

    return enable_x64()


def _widened(leaf: Any) -> Any:
    if hasattr(leaf, "dtype") and is_key(leaf):
        return leaf
    array = np.asarray(leaf)
    if np.iscomplexobj(array):
        return array.astype(np.complex128)
    return array.astype(np.float64) if jax.numpy.issubdtype(array.dtype, np.floating) else array


def _values(
    title: str, jitted: Any, args: Any, kwargs: Any, imported: Flat, is_wide: bool
) -> Values:
    exported = export.export(jitted, platforms=["cpu"])(*args, **kwargs)
    module = read(jitted.trace(*args, **kwargs).lower(lowering_platforms=("cpu",)))
    flat = Flat(module)
    # An op that the CPU lowers differently has no reference value.
    same = [base for base in flat.bases if flat.kinds(base) == imported.kinds(base)]
    chosen = {name for base in same for name in flat.bases[base]}
    # Programs have only the parts of complex numbers.
    kept = {
        name: op
        for name, op in flat.ops.items()
        if name in chosen and not any(is_complex(v.type) for v in op.results)
    }
    random = flat.depending([n for n in flat.ops if _RANDOM.search(n)]) if is_wide else set()
    unknown = {n: _RANDOM_OUTPUT for n, op in kept.items() if any(v in random for v in op.results)}
    is_known = [value not in random for value in flat.outputs]
    counts = {name: len(op.results) for name, op in kept.items()}
    results = [result for op in kept.values() for result in op.results]
    kinds = [jax.core.ShapedArray(shape_of(v.type), numpy_of(v.type)) for v in results]
    flat.return_also(results)
    # Ops are invalid from here on.
    rest = iter(_run(exported, portable(module), kinds, args, kwargs))
    ops = {name: tuple(itertools.islice(rest, count)) for name, count in counts.items()}
    outputs = _called(jitted, args, kwargs)
    known = [a if is_one else _RANDOM_OUTPUT for a, is_one in zip(outputs, is_known, strict=True)]
    return Values(title, ops, known, unknown)


def _called(jitted: Any, args: Any, kwargs: Any) -> list[Array]:
    """Calls the function on the CPU. Arguments are copied, because the function may donate them."""
    own_args, own_kwargs = jax.tree_util.tree_map(_copied, (tuple(args), dict(kwargs)))
    with jax.default_device(jax.devices("cpu")[0]):
        return _leaves(jitted(*own_args, **own_kwargs))


def _copied(leaf: Any) -> Any:
    if not isinstance(leaf, jax.Array):
        return leaf
    if is_key(leaf):
        words = np.array(jax.random.key_data(leaf))
        return jax.random.wrap_key_data(words, impl=leaf.dtype._impl.name)  # type: ignore[attr-defined]
    return np.array(leaf)


def _run(
    exported: Any, artifact: bytes, avals: Sequence[Any], args: Any, kwargs: Any
) -> list[Array]:
    """Runs the program and returns its additional results."""
    count = len(exported.out_avals)
    more: dict[str, Any] = {}
    if getattr(exported, "_has_named_shardings", False):
        # Later versions of JAX also have one of these for each result.
        more["_out_named_shardings"] = (None,) * (count + len(avals))
    tree = jax.tree_util.tree_structure([0] * (count + len(avals)))
    whole = dataclasses.replace(
        exported,
        mlir_module_serialized=artifact,
        out_avals=(*exported.out_avals, *avals),
        out_tree=tree,
        out_shardings_hlo=(None,) * (count + len(avals)),
        **more,
    )
    with jax.default_device(jax.devices("cpu")[0]):
        return _leaves(whole.call(*args, **kwargs))[count:]


def _leaves(results: Any) -> list[Array]:
    return [
        np.asarray(jax.random.key_data(leaf) if is_key(leaf) else leaf)
        for leaf in jax.tree_util.tree_leaves(results)
    ]
