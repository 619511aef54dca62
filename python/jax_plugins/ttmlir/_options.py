"""The compile options that JAX passes on: devices, and ``jax.jit(compiler_options=...)``."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from jax_plugins.ttmlir._errors import Code, PluginError
from ttmlir._numerics import OPTIONS as NUMERICS
from ttmlir._pipelines import BACKENDS as PIPELINES

#: Pipeline options that the plugin sets itself.
_OWN = frozenset(
    ("system_desc_path", "mesh_shape", "chip_ids", "inputs_on_device", "results_on_device")
)
_WORDS = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True)
class Options:
    """Compile options: ``chips`` are the chips of each partition and replica, in the order of the
    serialized ``assignment``; ``keywords`` are passed to ``ttmlir.compile``."""

    serialized: bytes
    assignment: bytes
    chips: tuple[int, ...]
    replicas: int
    partitions: int
    keywords: Mapping[str, Any]


def read(serialized: bytes) -> Options:
    """Reads a serialized ``CompileOptionsProto``.

    Raises:
        PluginError: an option does not exist or has a wrong value.
    """
    from jaxlib import xla_client

    options = xla_client.CompileOptions.ParseFromString(serialized)
    given = options.device_assignment
    if given is None:
        import numpy as np

        given = xla_client.DeviceAssignment.create(np.zeros((1, 1), np.int32))
    assignment = given.serialize()
    return Options(
        serialized,
        assignment,
        tuple(_chips(assignment)),
        options.num_replicas,
        options.num_partitions,
        read_keywords(dict(options.env_option_overrides)),
    )


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yields numbers and values of the fields of a protocol buffer message."""
    position = 0

    def varint() -> int:
        nonlocal position
        value = shift = 0
        while True:
            byte = message[position]
            position += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while position < len(message):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:  # Bytes; the message has no other kinds.
            size = varint()
            yield key >> 3, message[position : position + size]
            position += size


def _chips(assignment: bytes) -> Iterator[int]:
    """Yields the ids in a ``DeviceAssignmentProto``, one partition after the other."""
    for number, partition in _fields(assignment):
        if number != 3 or not isinstance(partition, bytes):
            continue
        for _, ids in _fields(partition):
            if isinstance(ids, int):
                yield ids
            else:
                # Packed numbers have no keys.
                keyed = b"".join(b"\x08" + piece for piece in _varints(ids))
                yield from (value for _, value in _fields(keyed) if isinstance(value, int))


def _varints(packed: bytes) -> Iterator[bytes]:
    begin = 0
    for end, byte in enumerate(packed, 1):
        if byte < 0x80:
            yield packed[begin:end]
            begin = end


def read_keywords(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns keywords of ``ttmlir.compile`` for compiler options, which JAX passes as strings,
    booleans and numbers.

    Raises:
        PluginError: an option does not exist or has a wrong value.
    """
    backend = given.get("backend", "ttnn")
    if backend not in PIPELINES:
        raise _wrong(f"backend: expected one of {', '.join(PIPELINES)}, found {backend!r}")
    defaults = {f.name: f.default for f in fields(PIPELINES[backend]) if f.name not in _OWN}
    keywords: dict[str, Any] = {"backend": backend}
    for name, value in given.items():
        if name == "backend":
            continue
        if name == "numerics":
            if value not in NUMERICS:
                names = ", ".join(NUMERICS)
                raise _wrong(f"numerics: expected one of {names}, found {value!r}")
            keywords[name] = value
            continue
        if name in _OWN:
            raise _wrong(f"{name}: the plugin for JAX sets this option itself")
        if name not in defaults:
            near = difflib.get_close_matches(name, ["backend", "numerics", *defaults], 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise _wrong(f"'{name}' is not an option of ttmlir with backend '{backend}'{hint}")
        keywords[name] = _value(name, value, defaults[name])
    return keywords


def _value(name: str, value: Any, default: Any) -> Any:
    """Converts a value to the type of the option: booleans may also be words, and types that JAX
    does not support, such as a table of overrides, are JSON."""
    if isinstance(default, bool):
        found = _WORDS.get(str(value).lower())
        if found is None:
            raise _wrong(f"{name}: expected true or false, found {value!r}")
        return found
    if not isinstance(value, str):
        return value
    if isinstance(default, int):
        try:
            return int(value)
        except ValueError:
            raise _wrong(f"{name}: expected a number, found {value!r}") from None
    if isinstance(default, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _wrong(message: str) -> PluginError:
    return PluginError(Code.INVALID_ARGUMENT, message)
