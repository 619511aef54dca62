"""Builds TTIR from a PyTorch graph."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

from ttmlir.builder import Builder, Tensor
from ttmlir.builder._dtypes import SMALL_FLOATS
from ttmlir.frontends.complex_numbers import Complex, Pair, joined, separated
from ttmlir.frontends.counted import Counts
from ttmlir.frontends.diagnostics import UnsupportedError
from ttmlir.frontends.dtype_policy import DTypes
from ttmlir.frontends.torch import _handlers
from ttmlir.frontends.torch._aliasing import changes_in_place, root
from ttmlir.frontends.torch._complex_ops import complex_handler_of, has_complex
from ttmlir.frontends.torch._counted_ops import COUNTED, counted
from ttmlir.frontends.torch._functionalization import functional
from ttmlir.frontends.torch._locations import name_ops, place_of
from ttmlir.frontends.torch._op import VALUES, Op, Result, Value, handler_of
from ttmlir.frontends.torch._op_decomposition import decomposition_of
from ttmlir.frontends.torch._types import (
    ELEMENTS,
    FLOATS,
    REAL_OF,
    STATE,
    TORCH,
    Shape,
    array_of,
    element_of,
    unsupported,
)

#: Ops that return uninitialized tensors: elements that are never written are 0.
_UNWRITTEN = ("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty")
#: Ops that raise an error for singular matrices; programs return non-finite results instead.
_CHECK = torch.ops.aten._linalg_check_errors.default


class Importer:
    """Imports a graph into a function of a builder.

    Args:
        builder: the builder to write to.
        dtypes: the formats of computations.
        counts: the extents that depend on values.
    """

    def __init__(self, builder: Builder, dtypes: DTypes, counts: Counts) -> None:
        self.builder, self.counts = builder, counts
        self.dtypes = dtypes
        self.errors: list[UnsupportedError] = []
        #: Whether the program takes the random state as its last input.
        self.is_random = False
        self._state: Tensor | None = None
        self._names: dict[torch.fx.Node, str] = {}
        # By block, because values built in a region are not visible outside.
        self._constants: dict[tuple[int, str, Any], tuple[torch.Tensor, Tensor]] = {}

    # Values --------------------------------------------------------------------------------------

    def constant(self, known: torch.Tensor, dtype: str) -> Tensor:
        """Builds a constant from a tensor, in the builder's ``dtype``."""
        key = (id(known), dtype, self.builder.block)
        if key not in self._constants:
            self._constants[key] = (known, self._constant(known, dtype))
        return self._constants[key][1]

    def _constant(self, known: torch.Tensor, dtype: str) -> Tensor:
        shape = tuple(known.shape)
        value = array_of(_compact(_converted(known, dtype)))
        if value.size == 1 and known.numel():
            return self.builder.constant(value.reshape(()), shape=shape, dtype=dtype)
        whole = np.broadcast_to(value, shape)
        return self.builder.constant(whole, shape=shape, dtype=dtype)

    def argument(self, name: str, like: torch.Tensor, dtype: str, **options: Any) -> Tensor | Pair:
        """Adds an argument with the shape of a tensor to the program, in the builder's ``dtype``.

        For complex numbers, returns the parts; the argument has them along a first dimension.
        """
        if not like.is_complex():
            return self.builder.input(name, tuple(like.shape), dtype, **options)
        shape = (2, *like.shape)
        whole = self.builder.input(name, shape, dtype, is_complex=True, **options)
        with self.builder.located("", 0):
            return separated(self.builder, whole)

    def source(self, value: Value, dtype: torch.dtype) -> Tensor:
        """Converts a result to its PyTorch dtype; complex numbers become their parts along a first
        dimension."""
        if dtype in REAL_OF:
            with self.builder.located("", 0):
                return joined(self.builder, self._parts(value, REAL_OF[dtype]))
        assert not isinstance(value, Complex)
        name = ELEMENTS[dtype]
        if isinstance(value, torch.Tensor):
            return self.constant(value, name)
        return value if value.dtype == name else self.builder.typecast(value, name)

    def _parts(self, value: Value, dtype: torch.dtype) -> Pair:
        if isinstance(value, torch.Tensor):
            value = value.resolve_conj()
            return Complex(self.source(value.real, dtype), self.source(value.imag, dtype))
        assert isinstance(value, Complex)
        return Complex(self.source(value.real, dtype), self.source(value.imag, dtype))

    def random_bits(self, shape: Shape) -> Tensor:
        """Builds random u32 words, different for each op."""
        b = self.builder
        if self._state is None:
            self._state = b.input("random_state", (STATE,), "u32")
            self.is_random = True
        self._state, bits = b.rng_bit_generator(self._state, shape or (1,), "philox")
        return bits if shape else b.reshape(bits, ())

    # Walking -------------------------------------------------------------------------------------

    def run(
        self, module: torch.fx.GraphModule, inputs: Mapping[torch.fx.Node, Any]
    ) -> list[Value | None]:
        """Imports a graph and returns its results.

        Args:
            module: with the graph, and the tensors that it refers to.
            inputs: values of its placeholders.
        """
        env = _Environment(inputs)
        needed = _needed(module.graph)
        name_ops(module.graph, self._names)
        for node in module.graph.nodes:
            if node.op == "output":
                return list(pytree.tree_leaves(env.of(node.args[0])))
            if node.op == "get_attr":
                env[node] = operator.attrgetter(str(node.target))(module)
            elif node.op == "call_function" and node in needed:
                env[node] = self._node(node, env)
        return []

    def call(self, graph: torch.fx.GraphModule, inputs: Sequence[Value]) -> list[Value]:
        """Imports a nested graph and returns its results."""
        places = [n for n in graph.graph.nodes if n.op == "placeholder"]
        found = self.run(graph, dict(zip(places, inputs, strict=True)))
        return [value for value in found if value is not None]

    def _node(self, node: torch.fx.Node, env: _Environment) -> Any:
        args, kwargs = env.of(node.args), env.of(node.kwargs)
        if node.target is operator.getitem:
            return args[0][args[1]]
        if type(node.meta.get("val")) is int:
            # A number that follows from shapes.
            return node.meta["val"]
        place = place_of(node)
        target: Any = node.target
        in_place = changes_in_place(target)
        if in_place:
            target = functional(target)

        def kinds(dtype: torch.dtype) -> str:
            if reason := unsupported(dtype):
                raise UnsupportedError(str(target), reason, place)
            return self.dtypes.computed(place.module, element_of(dtype))

        op = Op(self, node, place, kinds, target, env.of)
        with self.builder.located(place.file, place.line, 1, self._names[node]):
            try:
                self._check(op, args, kwargs)
                if COUNTED in node.meta:
                    found = counted(op, args, kwargs)
                    return _promoted(op, found[0] if len(found) == 1 else found)
                if self._is_known(op, (args, kwargs)):
                    # A module may create tensors on another device, such as "meta" or "cuda".
                    on_cpu = {"device": "cpu"} if kwargs.get("device") is not None else {}
                    known = target(*args, **{**kwargs, **on_cpu})
                    if op.name.split(".")[1] in _UNWRITTEN:
                        known.zero_()
                    return known.to(node.meta["val"].dtype) if in_place else known
                if empty := _empty(node):
                    return empty[0] if isinstance(node.meta["val"], torch.Tensor) else empty
                is_complex = has_complex(op, (args, kwargs))
                handler = complex_handler_of(op) if is_complex else handler_of(target)
                if handler is None:
                    return self._decompose(op, (args, kwargs))
                args, kwargs = pytree.tree_map(lambda x: _as(op, x), (args, kwargs))
                return _promoted(op, handler(op, *args, **kwargs))
            except UnsupportedError as error:
                self.errors.append(error)
            except (ValueError, TypeError, IndexError, RuntimeError) as error:
                self.errors.append(op.fail(str(error)))
        # Keep importing to report all unsupported ops at once.
        return pytree.tree_map(_zeros, node.meta["val"])

    def _decompose(self, op: Op, args: Any) -> Any:
        """Decomposes an op without a handler."""
        module = decomposition_of(op.node, op.target)
        if module is None:
            raise op.fail(_handlers.why_not(op.target))
        values = [x for x in pytree.tree_leaves(args) if isinstance(x, VALUES)]
        places = [n for n in module.graph.nodes if n.op == "placeholder"]
        found = self.run(module, dict(zip(places, values, strict=True)))
        is_one = isinstance(op.node.meta["val"], torch.Tensor)
        return _promoted(op, found[0] if is_one else found)  # type: ignore[arg-type]

    @staticmethod
    def _check(op: Op, args: Any, kwargs: Any) -> None:
        """Raises UnsupportedError for unsupported dtypes, shapes and side effects."""
        if op.name == "with_effects" and args[1] is not _CHECK:
            raise op.fail(f"'{args[1]}' has side effects: call it outside")
        for value in pytree.tree_leaves((op.node.meta.get("val"), args, kwargs)):
            if isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
                raise op.fail(_why_dynamic(value, op))
            if not isinstance(value, torch.Tensor):
                continue
            if reason := unsupported(value.dtype):
                raise op.fail(reason)
            if value.is_sparse or value.is_quantized:
                raise op.fail("sparse and quantized tensors are not supported: make them dense")
            if any(isinstance(n, torch.SymInt) for n in value.shape):
                raise op.fail(_why_dynamic(value, op))

    @staticmethod
    def _is_known(op: Op, args: Any) -> bool:
        """Whether PyTorch can evaluate the op during import."""
        target = op.target
        tags = getattr(target, "tags", ())
        if torch.Tag.nondeterministic_seeded in tags or not isinstance(
            target, torch._ops.OpOverload
        ):
            return False
        leaves = pytree.tree_leaves(args)
        # Weights keep their storage types.
        if ".dequantize_" in str(target) or any(_is_small(x) for x in leaves):
            return False
        return not any(isinstance(x, (Tensor, Complex)) for x in leaves)


