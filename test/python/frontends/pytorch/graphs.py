"""Runs functions of tensors as programs, without Dynamo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import torch
from torch._functorch.aot_autograd import aot_function, make_boxed_func
from torch._subclasses.fake_tensor import unset_fake_temporarily

import ttmlir
from ttmlir.frontends.torch._decompositions import decompositions
from ttmlir.torch._graph_executable import GraphExecutable

Backend: TypeAlias = "Literal['ttnn', 'ttmetal']"
_TABLE = decompositions()


def evaluated(function: Callable[..., Any], *tensors: torch.Tensor) -> Any:
    """What a function returns that is compiled for its arguments.

    Raises:
        CompileError: it has ops that cannot be expressed.
    """

    def compiled(graph: torch.fx.GraphModule, _: Any) -> Any:
        with unset_fake_temporarily():
            return make_boxed_func(GraphExecutable(graph, None, {}))

    with torch.no_grad():
        return aot_function(function, fw_compiler=compiled, decompositions=_TABLE)(*tensors)


class _Calls(torch.nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *tensors: torch.Tensor) -> Any:
        return self.function(*tensors)


def exported(
    function: Callable[..., Any], *tensors: torch.Tensor, backend: Backend = "ttnn"
) -> Any:
    """What a function returns as a module that ``ttmlir.compile`` exports.

    Args:
        function: of the tensors.
        tensors: its arguments.
        backend: what the module is compiled for.

    Raises:
        CompileError: it cannot be exported, or has ops that cannot be expressed.
    """
    module = _Calls(function)
    return ttmlir.compile(module, example_inputs=tensors, backend=backend)(*tensors)
