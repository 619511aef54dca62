"""Models of ONNX."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ttmlir.frontends import (
    DTYPE,
    Arguments,
    DynamicProgram,
    FrontEnd,
    Keyword,
    Lowered,
    Options,
    Source,
    optional,
)
from ttmlir.frontends.reference import Values

#: A serialized model begins with the version of its format.
_PROTOBUF = b"\x08"
#: Types of ``example_inputs``, and their names in messages.
_EXAMPLES = (tuple, list, Mapping)
_EXPECTED = "a list or a dictionary of arrays"


class OnnxFrontEnd(FrontEnd):
    """A model: the path of an ``.onnx`` file, its bytes or an ``onnx.ModelProto``. The executable
    takes arrays in the order of its inputs, or by name."""

    name, noun = "onnx", "a model of ONNX"
    extra = "onnx"
    takes_examples = True
    keywords = (
        Keyword(
            "example_inputs",
            "Sequence[Any] | Mapping[str, Any]",
            "arrays in the order of the inputs, or some of them by name: they determine "
            "named extents, and the values of inputs that shapes depend on",
        ),
        Keyword(
            "shapes",
            "Mapping[str, int | Sequence[int]]",
            'extents by name, such as ``{"batch": 1}``, or shapes by input name',
        ),
        DTYPE,
    )

    def recognizes(self, source: Source) -> bool:
        value = source.value
        if isinstance(value, bytes):
            return value.startswith(_PROTOBUF)
        if isinstance(value, str | os.PathLike):
            path = os.fspath(value)
            return isinstance(path, str) and path.endswith(".onnx") and "\n" not in path
        onnx = sys.modules.get("onnx")
        if onnx is None:
            return False
        own = sys.modules.get("ttmlir.frontends.onnx._signature")
        return isinstance(value, (onnx.ModelProto, *([own.TypedModel] if own else ())))

    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        with optional():
            from ttmlir.frontends.onnx._signature import lower_model
        examples = arguments.example_inputs(_EXAMPLES, _EXPECTED)
        given = arguments.keywords
        return lower_model(source.value, examples, given.get("shapes"), given.get("dtype"))

    def dynamic(self, source: Source, arguments: Arguments) -> DynamicProgram | None:
        with optional():
            from ttmlir.frontends.onnx._dynamic import dynamic_model
        examples = arguments.example_inputs(_EXAMPLES, _EXPECTED)
        given = arguments.keywords
        return dynamic_model(source.value, examples, given.get("shapes"), given.get("dtype"))

    def reference(self, source: Source, args: Sequence[Any], kwargs: Any) -> Values:
        with optional():
            from ttmlir.frontends.onnx._model import load_model
            from ttmlir.frontends.onnx._reference import of_model
            from ttmlir.frontends.onnx._signature import by_name
        model = load_model(source.value)
        given = args[0] if len(args) == 1 and isinstance(args[0], Mapping) else args
        is_path = isinstance(source.value, str | os.PathLike)
        folder = os.path.dirname(os.path.abspath(source.value)) if is_path else ""
        inputs = by_name(given, kwargs, [i.name for i in model.inputs])
        return of_model(model, inputs, folder=folder)


FRONT_ENDS = (OnnxFrontEnd(),)
