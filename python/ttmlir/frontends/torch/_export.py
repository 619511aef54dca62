"""Exports PyTorch modules."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

from ttmlir.errors import CompileError
from ttmlir.frontends.torch._handlers import COMPUTED
from ttmlir.frontends.torch._types import tensor_of


def exported_module(
    module: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any] | None
) -> torch.export.ExportedProgram:
    """Exports a module with ``torch.export`` in its current mode.

    Raises:
        CompileError: it cannot be exported.
    """

    def example(x: Any) -> Any:
        return tensor_of(x) if isinstance(x, np.ndarray) else x

    given, named = pytree.tree_map(example, (tuple(args), dict(kwargs or {})))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.export.export(module, given, named or None)
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        if type(error).__name__ == "PendingUnbackedSymbolNotFound":
            # From x[mask, mask]: PyTorch has no symbol for the number of elements that both select.
            reason = f"{COMPUTED} ({reason})"
        raise CompileError(
            f"torch.export cannot export '{type(module).__name__}': {reason}"
        ) from error
