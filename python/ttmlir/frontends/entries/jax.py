"""Functions of JAX, and traced, lowered or exported ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttmlir.frontends import (
    Arguments,
    DynamicProgram,
    FrontEnd,
    Lowered,
    Options,
    Source,
    optional,
)
from ttmlir.frontends.reference import Values


class JaxFrontEnd(FrontEnd):
    """Traces a function with ``example_args``: arrays with the shapes and dtypes of later calls, or
    ``jax.ShapeDtypeStruct``, whose shapes may have symbols, in pytrees. The executable is called
    like the function."""

    name, noun = "jax", "a function of JAX"
    extra = "jax"
    takes_examples = True

    def recognizes(self, source: Source) -> bool:
        value = source.value
        is_traced = hasattr(value, "jaxpr") and hasattr(value, "lower")
        return is_traced or (callable(value) and not hasattr(value, "mlir_module_serialized"))

    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        with optional():
            from ttmlir.frontends.jax._functions import lower_function
        return lower_function(source.value, arguments.examples, options)

    def dynamic(self, source: Source, arguments: Arguments) -> DynamicProgram | None:
        if hasattr(source.value, "jaxpr") or not arguments.examples:
            return None
        with optional():
            from ttmlir.frontends.jax._shapes import dynamic_function
        return dynamic_function(source.value, arguments.examples)

    def reference(self, source: Source, args: Sequence[Any], kwargs: Any) -> Values:
        with optional():
            from ttmlir.frontends.jax._functions import register_platform
            from ttmlir.frontends.jax._reference import of_function
        register_platform()
        return of_function(source.value, args, kwargs)


FRONT_ENDS = (JaxFrontEnd(),)
