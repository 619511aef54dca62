"""The C++ of every op of TTNN gives the bits of the flatbuffer: two modules, compiled once."""

from __future__ import annotations

import inspect
import re
from functools import cache

import emitc_programs as programs
import pytest
from emitc_bits import assert_same_bits

import ttmlir
from ttmlir import emitc

# Ops that have no function in the library, with the reason.
WITHOUT_CPP = {
    "alloc": "places a tensor at an address, which the library decides itself",
}
# Ops that no program here has, with the test that has them.
ELSEWHERE = {
    "dealloc": "test_modules.test_bits",
    "from_device": "test_modules.test_from_device",
    **dict.fromkeys(programs.COLLECTIVES, "test_modules.test_collectives"),
}
# C++ functions whose name is not that of the op.
NAMES = {"get_device": "DeviceGetter::getInstance"}


@cache
def exe(module: int) -> ttmlir.Executable:
    level = programs.LEVELS[module]
    return ttmlir.compile(programs.MODULES[module], optimization_level=level)


@cache
def library(module: int) -> emitc.Library:
    return emitc.load(exe(module).cpp, options=["-Wall", "-Wextra", "-Werror"])


def names() -> list[tuple[int, str]]:
    return [
        (i, name)
        for i, module in enumerate(programs.MODULES)
        for name in re.findall(r"^func.func @(\w+)", module, re.MULTILINE)
    ]


@pytest.mark.parametrize(("module", "name"), names())
def test_bits(module: int, name: str) -> None:
    assert_same_bits(exe(module), library(module), name)


def ttnn_ops() -> list[str]:
    """The ops of the dialect, by the classes that its definitions make."""
    from ttmlir.dialects import _ttnn_ops_gen as generated

    classes = inspect.getmembers(generated, inspect.isclass)
    named = {getattr(each, "OPERATION_NAME", "") for _, each in classes}
    return sorted(name.removeprefix("ttnn.") for name in named if name.startswith("ttnn."))


def test_ops_are_found() -> None:
    assert {"add", "conv2d", "get_device"} <= set(ttnn_ops())


@pytest.mark.parametrize("op", sorted(set(ttnn_ops()) - set(ELSEWHERE)))
def test_every_op_has_cpp(op: str) -> None:
    """A new op needs a function in emitc_programs.py."""
    called = f"ttnn::{NAMES.get(op, op)}("
    used = any(called in exe(i).cpp for i in range(len(programs.MODULES)))
    assert used != (op in WITHOUT_CPP)


@pytest.mark.parametrize("op", sorted(set(ttnn_ops()) - set(WITHOUT_CPP) - set(NAMES)))
def test_every_op_is_a_function(op: str) -> None:
    header = (emitc.include_dir() / "ttnn-operations.hpp").read_text()
    assert re.search(rf"^TTNN_API (Tensor|void|std::tuple<.*>) {op}\(", header, re.MULTILINE)