class _Environment:
    """Values of nodes; the result of an in-place op replaces the tensor from there on."""

    def __init__(self, inputs: Mapping[torch.fx.Node, Any]) -> None:
        self._values = dict(inputs)

    def __setitem__(self, node: torch.fx.Node, value: Any) -> None:
        self._values[root(node)] = value

    def of(self, argument: Any) -> Any:
        """Returns an argument with nodes replaced by values."""
        return torch.fx.node.map_arg(argument, lambda node: self._values[root(node)])


def _as(op: Op, x: Any) -> Any:
    """Converts an operand to the format that the op computes in."""
    if isinstance(x, Complex):
        return Complex(_as(op, x.real), _as(op, x.imag))
    if not isinstance(x, Tensor) or x.dtype not in TORCH:
        return x
    return op.cast(x, op.kind(TORCH[x.dtype]))


def _promoted(op: Op, found: Result) -> Result:
    """Converts results to the program's dtypes."""
    meta = op.node.meta["val"]
    if isinstance(found, VALUES):
        return _in_dtype(op, found, meta)
    if not isinstance(meta, (tuple, list)):
        return found
    return [_in_dtype(op, x, m) for x, m in zip(found, meta, strict=False)]


def _in_dtype(op: Op, x: Value | None, meta: Any) -> Value | None:
    if not isinstance(meta, torch.Tensor):
        return x
    if isinstance(x, torch.Tensor):
        return x.to(meta.dtype)
    if isinstance(x, Complex):
        dtype = op.kind(meta.dtype)
        return Complex(op.cast(x.real, dtype), op.cast(x.imag, dtype))
    return x if x is None or x.dtype not in TORCH else op.cast(x, op.kind(meta.dtype))


