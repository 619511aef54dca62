"""Base class of all op groups: functions, their inputs and outputs, and creation of ops."""

from __future__ import annotations

import functools
import inspect
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import index
from typing import Any, cast

from ttmlir import _options, ir
from ttmlir.builder._dtypes import DTYPES, ELEMENTS, canonical, element_dtype
from ttmlir.builder._tensor import Shape, Tensor

ARGUMENT_TYPE = "tt.argument_type"
ALIASED_OUTPUT = "tt.aliased_output"
HOST_TYPE = "tt.host_type"
ARGUMENT_TYPES = ("input", "parameter", "constant")
MEMORY_SPACES = ("system", "dram", "l1")
_HERE = os.path.dirname(__file__)


def user_location(context: ir.Context, name: str | None) -> ir.Location:
    """Returns the location of the calling line outside of this package, named ``name`` if given."""
    frame = sys._getframe(1)
    while frame.f_back and os.path.dirname(frame.f_code.co_filename) == _HERE:
        frame = frame.f_back
    location = ir.Location.file(frame.f_code.co_filename, frame.f_lineno, 0, context)
    return ir.Location.name(name, location, context) if name else location


def extents(where: str, shape: Any) -> Shape:
    """Validates a tensor shape from a caller."""
    try:
        found = tuple(map(index, shape))
    except TypeError:
        raise TypeError(
            f"{where}: expected a shape, a list of integers such as (64, 128), found {shape!r}"
        ) from None
    if any(e < 0 for e in found):
        raise ValueError(f"{where}: expected extents of at least 0, found {found}")
    return found


def _check_parts(where: str, shape: Shape, dtype: str) -> None:
    """Checks the shape and the dtype of complex numbers in a program."""
    if shape[:1] != (2,) or dtype not in ("f32", "f64"):
        raise ValueError(
            f"{where}: expected real and imaginary parts of complex numbers, a first dimension of "
            f"extent 2 and elements of f32 or f64, found {shape} of {dtype}"
        )


def _complex_type(kind: ir.Type) -> ir.Attribute:
    """Returns the type of complex numbers with the parts in a tensor of ``kind``."""
    parts = ir.RankedTensorType(kind)
    whole = ir.ComplexType.get(parts.element_type)
    return ir.TypeAttr.get(ir.RankedTensorType.get(parts.shape[1:], whole))


