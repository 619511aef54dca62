"""Modules and exported programs of PyTorch."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ttmlir.frontends import (
    DTYPE,
    Arguments,
    FrontEnd,
    Keyword,
    Lowered,
    Options,
    Source,
    optional,
)
from ttmlir.frontends.reference import Values


class TorchFrontEnd(FrontEnd):
    """A ``torch.nn.Module``, which ``torch.export`` exports with examples of its arguments, or what
    ``torch.export.export`` returned. It is called as the module is, with tensors of PyTorch."""

    name, noun = "torch", "a module of PyTorch"
    extra = "torch"
    takes_examples = True
    keywords = (
        Keyword("example_inputs", "tuple[Any, ...]", "example arguments: tensors in pytrees"),
        Keyword("example_kwargs", "Mapping[str, Any]", "example keywords, by their names"),
        DTYPE,
    )

    def recognizes(self, source: Source) -> bool:
        # Nobody has a module who has not imported PyTorch.
        torch = sys.modules.get("torch")
        kinds = (torch.nn.Module, torch.export.ExportedProgram) if torch else ()
        return isinstance(source.value, kinds)

    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        with optional():
            from ttmlir.frontends.torch._signature import lower_module
        examples = arguments.example_inputs((tuple, list), "a tuple of arguments")
        given = arguments.keywords
        return lower_module(source.value, examples, given.get("example_kwargs"), given.get("dtype"))

    def reference(self, source: Source, args: Sequence[Any], kwargs: Any) -> Values:
        from ttmlir.frontends.torch._reference import of_module

        return of_module(source.value, args, kwargs)


FRONT_ENDS = (TorchFrontEnd(),)
