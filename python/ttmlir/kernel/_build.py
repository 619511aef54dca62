"""Builds a ttmetal module from a program of kernels, and compiles it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ttmlir import ir, passes, runtime
from ttmlir._parsing import diagnostics
from ttmlir._runtime import with_native_kernels
from ttmlir.dialects import func, tt, ttkernel
from ttmlir.executable import Executable
from ttmlir.kernel import _emit, _formats, _values
from ttmlir.kernel._cpp_kernels import CppUses, tensor_places, to_attribute, to_number
from ttmlir.kernel._declarations import Declarations, Dispatch, Use
from ttmlir.kernel._device_layout import align, tensor_type
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._kernel_text import insert_text
from ttmlir.kernel._kernels import CppSource, Kernel
from ttmlir.kernel._resources import Argument, CircularBuffer, CoreRange, Semaphore, Tensor
from ttmlir.kernel._tracing import Trace, location_of, tracing
from ttmlir.kernel._values import Value


def build(program: Declarations, cpp: CppUses) -> ir.Module:
    """Builds a verified module with one function. Kernels in C++ are empty in the module, with
    their text as an attribute, and are appended to ``cpp``.

    Raises:
        BuildError: the program is incomplete, or does not fit the chip.
        CompileError: a kernel does not verify.
    """
    if not any(tensor.role == "output" for tensor in program.tensors):
        raise BuildError(f"the program '{program.name}' has no output: declare one")
    context = ir.Context()
    # Exceptions raised in a kernel's function propagate unchanged.
    with context, ir.Location.unknown():
        module = ir.Module.create()
        with diagnostics(context, f"{program.name}: the mesh is not valid"):
            _describe_system(program, module)
        _Function(program, module, cpp).build()
        with diagnostics(context, "the program is not valid"):
            module.operation.verify()
    return module


def to_executable(program: Declarations, module: ir.Module, cpp: CppUses) -> Executable:
    """Translates the program to an executable, and compiles its kernels in C++."""
    objects = cpp.compile(program)
    with diagnostics(module.context, "the program cannot be translated"):
        binary = runtime.load_binary_from_bytes(passes.ttmetal_to_flatbuffer_bytes(module))
    if objects:
        binary = with_native_kernels(binary, 0, objects, tensor_places(program))
    return Executable(binary, program.system_desc)


def _describe_system(program: Declarations, module: ir.Module) -> None:
    module.operation.attributes["tt.system_desc"] = tt.ir.SystemDescAttr.from_bytes(
        module.context, program.system_desc.to_bytes()
    )
    mesh = f"mesh-shape={','.join(map(str, program.mesh))}" if program.chips > 1 else ""
    passes.run_pipeline(module, "ttir-implicit-device", mesh)


@dataclass
class _Arguments:
    """Run-time arguments of a kernel: text of ``runtime_args``, and numbers."""

    runtime: list[str] = field(default_factory=list)
    compile_time: list[int] = field(default_factory=list)


class _Function:
    """The function of a program under construction."""

    def __init__(self, program: Declarations, module: ir.Module, cpp: CppUses) -> None:
        self.program = program
        self.module = module
        self.cpp = cpp
        self.values: dict[Tensor, ir.Value[Any]] = {}
        self.types = {tensor: _tensor_type(tensor) for tensor in program.tensors}

    def build(self) -> None:
        program, types = self.program, self.types
        inputs = [t for t in program.tensors if t.role == "input"]
        outputs = [t for t in program.tensors if t.role == "output"]
        kind = ir.FunctionType.get([types[t] for t in inputs], [types[t] for t in outputs])
        with ir.InsertionPoint(self.module.body):
            function = func.FuncOp(program.name, kind)
        function.attributes["tt.arg_alloc"] = ir.ArrayAttr.get(
            [
                ir.Attribute.parse(f"#tt.arg_alloc<{t.address}, {t.size}, {t.memory}>")
                for t in inputs
            ]
        )
        block = function.add_entry_block()
        with ir.InsertionPoint(block):
            self.values.update(zip(inputs, block.arguments, strict=True))
            for tensor in program.tensors:
                if tensor.role != "input":
                    self.values[tensor] = self._allocate(tensor)
            for number, dispatch in enumerate(program.dispatches):
                self._dispatch(number, dispatch, outputs)
            func.ReturnOp([self.values[t] for t in outputs])

    def _allocate(self, tensor: Tensor) -> ir.Value[Any]:
        i64 = ir.IntegerType.get_signless(64)
        attributes = {
            "address": ir.IntegerAttr.get(i64, tensor.address),
            "size": ir.IntegerAttr.get(i64, tensor.size),
            "memory_space": ir.Attribute.parse(f"#tt.memory_space<{tensor.memory}>"),
        }
        return ir.Operation.create(
            "ttmetal.alloc", results=[self.types[tensor]], attributes=attributes
        ).result

    def _dispatch(self, number: int, dispatch: Dispatch, outputs: list[Tensor]) -> None:
        uses, program = dispatch.uses, self.program
        if not uses:
            raise BuildError(f"the program '{program.name}' has no kernel: add one")
        sources = [t for t in program.tensors if t.role != "output"]
        operands = [self.values[t] for t in [*sources, *outputs]]
        buffers = _place(program, dispatch)
        operation = ir.Operation.create(
            "ttmetal.dispatch",
            operands=operands,
            results=[self.types[t] for t in outputs],
            regions=len(uses),
            attributes={
                "core_ranges": ir.ArrayAttr.get([_range(use.cores) for use in uses]),
                "kernelConfigs": _array(str(use.kernel.config) for use in uses),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(sources), len(outputs)]),
                "kernel_names": ir.ArrayAttr.get(
                    [ir.StringAttr.get(use.kernel.name or "kernel") for use in uses]
                ),
                "program_name": ir.StringAttr.get(program.name),
            },
        )
        common: list[int] = []
        arguments = []
        texts: list[ir.Attribute] = []
        for index, (use, region) in enumerate(zip(uses, operation.regions, strict=True)):
            if isinstance(use.kernel.body, CppSource):
                self.cpp.uses.append((number, index, use, len(common)))
                texts.append(to_attribute(use, program, len(common)))
            else:
                texts.append(ir.UnitAttr.get())
            tensors = [*sources, *outputs]
            arguments.append(_kernel(use, region, buffers, common, tensors, dispatch.semaphores))
        _set_arguments(operation, dispatch, arguments, common)
        if any(not isinstance(text, ir.UnitAttr) for text in texts):
            operation.attributes["cpp_kernels"] = ir.ArrayAttr.get(texts)
        self.values.update(zip(outputs, operation.results, strict=True))


def _set_arguments(
    operation: ir.Operation, dispatch: Dispatch, arguments: list[_Arguments], common: list[int]
) -> None:
    """Sets the optional attributes of a dispatch."""

    def numbers(values: list[int]) -> ir.Attribute:
        return ir.DenseI32ArrayAttr.get([_signed(value) for value in values])

    if dispatch.semaphores:
        operation.attributes["semaphores"] = numbers([s.initial for s in dispatch.semaphores])
    if common:
        operation.attributes["common_args"] = numbers(common)
    if any(a.runtime for a in arguments):
        operation.attributes["runtime_args"] = ir.ArrayAttr.get(
            [_array(iter(a.runtime)) for a in arguments]
        )
    if any(a.compile_time for a in arguments):
        operation.attributes["compile_args"] = ir.ArrayAttr.get(
            [ir.ArrayAttr.get([_emit.word_attr(n) for n in a.compile_time]) for a in arguments]
        )


def _kernel(
    use: Use,
    region: ir.Region,
    buffers: dict[CircularBuffer, ir.Type],
    common: list[int],
    operands: list[Tensor],
    semaphores: list[Semaphore],
) -> _Arguments:
    """Builds a kernel into its region, and returns its run-time arguments."""
    own = {b: kind for b, kind in buffers.items() if b.cores.covers(use.cores)}
    kernel = use.kernel
    arguments = _Arguments()
    if isinstance(kernel.body, str):
        _check_text_arguments(kernel, use)
        insert_text(kernel, region, own, use.arguments)
        return arguments
    if isinstance(kernel.body, CppSource):
        where = ir.Location.file(kernel.source, 1, 1)
        block = region.blocks.append(*own.values(), arg_locs=[where] * len(own))
        ir.Operation.create("ttkernel.return", ip=ir.InsertionPoint(block), loc=where)
        if use.keywords:
            raise BuildError(
                f"the kernel '{kernel.name}' is C++: expected its run-time arguments in their "
                "order, found keywords"
            )
        for argument in use.arguments:
            _run_time(argument, use, arguments, common, operands)
        return arguments
    where = location_of(kernel.body)
    block = region.blocks.append(*own.values(), arg_locs=[where] * len(own))
    point = ir.InsertionPoint(block)
    block_buffers = dict(zip(own, block.arguments, strict=True))
    trace = Trace(
        kernel.name, block_buffers, operands, semaphores, [("kernel", point)], start=where
    )
    with tracing(trace):
        bound = _binder(use, arguments, common, operands)
        positional = [bound(argument) for argument in use.arguments]
        keywords = {name: bound(argument) for name, argument in use.keywords.items()}
        trace.start = None
        kernel.body(*positional, **keywords)
    if len(trace.points) != 1:
        raise BuildError(
            f"the kernel '{kernel.name}' leaves a {trace.points[-1][0]} before its end: expected "
            "no break or return in it"
        )
    ir.Operation.create("ttkernel.return", ip=point, loc=where)
    return arguments


def _binder(
    use: Use, arguments: _Arguments, common: list[int], operands: list[Tensor]
) -> Callable[[Any], Any]:
    """Returns a converter of the arguments of ``Program.add`` for the kernel's function."""

    def number(mnemonic: str, index: int) -> Value:
        if mnemonic == "get_compile_time_arg_val":
            return _emit.value(mnemonic, [], {"arg_index": _emit.int_attr(index)}, "i32")
        return _emit.value(mnemonic, [_values.constant(index)], {}, "i32")

    def bind(argument: Any) -> Any:
        if not isinstance(argument, Argument):
            return argument
        if argument.kind == "runtime" and isinstance(argument.value, Tensor):
            index = operands.index(_values.own_tensor(argument.value, "runtime argument"))
            arguments.runtime.append(f"#ttmetal.tensor_address<{index}>")
            return number("get_arg_val", len(arguments.runtime) - 1)
        values = argument.values(use.cores)
        if argument.kind == "common":
            common.extend(values)
            return number("get_common_arg_val", len(common) - 1)
        if argument.kind == "compile-time":
            arguments.compile_time.extend(values)
            return number("get_compile_time_arg_val", len(arguments.compile_time) - 1)
        text = ", ".join(map(str, values))
        arguments.runtime.append(f"#ttmetal.scalar_args<[{text}]>")
        return number("get_arg_val", len(arguments.runtime) - 1)

    return bind


