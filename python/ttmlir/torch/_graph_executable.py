"""Executables of AOTAutograd's graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from ttmlir._host_arrays import widen
from ttmlir.compiler import compile
from ttmlir.executable import Executable
from ttmlir.frontends.dtype_policy import Policy
from ttmlir.frontends.torch._fx_graph import Computed, import_graph
from ttmlir.frontends.torch._types import array_of, random_state, tensor_of
from ttmlir.runtime import to_numpy


class GraphExecutable:
    """A graph that runs on the device; it takes and returns lists of tensors."""

    def __init__(
        self, graph: torch.fx.GraphModule, dtype: Policy, keywords: Mapping[str, Any]
    ) -> None:
        self._imported = import_graph(graph, dtype=dtype)
        computed = any(isinstance(r, Computed) for r in self._imported.results)
        #: None if all results are known.
        self.executable: Executable | None = (
            compile(self._imported.builder, **keywords) if computed else None
        )

    def __call__(self, *args: Any) -> list[Any]:
        values = self._run(args) if self.executable is not None else []
        return [_result(r, values) for r in self._imported.results]

    def _run(self, args: Sequence[Any]) -> list[torch.Tensor]:
        executable = self.executable
        assert executable is not None
        inputs: list[Any] = [array_of(args[i]) for i in self._imported.kept]
        if self._imported.is_random:
            inputs.append(random_state())
        found = executable(*inputs, keep_on_device=True)
        results = found if isinstance(found, tuple) else (found,)
        return [
            tensor_of(widen(to_numpy(result), info.host))
            for result, info in zip(results, executable.outputs, strict=True)
        ]


def _result(result: Any, values: Sequence[torch.Tensor]) -> Any:
    if isinstance(result, Computed):
        return values[result.number]
    return result.clone() if isinstance(result, torch.Tensor) else result