def _is_small(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and ELEMENTS.get(x.dtype) in SMALL_FLOATS


def _converted(known: torch.Tensor, dtype: str) -> torch.Tensor:
    """Converts the elements; finite values stay finite, such as the lowest f32, which masks
    contain, in bf16."""
    target = TORCH[dtype]
    if not (known.is_floating_point() and dtype in FLOATS) or known.dtype == target:
        return known.to(target)
    limits = torch.finfo(target)
    if limits.max >= torch.finfo(known.dtype).max:
        return known.to(target)
    return torch.where(known.isinf(), known, known.clamp(limits.min, limits.max)).to(target)


def _compact(known: torch.Tensor) -> torch.Tensor:
    """Returns the elements, with extent 1 in each dimension whose stride is 0."""
    for dim, (stride, extent) in enumerate(zip(known.stride(), known.shape, strict=True)):
        if stride == 0 and extent > 1:
            known = known.narrow(dim, 0, 1)
    return known


def _needed(graph: torch.fx.Graph) -> set[torch.fx.Node]:
    """Returns the nodes that results may depend on."""
    needed: set[torch.fx.Node] = set()
    for node in reversed(graph.nodes):
        if changes_in_place(node.target):
            needed.add(node)
        if node.op == "output" or node in needed:
            needed.update(node.all_input_nodes)
    return needed


def _empty(node: torch.fx.Node) -> list[torch.Tensor]:
    """Returns the results of an op if all are empty, since these are not computed."""
    metas = [m for m in pytree.tree_leaves(node.meta["val"]) if isinstance(m, torch.Tensor)]
    if not metas or any(m.numel() for m in metas):
        return []
    return [torch.empty(m.shape, dtype=m.dtype) for m in metas]


def _why_dynamic(value: Any, op: Op) -> str:
    """Explains why a shape, or a number derived from one, is unknown, and suggests a remedy."""
    from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols

    if free_unbacked_symbols(value):
        return _handlers.why_computed(op.target)
    return "the shape is dynamic: export the module without dynamic_shapes"


def _zeros(meta: Any) -> Any:
    if not isinstance(meta, torch.Tensor):
        return meta
    shape = [n if isinstance(n, int) else 1 for n in meta.shape]
    return torch.zeros(shape, dtype=meta.dtype)
