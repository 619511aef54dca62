"""A compiler for Tenstorrent-style chips, with an emulator of the chip inside."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, overload

import onnx as _onnx
import torch as _torch
from typing_extensions import Unpack

from . import dialects as dialects
from . import emitc as emitc
from . import errors as errors
from . import explorer as explorer
from . import ir as ir
from . import jax as jax
from . import kernel as kernel
from . import onnx as onnx
from . import pages as pages
from . import passes as passes
from . import runtime as runtime
from . import torch as torch
from ._jit import jit as jit
from ._options import PipelineOptions
from ._pipelines import Keywords
from ._programs import Program as Program
from ._programs import TensorInfo as TensorInfo
from ._targets import SystemDescLike
from ._targets import targets as targets
from ._version import __git_hash__ as __git_hash__
from ._version import __version__ as __version__
from .builder import Builder as Builder
from .comparison import Comparison as Comparison
from .comparison import OpComparison as OpComparison
from .errors import CompileError as CompileError
from .errors import Diagnostic as Diagnostic
from .errors import Error as Error
from .errors import FileError as FileError
from .errors import InputError as InputError
from .errors import OutOfMemoryError as OutOfMemoryError
from .errors import Remark as Remark
from .executable import Executable as Executable
from .executable import load as load
from .passes import Goldens
from .report import ChannelUse as ChannelUse
from .report import CoreUse as CoreUse
from .report import KernelUse as KernelUse
from .report import LinkUse as LinkUse
from .report import MemoryRequest as MemoryRequest
from .report import MemoryUse as MemoryUse
from .report import OperandUse as OperandUse
from .report import OpReport as OpReport
from .report import Report as Report
from .report import TimeParts as TimeParts
from .runtime import TraceFilter as TraceFilter

class _Options(Keywords, total=False):
    backend: Literal["ttnn", "ttmetal"]
    target: str
    system_desc: SystemDescLike | None
    options: PipelineOptions | None
    grid: tuple[int, int] | None
    goldens: Goldens | None
    remarks: bool | str
    parameters: Sequence[str | int]

# One for each front end with keywords of its own; a test compares them with what it declares. Those
# of other packages are called with a source that is none of these.
@overload
def compile(
    source: _torch.nn.Module | _torch.export.ExportedProgram,
    *example_args: Any,
    example_inputs: Sequence[Any] | None = None,
    example_kwargs: Mapping[str, Any] | None = None,
    dtype: str | Mapping[str, str] | None = None,
    **options: Unpack[_Options],
) -> Executable: ...
@overload
def compile(
    source: str | bytes | os.PathLike[str] | _onnx.ModelProto,
    *example_args: Any,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    shapes: Mapping[str, int | Sequence[int]] | None = None,
    dtype: str | Mapping[str, str] | None = None,
    **options: Unpack[_Options],
) -> Executable: ...
@overload
def compile(
    source: str | bytes | os.PathLike[str] | ir.Module | Builder,
    *,
    form: Literal["auto", "today", "2024"] = "auto",
    **options: Unpack[_Options],
) -> Executable: ...
@overload
def compile(
    source: Callable[..., Any], *example_args: Any, **options: Unpack[_Options]
) -> Executable: ...
@overload
def compile(source: object, *example_args: Any, **options: Unpack[_Options]) -> Executable: ...
