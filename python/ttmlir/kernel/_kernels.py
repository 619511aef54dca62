"""Kernels: Python functions that build them, or text."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttmlir._files import read_file
from ttmlir.errors import Error
from ttmlir.kernel._errors import BuildError

FIDELITIES = ("lofi", "hifi2", "hifi3", "hifi4")


@dataclass(frozen=True)
class DataMovement:
    """A kernel that moves data over a network on chip."""

    noc: int

    def __post_init__(self) -> None:
        if self.noc not in (0, 1):
            raise BuildError(f"noc: expected 0 or 1, found {self.noc!r}")

    def __str__(self) -> str:
        return f"#ttkernel.noc_config<noc{self.noc}>"

    @property
    def thread(self) -> str:
        return f"noc{self.noc}"


@dataclass(frozen=True)
class Compute:
    """A kernel that computes on tiles; see ``compute``."""

    fidelity: str = "hifi4"
    fp32_dest_acc_en: bool = False
    preserve_fp32_precision: bool = False
    math_approx_mode: bool = False

    def __post_init__(self) -> None:
        if self.fidelity not in FIDELITIES:
            raise BuildError(
                f"fidelity: expected one of {', '.join(FIDELITIES)}, found {self.fidelity!r}"
            )

    def __str__(self) -> str:
        flags = (self.fp32_dest_acc_en, self.preserve_fp32_precision, self.math_approx_mode)
        text = ", ".join(str(bool(flag)).lower() for flag in flags)
        return f"#ttkernel.tensix_config<{self.fidelity}, {text}>"

    @property
    def thread(self) -> str:
        return "compute"


Config = DataMovement | Compute


@dataclass(frozen=True)
class CppSource:
    """The C++ source of a kernel; see ``from_cpp``. ``path`` is empty for source text."""

    text: str
    path: str
    defines: Mapping[str, str | None]
    compile_args: tuple[Any, ...]
    named_compile_args: Mapping[str, Any]
    include_dirs: tuple[str, ...]
    debug_info: bool


@dataclass(frozen=True, eq=False)
class Kernel:
    """A kernel: ``body`` is a Python function that builds it, the text of a ``func.func`` of the
    ttkernel dialect, or C++; ``source`` names the text's file."""

    name: str
    config: Config
    body: Callable[..., Any] | str | CppSource
    source: str = ""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Builds the kernel's body into the current kernel, as a helper function."""
        if isinstance(self.body, str):
            raise BuildError(f"the kernel '{self.name}' is text: give it to Program.add")
        if isinstance(self.body, CppSource):
            raise BuildError(f"the kernel '{self.name}' is C++: give it to Program.add")
        return self.body(*arguments, **keywords)


Decorator = Callable[[Callable[..., Any]], Kernel]


def data_movement(*, noc: int = 0) -> Decorator:
    """Makes a Python function a kernel that moves data.

    The function is called once, while the program is built, with the arguments of ``Program.add``,
    and its calls of this module become the kernel.

    Args:
        noc: the network on chip that it uses, and so its thread: 0 or 1.
    """
    config = DataMovement(noc)
    return lambda function: Kernel(function.__name__, config, function)


def compute(
    *,
    fidelity: str = "hifi4",
    fp32_dest_acc_en: bool = False,
    preserve_fp32_precision: bool = False,
    math_approx_mode: bool = False,
) -> Decorator:
    """Makes a Python function a kernel that computes.

    Args:
        fidelity: number of multiplier passes for a product: ``lofi``, ``hifi2``,
            ``hifi3`` or ``hifi4``.
        fp32_dest_acc_en: destination registers hold 32-bit numbers, and half as many tiles.
        preserve_fp32_precision: f32 pages are unpacked as f32.
        math_approx_mode: functions may be approximated.
    """
    config = Compute(fidelity, fp32_dest_acc_en, preserve_fp32_precision, math_approx_mode)
    return lambda function: Kernel(function.__name__, config, function)


def parse(source: str | os.PathLike[str], config: Config, *, name: str = "") -> Kernel:
    """Parses a kernel: a ``func.func`` of the ttkernel dialect whose arguments are circular
    buffers.

    ``Program.add`` takes the actual buffers; the argument types in the text only matter for
    parsing. The text may begin with attribute definitions.

    Args:
        source: the text, or the path of a file with it.
        config: ``DataMovement(noc)`` or ``Compute(...)``.
        name: of the kernel; by default that of the function.
    """
    if isinstance(source, str) and "\n" in source:
        return Kernel(name, config, source, "<string>")
    path = Path(source)
    try:
        return Kernel(name, config, read_file(path).decode("utf-8"), str(path))
    except UnicodeDecodeError:
        raise BuildError(f"'{path}' is not a text in UTF-8") from None
    except Error as error:
        raise BuildError(str(error)) from None
