"""Kernels in C++."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ttmlir import ir, runtime
from ttmlir._cpp_kernels import LIBRARY_HEADERS
from ttmlir._files import read_file
from ttmlir._runtime import KernelObject, KernelUnit, compile_kernels
from ttmlir.errors import Error
from ttmlir.kernel._declarations import Declarations, Use
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._kernels import Compute, Config, CppSource, DataMovement, Kernel
from ttmlir.kernel._resources import CircularBuffer, Semaphore, Tensor, to_word

#: A line that includes a file of the kernel's own.
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def from_cpp(
    source: str | os.PathLike[str],
    config: Config,
    *,
    defines: Mapping[str, Any] | None = None,
    compile_args: Sequence[Any] = (),
    named_compile_args: Mapping[str, Any] | None = None,
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    name: str = "",
    debug_info: bool = False,
) -> Kernel:
    """Creates a kernel from C++, as written for the chip. It runs natively, with your rights: never
    use source text that you do not trust.

    The source defines ``void kernel_main()``, or for a compute kernel ``namespace NAMESPACE { void
    MAIN }``. It calls functions of the kernel library, which become instructions of the emulator.
    Circular buffers are numbered by port: ``in0`` is 0, ``dfl0`` 8, ``out0`` 16, ``int0`` 24. The
    arguments of ``Program.add`` after the kernel are its run-time arguments. g++ (``$CXX``)
    compiles it when the program is built.

    Args:
        source: the path of a file, or the source text, which has several lines.
        config: ``DataMovement(noc)`` or ``Compute(...)``.
        defines: macros with their value, or None.
        compile_args: compile-time arguments, in order. A tensor is passed as its
            ``TensorAccessorArgs``, which take one argument, a circular buffer as its number, and a
            semaphore as its id.
        named_compile_args: compile-time arguments by name.
        include_dirs: header folders, in addition to the folder of the file.
        name: of the kernel; by default the file name without suffix.
        debug_info: describe the kernel's variables for gdb. The environment variable
            ``TTMLIR_KERNEL_DEBUG=1`` does so for all kernels.

    Raises:
        BuildError: the file cannot be read, or an argument is not valid.
    """
    if not isinstance(config, (DataMovement, Compute)):
        raise BuildError(
            f"config: expected DataMovement(noc) or Compute(...), found {type(config).__name__}"
        )
    if isinstance(source, str) and "\n" in source:
        text, path = source, ""
    else:
        path = os.fspath(source)
        try:
            text = read_file(Path(path)).decode("utf-8")
        except UnicodeDecodeError:
            raise BuildError(f"'{path}' is not a text in UTF-8") from None
        except Error as error:
            raise BuildError(str(error)) from None
    own_name = name or (Path(path).stem if path else "kernel")
    for key in (*(defines or {}), *(named_compile_args or {})):
        if not isinstance(key, str) or not key.isidentifier():
            raise BuildError(f"expected a name that is an identifier, found {key!r}")
    body = CppSource(
        text,
        path,
        {key: _macro(key, value) for key, value in (defines or {}).items()},
        tuple(compile_args),
        dict(named_compile_args or {}),
        tuple(map(os.path.abspath, include_dirs)),
        debug_info,
    )
    return Kernel(own_name, config, body, path or f"{own_name}.cpp")


def _macro(name: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bool, int)):
        return str(int(value))
    return str(to_number(value, f"the macro '{name}'"))


def to_number(value: Any, what: str, tensors: Sequence[Tensor] | None = None) -> int:
    """Returns the 32 bits of a number, or of an argument passed as a number."""
    if isinstance(value, CircularBuffer):
        return int(value.port)
    if isinstance(value, Semaphore):
        return value.id
    if isinstance(value, Tensor):
        if tensors is None:
            raise BuildError(
                f"{what}: expected a number, a circular buffer or a semaphore, found {value}"
            )
        if value not in tensors:
            raise BuildError(f"{what}: {value} is a tensor of another program")
        # The encoding that ttk/dataflow.h reads.
        dram = value.memory == "dram"
        return 0x7A << 24 | tensors.index(value) << 8 | dram << 1 | (not dram)
    if not hasattr(type(value), "__index__"):
        raise BuildError(f"{what}: expected a number, found {type(value).__name__}")
    return to_word(value)


def _number(use: Use, program: Declarations, value: Any, name: str = "") -> int:
    """Returns a compile-time argument of a kernel as a number."""
    what = f"a compile-time argument of '{use.kernel.name}'"
    return to_number(value, f"{what}, '{name}'" if name else what, program.tensors)


def _unit(use: Use, program: Declarations, common: int) -> KernelUnit:
    """Returns the compilation unit of a kernel. Its first common argument is argument number
    ``common`` of the program."""
    kernel, body = use.kernel, use.kernel.body
    assert isinstance(body, CppSource)
    unit = KernelUnit()
    unit.name = kernel.source if not body.path else kernel.name
    unit.path, unit.text = body.path, body.text
    unit.defines = list(body.defines.items())
    unit.include_dirs = list(body.include_dirs)
    unit.compile_args = [_number(use, program, value) for value in body.compile_args]
    unit.named_compile_args = [
        (key, _number(use, program, value, key)) for key, value in body.named_compile_args.items()
    ]
    unit.common_args = common
    unit.debug_info = body.debug_info
    unit.chip = program.machine.kernel_chip
    config = kernel.config
    if isinstance(config, DataMovement):
        unit.noc = config.noc
    else:
        unit.fp32_dest_acc = config.fp32_dest_acc_en
    return unit


def to_attribute(use: Use, program: Declarations, common: int) -> ir.Attribute:
    """Returns the ``#ttmetal.cpp_kernel`` of a kernel, with which files hold it."""
    body = use.kernel.body
    assert isinstance(body, CppSource)

    def texts(values: Mapping[str, str | None]) -> ir.Attribute:
        return ir.DictAttr.get(
            {
                name: ir.UnitAttr.get() if text is None else ir.StringAttr.get(text)
                for name, text in values.items()
            }
        )

    def word(value: int) -> ir.Attribute:
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(32), value - (value >> 31 << 32))

    fields = {
        "source": ir.StringAttr.get(body.text),
        "path": ir.StringAttr.get(Path(body.path or use.kernel.source).name),
        "defines": texts(body.defines),
        "compile_args": ir.ArrayAttr.get(
            [word(_number(use, program, value)) for value in body.compile_args]
        ),
        "named_compile_args": ir.DictAttr.get(
            {
                key: word(_number(use, program, value, key))
                for key, value in body.named_compile_args.items()
            }
        ),
        "common_args": common,
        "headers": texts(_own_headers(body)),
        "addresses": ir.ArrayAttr.get([word(tensor.address) for tensor in program.tensors]),
        "tensors": f"[{', '.join(tensor.accessor_args for tensor in program.tensors)}]",
    }
    text = ", ".join(f"{name} = {value}" for name, value in fields.items())
    return ir.Attribute.parse(f"#ttmetal.cpp_kernel<{text}>")


