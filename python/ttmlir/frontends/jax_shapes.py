"""JAX functions with arguments of symbolic shapes, from ``jax.export.symbolic_shape``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

try:
    import jax
except ImportError as error:
    raise ImportError(f"{__name__} needs JAX: pip install ttmlir[jax] ({error})") from None

from ttmlir.errors import CompileError, Error, InputError
from ttmlir.frontends import Derived, DynamicInput, DynamicProgram, Lowered, Options
from ttmlir.frontends._dynamic import Shape
from ttmlir.frontends.jax_extents import extent_of, is_symbolic, limits_of
from ttmlir.frontends.jax_functions import lower_function


def dynamic_function(
    function: Callable[..., Any], examples: Sequence[Any]
) -> DynamicProgram | None:
    """Returns a function with example arguments of symbolic shapes; None if all shapes are
    known."""
    leaves = jax.tree_util.tree_leaves(tuple(examples))
    if not any(is_symbolic(n) for leaf in leaves for n in getattr(leaf, "shape", ())):
        return None
    return DynamicFunction(function, examples)


class DynamicFunction(DynamicProgram):
    """A function that is traced for the shapes of each specialization."""

    def __init__(self, function: Callable[..., Any], examples: Sequence[Any]) -> None:
        self._function = function
        leaves, self._tree = jax.tree_util.tree_flatten_with_path((tuple(examples), {}))
        self._leaves = [leaf for _, leaf in leaves]
        self.inputs = tuple(
            DynamicInput(
                _name(path),
                tuple(map(extent_of, leaf.shape)) if hasattr(leaf, "shape") else None,
            )
            for path, leaf in leaves
        )
        self.limits = limits_of([leaf.shape for leaf in self._leaves if hasattr(leaf, "shape")])
        _check_known(self)

    def leaves(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        found, tree = jax.tree_util.tree_flatten((tuple(args), dict(kwargs)))
        if tree != self._tree:
            raise InputError(f"expected arguments of the structure {self._tree}, found {tree}")
        return list(found)

    def replaced(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], leaves: Sequence[Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        found: tuple[Sequence[Any], Mapping[str, Any]] = self._tree.unflatten(leaves)
        return found

    def lower(self, shapes: Sequence[Shape | None], options: Options) -> Lowered:
        leaves = [
            leaf if shape is None else jax.ShapeDtypeStruct(shape, leaf.dtype)
            for leaf, shape in zip(self._leaves, shapes, strict=True)
        ]
        args, _ = self._tree.unflatten(leaves)
        try:
            return lower_function(self._function, args, options)
        except (TypeError, ValueError) as error:
            found = ", ".join(str(shape) for shape in shapes if shape is not None)
            reason = str(error).strip().splitlines()[0]
            raise CompileError(
                f"JAX cannot trace the function for the shapes {found}: {reason}"
            ) from error


def _name(path: Any) -> str:
    """Returns the name of a leaf: ``arg0``, or ``arg0['w']`` in a pytree."""
    (_, index, *rest) = path
    return f"arg{index.idx}{jax.tree_util.keystr(tuple(rest))}"


def _check_known(program: DynamicProgram) -> None:
    """Raises Error if an extent depends on a symbol that is not itself a dimension."""
    known = dict.fromkeys(program.extents, 1)
    for info in program.inputs:
        for n in info.shape or ():
            if isinstance(n, Derived):
                try:
                    n.of(known)
                except KeyError as error:
                    raise Error(
                        f"input {info}: the extent {error} has to be a dimension of an argument "
                        f"itself, not only part of {n}"
                    ) from None
