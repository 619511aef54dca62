"""Exports PyTorch modules."""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

from ttmlir.errors import CompileError, Diagnostic
from ttmlir.frontends.torch._dtensors import whole_tensors
from ttmlir.frontends.torch._handlers import COMPUTED
from ttmlir.frontends.torch._locations import INSTALLED
from ttmlir.frontends.torch._types import tensor_of

#: Files of this package that call PyTorch.
_OURS = (__file__,)
_PYTORCH = re.compile(r"[/\\](?:site|dist)-packages[/\\]torch[/\\]")


def exported_module(
    module: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None,
    dynamic_shapes: Any = None,
) -> torch.export.ExportedProgram:
    """Exports a module with ``torch.export`` in its current mode. Distributed parameters are
    exported as whole tensors.

    Raises:
        CompileError: it cannot be exported.
        Error: this process cannot read the shards of a distributed parameter.
    """

    def example(x: Any) -> Any:
        return tensor_of(x) if isinstance(x, np.ndarray) else x

    given, named = pytree.tree_map(example, (tuple(args), dict(kwargs or {})))
    with whole_tensors(module):
        return _exported(module, given, named, dynamic_shapes)


def _exported(
    module: torch.nn.Module, args: Any, kwargs: Any, dynamic_shapes: Any
) -> torch.export.ExportedProgram:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.export.export(module, args, kwargs or None, dynamic_shapes=dynamic_shapes)
    except Exception as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        reason = lines[0]
        if reason.startswith("Constraints violated"):
            # The following lines list them, up to an empty line.
            reason = " ".join(line.strip(" -") for line in lines[1 : [*lines, ""].index("")])
        op, place = _raised_by(error)
        if type(error).__name__ == "PendingUnbackedSymbolNotFound":
            # From x[mask, mask]: PyTorch has no symbol for the number of elements that both select.
            reason = COMPUTED
        reason = f"'{op}': {reason}" if op else reason
        message = f"torch.export cannot export '{type(module).__name__}'"
        if not place:
            raise CompileError(f"{message}: {reason}") from error
        raise CompileError(message, [Diagnostic("error", reason, place)]) from error


def _raised_by(error: Exception) -> tuple[str, str]:
    """Returns the op that raised an error of an export, and the line of the user's code that calls
    it; both are empty if unknown. Lines of installed packages count only if there are no others,
    those of PyTorch never."""
    op, own, installed = "", "", ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if file in _OURS or file.startswith("<"):
            continue
        if _PYTORCH.search(file):
            found = [x for x in frame.f_locals.values() if isinstance(x, torch._ops.OpOverload)]
            op = str(found[0]) if found else op
            continue
        # Whatever raised it, lines that are called later did.
        op = ""
        if INSTALLED.search(file):
            installed = f"{file}:{line}:1"
        else:
            own = f"{file}:{line}:1"
    return op, own or installed