def _run_time(
    argument: Any, use: Use, arguments: _Arguments, common: list[int], operands: list[Tensor]
) -> None:
    """Adds a run-time argument to a kernel in C++."""
    if isinstance(argument, Argument) and isinstance(argument.value, Tensor):
        argument = argument.value
    if isinstance(argument, Tensor):
        if argument not in operands:
            raise BuildError(
                f"the kernel '{use.kernel.name}': {argument} is a tensor of another program"
            )
        arguments.runtime.append(f"#ttmetal.tensor_address<{operands.index(argument)}>")
        return
    if isinstance(argument, Argument):
        if argument.kind == "compile-time":
            raise BuildError(
                f"the kernel '{use.kernel.name}' is C++: give its compile-time arguments to "
                "from_cpp"
            )
        values = argument.values(use.cores)
        if argument.kind == "common":
            common.extend(values)
            return
    else:
        what = f"a run-time argument of '{use.kernel.name}'"
        values = [to_number(argument, what)]
    text = ", ".join(map(str, values))
    arguments.runtime.append(f"#ttmetal.scalar_args<[{text}]>")


def _check_text_arguments(kernel: Kernel, use: Use) -> None:
    if use.keywords or not all(isinstance(a, CircularBuffer) for a in use.arguments):
        raise BuildError(
            f"the kernel '{kernel.name}' is text: expected circular buffers for its arguments, "
            "in their order"
        )


