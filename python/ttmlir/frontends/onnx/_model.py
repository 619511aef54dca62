"""Reads models from files, bytes or protobufs, including external data."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError

from ttmlir._files import file_error, read_file
from ttmlir.errors import CompileError, FileError
from ttmlir.frontends.onnx._types import Array, dense_of, element_of, kind_name

#: The oldest supported operator set.
OLDEST = 6


@dataclass(frozen=True)
class Model:
    """A model, the values of its initializers, and the versions of operator sets by domain."""

    name: str
    proto: onnx.ModelProto
    initializers: dict[str, Array]
    opsets: dict[str, int]

    @property
    def functions(self) -> dict[tuple[str, str, str], onnx.FunctionProto]:
        return {(f.domain, f.name, f.overload): f for f in self.proto.functions}

    @property
    def inputs(self) -> list[onnx.ValueInfoProto]:
        """The inputs that a call must pass."""
        return [i for i in self.proto.graph.input if i.name not in self.initializers]


def load_model(source: str | os.PathLike[str] | bytes | onnx.ModelProto) -> Model:
    """Loads a model with its initializers; external data is memory-mapped.

    Raises:
        CompileError: it is not an ONNX model, is damaged, or its operator set is not supported.
        FileError: the file, or one that it names, cannot be read.
    """
    folder, name = "", "the model"
    if isinstance(source, onnx.ModelProto):
        proto = source
    elif isinstance(source, bytes):
        proto = _parsed(source, name)
    else:
        name = f"'{os.fspath(source)}'"
        folder = os.path.dirname(os.path.abspath(source))
        proto = _parsed(read_file(source), name)
    if not proto.HasField("graph"):
        raise CompileError(f"{name} is not a model of ONNX: it has no graph")
    texts = [text for function in proto.functions for text in _texts_of(function)]
    texts += [o.domain for o in proto.opset_import]
    if any(isinstance(text, bytes) for text in [*texts, *_texts(proto.graph)]):
        raise CompileError(f"{name} is damaged: a name in it is not valid UTF-8")
    opsets = _opsets(proto, name)
    found = {}
    for tensor in proto.graph.initializer:
        found[tensor.name] = _array(tensor, folder, name)
    for sparse in proto.graph.sparse_initializer:
        found[sparse.values.name] = _dense(sparse, folder, name)
    return Model(name, proto, found, opsets)


def _parsed(data: bytes, name: str) -> onnx.ModelProto:
    try:
        return onnx.ModelProto.FromString(data)
    except (DecodeError, ValueError, RuntimeError):
        raise CompileError(
            f"{name} is not a model of ONNX, or it is damaged: its protobuf cannot be read"
        ) from None


def _texts(graph: onnx.GraphProto) -> Iterator[Any]:
    """Yields all names in a graph; bytes if they are not UTF-8."""
    yield graph.name
    for info in [*graph.input, *graph.output]:
        yield info.name
        if info.type.HasField("tensor_type"):
            yield from (dim.dim_param for dim in info.type.tensor_type.shape.dim)
    yield from (tensor.name for tensor in graph.initializer)
    yield from _texts_of(graph)


def _texts_of(body: onnx.GraphProto | onnx.FunctionProto) -> Iterator[Any]:
    """Yields the names in the nodes of a graph or of a function."""
    yield body.name
    for node in body.node:
        yield from (node.name, node.op_type, node.domain, *node.input, *node.output)
        for attribute in node.attribute:
            yield attribute.name
            for graph in [attribute.g, *attribute.graphs]:
                yield from _texts(graph)


def _opsets(proto: onnx.ModelProto, name: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for opset in proto.opset_import:
        domain = "" if opset.domain == "ai.onnx" else opset.domain
        found[domain] = max(opset.version, found.get(domain, 0))
    if not found:
        raise CompileError(f"{name}: expected operator sets, found none: it is damaged or too old")
    newest = onnx.defs.onnx_opset_version()
    version = found.get("", newest)
    if version < OLDEST:
        raise CompileError(
            f"{name}: expected an operator set from {OLDEST} to {newest}, found {version}: convert "
            "the model with onnx.version_converter.convert_version"
        )
    if version > newest:
        raise CompileError(
            f"{name}: expected an operator set from {OLDEST} to {newest}, found {version}: "
            f"update onnx, version {onnx.__version__} is installed"
        )
    return found


# Initializers ------------------------------------------------------------------------------------


def _array(tensor: onnx.TensorProto, folder: str, name: str) -> Array:
    where = f"{name}: initializer '{tensor.name}'"
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        return _mapped(tensor, folder, where)
    try:
        found: Array = onnx.numpy_helper.to_array(tensor)
    except (ValueError, TypeError, KeyError) as error:
        raise CompileError(f"{where} is damaged: {error}") from None
    found.flags.writeable = False
    return found


def _mapped(tensor: onnx.TensorProto, folder: str, where: str) -> Array:
    """Memory-maps the elements of an external file."""
    entries = {e.key: e.value for e in tensor.external_data}
    location = entries.get("location", "")
    if not folder:
        raise FileError(f"{where} is in the file '{location}': give the path of the model")
    path = os.path.normpath(os.path.join(folder, location))
    if not location or os.path.isabs(location) or not path.startswith(folder + os.sep):
        raise FileError(f"{where}: expected a file beside the model, found '{location}'")
    try:
        offset = int(entries.get("offset", 0))
        dtype = element_of(tensor.data_type)
    except (ValueError, KeyError, TypeError):
        raise CompileError(
            f"{where}: expected a number for the offset, found '{entries.get('offset')}'"
        ) from None
    bits = 4 if kind_name(tensor.data_type) in ("int4", "uint4", "float4e2m1") else 0
    shape = tuple(tensor.dims)
    count = math.prod(shape)
    length = (count * bits + 7) // 8 if bits else count * dtype.itemsize
    given = int(entries.get("length", length) or 0)
    if given != length:
        raise FileError(f"{where}: expected {length} bytes, found {given} in its description")
    try:
        size = os.path.getsize(path)
        if size < offset + length:
            raise FileError(
                f"{where}: expected {length} bytes from {offset} on in '{path}', which has {size}"
            )
        if not count:
            return np.zeros(shape, dtype)
        if bits or dtype.kind == "O":
            with open(path, "rb") as file:
                file.seek(offset)
                data = file.read(length)
            plain = onnx.TensorProto()
            plain.CopyFrom(tensor)
            plain.ClearField("external_data")
            plain.data_location = onnx.TensorProto.DEFAULT
            plain.raw_data = data
            found: Array = onnx.numpy_helper.to_array(plain)
            return found
        return np.memmap(path, dtype, "r", offset, shape)
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise file_error(path, "read", error) from None


def _dense(sparse: onnx.SparseTensorProto, folder: str, name: str) -> Array:
    values, indices = (_array(t, folder, name) for t in (sparse.values, sparse.indices))
    return dense_of(values, indices, tuple(sparse.dims))


# Types of inputs ---------------------------------------------------------------------------------


def dimensions(info: onnx.ValueInfoProto) -> list[int | str | None] | None:
    """Returns the extents of an input: numbers, names, or None if unknown; None without a shape."""
    kind = info.type.tensor_type
    if not kind.HasField("shape"):
        return None
    found: list[int | str | None] = []
    for dim in kind.shape.dim:
        field = dim.WhichOneof("value")
        value: Any = getattr(dim, field) if field else None
        # Exporters write "?" and -1 for unknown extents.
        is_unknown = value in ("", "?") or (isinstance(value, int) and value < 0)
        found.append(None if is_unknown else value)
    return found


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
