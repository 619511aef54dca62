"""Corrects dtypes of results that are wrong in PyTorch's example values."""

from __future__ import annotations

from typing import Any

import torch
from torch.fx.passes.fake_tensor_prop import FakeTensorProp

#: Ops whose results have the promoted dtype of their tensors.
_PROMOTE = frozenset({torch.ops.aten.threshold_backward.default})


def correct_dtypes(module: torch.fx.GraphModule) -> None:
    """Makes ``meta["val"]`` in a graph match the results of its ops.

    The example value of a mixed ``threshold_backward`` has the dtype of the gradient; the op
    promotes.
    """
    wrong = {}
    for node in module.graph.nodes:
        if node.target in _PROMOTE:
            x, y = (argument.meta["val"] for argument in node.args[:2])
            if x.dtype != y.dtype:
                wrong[node] = torch.result_type(x, y)
    if not wrong:
        return
    inputs = [n.meta["val"] for n in module.graph.nodes if n.op == "placeholder"]
    mode = next(x.fake_mode for x in inputs if hasattr(x, "fake_mode"))
    _DtypeCorrection(module, mode, wrong).propagate_dont_convert_inputs(*inputs)


class _DtypeCorrection(FakeTensorProp):  # type: ignore[misc]
    """Recomputes example values, some in other dtypes."""

    def __init__(
        self, module: torch.fx.GraphModule, mode: Any, dtypes: dict[torch.fx.Node, torch.dtype]
    ) -> None:
        super().__init__(module, mode)
        self._dtypes = dtypes

    def run_node(self, n: torch.fx.Node) -> Any:
        result = super().run_node(n)
        if n in self._dtypes:
            result = result.to(self._dtypes[n])
            n.meta["val"] = result
        return result
