"""``torch.compile(model, backend="tt")``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ttmlir._specializations import Specializations
from ttmlir.errors import CompileError, Error
from ttmlir.frontends.torch._decompositions import decompositions
from ttmlir.torch._graph_executable import GraphExecutable

#: Keys of ``options`` that are not keywords of ``ttmlir.compile``.
_OWN = ("dtype", "fallback", "specializations")
Runner = Callable[..., Any]


def backend(
    graph: torch.fx.GraphModule,
    example_inputs: Sequence[Any],
    *,
    options: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Runner:
    """The backend ``tt`` of ``torch.compile``: runs graphs of PyTorch, and of their gradients, on
    emulated chips.

    Args:
        graph: the graph that Dynamo captured.
        example_inputs: its inputs.
        options: ``dtype``, the format to compute floats in; ``fallback``, whether graphs with
            unsupported ops run in eager PyTorch, with a warning; ``specializations``, how many
            programs to keep for a graph of dynamic shapes; all others are keywords of
            ``ttmlir.compile``, such as ``target`` and ``backend``.
        mode: of ``torch.compile``; only ``default`` is supported.

    Raises:
        CompileError: ops are not supported, unless ``fallback`` is set.
        Error: the mode is not supported.
    """
    from torch._dynamo.backends.common import aot_autograd

    if mode not in (None, "default"):
        raise Error(f"mode: expected None or 'default' with the backend tt, found {mode!r}")
    compiler = _Compiler(options or {})
    trains = torch.is_grad_enabled() and any(
        isinstance(x, torch.Tensor) and x.requires_grad for x in example_inputs
    )
    compiled = aot_autograd(
        fw_compiler=compiler,
        bw_compiler=compiler,
        inference_compiler=compiler,
        decompositions=decompositions(),
    )
    # TTIR has no op for the gradient of fused attention, but for those of its parts.
    math = torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH)
    with math if trains else nullcontext():
        return compiled(graph, example_inputs)  # type: ignore[no-any-return]


class _Compiler:
    """Compiles graphs of AOTAutograd: core ATen ops, without in-place ops."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._dtype = options.get("dtype")
        self._falls_back = bool(options.get("fallback", False))
        self.limit = int(options.get("specializations", 32))
        self._keywords = {k: v for k, v in options.items() if k not in _OWN}

    def __call__(self, graph: torch.fx.GraphModule, examples: Sequence[Any]) -> Runner:
        from torch._functorch.aot_autograd import make_boxed_func

        if _is_dynamic(graph):
            return make_boxed_func(_ByShape(graph, self))  # type: ignore[no-any-return]
        return make_boxed_func(self.compiled(graph))  # type: ignore[no-any-return]

    def compiled(self, graph: torch.fx.GraphModule) -> Runner:
        """Compiles a graph of static shapes to a function."""
        from torch._subclasses.fake_tensor import unset_fake_temporarily

        try:
            # AOTAutograd compiles with fake tensors.
            with unset_fake_temporarily():
                return GraphExecutable(graph, self._dtype, self._keywords)
        except CompileError as error:
            if not self._falls_back:
                raise
            warnings.warn(f"a graph runs in eager PyTorch: {error}", stacklevel=2)
            return graph.forward  # type: ignore[no-any-return]


class _ByShape:
    """A graph of dynamic shapes, with an executable for each combination of shapes that occurs."""

    def __init__(self, graph: torch.fx.GraphModule, compiler: _Compiler) -> None:
        self._graph, self._compiler = graph, compiler
        self._executables: Specializations[Any, Runner] = Specializations(compiler.limit)

    def __call__(self, *args: Any) -> Any:
        key = tuple(_signature(x) for x in args)
        run = self._executables.get(key, lambda: self._compiler.compiled(self._specialized(args)))
        return run(*(x for x in args if isinstance(x, torch.Tensor)))

    def _specialized(self, args: Sequence[Any]) -> torch.fx.GraphModule:
        """Specializes the graph for the shapes of arguments."""
        from torch.fx.experimental.proxy_tensor import make_fx
        from torch.fx.traceback import preserve_node_meta

        tensors = [x for x in args if isinstance(x, torch.Tensor)]

        def function(*given: torch.Tensor) -> Any:
            rest = iter(given)
            values = [next(rest) if isinstance(x, torch.Tensor) else x for x in args]
            return torch.fx.Interpreter(self._graph).run(*values)

        with preserve_node_meta(), torch.no_grad():
            return make_fx(function, tracing_mode="fake")(*tensors)  # type: ignore[no-any-return]


def _signature(x: Any) -> Any:
    return (tuple(x.shape), x.dtype, x.stride()) if isinstance(x, torch.Tensor) else x


def _is_dynamic(graph: torch.fx.GraphModule) -> bool:
    for node in graph.graph.nodes:
        for value in pytree.tree_leaves(node.meta.get("val")):
            if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
                return True
            if isinstance(value, torch.Tensor) and any(
                isinstance(n, torch.SymInt) for n in value.shape
            ):
                return True
    return False
