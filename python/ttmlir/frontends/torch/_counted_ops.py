"""Ops whose results have as many elements as a mask chooses, or as there are distinct ones."""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree
from torch.utils._sympy.functions import Max, Min

from ttmlir.builder import Tensor
from ttmlir.frontends.counted import Counts, chosen
from ttmlir.frontends.counted_slices import Span
from ttmlir.frontends.data_movement import permuted, reshaped, spread, taken
from ttmlir.frontends.distinct import distinct
from ttmlir.frontends.torch._op import Op, shape_of

_aten = torch.ops.aten
#: In the metadata of a node: the name of the extent of its results that depends on values, and for
#: slices the name of the extent that they slice.
COUNTED, _SOURCE = "ttmlir_counted", "ttmlir_counted_source"
#: In the metadata of a node: its value before extents that depend on values are bounds.
_SYMBOLIC = "ttmlir_symbolic"


# Shapes ------------------------------------------------------------------------------------------


def bounded(module: torch.fx.GraphModule, counts: Counts) -> torch.fx.GraphModule:
    """Returns a graph whose extents that depend on values are bounds, in its example values."""
    if not any(_is_counted(node) for node in module.graph.nodes):
        return module
    module = copy.deepcopy(module)
    equal = _equal_extents(module.graph)
    known: dict[Any, int] = {}
    names: dict[Any, str] = {}

    def enter(extent: Any, name: str) -> None:
        for own in equal.get(extent, [extent]):
            known[own], names[own] = counts.bounds[name], name

    for node in module.graph.nodes:
        if _is_counted(node):
            symbol = _own_symbol(node)
            # PyTorch has found that numbers of elements are equal if they have one symbol.
            if symbol not in known:
                counts.bound(node.name, _most(node))
                enter(symbol, node.name)
            node.meta[COUNTED] = names[symbol]
        elif source := _sliced_extent(node):
            whole, extent = source
            if whole in names:
                if extent not in known:
                    name = counts.slice_extent(node.name, names[whole], _span(node)[1])
                    enter(extent, name)
                node.meta[COUNTED], node.meta[_SOURCE] = names[extent], names[whole]
        _bound(node, known)
    # The bodies of loops and conditionals.
    inner = {id(m): m for m in module.modules() if isinstance(m, torch.fx.GraphModule)}
    for body in inner.values():
        for node in body.graph.nodes if body is not module else ():
            _bound(node, known)
    return module


def _bound(node: torch.fx.Node, known: Mapping[Any, int]) -> None:
    """Replaces extents in the example value of a node by bounds."""
    if "val" in node.meta:
        value = node.meta[_SYMBOLIC] = node.meta["val"]
        node.meta["val"] = pytree.tree_map(lambda x: _with_bounds(x, known), value)


def _span(node: torch.fx.Node) -> tuple[int, Span]:
    """Returns the dimension and the bounds of a slice with constant ones."""
    given: list[Any] = list(node.args)
    _, dim, start, end, step = given + [None, 0, None, None, 1][len(given) :]
    return dim, Span.of(start, end, step)


def _sliced_extent(node: torch.fx.Node) -> tuple[Any, Any] | None:
    """Returns the extents before and after a slice with constant bounds of an extent that depends
    on values; None for other nodes."""
    if node.target is not _aten.slice.Tensor or not _symbols(node.meta["val"]):
        return None
    if any(isinstance(x, torch.fx.Node) for x in node.args[1:]):
        return None
    dim, span = _span(node)
    source = node.args[0].meta[_SYMBOLIC]  # type: ignore[union-attr]
    whole, extent = source.shape[dim], node.meta["val"].shape[dim]
    if span.is_whole or not _symbols(whole):
        return None
    return whole.node.expr, extent.node.expr if _symbols(extent) else int(extent)


def _value(node: torch.fx.Node) -> Any:
    return node.meta.get("val")


def _equal_extents(graph: torch.fx.Graph) -> dict[Any, set[Any]]:
    """Returns the extents that PyTorch asserts to be equal to one: products of matrices need it."""
    found: dict[Any, set[Any]] = {}
    for node in graph.nodes:
        if node.target is operator.eq:
            pair = [_value(x) for x in node.args if isinstance(x, torch.fx.Node)]
            symbols = [_symbols(x) for x in pair]
            if [len(own) for own in symbols] != [1, 1]:
                continue
            one, two = (x.node.expr for x in pair)
            [first], [second] = symbols
            if one.xreplace({first: second}) != two:
                continue
            # Slices may be equal if the tensors are not.
            merged = {one, two} if one.has(Max, Min) else {first, second}
            merged.update(*(found.get(extent, ()) for extent in tuple(merged)))
            found.update(dict.fromkeys(merged, merged))
    return found


def _own_symbol(node: torch.fx.Node) -> Any:
    """Returns the extent of the results of a node that depends on values."""
    first = next(iter(pytree.tree_leaves(node.meta["val"])))
    dim = 0
    if node.target is _aten.index.Tensor:
        dim = next(d for d, index in enumerate(node.args[1]) if index is not None)  # type: ignore
    else:
        dim = _dim(node) or 0
    [symbol] = _symbols(first.shape[dim])
    return symbol


def _is_counted(node: torch.fx.Node) -> bool:
    """Whether a result of a node has an extent that depends on values."""
    if node.target not in _HANDLERS or not _symbols(node.meta.get("val")):
        return False
    if node.target is not _aten.index.Tensor:
        return True
    indices = [_value(index) for index in node.args[1] if index is not None]  # type: ignore
    return any(index.dtype in (torch.bool, torch.uint8) for index in indices)


