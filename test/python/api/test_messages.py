"""What wrong inputs are told: what, where, what was expected and what was found."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import kernel

Wrong = Callable[[], Any]

ONES = np.ones((64, 64), np.float32)
FORALL = """func.func @f(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%i) in (32) shared_outs(%x = %a) -> tensor<32x32xf32> {
    %s = tensor.extract_slice %x[%i, 0] [1, 32] [1, 1] : tensor<32x32xf32> to tensor<1x32xf32>
    %y = tosa.abs %s : (tensor<1x32xf32>) -> tensor<1x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %x[%i, 0] [1, 32] [1, 1]
          : tensor<1x32xf32> into tensor<32x32xf32>
    }
  }
  return %r : tensor<32x32xf32>
}"""


def built(make: Callable[[ttmlir.Builder], Any], **options: Any) -> ttmlir.Executable:
    b = ttmlir.Builder()
    b.output(make(b))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return ttmlir.compile(b, **options)


def x(b: ttmlir.Builder, *shape: int, dtype: str = "f32", name: str = "x") -> Any:
    return b.input(name, shape or (64, 64), dtype)


def relu(**options: Any) -> ttmlir.Executable:
    return built(lambda b: b.relu(x(b)), **options)


def looked_up(backend: str) -> Any:
    exe = built(lambda b: b.embedding(x(b, 2, dtype="u32"), x(b, 8, 4, name="t")), backend=backend)
    return exe(np.array([1, 99], np.uint32), np.ones((8, 4), np.float32))


def after_output() -> None:
    b = ttmlir.Builder()
    b.output(x(b))
    x(b, name="y")


def kernel_of(body: Callable[..., None], *, computes: bool = False) -> kernel.Program:
    program = kernel.Program("p")
    tensor = program.input("x", (32, 32))
    program.output("y", (32, 32))
    make = kernel.compute() if computes else kernel.data_movement(noc=0)
    program.add(make(body), tensor)
    program.compile()
    return program


def behind_its_loop(_: kernel.Tensor) -> None:
    for i in kernel.range(4):
        last = i + 1
    kernel.store_to_l1(last, 0x100000, 4)


def a_barrier(_: kernel.Tensor) -> None:
    kernel.noc_async_read_barrier()


def two_inputs_of_a_name() -> None:
    program = kernel.Program("p")
    program.input("x", (32, 32))
    program.input("x", (32, 32))


#: The call, the class of its error, and parts of its text in their order.
MESSAGES: dict[str, tuple[Wrong, type[Exception], str]] = {
    # Programs
    "a cut-off paste": (
        lambda: ttmlir.compile("func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32>"),
        ttmlir.CompileError,
        "<string>:1:1: error: 'func.func' op symbol declaration",
    ),
    "half an op": (
        lambda: ttmlir.compile('%0 = "ttir.relu"(%a'),
        ttmlir.CompileError,
        "<string> is not a valid module ... <string>:1:",
    ),
    "an alias alone": (
        lambda: ttmlir.compile("#any = #tt.operand_constraint<any>"),
        ttmlir.CompileError,
        "<string>: expected a module with functions, found an empty one",
    ),
    "an empty text": (
        lambda: ttmlir.compile(""),
        ttmlir.CompileError,
        "expected a program or the path of one, found an empty text",
    ),
    "a missing file": (
        lambda: ttmlir.compile("model.mlir"),
        FileNotFoundError,
        "'model.mlir' cannot be read: No such file or directory",
    ),
    "an unknown name": (
        lambda: ttmlir.compile("func.func @f() {\n  return %b : i32\n}"),
        ttmlir.CompileError,
        "<string>:2:10: error: use of undeclared SSA value name",
    ),
    "an unknown op": (
        lambda: ttmlir.compile('func.func @f() {\n  "foo.bar"() : () -> ()\n  return\n}'),
        ttmlir.CompileError,
        "<string>:2:3: error: 'foo.bar' op created with unregistered dialect.",
    ),
    "control flow": (
        lambda: ttmlir.compile(FORALL),
        ttmlir.CompileError,
        "<string>:2:8: error: 'scf.forall' op cannot be expressed: expected scf.if, scf.for,",
    ),
    "a source of another type": (
        lambda: ttmlir.compile(3),  # type: ignore[arg-type]
        TypeError,
        "source: expected a ttmlir.Builder, ... StableHLO or MLIR, found int",
    ),
    # Options
    "a layout that there is not": (
        lambda: relu(override_output_layout={"relu_0": "l1:striped"}),
        ttmlir.CompileError,
        "override_output_layout: ... striped (expected a grid RxC, a memory space such as l1",
    ),
    "two parts of one kind": (
        lambda: relu(override_output_layout={"relu_0": "l1:dram"}),
        ttmlir.CompileError,
        "Output layout of relu_0 has two parts of one kind: dram (expected each kind once)",
    ),
    "a fidelity that there is not": (
        lambda: relu(math_fidelity="hifi5"),
        ttmlir.CompileError,
        "math_fidelity: expected one of default, lofi, hifi2, hifi3, hifi4, found 'hifi5'",
    ),
    "a compute config that there is not": (
        lambda: relu(override_compute_config={"relu_0": "lofi:fp32"}),
        ttmlir.CompileError,
        "override_compute_config: ... fp32 (expected lofi, hifi2, hifi3, hifi4, or one of",
    ),
    "accumulation that kernels do not have": (
        lambda: relu(backend="ttmetal", override_compute_config={"relu_0": "packer_l1_acc"}),
        ttmlir.CompileError,
        "expected a fidelity, math_approx_mode or fp32_dest_acc_en for 'relu_0', found",
    ),
    "a grid that is a number": (
        lambda: relu(override_grid_sizes={"relu_0": 4}),
        ttmlir.CompileError,
        "override_grid_sizes: expected (rows, columns) for 'relu_0', found 4",
    ),
    "an override of nothing": (
        lambda: relu(override_grid_sizes={"relu_9": (1, 1)}),
        UserWarning,
        "no op has the location name 'relu_9' of override-grid-sizes",
    ),
    "a backend": (
        lambda: relu(backend="cuda"),
        ttmlir.Error,
        "backend 'cuda' is unknown, expected one of ttnn, ttmetal",
    ),
    "a target": (
        lambda: relu(target="n15"),
        ttmlir.Error,
        "no target 'n15', expected one of n150, n300",
    ),
    "a keyword of the other backend": (
        lambda: relu(grid=(1, 1)),
        ttmlir.Error,
        "grid: not an option of backend 'ttnn'",
    ),
    "a grid of too many cores": (
        lambda: relu(backend="ttmetal", grid=(99, 1)),
        ttmlir.CompileError,
        "expected a device shape of two extents from 1,1 to 8,8, ... found 99,1",
    ),
    "a memory space": (
        lambda: relu(backend="ttmetal", default_memory_space="l2"),
        ttmlir.CompileError,
        "default_memory_space: expected one of dram, l1, found 'l2'",
    ),
    "a chip": (
        lambda: relu(chip_ids=(7,)),
        ttmlir.CompileError,
        "expected chip ids below 1, the chips of the system, found 7",
    ),
    "a chip of a mesh": (
        lambda: relu(target="n300", mesh_shape=(1, 2), chip_ids=(0, 2)),
        ttmlir.CompileError,
        "expected chip ids below 2, the chips of the system, for mesh 1x2, found 2",
    ),
    "a mesh": (
        lambda: relu(mesh_shape=(1, 2)),
        ttmlir.CompileError,
        "expected a mesh of at most 1 chip, the chips of the system, found 1x2",
    ),
    "a missing system": (
        lambda: relu(system_desc="none.ttsys"),
        FileNotFoundError,
        "'none.ttsys' cannot be read: No such file or directory",
    ),
    "a golden": (
        lambda: relu(goldens={"in": ONES}),
        ttmlir.CompileError,
        "no tensor for the golden 'in': expected input_<i> or output_<i> for one of 1 inputs",
    ),
    # Building
    "half an extent": (
        lambda: ttmlir.Builder().input("x", (3.7, 3)),  # type: ignore[arg-type]
        TypeError,
        "input 'x': expected a shape, a list of integers such as (64, 128), found (3.7, 3)",
    ),
    "a number for a shape": (
        lambda: ttmlir.Builder().input("x", 5),  # type: ignore[arg-type]
        TypeError,
        "input 'x': expected a shape, a list of integers such as (64, 128), found 5",
    ),
    "a negative extent": (
        lambda: ttmlir.Builder().input("x", (-1, 3)),
        ValueError,
        "input 'x': expected extents of at least 0, found (-1, 3)",
    ),
    "a dtype": (
        lambda: ttmlir.Builder().input("x", (5,), "float33"),
        ValueError,
        "unknown dtype 'float33': expected one of f32, f16, bf16",
    ),
    "matrices that do not fit": (
        lambda: built(lambda b: b.matmul(x(b, 4, 5), x(b, 4, 5, name="y"))),
        ValueError,
        "matmul: Input A and B must have matching inner dimensions: a is 4x5, b is 4x5, expected "
        "b to have 5 rows",
    ),
    "shapes that do not broadcast": (
        lambda: built(lambda b: b.add(x(b, 4, 5), x(b, 4, 6, name="y"))),
        ValueError,
        "add: Operands are not broadcast compatible: found 4x5, 4x6",
    ),
    "two dtypes": (
        lambda: built(lambda b: b.add(x(b), x(b, dtype="bf16", name="y"))),
        ValueError,
        "add: expected one dtype, found bf16, f32",
    ),
    "a dimension": (
        lambda: built(lambda b: b.softmax(x(b, 4, 5), 2)),
        ValueError,
        "softmax: Dimension attribute must be within the bounds of the input tensor: expected a "
        "dimension in [-2, 2), found 2",
    ),
    "half a dimension": (
        lambda: built(lambda b: b.softmax(x(b), 1.5)),  # type: ignore[arg-type]
        TypeError,
        "softmax: expected an integer, found 1.5",
    ),
    "a reshape": (
        lambda: built(lambda b: b.reshape(x(b, 4, 5), (3, 7))),
        ValueError,
        "reshape: Input and output tensors must have the same number of elements: input 4x5 has "
        "20, output 3x7 has 21",
    ),
    "a permutation": (
        lambda: built(lambda b: b.permute(x(b), (0, 0))),
        ValueError,
        "permute: permutation must have each of the dimensions 0 to 1 once: found 0, 0",
    ),
    "nothing to put together": (
        lambda: built(lambda b: b.concat([], 0)),
        ValueError,
        "concat: expected at least one tensor",
    ),
    "a slice beyond the end": (
        lambda: built(lambda b: b.slice(x(b, 4, 5), (0, 0), (5, 5))),
        ValueError,
        "slice: expected 0 <= begin <= end <= 4 in dimension 0, found begin 0 and end 5",
    ),
    "padding of no pairs": (
        lambda: built(lambda b: b.pad(x(b), (1, 1))),  # type: ignore[arg-type]
        ValueError,
        "pad: expected (before, after) for each dimension, found (1, 1)",
    ),
    "a window that is too large": (
        lambda: built(lambda b: b.max_pool2d(x(b, 1, 4, 4, 8), kernel=(9, 9))),
        ValueError,
        "max_pool2d: Kernel height 9 is greater than input height 4",
    ),
    "channels in front": (
        lambda: built(lambda b: b.conv2d(x(b, 1, 3, 8, 8), x(b, 16, 3, 3, 3, name="w"))),
        ValueError,
        "conv2d: Weight must have the channels of input and output: expected 16x8xKHxKW, found "
        "16x3x3x3 ... "
        "N, H, W, C; 1x3x8x8 looks like N, C, H, W ... permute(x, (0, 2, 3, 1))",
    ),
    "indices that are floats": (
        lambda: built(lambda b: b.embedding(x(b, 4), x(b, 10, 8, name="t"))),
        ValueError,
        "embedding: expected indices of an integer dtype such as u32, found f32",
    ),
    "a text for a tensor": (
        lambda: built(lambda b: b.relu("x")),  # type: ignore[arg-type]
        TypeError,
        "relu: x: expected a tensor of a Builder, found str",
    ),
    "a tensor of another builder": (
        lambda: built(lambda b: b.relu(x(ttmlir.Builder()))),
        ValueError,
        "relu: an input belongs to another Builder",
    ),
    "no output": (
        lambda: ttmlir.compile(ttmlir.Builder()),
        ValueError,
        "function 'forward' has no output yet: call output()",
    ),
    "an input behind the output": (
        after_output,
        ValueError,
        "function 'forward' has its outputs: begin another with function()",
    ),
    "a place that there is not": (
        lambda: built(lambda b: b.to_layout(x(b), memory_space="l2")),
        ValueError,
        "to_layout: expected memory_space to be one of system, dram, l1, found 'l2'",
    ),
    "a grid off the device": (
        lambda: built(
            lambda b: b.to_layout(
                x(b), memory_space="l1", grid=(99, 1), memory_layout="height_sharded"
            )
        ),
        ttmlir.CompileError,
        "test_messages.py:... error: places a tensor on the grid #tt.grid<99x1> that is not on the "
        "device: expected one inside #tt.grid<8x8>",
    ),
    "a collective of one chip": (
        lambda: built(lambda b: b.all_gather(x(b), 0, cluster_axis=1)),
        ValueError,
        "all_gather: expected a mesh, ttmlir.Builder(mesh_shape=...), found none",
    ),
    # Running
    "another shape": (
        lambda: relu()(np.ones((3, 3), np.float32)),
        ttmlir.InputError,
        "forward: input 0: expected 64x64 float32, found 3x3 float32",
    ),
    "another dtype": (
        lambda: relu()(np.ones((64, 64))),
        ttmlir.InputError,
        "forward: input 0: expected 64x64 float32: dtype float64 has no counterpart",
    ),
    "no array": (
        lambda: relu()(None),
        ttmlir.InputError,
        "input 0: expected 64x64 float32: expected an array, or numbers and lists of them, "
        "found NoneType",
    ),
    "too many inputs": (
        lambda: relu()(ONES, ONES),
        ttmlir.InputError,
        "forward: expected 1 inputs (64x64 float32), found 2",
    ),
    "a program that there is not": (
        lambda: relu()(ONES, program="main"),
        ttmlir.InputError,
        "no program 'main', expected one of 0 (forward)",
    ),
    "an index beyond the table": (
        lambda: looked_up("ttnn"),
        ttmlir.Error,
        "(embedding) at ...test_messages.py:...: gather: expected an index in [0, 8), found 99",
    ),
    "an index beyond the table, in a kernel": (
        lambda: looked_up("ttmetal"),
        ttmlir.errors.AssertionFault,
        "embedding: expected an index below 8",
    ),
    "a folder to save to": (
        lambda: relu().save("/nonexistent/x.ttnn"),
        FileNotFoundError,
        "'/nonexistent/x.ttnn' cannot be written: No such file or directory",
    ),
    "a file to load": (
        lambda: ttmlir.load("none.ttnn"),
        FileNotFoundError,
        "'none.ttnn' cannot be read: No such file or directory",
    ),
    "a folder to load": (
        lambda: ttmlir.load("/"),
        ttmlir.Error,
        "expected a regular file, found a folder",
    ),
    # Kernels
    "an op outside of a kernel": (
        lambda: kernel.my_logical_x(),
        kernel.BuildError,
        "my_logical_x: expected a call from a kernel that a program builds, found one outside",
    ),
    "an op on another thread": (
        lambda: kernel_of(a_barrier, computes=True),
        ttmlir.CompileError,
        "test_messages.py:... error: 'ttkernel.noc_async_read_barrier' op must be in a kernel of "
        "a data movement thread, found one of the compute threads",
    ),
    "a number behind its loop": (
        lambda: kernel_of(behind_its_loop),
        kernel.BuildError,
        "behind_its_loop: expected a value in scope, found one of a loop or branch that has ended",
    ),
    "a port": (
        lambda: kernel.Program("p").circular_buffer("in99"),
        kernel.BuildError,
        "port: expected in0 to in7, dfl.., out.. or int.., found 'in99'",
    ),
    "no pages": (
        lambda: kernel.Program("p").circular_buffer("in0", pages=0),
        kernel.BuildError,
        "pages: expected at least 1, found 0",
    ),
    "a semaphore": (
        lambda: kernel.Program("p").semaphore("a"),  # type: ignore[arg-type]
        kernel.BuildError,
        "expected a number of 32 bits, found 'a'",
    ),
    "two tensors of a name": (
        two_inputs_of_a_name,
        kernel.BuildError,
        "expected a unique name for every tensor, found 'x' twice",
    ),
    "a function for a kernel": (
        lambda: kernel.Program("p").add(a_barrier),  # type: ignore[arg-type]
        kernel.BuildError,
        "expected a kernel, such as a function decorated with @kernel.data_movement(), "
        "found function",
    ),
    "nothing to return": (
        lambda: kernel.Program("p").run(),
        kernel.BuildError,
        "the program 'p' has no output: declare one",
    ),
}


@pytest.mark.parametrize("name", list(MESSAGES))
def test_message(name: str) -> None:
    call, kind, expected = MESSAGES[name]
    with pytest.raises(kind) as caught:
        call()
    said, place = " ".join(str(caught.value).split()), 0
    for part in expected.split("..."):
        at = said.find(part.strip(), place)
        assert at >= 0, f"expected {part!r} in {said!r}"
        place = at + len(part.strip())


def test_there_are_enough() -> None:
    assert len(MESSAGES) >= 60
