"""Calls of every public function with arguments that nobody should give, in children of this
process: each must return or raise an error that says what is wrong.

    python test/python/api/wrong_arguments.py --calls 20000 --seed 3
"""

from __future__ import annotations

import argparse
import enum
import inspect
import json
import math
import os
import random
import signal
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np

import ttmlir
from ttmlir import _runtime, ir, kernel, passes, runtime

#: What may be raised; everything else is a defect, and so is the end of the child.
ERRORS = (
    TypeError,
    ValueError,
    OverflowError,
    MemoryError,
    ttmlir.Error,
    runtime.RuntimeError,
    passes.PassError,
    ir.MLIRError,  # type: ignore[attr-defined]
)
#: They take an address, choose the threads of the process, or wait for somebody.
LEFT_OUT = {"create_tensor", "set_num_threads", "set_current_system_desc"}
SECONDS = 20

JUNK: list[Any] = [
    *(None, 0, 1, -1, 2, 31, 33, 2**31 - 1, 2**31, 2**32, 2**59, 2**63, -(2**63), 2**200),
    *(0.0, -1.5, math.nan, math.inf, True, "", "x", "n150", "\0", "\ud800", "é", "../../x"),
    *(b"", b"TTNN", bytes(64), [], [0], [1, 1], [0, 0], [-1], [2**31], [2**62, 4], [None], ["a"]),
    *((), (1, 2), (2**40, 2**40), {}, {"a": 1}, set(), object(), int, print, ..., slice(1, 2)),
    *("f32", "bf16", "bfp8_b", "f64", np.dtype("f4"), np.float32(1), np.array(3.0), range(5)),
    *(np.zeros((0,)), np.zeros((3, 4)), np.zeros((2, 2), complex), np.zeros((2, 2), object)),
    *(np.zeros((32, 32), "f4")[::2, ::2], np.zeros((1,) * 32, "f4"), np.array(["a"])),
    *(lambda *a: 1, Exception("e"), memoryview(b"abc"), bytearray(b"xyz"), iter([1, 2])),
]

Target = tuple[str, Callable[..., Any]]


def members(prefix: str, owner: type) -> Iterator[Target]:
    for name in dir(owner):
        if not name.startswith("_") and callable(getattr(owner, name)):
            yield f"{prefix}.{name}", getattr(owner, name)


class Runtime:
    """ttmlir.runtime, with devices, tensors and programs at hand."""

    def __init__(self) -> None:
        self.targets: list[Target] = [("load", ttmlir.load)]
        for name in sorted({*dir(_runtime), *runtime.__all__}):
            found = getattr(runtime, name, None) or getattr(_runtime, name)
            if name.startswith("_") or name in LEFT_OUT or not callable(found):
                continue
            if inspect.isclass(found) and issubclass(found, enum.Enum):
                continue
            if not inspect.isclass(found):
                self.targets.append((name, found))
            elif not issubclass(found, BaseException):
                self.targets += [(name, found), *members(name, found)]
        b = ttmlir.Builder()
        x = b.input("x", (32, 32), "bf16")
        b.output(b.add(x, b.relu(x)))
        self.binaries = [ttmlir.compile(b, backend=k).binary for k in ("ttnn", "ttmetal")]

    def objects(self) -> list[Any]:
        device, closed = runtime.open_device(), runtime.open_device()
        runtime.close_device(closed)
        n300 = runtime.get_default_system_desc("n300")
        mesh = runtime.open_mesh_device([1, 2], [], n300)
        ones = runtime.from_numpy(np.ones((32, 32), ml_dtypes.bfloat16))
        freed = runtime.from_numpy(np.ones((4, 4), "f4"))
        freed.deallocate()
        placed = runtime.to_layout(ones, device, self.binaries[0], 0, 0)
        pair = runtime.create_multi_device_host_tensor([ones, ones], [1, 2])
        options = runtime.DeviceOptions(step_limit=1000)
        return [
            *(device, closed, mesh, ones, freed, placed, pair, n300, options, *self.binaries),
            [placed, placed],
            *(runtime.DataType.Float32, runtime.DataType.BFP_BFloat8, runtime.Numerics.Exact),
        ]


class Kernels:
    """ttmlir.kernel, half of the calls from a kernel that is being built."""

    def __init__(self) -> None:
        self.targets = [(f"kernel.{name}", getattr(kernel, name)) for name in kernel.__all__]
        self.targets += members("Program", kernel.Program)

    def objects(self) -> list[Any]:
        program = kernel.Program("p")
        objects = [
            *(program, program.input("x", (32, 32)), program.output("y", (32, 32))),
            *(program.circular_buffer("in0"), program.semaphore(), kernel.CoreRange(0, 0, 1, 1)),
            *(kernel.DataMovement(noc=0), kernel.Compute()),
        ]
        kept: list[Any] = []
        program.add(kernel.data_movement(noc=0)(lambda: kept.append(kernel.my_x())))
        _ = program.mlir
        return [*objects, *kept]


class Builders:
    """ttmlir.Builder and ttmlir.compile."""

    def __init__(self) -> None:
        self.targets: list[Target] = [("Builder", ttmlir.Builder), ("compile", ttmlir.compile)]
        self.targets += members("Builder", ttmlir.Builder)

    def objects(self) -> list[Any]:
        b = ttmlir.Builder(mesh_shape=random.choice([(), (1, 2)]))
        return [
            *(b, b.input("x", (32, 64), "bf16"), b.input("w", (64, 32), "bf16")),
            *(b.input("i", (4,), "i32"), b.input("image", (1, 8, 8, 4))),
        ]