def _symbols(value: Any) -> set[Any]:
    """Returns the extents of results that depend on values."""
    from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols

    return set().union(*(free_unbacked_symbols(x) for x in pytree.tree_leaves(value)))


def _with_bounds(x: Any, known: Mapping[Any, int]) -> Any:
    def number(n: Any) -> Any:
        return int(n.node.expr.subs(known)) if _symbols(n) and _symbols(n) <= set(known) else n

    if isinstance(x, torch.SymInt):
        return number(x)
    if not isinstance(x, torch.Tensor) or not _symbols(x):
        return x
    shape, strides = map(number, x.shape), map(number, x.stride())
    return x.new_empty_strided(tuple(shape), tuple(strides))


def _most(node: torch.fx.Node) -> int:
    """Returns the greatest number of elements along the extent that depends on values."""
    args: Any = torch.fx.node.map_arg(node.args, _value)
    x = args[0]
    if node.target is _aten.index.Tensor:
        return next(int(index.numel()) for index in args[1] if index is not None)
    if node.target is _aten.masked_select.default:
        return math.prod(np.broadcast_shapes(tuple(x.shape), tuple(args[1].shape)))
    dim = _dim(node)
    return int(x.numel() if dim is None else x.shape[dim])


def _dim(node: torch.fx.Node) -> int | None:
    """Returns the dimension whose rows are compared; None for elements."""
    if node.target is _aten.unique_dim.default:
        return int(node.args[1])  # type: ignore[call-overload]
    if node.target is _aten.unique_consecutive.default:
        found: Any = node.kwargs.get("dim", node.args[3] if len(node.args) > 3 else None)
        return found  # type: ignore[no-any-return]
    return None


# Ops ---------------------------------------------------------------------------------------------


def counted(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """Builds an op with such results."""
    name = op.node.meta[COUNTED]
    if source := op.node.meta.get(_SOURCE):
        dim, span = _span(op.node)
        x = op.tensor(args[0])
        return [op.importer.counts.sliced(op, name, source, x, dim % x.rank, span)]
    count, values = _HANDLERS[op.target](op, *args, **kwargs)
    along = [(x, d) for x, d in values if d is not None]
    found = iter(op.importer.counts.marked(op.b, name, count, along))
    return [x if d is None else next(found) for x, d in values]


#: The number of elements (1,), and results with the dimension along which they have so many.
_Found = tuple[Tensor, "list[tuple[Tensor, int | None]]"]


def _nonzero(op: Op, x: Any) -> _Found:
    found = op.tensor(x)
    if not found.rank:
        raise op.fail("expected a tensor of at least one dimension")
    size = math.prod(found.shape)
    order, count = chosen(op.b, reshaped(op, op.cast(found, "bool"), (size,)))
    places = np.stack(np.unravel_index(np.arange(size), found.shape), 1).astype(np.int32)
    return count, [(taken(op, op.b.constant(places), 0, order), 0)]


def _masked_select(op: Op, x: Any, mask: Any) -> _Found:
    shape = np.broadcast_shapes(shape_of(x), shape_of(mask))
    values, masks = (spread(op, op.tensor(v), shape) for v in (x, mask))
    return _selected(op, values, masks, 0)


def _index(op: Op, x: Any, indices: Sequence[Any]) -> _Found:
    given = [(dim, index) for dim, index in enumerate(indices) if index is not None]
    [(dim, mask), *others] = given
    found = op.tensor(mask)
    if others or found.dtype not in ("bool", "u8"):
        raise op.fail("a mask together with other indices is not supported: index in two steps")
    return _selected(op, op.tensor(x), found, dim)


def _selected(op: Op, x: Tensor, mask: Tensor, dim: int) -> _Found:
    size = math.prod(mask.shape)
    order, count = chosen(op.b, reshaped(op, op.cast(mask, "bool"), (size,)))
    rows = reshaped(op, x, (*x.shape[:dim], size, *x.shape[dim + mask.rank :]))
    return count, [(taken(op, rows, dim, order), dim)]


def _unique(
    op: Op, x: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> _Found:
    return _distinct(op, op.tensor(x), None)


def _unique_dim(op: Op, x: Any, dim: int, *_: bool) -> _Found:
    return _distinct(op, op.tensor(x), dim)


def _unique_consecutive(
    op: Op,
    x: Any,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> _Found:
    return _distinct(op, op.tensor(x), dim, consecutive=True)


def _distinct(op: Op, x: Tensor, dim: int | None, consecutive: bool = False) -> _Found:
    """Returns the distinct elements, or rows along a dimension, the number of each element, and how
    often they occur."""
    shape = x.shape
    if dim is None:
        rows, dim = reshaped(op, x, (math.prod(shape), 1)), 0
    else:
        dim %= len(shape)
        order = [dim, *(d for d in range(len(shape)) if d != dim)]
        rows, shape = permuted(op, x, order), shape[dim : dim + 1]
    found = distinct(op, rows, consecutive=consecutive)
    values = found.rows
    if len(x.shape) > 1 and shape != x.shape:
        values = permuted(op, values, [*range(1, dim + 1), 0, *range(dim + 1, values.rank)])
    else:
        values = reshaped(op, values, (rows.shape[0],))
    inverse = reshaped(op, found.inverse, shape)
    return found.number, [(values, dim), (inverse, None), (found.counts, 0)]


_HANDLERS: dict[Any, Callable[..., _Found]] = {
    _aten.index.Tensor: _index,
    _aten.nonzero.default: _nonzero,
    _aten.masked_select.default: _masked_select,
    _aten._unique2.default: _unique,
    _aten.unique_consecutive.default: _unique_consecutive,
    _aten.unique_dim.default: _unique_dim,
}
