"""Lowers functions of JAX to TTIR through StableHLO; executables are called with pytrees."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ttmlir import runtime
from ttmlir._parsing import copied
from ttmlir.errors import CompileError, Diagnostic, Error, InputError
from ttmlir.frontends import Call, ExecutableLike, Lowered, Options, Signature
from ttmlir.frontends.jax._prng_keys import is_key
from ttmlir.frontends.jax._reference import of_function
from ttmlir.frontends.reference import Values
from ttmlir.frontends.stablehlo import Imported, import_module

if TYPE_CHECKING:
    from ttmlir._programs import Program

PLATFORM = "tt"


@functools.cache
def register_platform() -> None:
    """Registers the platform's features with JAX: donated inputs, matrix factorizations and
    collectives."""
    from jax._src.interpreters import mlir

    platforms = getattr(mlir, "_platforms_with_donation", None)
    if isinstance(platforms, list) and PLATFORM not in platforms:
        platforms.append(PLATFORM)
    # Locations of ops refer to lines of the user, not of this package.
    from jax._src import source_info_util

    from ttmlir.frontends.jax import _collectives, _linalg

    _linalg.register()
    _collectives.register()
    source_info_util.register_exclusion(os.path.dirname(os.path.dirname(__file__)))


class FunctionSignature(Signature):
    """The signature of a function of JAX.

    The executable is called like the function, without static arguments, with pytrees of arrays
    of the shapes and dtypes that it was compiled for, and returns the same structure, with NumPy
    arrays as leaves.
    """

    def __init__(
        self,
        in_tree: Any,
        in_avals: Sequence[Any],
        kept: Sequence[int],
        out_tree: Any,
        out_avals: Sequence[Any],
        function: Callable[..., Any] | None = None,
    ) -> None:
        self._in_tree, self._in_avals, self._kept = in_tree, tuple(in_avals), tuple(kept)
        self._out_tree, self._out_avals = out_tree, tuple(out_avals)
        self._function = function

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the function: most functions cannot be pickled.
        trees = self._in_tree, self._in_avals, self._kept, self._out_tree, self._out_avals
        return FunctionSignature, trees

    def call(
        self, exe: ExecutableLike, program: Program, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Call:
        leaves, tree = jax.tree_util.tree_flatten((tuple(args), dict(kwargs)))
        if tree != self._in_tree:
            raise InputError(f"expected arguments of the structure {self._in_tree}, found {tree}")
        is_bound = exe.is_bound(exe.programs[0])
        inputs = [
            _array(leaves[i], self._in_avals[i], i)
            for place, i in enumerate(self._kept)
            if not is_bound(place)
        ]
        return _FunctionCall(exe, program, inputs, self._out_tree, self._out_avals)

    def reference(
        self, exe: ExecutableLike, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Values:
        if self._function is None:
            raise Error("the executable does not know its function, because it was copied: give it")
        return of_function(self._function, args, kwargs, in_f64=True)


class _FunctionCall(Call):
    def __init__(
        self,
        exe: ExecutableLike,
        program: Program,
        inputs: Sequence[Any],
        tree: Any,
        avals: Sequence[Any],
    ) -> None:
        super().__init__(exe, program, inputs)
        self._tree, self._avals = tree, avals

    def results(self, tensors: Sequence[runtime.Tensor], keep_on_device: bool) -> Any:
        leaves: list[Any] = list(tensors)
        if not keep_on_device:
            arrays = self.exe.arrays(self.program, tensors)
            leaves = [_leaf(x, aval) for x, aval in zip(arrays, self._avals, strict=False)]
        return jax.tree_util.tree_unflatten(self._tree, leaves[: len(self._avals)])


def _array(leaf: Any, aval: Any, number: int) -> Any:
    """Converts an argument to an array of the dtype that the function was compiled for."""
    if isinstance(leaf, runtime.Tensor):
        return leaf
    if is_key(aval):
        return np.asarray(jax.random.key_data(leaf))
    array = np.asarray(leaf)
    if array.dtype == aval.dtype:
        return array
    is_number = not hasattr(leaf, "dtype")
    # Without x64, JAX also drops the upper half of 64-bit values.
    if jax.dtypes.canonicalize_dtype(array.dtype) == aval.dtype:
        return array.astype(aval.dtype)
    if not is_number and not np.can_cast(array.dtype, aval.dtype):
        raise InputError(
            f"argument {number}: expected an array of {aval.dtype}, found {array.dtype}"
        )
    return array.astype(aval.dtype)


def _leaf(array: Any, aval: Any) -> Any:
    """Converts a result to the function's dtype."""
    if is_key(aval):
        return jax.random.wrap_key_data(array, impl=aval.dtype._impl.name)
    # uint64 words arrive as int64.
    return array.astype(aval.dtype, copy=False)


