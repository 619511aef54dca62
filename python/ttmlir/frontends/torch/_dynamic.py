"""Exported programs with dynamic shapes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.export.graph_signature import InputKind, TensorArgument
from torch.utils import _pytree as pytree

from ttmlir.errors import CompileError, Error, InputError
from ttmlir.frontends import Derived, DynamicInput, DynamicProgram, Lowered, Options
from ttmlir.frontends._dynamic import Extent, Shape
from ttmlir.frontends.dtype_policy import Policy
from ttmlir.frontends.torch._export import exported_module
from ttmlir.frontends.torch._program import identifier
from ttmlir.frontends.torch._signature import ModuleSignature, lower_module


def dynamic_program(
    source: torch.nn.Module | torch.export.ExportedProgram,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None,
    dynamic_shapes: Any,
    dtype: Policy,
) -> DynamicModule | None:
    """Returns a program with dynamic shapes; None if all shapes are known.

    Args:
        source: a module, or an exported program.
        args: example arguments of a module.
        kwargs: example keyword arguments of a module.
        dynamic_shapes: as in ``torch.export.export``, for a module.
        dtype: the formats of weights and activations.

    Raises:
        CompileError: the module cannot be exported.
        Error: ``dynamic_shapes`` are given with an exported program.
    """
    if isinstance(source, torch.export.ExportedProgram):
        if dynamic_shapes is not None:
            raise Error("dynamic_shapes: an exported program has its own")
        exported, name = source, "main"
    elif dynamic_shapes is None:
        return None
    else:
        exported = exported_module(source, args, kwargs, dynamic_shapes)
        name = identifier(type(source).__name__)
    metas = _metas(exported)
    if not any(isinstance(n, torch.SymInt) for _, meta in metas for n in _shape(meta)):
        return None
    return DynamicModule(exported, metas, dynamic_shapes, dtype, name)


class DynamicModule(DynamicProgram):
    """An exported program that is exported again for the shapes of each specialization."""

    def __init__(
        self,
        exported: torch.export.ExportedProgram,
        metas: Sequence[tuple[str, Any]],
        names: Any,
        dtype: Policy,
        name: str,
    ) -> None:
        self._exported, self._dtype, self._name = exported, dtype, name
        self._metas = [meta for _, meta in metas]
        self._module = exported.module()
        self._first: ModuleSignature | None = None
        symbols = _names(metas, names)
        self.inputs = tuple(
            DynamicInput(
                own,
                tuple(_extent(n, symbols, own, i) for i, n in enumerate(_shape(meta)))
                if isinstance(meta, torch.Tensor)
                else None,
            )
            for own, meta in metas
        )
        self.limits = {
            symbols[str(symbol)]: (int(limits.lower), _limit(limits.upper))
            for symbol, limits in exported.range_constraints.items()
            if str(symbol) in symbols
        }

    def leaves(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        spec = self._exported.call_spec.in_spec
        if spec is not None and set(kwargs) == set(spec.child(1).context):
            kwargs = {name: kwargs[name] for name in spec.child(1).context}
        found, tree = pytree.tree_flatten((tuple(args), dict(kwargs)))
        if tree != spec:
            raise InputError(f"expected arguments of the structure {spec}, found {tree}")
        return list(found)

    def replaced(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], leaves: Sequence[Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        spec = self._exported.call_spec.in_spec
        assert spec is not None
        found: tuple[Sequence[Any], Mapping[str, Any]] = pytree.tree_unflatten(leaves, spec)
        return found

    def padded(self, leaf: Any, shape: Shape) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return super().padded(leaf, shape)
        whole = leaf.new_zeros(shape)
        whole[tuple(map(slice, leaf.shape))] = leaf.detach()
        return whole

    def lower(self, shapes: Sequence[Shape | None], options: Options) -> Lowered:
        spec = self._exported.call_spec.in_spec
        assert spec is not None
        leaves = [
            meta if shape is None else torch.zeros(shape, dtype=meta.dtype)
            for meta, shape in zip(self._metas, shapes, strict=True)
        ]
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fixed = torch.export.export(self._module, args, kwargs or None)
        except Exception as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            text = ", ".join(
                f"'{info.name}' {shape}"
                for info, shape in zip(self.inputs, shapes, strict=True)
                if shape is not None
            )
            raise CompileError(
                f"torch.export cannot export the program for {text}: {reason}"
            ) from error
        lowered = lower_module(fixed, (), None, self._dtype, self._name)
        signature = lowered.signature
        assert isinstance(signature, ModuleSignature)
        if self._first is None:
            self._first = signature
        # All specializations share the buffers that calls modify.
        signature.share(self._first)
        return lowered


def _metas(exported: torch.export.ExportedProgram) -> list[tuple[str, Any]]:
    """Returns the name of each user argument, and a tensor like it, or its value."""
    nodes = {node.name: node for node in exported.graph.nodes if node.op == "placeholder"}
    found: list[tuple[str, Any]] = []
    for spec in exported.graph_signature.input_specs:
        if spec.kind != InputKind.USER_INPUT:
            continue
        name = getattr(spec.arg, "name", f"arg{len(found)}")
        if isinstance(spec.arg, TensorArgument):
            found.append((name, nodes[name].meta["val"]))
        elif not hasattr(spec.arg, "value"):
            raise Error(f"argument '{name}' is a number that varies: only tensor extents may vary")
        else:
            found.append((name, spec.arg.value))
    return found


def _shape(meta: Any) -> Sequence[Any]:
    return meta.shape if isinstance(meta, torch.Tensor) else ()


def _names(metas: Sequence[tuple[str, Any]], dims: Any) -> dict[str, str]:
    """Returns a name for each symbol: that of its ``torch.export.Dim``, or its first dimension,
    such as ``x.1``."""
    given: list[Any] = [None] * len(metas)
    if dims is not None:
        is_leaf = lambda x: x is None or _is_shape(x)  # noqa: E731
        found = pytree.tree_leaves(
            list(dims.values()) if isinstance(dims, Mapping) else dims, is_leaf=is_leaf
        )
        given = found if len(found) == len(metas) else given
    symbols: dict[str, str] = {}
    for (name, meta), own in zip(metas, given, strict=True):
        for i, n in enumerate(_shape(meta)):
            text = str(n)
            if not isinstance(n, torch.SymInt) or not n.node.expr.is_symbol or text in symbols:
                continue
            dim = own.get(i) if isinstance(own, Mapping) else own[i] if own else None
            symbols[text] = getattr(dim, "__name__", "") or f"{name}.{i}"
    return symbols


def _is_shape(x: Any) -> bool:
    """Whether an entry of ``dynamic_shapes`` describes a single tensor."""
    if isinstance(x, Mapping):
        return all(isinstance(key, int) for key in x)
    kinds = (int, str, type(None), torch.export.Dim)
    return isinstance(x, (tuple, list)) and all(
        isinstance(n, kinds) or hasattr(n, "__name__") or type(n).__name__ == "_DimHint" for n in x
    )


def _extent(n: Any, symbols: Mapping[str, str], name: str, i: int) -> Extent:
    if not isinstance(n, torch.SymInt):
        return int(n)
    expr = n.node.expr
    if str(expr) in symbols:
        return symbols[str(expr)]
    if any(str(s) not in symbols for s in expr.free_symbols):
        # PyTorch checks this when it exports the program for a shape.
        return f"{name}.{i}"
    named = {str(s): symbols.get(str(s), str(s)) for s in expr.free_symbols}
    text = str(expr)
    for symbol, own in named.items():
        text = text.replace(symbol, own)

    def of(extents: Mapping[str, int]) -> int:
        return int(expr.subs({s: extents[named[str(s)]] for s in expr.free_symbols}))

    return Derived(text, of)


def _limit(upper: Any) -> int | None:
    """Returns the upper limit of a symbol; torch.export represents no limit by large integers."""
    try:
        found = int(upper)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if found >= np.iinfo(np.int32).max else found
