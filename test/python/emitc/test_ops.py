"""The C++ of every op of TTNN gives the bits of the flatbuffer: one module, compiled once."""

from __future__ import annotations

import inspect
import re

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


@pytest.fixture(scope="module")
def exe() -> ttmlir.Executable:
    return ttmlir.compile(programs.MODULE)


@pytest.fixture(scope="module")
def library(exe: ttmlir.Executable) -> emitc.Library:
    return emitc.load(exe.cpp, options=["-Wall", "-Wextra", "-Werror"])


def names() -> list[str]:
    return re.findall(r"^func.func @(\w+)", programs.MODULE, re.MULTILINE)


@pytest.mark.parametrize("name", names())
def test_bits(exe: ttmlir.Executable, library: emitc.Library, name: str) -> None:
    assert_same_bits(exe, library, name)


def ttnn_ops() -> list[str]:
    """The ops of the dialect, by the classes that its definitions make."""
    from ttmlir.dialects import _ttnn_ops_gen as generated

    classes = inspect.getmembers(generated, inspect.isclass)
    named = {getattr(each, "OPERATION_NAME", "") for _, each in classes}
    return sorted(name.removeprefix("ttnn.") for name in named if name.startswith("ttnn."))


def test_ops_are_found() -> None:
    assert {"add", "conv2d", "get_device"} <= set(ttnn_ops())


@pytest.mark.parametrize("op", sorted(set(ttnn_ops()) - set(ELSEWHERE)))
def test_every_op_has_cpp(exe: ttmlir.Executable, op: str) -> None:
    """A new op needs a function in emitc_programs.py."""
    used = f"ttnn::{NAMES.get(op, op)}(" in exe.cpp
    assert used != (op in WITHOUT_CPP)


@pytest.mark.parametrize("op", sorted(set(ttnn_ops()) - set(WITHOUT_CPP) - set(NAMES)))
def test_every_op_is_a_function(op: str) -> None:
    header = (emitc.include_dir() / "ttnn-operations.hpp").read_text()
    assert re.search(rf"^TTNN_API (Tensor|void) {op}\(", header, re.MULTILINE)