# Lowering ----------------------------------------------------------------------------------------


def lower_function(function: Callable[..., Any], args: Sequence[Any], options: Options) -> Lowered:
    """Lowers a function for arguments like ``args``: arrays or ``ShapeDtypeStruct``.

    Args:
        function: a JAX function, jitted or not, or a traced one.
        args: example arguments; static ones of a jitted function are passed as they are.
        options: the system, and the chips of a program of several devices.

    Raises:
        CompileError: the program is not supported.
    """
    register_platform()
    if hasattr(function, "jaxpr"):
        traced: Any = function
        jitted = None
    else:
        jitted = function if hasattr(function, "trace") else jax.jit(function, keep_unused=True)
        traced = jitted.trace(*args)  # type: ignore[attr-defined]
    lowered = _lower(traced)
    imported = import_module(
        lowered,
        name=_identifier(getattr(traced, "fun_name", "main")),
        devices=options.chip_ids or None,
        system=options.system,
    )
    in_avals = jax.tree_util.tree_leaves(lowered.in_avals)
    out_info = jax.tree_util.tree_leaves(lowered.out_info)
    kept = _kept(lowered, imported, len(in_avals))
    signature = FunctionSignature(
        lowered.in_tree, in_avals, kept, lowered.out_tree, out_info, jitted
    )
    mesh = imported.mesh
    return Lowered(
        copied(imported.builder.module),
        signature,
        mesh_shape=imported.builder.mesh_shape,
        chip_ids=tuple(mesh.chips or ()) if mesh is not None else (),
    )


def _lower(traced: Any) -> Any:
    """Lowers a traced function with JAX.

    Raises:
        CompileError: JAX lowers a primitive for some platforms only.
    """
    try:
        return traced.lower(lowering_platforms=(PLATFORM,))
    except (NotImplementedError, ValueError) as error:
        reason = str(error).strip()
        match = re.search(r"primitive '([\w-]+)'", reason)
        name = match[1] if match else "callback"
        if not match and "allback" not in reason:
            raise
        found = next(_equations(traced.jaxpr.jaxpr, name), None)
        own = str(found.primitive) if found is not None else name
        place = _line(found) if found is not None else ""
        what = (
            f"'{own}': callbacks to Python cannot run on the device: take jax.debug, io_callback "
            "and pure_callback out of the function, or call it outside"
            if "callback" in own or own.startswith("debug")
            else f"'{own}': JAX has it for some platforms only ({reason.splitlines()[0]}): compute "
            "it outside of the function, on the CPU"
        )
        message = f"'{getattr(traced, 'fun_name', 'the function')}' cannot be lowered"
        raise CompileError(message, [Diagnostic("error", what, place)]) from None


def _equations(jaxpr: Any, name: str) -> Iterator[Any]:
    """Yields the innermost equations of a primitive whose name starts with or contains ``name``."""
    from jax._src import core

    for equation in jaxpr.eqns:
        for inner in core.jaxprs_in_params(equation.params):
            yield from _equations(inner, name)
        if name in str(equation.primitive):
            yield equation


def _line(equation: Any) -> str:
    """Returns the Python line of an equation as file:line:column; empty if unknown."""
    from jax._src import source_info_util

    try:
        text = source_info_util.summarize(equation.source_info)
    except Exception:
        return ""
    return re.sub(r" \(.*\)$", "", text)


def _identifier(name: str) -> str:
    """Returns the name of a function without characters that are invalid in the IR."""
    found = "".join(c if c.isalnum() else "_" for c in name).strip("_")
    return found or "main"


def _kept(lowered: Any, imported: Imported, count: int) -> list[int]:
    """Returns the indices of the arguments that the program has: JAX removes unused ones."""
    if len(imported.inputs) == count:
        return list(range(count))
    found = lowered._lowering.compile_args["kept_var_idx"]
    return sorted(int(i) for i in found)