def _takes_tensors(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a method to check arguments that its signature annotates as tensors."""
    kinds = {
        name: text
        for name, text in getattr(method, "__annotations__", {}).items()
        if isinstance(text, str) and re.search(r"\bTensor\b", text) and name != "return"
    }
    if not kinds:
        return method
    signature = inspect.signature(method)

    @functools.wraps(method)
    def checked(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:
            given = {}  # The call raises a better error.
        for name, value in given.items():
            if name in kinds:
                _check_tensor(f"{method.__name__}: {name}", kinds[name], value)
        try:
            return method(*args, **kwargs)
        except (TypeError, ValueError) as error:
            # Helpers do not know the op that called them.
            if type(error) not in (TypeError, ValueError) or method.__name__ in str(error):
                raise
            raise type(error)(f"{method.__name__}: {error}") from None

    return checked


def _check_tensor(where: str, kind: str, value: Any) -> None:
    if value is None and kind.endswith("None"):
        return
    many = isinstance(value, (list, tuple)) and "Sequence[" in kind
    one = not kind.startswith("Sequence[")
    for tensor in value if many else (value,):
        if not isinstance(tensor, Tensor) or not (many or one):
            expected = "a tensor" if one else "a list of tensors"
            raise TypeError(
                f"{where}: expected {expected} of a Builder, found {type(tensor).__name__}"
            )


class Functions:
    """The functions of a module under construction."""

    def __init_subclass__(cls) -> None:
        for name, method in list(vars(cls).items()):
            if not name.startswith("_") and inspect.isfunction(method):
                setattr(cls, name, _takes_tensors(method))

    def __init__(
        self,
        name: str = "forward",
        *,
        constraint: str = "any_device_tile",
        context: ir.Context | None = None,
        mesh_shape: Sequence[int] = (),
    ) -> None:
        _options.extents("mesh_shape", mesh_shape)
        self.mesh_shape = tuple(map(index, mesh_shape))
        if len(self.mesh_shape) == 1:
            self.mesh_shape += (1,)  # As in the compiler, a mesh has two axes.
        self.context = context or ir.Context()
        with self.context, ir.Location.unknown():
            self._module = ir.Module.create()
            self._constraint = ir.Attribute.parse(f"#tt.operand_constraint<{constraint}>")
        self._functions: set[str] = set()
        self._outputs: list[Tensor] | None = None
        self._located: ir.Location | None = None
        self.function(name)

    def function(self, name: str) -> None:
        """Begins a function; the previous one must have outputs."""
        self._check_finished()
        if name in self._functions:
            raise ValueError(f"the module already has a function '{name}'")
        from ttmlir.dialects import func

        location = self._location(None)
        with self.context, location, ir.InsertionPoint(self._module.body):
            self._function = func.FuncOp(name, ir.FunctionType.get([], []))
            self._block = self._function.add_entry_block()
        self._functions.add(name)
        self._argument_types: list[str] = []
        self._donated: dict[int, str] = {}
        self._complex_inputs: set[int] = set()
        self._function_name = name
        self._outputs = None

    @contextmanager
    def located(self, file: str, line: int, column: int = 0, name: str = "") -> Iterator[None]:
        """Gives ops built in the block this source location instead of the line of the call.

        Args:
            file: of the program that an importer reads; empty for an unknown location.
            line: line number.
            column: column number.
            name: default name of the ops.
        """
        place = (
            ir.Location.file(file, line, column, self.context)
            if file
            else ir.Location.unknown(self.context)
        )
        outer = self._located
        self._located = ir.Location.name(name, place, self.context) if name else place
        try:
            yield
        finally:
            self._located = outer

    def _location(self, name: str | None) -> ir.Location:
        """Returns the location of new ops."""
        if self._located is None:
            return user_location(self.context, name)
        return ir.Location.name(name, self._located, self.context) if name else self._located

    @property
    def block(self) -> ir.Block:
        """The block into which ops are inserted: that of the function, or of a loop or
        conditional."""
        block: ir.Block = self._block
        return block

    def _check_finished(self) -> None:
        if self._functions and self._outputs is None:
            raise ValueError(f"function '{self._function_name}' has no output yet: call output()")

    def _check_open(self) -> None:
        if self._outputs is not None:
            raise ValueError(
                f"function '{self._function_name}' has its outputs: begin another with function()"
            )

    def input(
        self,
        name: str,
        shape: Sequence[int],
        dtype: Any = "f32",
        *,
        memory_space: str | None = None,
        tiled: bool | None = None,
        argument_type: str = "input",
        donated: bool = False,
        is_complex: bool = False,
    ) -> Tensor:
        """Adds an argument to the function.

        Args:
            name: of the argument, its location in the IR.
            shape: extents; empty for a scalar.
            dtype: a key of ``DTYPES``, or NumPy's or PyTorch's name. Block floats (``bfp8_b`` ...)
                are stored in 32x32 tiles on the device; their elements are bf16 or f16 in the IR.
                Also ``bool``, ``int64``, ``uint64`` and ``float64``, which the device computes in
                fewer bits.
            memory_space: where the caller puts the tensor: ``system``, ``dram`` or ``l1``. By
                default block floats are in ``dram``, and the compiler chooses for other formats.
            tiled: whether the tensor is stored in 32x32 tiles; block floats always are. Ignored
                unless ``memory_space`` is given.
            argument_type: ``input``, or ``parameter`` or ``constant`` for a tensor that stays the
                same in many calls: values that depend only on such arguments are computed once if
                they are bound (``Executable.bind``).
            donated: the caller gives up the tensor, and its memory is reused for an output: the
                first one of the same shape and data type that is not paired with an earlier input.
                Both are on the device, where a call leaves the output for the next one.
                ``update_cache``, ``fill_cache`` and ``dynamic_update_slice`` then change the tensor
                in place, if its old value is not read afterwards.
            is_complex: the caller passes complex numbers. The first dimension of ``shape``, of
                extent 2 for real and imaginary parts, is not in the caller's array. ``dtype`` is
                that of the parts, f32 or f64.
        """
        self._check_open()
        if self._block != self._function.entry_block:
            raise ValueError(f"input '{name}': expected outside of loops and conditionals")
        if argument_type not in ARGUMENT_TYPES:
            raise ValueError(
                f"input '{name}': expected an argument type of {', '.join(ARGUMENT_TYPES)}, "
                f"found {argument_type!r}"
            )
        if donated and (argument_type != "input" or memory_space == "system"):
            raise ValueError(
                f"input '{name}': a donated input must have the argument type input and be on the "
                "device"
            )
        shape = extents(f"input '{name}'", shape)
        dtype = canonical(dtype, border=True)
        if is_complex:
            _check_parts(f"input '{name}'", shape, dtype)
        block = dtype in DTYPES and DTYPES[dtype].block
        if block and tiled is False:
            raise ValueError(f"input '{name}': {dtype} is stored in tiles, tiled=False given")
        if block and memory_space is None:
            memory_space = "dram"
        encoding = None
        if memory_space is not None:
            try:
                encoding = self._layout(shape, dtype, memory_space, bool(tiled or block))
            except ValueError as error:
                raise ValueError(f"input '{name}': {error}") from None
        with self.context:
            location = self._location(name)
            kind = ir.RankedTensorType.get(shape, self._element_type(dtype), encoding, location)
            value = self._block.add_argument(kind, location)
            self._argument_types.append(argument_type)
            if donated:
                self._donated[len(self._argument_types) - 1] = name
            if is_complex:
                self._complex_inputs.add(len(self._argument_types) - 1)
        return self._tensor(value, shape, element_dtype(dtype))

    def parameter(self, name: str, shape: Sequence[int], dtype: Any = "f32") -> Tensor:
        """Adds an argument that stays the same in many calls, such as a weight: an ``input``
        with the argument type ``parameter``."""
        return self.input(name, shape, dtype, argument_type="parameter")

    def output(self, *tensors: Tensor, complex_results: Collection[int] = ()) -> None:
        """Ends the function.

        Args:
            tensors: its results.
            complex_results: indices of the results that the caller receives as complex numbers.
                Their first dimension, of extent 2 for real and imaginary parts, is not in the
                caller's array.
        """
        self._check_open()
        if self._block != self._function.entry_block:
            raise ValueError("output: expected outside of loops and conditionals")
        if not tensors:
            raise ValueError(f"function '{self._function_name}': expected at least one output")
        self._check_inputs("output", tensors)
        for i in complex_results:
            _check_parts(f"output {i}", tensors[i].shape, tensors[i].dtype)
        from ttmlir.dialects import func

        with self.context, self._location(None), ir.InsertionPoint(self._block):
            i64 = ir.IntegerType.get_signless(64)
            func.ReturnOp([t.value for t in tensors])
            kind = ir.FunctionType.get(
                [a.type for a in self._block.arguments], [t.value.type for t in tensors]
            )
            self._function.attributes["function_type"] = ir.TypeAttr.get(kind)
            aliased = self._pair_donated(tensors)
            attributes: list[dict[str, ir.Attribute]] = [{} for _ in self._argument_types]
            for i, role in enumerate(self._argument_types):
                if role != "input":
                    attributes[i][ARGUMENT_TYPE] = ir.Attribute.parse(f"#{ARGUMENT_TYPE}<{role}>")
                elif i in aliased:
                    attributes[i][ALIASED_OUTPUT] = ir.IntegerAttr.get(i64, aliased[i])
                if i in self._complex_inputs:
                    attributes[i][HOST_TYPE] = _complex_type(self._block.arguments[i].type)
            if any(attributes):
                self._function.arg_attrs = [ir.DictAttr.get(own) for own in attributes]
            if complex_results:
                self._function.attributes["res_attrs"] = ir.ArrayAttr.get(
                    [
                        ir.DictAttr.get(
                            {HOST_TYPE: _complex_type(t.value.type)} if i in complex_results else {}
                        )
                        for i, t in enumerate(tensors)
                    ]
                )
        self._outputs = list(tensors)

    def _pair_donated(self, outputs: Sequence[Tensor]) -> dict[int, int]:
        """Returns the output that reuses the memory of each donated input."""
        pairs: dict[int, int] = {}
        for argument, name in self._donated.items():
            value = self._block.arguments[argument]
            kind = ir.RankedTensorType(value.type)
            for i, tensor in enumerate(outputs):
                found = ir.RankedTensorType(tensor.value.type)
                same = found.shape == kind.shape and found.element_type == kind.element_type
                if same and i not in pairs.values():
                    pairs[argument] = i
                    break
            else:
                raise ValueError(
                    f"output: expected an output to reuse the memory of the donated input '{name}' "
                    f"({kind}), in addition to those of other donated inputs"
                )
        return pairs

    @property
    def module(self) -> ir.Module:
        """The finished module."""
        self._check_finished()
        return self._module

    def __str__(self) -> str:
        """The module as text; the last function may be incomplete."""
        if self._outputs is not None:
            return str(self._module)
        return str(self._module.operation.get_asm(assume_verified=True))

    def __repr__(self) -> str:
        with self.context:
            inputs = ", ".join(str(a.type) for a in self._block.arguments)
        end = (
            "..." if self._outputs is None else ", ".join(str(t.value.type) for t in self._outputs)
        )
        return f"<ttmlir.Builder {self._function_name}({inputs}) -> {end}>"

    # How an op is made ---------------------------------------------------------------------------

    def _tensor(self, value: ir.Value[ir.Type], shape: Shape, dtype: str) -> Tensor:
        return Tensor(cast(Any, self), value, shape, dtype)

    def _element_type(self, dtype: str) -> ir.Type:
        # A quantized type is given as the text of the type.
        element = ELEMENTS[dtype].element if dtype in ELEMENTS else dtype
        return ir.Type.parse(element, self.context)

    def _layout(
        self,
        shape: Shape,
        dtype: str,
        memory_space: str,
        tiled: bool,
        grid: Sequence[int] = (1, 1),
        memory_layout: str | None = None,
    ) -> ir.Attribute:
        """Returns a layout of ``shape`` on ``grid`` with all dimensions but the last collapsed."""
        from ttmlir.dialects import tt

        spaces = {
            "system": tt.MemorySpace.System,
            "dram": tt.MemorySpace.DeviceDRAM,
            "l1": tt.MemorySpace.DeviceL1,
        }
        layouts = {
            ("none" if m is tt.TensorMemoryLayout.None_ else str(m)): m
            for m in tt.TensorMemoryLayout
        }
        if memory_space not in spaces:
            raise ValueError(
                f"expected memory_space to be one of {', '.join(spaces)}, found {memory_space!r}"
            )
        memory_layout = memory_layout or ("none" if memory_space == "system" else "interleaved")
        if memory_layout not in layouts:
            raise ValueError(
                f"expected memory_layout to be one of {', '.join(layouts)}, found {memory_layout!r}"
            )
        if dtype not in DTYPES or (tiled and not DTYPES[dtype].tile):
            raise ValueError(f"{dtype} is not stored in tiles")
        with self.context, ir.Location.unknown():
            kind = ir.RankedTensorType.get(shape, self._element_type(dtype))
            layout = tt.ir.LayoutAttr.get(
                self.context,
                kind,
                spaces[memory_space],
                tt.ir.GridAttr.get(self.context, list(grid)),
                [(0, -1)],
                tt.OOBVal.Undef,
                layouts[memory_layout],
            )
            if tiled:
                tile = ir.Type.parse(f"!tt.tile<32x32, {DTYPES[dtype].tile}>")
                layout = tt.ir.LayoutAttr.with_element_type(self.context, layout, tile)
        return layout

    def _check_inputs(self, op: str, tensors: Iterable[Tensor]) -> None:
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"{op}: expected tensors of a Builder, found {tensor!r}")
            if tensor.builder is not self:
                raise ValueError(f"{op}: an input belongs to another Builder")

    def _create(
        self,
        op: str,
        inputs: Sequence[Tensor],
        kinds: Sequence[ir.RankedTensorType],
        attributes: Mapping[str, ir.Attribute],
        destination: bool = True,
    ) -> ir.Operation:
        """Creates ``ttir.<op>``, with new tensors as its last operands if it has destinations."""
        operands = [t.value for t in inputs]
        if destination:
            operands += [ir.Operation.create("tensor.empty", results=[k]).result for k in kinds]
        return ir.Operation.create(
            f"ttir.{op}", results=kinds, operands=operands, attributes=dict(attributes)
        )

    def _infer(
        self, op: str, inputs: Sequence[Tensor], attributes: Mapping[str, ir.Attribute]
    ) -> list[Shape]:
        """Infers the shapes of the outputs by the compiler's rules.

        Raises:
            ValueError: the op is invalid; the message is that of its verifier.
        """
        from ttmlir.dialects import ttir

        try:
            shapes: list[Shape] = ttir.ir.infer_shapes(
                f"ttir.{op}",
                [t.value for t in inputs],
                ir.DictAttr.get(dict(attributes)),
                self.mesh_shape,
            )
        except ValueError as error:
            reason = str(error).removeprefix(f"'ttir.{op}' op ")
            raise ValueError(f"{op}: {reason}") from None
        return shapes

    def _build(
        self,
        op: str,
        inputs: Sequence[Tensor],
        attributes: Mapping[str, str] | None = None,
        *,
        name: str | None,
        shape: Shape | None = None,
        dtype: str | None = None,
        segments: Sequence[int] | None = None,
    ) -> Tensor:
        """Builds ``ttir.<op>`` of ``inputs`` into a new tensor. ``shape`` is required if inputs and
        attributes do not determine it.

        ``attributes`` are in MLIR syntax; ``segments`` has the number of tensors in each group of
        inputs, for ops with optional or variadic groups.
        """
        dtypes = [dtype or inputs[0].dtype]
        return self._build_all(op, inputs, attributes or {}, dtypes, name, shape, segments)[0]

    def _build_all(
        self,
        op: str,
        inputs: Sequence[Tensor],
        attributes: Mapping[str, str],
        dtypes: Sequence[str],
        name: str | None,
        shape: Shape | None = None,
        segments: Sequence[int] | None = None,
    ) -> tuple[Tensor, ...]:
        """Like ``_build``, with an output for each of ``dtypes``."""
        self._check_open()
        self._check_inputs(op, inputs)
        with self.context, self._location(name), ir.InsertionPoint(self._block):
            made = {key: ir.Attribute.parse(value) for key, value in attributes.items()}
            constraints = [self._constraint] * (len(inputs) + len(dtypes))
            made["operand_constraints"] = ir.ArrayAttr.get(constraints)
            if segments is not None:
                sizes = [*segments, len(dtypes)]
                made["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(sizes)
            shapes = [shape] if shape is not None else self._infer(op, inputs, made)
            kinds = [
                ir.RankedTensorType.get(s, self._element_type(d))
                for s, d in zip(shapes, dtypes, strict=True)
            ]
            results = self._create(op, inputs, kinds, made).results
        return tuple(map(self._tensor, results, shapes, dtypes))

    def _build_several(
        self,
        op: str,
        inputs: Sequence[Tensor],
        attributes: Mapping[str, str],
        dtype: str,
        name: str | None,
        groups: Sequence[int] | None,
    ) -> tuple[Tensor, ...]:
        """Builds a composite op with results of ``dtype``; shape inference gives their number.

        ``groups`` has the number of tensors in each group of inputs, for ops with optional or
        variadic groups.
        """
        self._check_open()
        self._check_inputs(op, inputs)
        with self.context, self._location(name):
            made = {key: ir.Attribute.parse(value) for key, value in attributes.items()}
            made["operand_constraints"] = ir.ArrayAttr.get([self._constraint])
            if groups is not None:
                made["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([*groups, 1])
            count = len(self._infer(op, inputs, made))
        return self._build_all(op, inputs, attributes, [dtype] * count, name, segments=groups)

    def _eltwise(
        self,
        op: str,
        inputs: Sequence[Tensor],
        name: str | None,
        attributes: Mapping[str, str] | None = None,
        dtype: str | None = None,
    ) -> Tensor:
        """Builds an elementwise op; by default the inputs must share one dtype, which the result
        has."""
        self._check_inputs(op, inputs)
        if dtype is None:
            self._same_dtype(op, inputs)
        segments = (len(inputs),)
        return self._build(op, inputs, attributes, name=name, dtype=dtype, segments=segments)

    def _same_dtype(self, op: str, tensors: Iterable[Tensor]) -> None:
        dtypes = {t.dtype for t in tensors}
        if len(dtypes) > 1:
            raise ValueError(f"{op}: expected one dtype, found {', '.join(sorted(dtypes))}")
