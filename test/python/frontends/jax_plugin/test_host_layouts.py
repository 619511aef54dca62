"""Layouts in host memory that the PJRT C API has and JAX does not ask for: other clients do."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FUNCTIONS = Path(__file__).resolve().parents[4] / "runtime" / "pjrt" / "functions.h"
F32 = 11
Layout = tuple[int, ...]


def words(*values: int) -> Any:
    """The members of a struct, which are 8 bytes each or padded to that, behind its size."""
    count = len(values) + 2
    return (ctypes.c_int64 * count)(8 * count, 0, *values)


class Table:
    """The functions of the plugin."""

    def __init__(self) -> None:
        from jax_plugins.ttmlir import _api

        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        self.names = re.findall(r"^  F\((\w+)\)", FUNCTIONS.read_text(), re.MULTILINE)
        # Behind the size, and a version with its own.
        address = get(_api(), b"pjrt_c_api") + 5 * 8
        self.functions = (ctypes.c_size_t * len(self.names)).from_address(address)

    def function(self, name: str, result: Any) -> Any:
        kind = ctypes.CFUNCTYPE(result, ctypes.c_void_p)
        return kind(self.functions[self.names.index(name)])

    def message(self, error: int) -> str:
        args = words(error, 0, 0)
        self.function("Error_Message", None)(args)
        found = ctypes.string_at(args[3], args[4]).decode()
        self.function("Error_Destroy", None)(words(error))
        return found

    def __call__(self, name: str, *values: int) -> list[int]:
        """What the members are after a call; raises the message of an error."""
        args = words(*values)
        error = self.function(name, ctypes.c_void_p)(args)
        if error:
            raise ValueError(self.message(error))
        return list(args[2:])


class Client:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.client = table("Client_Create", *[0] * 9)[6]
        devices = table("Client_AddressableDevices", self.client, 0, 0)[1]
        self.device = ctypes.c_int64.from_address(devices).value

    def round_trip(self, x: Any, strides: Layout) -> Any:
        """The bytes of an array from a chip, written with strides."""
        dims = (ctypes.c_int64 * x.ndim)(*x.shape)
        where = [ctypes.addressof(dims), x.ndim, 0, 0, 0, self.device, 0, 0]
        made = self.table(
            "Client_BufferFromHostBuffer", self.client, x.ctypes.data, F32, *where, 0, 0
        )
        done, buffer = made[-2:]
        self.table("Event_Destroy", done)
        steps = (ctypes.c_int64 * x.ndim)(*strides)
        # A union of the two kinds of layouts, of which this is the second one.
        layout = words(32, 0, ctypes.addressof(steps), x.ndim, 0, 0, 0, 1)
        found = np.zeros(x.size, x.dtype)
        try:
            to = [ctypes.addressof(layout), found.ctypes.data, found.nbytes]
            event = self.table("Buffer_ToHostBuffer", buffer, *to, 0)[-1]
            self.table("Event_Await", event)
            self.table("Event_Destroy", event)
        finally:
            self.table("Buffer_Destroy", buffer)
        return found


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    found = Client(Table())
    yield found
    found.table("Client_Destroy", found.client)


@pytest.mark.parametrize(
    ("shape", "strides"),
    [
        ((2, 3, 4), (48, 16, 4)),
        ((2, 3, 4), (4, 32, 8)),
        # Nobody steps along a dimension of extent 1.
        ((1, 3, 4), (4, 16, 4)),
        ((3, 1, 4), (16, 1000, 4)),
        ((5, 1), (4, 0)),
    ],
)
def test_strides(client: Client, shape: Layout, strides: Layout) -> None:
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    found = client.round_trip(x, strides)
    view = np.lib.stride_tricks.as_strided(found, shape, strides)
    np.testing.assert_array_equal(view, x)


@pytest.mark.parametrize("strides", [(64, 16, 4), (48, 16, 8), (48, 4, 4)])
def test_gaps(client: Client, strides: Layout) -> None:
    with pytest.raises(ValueError, match="layouts of the host that are more than an order"):
        client.round_trip(np.ones((2, 3, 4), np.float32), strides)