def _place(program: Declarations, dispatch: Dispatch) -> dict[CircularBuffer, ir.Type]:
    """Places the circular buffers and returns their types: those without a tensor are after the
    tensors in L1, at the same addresses on every core."""
    machine = program.machine
    address = machine.next["l1"]
    types: dict[CircularBuffer, ir.Type] = {}
    for buffer in dispatch.buffers:
        at = buffer.tensor.address if buffer.tensor else address
        types[buffer] = ttkernel.ir.CBType.get(
            _context(), at, buffer.port, _buffer_shape(buffer), buffer.page_size, 1
        )
        if buffer.tensor is None:
            address = align(address + buffer.size, machine.alignment)
    if address > machine.end["l1"]:
        start = machine.next["l1"]
        sizes = ", ".join(f"{b.name} {b.size}" for b in dispatch.buffers if b.tensor is None)
        raise BuildError(
            f"the circular buffers do not fit L1: expected at most {machine.end['l1'] - start} "
            f"bytes, found {address - start} ({sizes})"
        )
    return types


def _buffer_shape(buffer: CircularBuffer) -> ir.MemRefType:
    if buffer.tensor is not None:
        layout: Any = tt.ir.LayoutAttr.getLayout(_tensor_type(buffer.tensor))
        shard: ir.MemRefType = layout.memref
        return shard
    element = _formats.tile(buffer.dtype) if buffer.tiled else _formats.element(buffer.dtype)
    columns = 1 if buffer.tiled else buffer.page_size // _formats.element_bytes(buffer.dtype)
    shape = [1, buffer.pages] if buffer.tiled else [buffer.pages, columns]
    return ir.MemRefType.get(
        shape, ir.Type.parse(element), memory_space=ir.Attribute.parse("#tt.memory_space<l1>")
    )


def _tensor_type(tensor: Tensor) -> ir.RankedTensorType:
    return tensor_type(
        _context(), tensor.shape, tensor.dtype, tensor.tiled, tensor.memory, tensor.grid
    )


def _context() -> ir.Context:
    context = ir.Context.current
    assert context is not None
    return context


def _range(cores: CoreRange) -> ir.Attribute:
    return ir.Attribute.parse(
        f"#ttmetal.core_range<{cores.y}x{cores.x}, {cores.rows}x{cores.columns}>"
    )


def _array(texts: Iterator[str]) -> ir.ArrayAttr:
    return ir.ArrayAttr.get([ir.Attribute.parse(text) for text in texts])


def _signed(word: int) -> int:
    return word - (1 << 32) if word >= 1 << 31 else word
