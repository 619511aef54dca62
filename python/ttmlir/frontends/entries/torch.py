"""Modules and exported programs of PyTorch."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ttmlir.frontends import (
    DTYPE,
    Arguments,
    DynamicProgram,
    FrontEnd,
    Keyword,
    Lowered,
    Options,
    ParameterShardings,
    Source,
    optional,
)
from ttmlir.frontends.reference import Values

#: Types of ``example_inputs``, and their names in messages.
_EXAMPLES = ((tuple, list), "a tuple of arguments")


class TorchFrontEnd(FrontEnd):
    """A ``torch.nn.Module``, exported by ``torch.export`` with example arguments, or the result of
    ``torch.export.export``. The executable is called like the module, with PyTorch tensors."""

    name, noun = "torch", "a module of PyTorch"
    extra = "torch"
    takes_examples = True
    keywords = (
        Keyword("example_inputs", "tuple[Any, ...]", "example arguments: tensors in pytrees"),
        Keyword("example_kwargs", "Mapping[str, Any]", "example keyword arguments, by name"),
        Keyword(
            "dynamic_shapes",
            "Any",
            "as in ``torch.export.export``: the dimensions of the example arguments that vary "
            "between calls",
        ),
        DTYPE,
    )

    def recognizes(self, source: Source) -> bool:
        # A program with a module has imported PyTorch.
        torch = sys.modules.get("torch")
        kinds = (torch.nn.Module, torch.export.ExportedProgram) if torch else ()
        return isinstance(source.value, kinds)

    def dynamic(self, source: Source, arguments: Arguments) -> DynamicProgram | None:
        with optional():
            from ttmlir.frontends.torch._dynamic import dynamic_program
        given = arguments.keywords
        return dynamic_program(
            source.value,
            arguments.example_inputs(*_EXAMPLES),
            given.get("example_kwargs"),
            given.get("dynamic_shapes"),
            given.get("dtype"),
        )

    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        with optional():
            from ttmlir.frontends.torch._signature import lower_module
        examples = arguments.example_inputs(*_EXAMPLES)
        given = arguments.keywords
        return lower_module(source.value, examples, given.get("example_kwargs"), given.get("dtype"))

    def parameter_shardings(
        self, source: Source, parallel: Any
    ) -> tuple[ParameterShardings | None, Any]:
        # A program with a plan or distributed tensors has imported the module that defines them.
        if "torch.distributed.tensor" not in sys.modules:
            return None, parallel
        with optional():
            from ttmlir.frontends.torch._parallelize_plan import parameter_shardings
        return parameter_shardings(source.value, parallel)

    def reference(self, source: Source, args: Sequence[Any], kwargs: Any) -> Values:
        from ttmlir.frontends.torch._reference import of_module

        return of_module(source.value, args, kwargs)


FRONT_ENDS = (TorchFrontEnd(),)