class Passes:
    """ttmlir.passes."""

    def __init__(self) -> None:
        self.targets = [(name, getattr(passes, name)) for name in passes.__all__]

    def objects(self) -> list[Any]:
        b = ttmlir.Builder()
        b.output(b.relu(b.input("x", (32, 32), "bf16")))
        empty = ir.Module.parse("module {}", b.context)
        options = passes.TTIRToTTNNBackendPipelineOptions()
        return [b.module, b.module.operation, empty, b.context, options, "canonicalize"]


GROUPS: dict[str, type] = {
    "runtime": Runtime,
    "kernel": Kernels,
    "builder": Builders,
    "passes": Passes,
}


def draw(r: random.Random, objects: list[Any]) -> Any:
    kind = r.random()
    if kind < 0.6:
        return r.choice(objects)
    if kind < 0.7:
        return [r.choice(objects + JUNK) for _ in range(r.randrange(4))]
    return r.choice(JUNK)


def arguments(
    r: random.Random, name: str, function: Callable[..., Any], objects: list[Any]
) -> tuple[list[Any], dict[str, Any]]:
    """As many as the function takes, or any number; a method gets an object of its class."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    owner = name.partition(".")[0]
    own = [o for o in objects if type(o).__name__ == owner] if "." in name else []
    positional: list[Any] = [r.choice(own)] if own else []
    named = {}
    for p in parameters[len(positional) :]:
        if p.kind == p.KEYWORD_ONLY:
            if p.default is p.empty or r.random() < 0.3:
                named[p.name] = draw(r, objects)
        elif p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            if p.default is not p.empty and r.random() < 0.5:
                break
            positional.append(draw(r, objects))
    if not parameters or r.random() < 0.1:
        positional += [draw(r, objects) for _ in range(r.randrange(5))]
    if name.endswith(("store", "save", "_file")):  # They write where they are told.
        positional = ["out.bin" if isinstance(v, (str, bytes)) else v for v in positional]
    return positional, named


def inside_kernel(call: Callable[[], Any]) -> Any:
    """The call from a kernel, and a run of what became of it."""
    program = kernel.Program("inside")
    program.output("y", (32, 32))
    program.add(kernel.data_movement(noc=0)(lambda: call() and None))
    _ = program.mlir
    return program.run(step_limit=10000)


def child(group: str, seed: int, calls: int, say: Callable[[str], None]) -> list[str]:
    """The defects of one child; ``say`` is told each call before it is made."""
    r = random.Random(seed)
    random.seed(seed)
    world = GROUPS[group]()
    objects: list[Any] = []
    defects = []
    for i in range(calls):
        if i % 20 == 0:
            objects = world.objects()
        name, function = r.choice(world.targets)
        positional, named = arguments(r, name, function, objects)
        shown = f"{name}({', '.join([*map(show, positional), *map(show, named.items())])})"
        say(shown)
        signal.alarm(SECONDS)
        try:
            if name.startswith("kernel.") and r.random() < 0.5:
                inside_kernel(lambda f=function, a=positional, k=named: f(*a, **k))
            else:
                show(function(*positional, **named))
        except runtime.InternalError as error:
            defects.append(f"{shown}: InternalError: {error}")
        except ERRORS as error:
            if not str(error).strip():
                defects.append(f"{shown}: {type(error).__name__} without a message")
        except Exception as error:
            defects.append(f"{shown}: {type(error).__name__}: {error}")
        finally:
            signal.alarm(0)
    return defects


def show(value: Any) -> str:
    try:
        return repr(value)[:80]
    except Exception:
        return f"<{type(value).__name__}>"


def campaign(group: str, seed: int, calls: int) -> list[str]:
    """Runs a child; what it did wrong, its end included."""
    read, write = os.pipe()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            os.close(read)
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                silent = os.open(os.devnull, os.O_WRONLY)
                os.dup2(silent, 1)
                os.dup2(silent, 2)

                def say(text: str) -> None:
                    send(write, "call", text)

                for defect in child(group, seed, calls, say):
                    send(write, "defect", defect)
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    last, defects = "", []
    for kind, text in receive(read):
        if kind == "call":
            last = text
        else:
            defects.append(text)
    _, status = os.waitpid(process, 0)
    if status:
        defects.append(f"{last}: the process ended with status {status}")
    return [f"{group} seed {seed}: {text}" for text in defects]


def send(pipe: int, *message: str) -> None:
    data = json.dumps(message).encode()
    data = struct.pack("<I", len(data)) + data
    while data:
        data = data[os.write(pipe, data) :]


def receive(pipe: int) -> Iterator[tuple[str, str]]:
    with os.fdopen(pipe, "rb") as stream:
        while len(head := stream.read(4)) == 4:
            kind, text = json.loads(stream.read(struct.unpack("<I", head)[0]))
            yield kind, text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--group", choices=GROUPS)
    given = parser.parse_args()
    groups = [given.group] if given.group else list(GROUPS)
    found = 0
    for i in range(max(1, given.calls // 200)):
        for defect in campaign(groups[i % len(groups)], given.seed + i, 200):
            found += 1
            print(defect, flush=True)
    print(f"{given.calls} calls from seed {given.seed}: {found} defects")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