def _own_headers(body: CppSource) -> dict[str, str | None]:
    """Returns the files that a kernel includes, besides the kernel library, by the names by which
    it and they include them. Absolute paths are left out."""
    folders = [Path(os.path.abspath(body.path)).parent] if body.path else []
    folders += map(Path, body.include_dirs)
    found: dict[str, str | None] = {}
    left = [("", body.text)]
    while left:
        includer, text = left.pop()
        for included in _INCLUDE.findall(text):
            if os.path.isabs(included):
                continue
            near = os.path.join(os.path.dirname(includer), included)
            for header in dict.fromkeys(map(os.path.normpath, (near, included))):
                path = next((f / header for f in folders if (f / header).is_file()), None)
                if path is None:
                    continue
                if header not in found:
                    content = read_file(path).decode("utf-8", errors="replace")
                    found[header] = content
                    left.append((header, content))
                break
    return found


@dataclass
class CppUses:
    """The kernels in C++ of a program, by dispatch and position in it, with the number of their
    first common argument."""

    uses: list[tuple[int, int, Use, int]] = field(default_factory=list)

    def compile(self, program: Declarations) -> list[tuple[int, int, KernelObject]]:
        """Compiles all of them.

        Raises:
            BuildError: there is no compiler, or it rejects a kernel; the message is that of the
                compiler.
        """
        units = [_unit(use, program, common) for _, _, use, common in self.uses]
        try:
            objects = compile_kernels(units, str(LIBRARY_HEADERS))
        except runtime.RuntimeError as error:
            raise BuildError(str(error)) from None
        return [
            (dispatch, index, found)
            for (dispatch, index, _, _), found in zip(self.uses, objects, strict=True)
        ]


def tensor_places(program: Declarations) -> list[tuple[Any, ...]]:
    """Returns descriptions of the tensors that kernels address, in the order in which compile-time
    arguments number them."""
    return [
        (
            tensor.address,
            tensor.memory == "dram",
            tensor.page_size,
            tensor.aligned_page_size,
            (tensor.page_rows, tensor.page_columns),
            (0, 0) if tensor.memory == "dram" else tensor.shard,
            tensor.grid,
        )
        for tensor in program.tensors
    ]
