"""``ttmlir.compile``: compiles a program from any front end to an executable."""

from __future__ import annotations

import difflib
import gc
import inspect
import os
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ttmlir import _precision, runtime
from ttmlir._disk_cache import DiskCache
from ttmlir._lowering import BACKENDS as BACKENDS
from ttmlir._lowering import Backend, mark_parameters, pipeline_options, to_binary
from ttmlir._numerics import Numerics, check_numerics
from ttmlir._options import PipelineOptions
from ttmlir._parallel import Division, Parallel, division
from ttmlir._parsing import copied, diagnostics
from ttmlir._pipelines import BACKENDS as PIPELINES
from ttmlir._precision import Precision
from ttmlir._targets import SystemDescLike, resolve
from ttmlir.errors import CompileError, Diagnostic, Error
from ttmlir.executable import Executable
from ttmlir.frontends import (
    DTYPE,
    Arguments,
    FrontEnd,
    Keyword,
    Lowered,
    Options,
    Source,
    any_of,
    find,
    front_ends,
)
from ttmlir.passes import Goldens
from ttmlir.passes.passes import run_raw

if TYPE_CHECKING:
    import onnx
    import torch
    from typing_extensions import Unpack

    from ttmlir import ir
    from ttmlir._parsing import Form
    from ttmlir._pipelines import Keywords
    from ttmlir._repeats import Repeats
    from ttmlir._stages.executable import PipelineExecutable

    class _Keywords(Keywords, total=False):
        """The keywords of all sources."""

        backend: Backend
        target: str
        system_desc: SystemDescLike | None
        options: PipelineOptions | None
        precision: Precision | None
        numerics: Numerics | None
        grid: tuple[int, int] | None
        parallel: Parallel | None
        micro_batches: int | None
        goldens: Goldens | None
        remarks: bool | str
        parameters: Sequence[str | int]
        buckets: Mapping[str, Sequence[int]] | None
        specializations: int
        cache: str | os.PathLike[str] | None


_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])

#: Options whose default here is not that of the backend's pipeline, which prints what it always
#: printed.
DEFAULTS: dict[str, dict[str, Any]] = {"ttnn": {"optimization_level": 1}}


def _documented(function: _FunctionT) -> _FunctionT:
    """Adds the keywords of front ends and the pipeline options to the signature and the docstring,
    for ``help()`` and completion."""
    signature = inspect.signature(function)
    parameters = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    own: dict[str, Keyword] = {k.name: k for entry in front_ends() for k in entry.keywords}
    named: dict[str, tuple[Any, Any]] = {n: (k.default, k.type) for n, k in own.items()}
    for backend, options in PIPELINES.items():
        own_defaults = DEFAULTS.get(backend, {})
        named |= {f.name: (own_defaults.get(f.name, f.default), f.type) for f in fields(options)}
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters += [
        inspect.Parameter(name, kind, default=default, annotation=annotation)
        for name, (default, annotation) in named.items()
    ]
    vars(function)["__signature__"] = signature.replace(parameters=parameters)
    return function


# For type checkers: an overload for all front ends without keywords of their own, then one for each
# that has some. A test compares them with the declarations of the front ends.
@overload
def compile(source: object, *example_args: Any, **keywords: Unpack[_Keywords]) -> Executable: ...
@overload
def compile(
    source: torch.nn.Module | torch.export.ExportedProgram,
    *example_args: Any,
    example_inputs: Sequence[Any] | None = None,
    example_kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    dtype: str | Mapping[str, str] | None = None,
    **keywords: Unpack[_Keywords],
) -> Executable: ...
@overload
def compile(
    source: str | bytes | os.PathLike[str] | onnx.ModelProto,
    *example_args: Any,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    shapes: Mapping[str, int | Sequence[int]] | None = None,
    dtype: str | Mapping[str, str] | None = None,
    **keywords: Unpack[_Keywords],
) -> Executable: ...
@overload
def compile(
    source: str | bytes | os.PathLike[str] | ir.Module,
    *,
    form: Form = "auto",
    **keywords: Unpack[_Keywords],
) -> Executable: ...
@_documented
def compile(
    source: Any,
    *example_args: Any,
    backend: Backend = "ttnn",
    target: str = "n150",
    system_desc: SystemDescLike | None = None,
    options: PipelineOptions | None = None,
    precision: Precision | None = None,
    numerics: Numerics | None = None,
    grid: tuple[int, int] | None = None,
    parallel: Parallel | None = None,
    micro_batches: int | None = None,
    goldens: Goldens | None = None,
    remarks: bool | str = True,
    parameters: Sequence[str | int] = (),
    buckets: Mapping[str, Sequence[int]] | None = None,
    specializations: int = 32,
    cache: str | os.PathLike[str] | None = None,
    **keywords: Any,
) -> Executable:
    """Compiles a program for a chip.

    The program is MLIR in TTIR, TOSA or linalg on tensors, StableHLO, a ``ttmlir.Builder``, a JAX
    function, a PyTorch module, an ONNX model, or any source that another package's front end
    recognizes: see ``ttmlir.frontends``. JAX, PyTorch and ONNX need the extra of their name, as in
    ``pip install ttmlir[jax]``; StableHLO needs the one for JAX.

    Args:
        source: MLIR text or bytecode, the path of a file with either, a ``ttmlir.ir.Module``, which
            is not changed, or a ``ttmlir.Builder``; a JAX function, or the result of tracing,
            lowering or exporting one; a ``torch.nn.Module`` or the result of
            ``torch.export.export``; or an ONNX model: the path of an ``.onnx`` file, its bytes or
            an ``onnx.ModelProto``.
        example_args: example arguments of a JAX function, PyTorch module or ONNX model, with the
            shapes and dtypes of later calls. A JAX function also accepts ``jax.ShapeDtypeStruct``.
        backend: ``ttnn`` makes one library call for each op; ``ttmetal`` generates kernels.
        target: the system to compile for, one of ``ttmlir.targets()``.
        system_desc: a system descriptor or a ``.ttsys`` file, instead of ``target``.
        options: a ``ttmlir.passes.TTIRToTTNNBackendPipelineOptions`` (``ttnn``) or a
            ``TTIRToTTMetalBackendPipelineOptions`` (``ttmetal``), instead of keywords.
        precision: formats and fidelities for ``accuracy`` (f32, four multiplier phases),
            ``balanced`` (bf16) or ``performance`` (weights and activations in 8-bit block floats
            where that is safe, approximate functions); by default the dtypes of the source. It sets
            ``dtype``, for front ends that take one, and options of the pipeline; those that are
            given have priority.
        numerics: the arithmetic of the emulated engines in calls of the executable: ``fast``, in
            f32, or ``exact``, with the bits of the chip, which takes longer; by default the option
            of the device, ``fast`` unless it is set. It changes neither the program nor its time.
        grid: rows and columns of cores to use on each chip (``ttmetal``), short for
            ``override_device_shape``; all cores by default.
        parallel: how to divide a program for one chip over the chips of the target: ``data`` (the
            batch of the inputs), ``tensor`` (the weights of products), ``expert`` (stacked weights,
            such as the experts of a mixture), ``sequence`` (the second dimension of the inputs) or
            ``pipeline`` (the ops, in stages), over all chips; or a mapping of these to numbers of
            chips,
            such as ``{"data": 2, "tensor": 4}``. A mapping may also have name patterns of
            arguments, with the dimension that each axis of the mesh shards, or None:
            ``{"*.down_proj.weight": (None, 1)}``. For a PyTorch module, a plan of
            ``parallelize_module`` as well: ``{"*.up_proj": ColwiseParallel()}``, with
            ``(None, ColwiseParallel())`` for the second of two axes; parameters that are already
            ``DTensor`` need none. ``auto`` takes the division with the least modelled time. It
            sets ``mesh_shape``, unless that is given, and ``parallelism``.
        micro_batches: the number of parts into which a pipeline divides the batch, which its stages
            work on at the same time; by default chosen by the modelled time of a call.
        goldens: inputs and expected outputs of the programs: arrays by ``input_<i>`` and
            ``output_<i>`` (or such mappings by program name). They are stored in the file, and
            ``ttrt run`` compares with them.
        remarks: whether to store the passes' remarks in the file, which explain their decisions; or
            a regular expression that selects passes, such as ``ttir-layout``.
        parameters: arguments that stay the same in many calls, for a program that does not mark
            them: by name, or by index in each function that has them. Pass them to
            ``Executable.bind``; values that depend only on them are computed once.
        buckets: for a program with dynamic shapes, the values that some extents are padded to, such
            as ``{"seq": [128, 512]}``. Calls compile at most one executable for each bucket.
            Programs that mix padding with other elements are errors.
        specializations: the maximum number of executables to keep for a program with dynamic
            shapes.
        cache: a folder that keeps compiled programs for later processes. The source is still
            lowered to TTIR, the key of the cache.
        **keywords: keywords of the source's front end (see below), and the options of the
            backend's pipeline, named like the fields of that class. ``optimization_level`` is 1
            unless it is given, here or in ``options``.
            ``mesh_shape`` defaults to that of a ``ttmlir.Builder``; ``system_desc_path`` is an
            alternative to ``system_desc``.
    Returns:
        An executable, to be called with arrays. For a JAX function or PyTorch module it takes and
        returns the same pytrees, with PyTorch tensors for a module; for an ONNX model it also takes
        arrays by name. For a program with dynamic shapes it is a ``ttmlir.DynamicExecutable``,
        which compiles when called.

    Warns:
        UserWarning: a warning of the compiler, for example about an override for an op that does
            not exist, or a collective along an axis of one chip, which is removed; or the target
            has several chips, and the program uses one because none were selected.

    Raises:
        CompileError: a keyword has a wrong value; or the program does not parse, verify or lower.
            The exception has the diagnostics.
        Error: an unknown backend, form or target, a keyword of the other backend, a package that
            is not installed, or a source that does not exist. An unknown name of ``numerics`` is
            an InputError, a subclass.
        TypeError: an unknown keyword or one that the source does not support, ``remarks`` or
            ``parameters`` of a wrong type, or a source that no front end recognizes.

    Example:
        >>> import numpy as np, ttmlir
        >>> exe = ttmlir.compile('''
        ... func.func @double(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
        ...   %0 = tensor.empty() : tensor<32x32xf32>
        ...   %1 = "ttir.add"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>,
        ...        operand_constraints = [#tt.operand_constraint<any_device>,
        ...        #tt.operand_constraint<any_device>, #tt.operand_constraint<any_device>]}>
        ...        : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
        ...   return %1 : tensor<32x32xf32>
        ... }''')
        >>> float(exe(np.ones((32, 32), np.float32))[0, 0])
        2.0
    """
    given = Source(source)
    entry = find(given)
    check_numerics(numerics)
    if precision is not None and options is not None:
        raise Error("options: expected options or precision, found both")
    takes_dtype = any(keyword.name == DTYPE.name for keyword in entry.keywords)
    keywords = _precision.apply(precision, backend, takes_dtype, keywords)
    arguments, own = _arguments(entry, given, example_args, keywords)
    defaults = DEFAULTS.get(backend, {}) if options is None else {}
    chosen = pipeline_options(backend, options, grid, {**defaults, **own})
    is_mesh_given = bool(chosen.mesh_shape or chosen.chip_ids)
    if not isinstance(remarks, (bool, str)):
        found = type(remarks).__name__
        raise TypeError(
            f"remarks: expected True, False or a regular expression of passes, found {found}"
        )
    desc = resolve(target, chosen.system_desc_path or None if system_desc is None else system_desc)
    if not isinstance(specializations, int) or specializations < 1:
        raise Error(f"specializations: expected a positive integer, found {specializations!r}")
    shardings, parallel = entry.parameter_shardings(given, parallel)
    is_auto = isinstance(parallel, str) and parallel == "auto"
    if is_auto and (is_mesh_given or chosen.parallelism or backend != "ttnn"):
        raise Error(
            "parallel: 'auto' chooses the mesh and the parallelism of programs for "
            "backend='ttnn', which can be timed without a run"
        )
    divided = division(None if is_auto else parallel, chosen.mesh_shape, desc.num_chips, shardings)
    _check_micro_batches(micro_batches, divided)
    if divided.kinds and chosen.parallelism:
        raise Error("parallelism: expected parallel or parallelism, found both")
    chosen = replace(
        chosen,
        mesh_shape=divided.mesh_shape or chosen.mesh_shape,
        # Stages have the kinds of the other axes.
        parallelism=() if divided.stages else divided.kinds or chosen.parallelism,
    )
    builder = _Builder(
        desc,
        chosen,
        divided,
        is_auto,
        is_mesh_given or is_auto,
        parameters,
        goldens,
        remarks,
        None if cache is None else DiskCache(cache),
        numerics,
        micro_batches,
    )
    program = entry.dynamic(given, arguments)
    if program is not None:
        # Most programs need neither this nor the modules of divisions, which take time to import.
        from ttmlir.dynamic import DynamicExecutable

        return DynamicExecutable(
            program, builder, desc, backend, specializations, buckets, numerics
        )
    if buckets:
        raise Error("buckets: no extent of the program varies")

    def lower(options: Options) -> Lowered:
        with _without_collections():
            return entry.lower(given, arguments, options)

    return builder(lower)


@contextmanager
def _without_collections() -> Iterator[None]:
    """Pauses garbage collection: a front end makes many objects, which start collections that visit
    all objects of PyTorch or JAX again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@dataclass
class _Builder:
    """Compiles programs with the options of one ``compile``."""

    desc: runtime.SystemDesc
    options: Any
    division: Division
    is_auto: bool
    is_mesh_chosen: bool
    parameters: Sequence[str | int]
    goldens: Goldens | None
    remarks: bool | str
    cache: DiskCache | None
    numerics: Numerics | None
    micro_batches: int | None
    #: Parameters on the device, by name and form.
    _uploads: dict[Any, runtime.Tensor] = field(default_factory=dict)

    def __call__(self, lower: Callable[[Options], Lowered]) -> Executable:
        desc, chosen = self.desc, self.options
        lowered = lower(Options(desc, tuple(chosen.chip_ids)))
        if self.division.stages:
            return self._pipeline(lowered)
        chosen = replace(
            chosen,
            mesh_shape=_mesh(tuple(chosen.mesh_shape), lowered.mesh_shape),
            chip_ids=lowered.chip_ids or tuple(chosen.chip_ids),
        )
        recompile = _Recompile(
            lambda: lower(Options(desc, tuple(chosen.chip_ids))),
            chosen,
            desc,
            self.parameters,
            self.division,
            self.cache,
            self.numerics,
        )
        if self.is_auto:
            from ttmlir._divisions import fastest, options_of

            recompile.keep(lowered)
            best = fastest(recompile, desc)
            if "pipeline" in best:
                self.division = division(best, (), desc.num_chips)
                return self._pipeline(lowered)
            chosen = recompile.options = replace(chosen, **options_of(best, desc.num_chips))
        executable, said = recompile.made(lowered, chosen, self.goldens, self.remarks)
        for diagnostic in said:
            warnings.warn(str(diagnostic), stacklevel=3)
        _warn_of_doubles(executable)
        if desc.num_chips > 1 and not (chosen.mesh_shape or self.is_mesh_chosen):
            warnings.warn(
                f"the program uses 1 of the {desc.num_chips} chips of the target: parallel='data' "
                "or 'tensor' divides it over all of them, mesh_shape=(1, 1) uses one without this "
                "warning",
                stacklevel=3,
            )
        for program in executable.programs[: lowered.signature.count_parts()]:
            if weights := lowered.signature.parameters(program):
                executable.bind_shared(weights, self._uploads, program)
        return executable

    def _pipeline(self, lowered: Lowered) -> Executable:
        """Compiles a program in stages."""
        if lowered.mesh_shape or self.options.chip_ids:
            raise Error("parallel: 'pipeline' needs a program for one chip, and chooses its chips")
        if lowered.signature.count_parts() > 1:
            raise Error("parallel: 'pipeline' needs a model without host nodes between its parts")
        if self.goldens is not None:
            raise Error("goldens: a pipeline has no single program to store them for")
        recompile = _Recompile(
            lambda: lowered,
            replace(self.options, mesh_shape=()),
            self.desc,
            self.parameters,
            self.division,
            self.cache,
            self.numerics,
        )
        executable, said = recompile.pipeline(
            lowered, self.division, self.micro_batches, self.remarks
        )
        for diagnostic in said:
            warnings.warn(str(diagnostic), stacklevel=4)
        _warn_of_doubles(executable)
        used = prod(self.division.mesh_shape)
        if used < self.desc.num_chips:
            warnings.warn(
                f"the pipeline uses {used} of the {self.desc.num_chips} chips of the target",
                stacklevel=4,
            )
        if weights := lowered.signature.parameters(executable.programs[0]):
            executable.bind_shared(weights, {})
        return executable


@dataclass
class _Recompile:
    """Compiles the source of an executable with other options."""

    lower: Callable[[], Lowered]
    options: Any
    desc: runtime.SystemDesc
    parameters: Sequence[str | int]
    division: Division
    cache: DiskCache | None = None
    numerics: Numerics | None = None
    _lowered: Lowered | None = None

    def __call__(self, keywords: Mapping[str, Any]) -> Executable:
        return self.made(self._copy(), replace(self.options, **keywords))[0]

    def _copy(self) -> Lowered:
        """Returns the source with a module that the caller may change."""
        if self._lowered is None:
            self._lowered = self.lower()
        return replace(self._lowered, module=copied(self._lowered.module))

    def fewer_layers(self) -> tuple[Repeats, _Recompile, _Recompile] | None:
        """Returns the equal layers of the source, with compilers of a few of them; None if there
        are none, or if they appear only when the source is lowered further."""
        from ttmlir._repeats import FEW, MORE, repeats_of, shorten

        source = self._copy()
        layers = None if source.pipeline else repeats_of(source.module)
        if layers is None:
            return None

        def shortened(count: int) -> _Recompile:
            copy = self._copy()
            shorten(copy.module, layers, count)
            return replace(self, _lowered=copy)

        return layers, shortened(FEW), shortened(MORE)

    def divided(self, parallel: Mapping[str, int]) -> Executable:
        """Compiles the source with a division, such as ``{"data": 2, "tensor": 4}``."""
        from ttmlir._divisions import options_of

        chips = self.desc.num_chips
        if "pipeline" not in parallel:
            return self(options_of(parallel, chips))
        with warnings.catch_warnings():
            # Of micro-batches that are not independent.
            warnings.simplefilter("ignore")
            chosen = replace(self.options, mesh_shape=(), parallelism=())
            own = replace(self, options=chosen)
            return own.pipeline(self._copy(), division(parallel, (), chips))[0]

    def pipeline(
        self,
        lowered: Lowered,
        division: Division,
        micro_batches: int | None = None,
        remarks: bool | str = False,
    ) -> tuple[PipelineExecutable, list[Diagnostic]]:
        """Compiles the module in stages; changes it, and also returns the warnings."""
        from ttmlir._stages.building import PipelineBuilder

        module = lowered.module
        if lowered.pipeline:
            with diagnostics(module.context, "compilation failed"):
                run_raw(module, lowered.pipeline, "", None, ".")
        mark_parameters(module, self.parameters)
        said: list[Diagnostic] = []

        def compile(stage: ir.Module, options: Any) -> Executable:
            own = replace(self, parameters=(), division=Division())
            made, warned = own.made(Lowered(stage), options, remarks=remarks)
            said.extend(warned)
            return made

        builder = PipelineBuilder(
            module,
            lowered.signature,
            self.options,
            division,
            self.desc,
            compile,
            self.numerics,
            remarks,
        )
        return builder(micro_batches), said

    def keep(self, lowered: Lowered) -> None:
        """Keeps a copy of a source that is already lowered."""
        self._lowered = replace(lowered, module=copied(lowered.module))

    def made(
        self,
        lowered: Lowered,
        options: Any,
        goldens: Goldens | None = None,
        remarks: bool | str = False,
    ) -> tuple[Executable, list[Diagnostic]]:
        """Compiles the module in place; also returns the warnings."""
        mark_parameters(lowered.module, self.parameters)
        self.division.mark(lowered.module)
        cache = self.cache if goldens is None else None
        key, binary = "", None
        said: list[Diagnostic] = []
        if cache is not None:
            key = cache.key(lowered.module, options, self.desc, lowered.pipeline, remarks)
            binary = cache.get(key)
        if binary is None:
            binary, said = to_binary(
                lowered.module,
                options,
                self.desc,
                pipeline=lowered.pipeline,
                goldens=goldens,
                remarks=remarks,
            )
            # Files do not contain the warnings.
            if cache is not None and not said:
                cache.put(key, binary, ".ttm" if b"TTM0" in binary[:8] else ".ttnn")
        try:
            loaded = runtime.load_binary_from_bytes(binary)
            return Executable(loaded, self.desc, lowered.signature, self, self.numerics), said
        except runtime.RuntimeError as error:
            raise CompileError(f"the program cannot run: {error}") from None


def _check_micro_batches(micro_batches: Any, divided: Division) -> None:
    if micro_batches is None:
        return
    if isinstance(micro_batches, bool) or not isinstance(micro_batches, int) or micro_batches < 1:
        raise Error(f"micro_batches: expected a positive integer, found {micro_batches!r}")
    if not divided.stages:
        raise Error("micro_batches: expected parallel='pipeline', or a mapping with it")


def _arguments(
    entry: FrontEnd, source: Source, examples: tuple[Any, ...], keywords: Mapping[str, Any]
) -> tuple[Arguments, dict[str, Any]]:
    """Splits the keywords into arguments of the front end and options of the pipeline.

    Raises:
        TypeError: an unknown keyword, or examples or a keyword that only other front ends support.
    """
    found = type(source.value).__name__
    if examples and not entry.takes_examples:
        nouns = any_of([other.noun for other in front_ends() if other.takes_examples])
        raise TypeError(f"compile() takes example arguments for {nouns}, found {found}")
    own = {keyword.name for keyword in entry.keywords}
    foreign: dict[str, list[tuple[str, Keyword]]] = {}
    for other in front_ends():
        for keyword in other.keywords:
            foreign.setdefault(keyword.name, []).append((other.noun, keyword))
    chosen, rest = {}, {}
    known = inspect.signature(compile).parameters
    for name, value in keywords.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise TypeError(f"compile() got an unexpected keyword argument '{name}'{hint}")
        if name not in foreign:
            rest[name] = value
        elif value is None or (isinstance(value, str) and value == foreign[name][0][1].default):
            continue
        elif name in own:
            chosen[name] = value
        else:
            nouns = any_of([noun for noun, _ in foreign[name]])
            raise TypeError(f"compile() takes {name} for {nouns}, found {found}")
    return Arguments(examples, chosen), rest


def _mesh(found: tuple[int, ...], written_for: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the mesh shape, which the program may specify."""
    # A one-dimensional mesh gets a second axis of one chip.
    if found and written_for and (*found, 1)[: len(written_for)] != written_for:
        raise Error(
            f"mesh_shape: expected {written_for}, which the program was built for, found {found}"
        )
    return found or written_for


def _warn_of_doubles(executable: Executable) -> None:
    """Warns of inputs that lose precision and range."""
    names = [info.name for info in executable.inputs if info.dtype == "float64"]
    if not names:
        return
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    warnings.warn(
        f"float64 is computed in float32, with 24 bits of precision and values up to 3.4e38: "
        f"input {', '.join(names[:3])}{more}",
        stacklevel=4,
    )


def _keywords_text() -> str:
    """Documents the keywords of front ends for the docstring."""
    owners: dict[tuple[str, str], list[str]] = {}
    for entry in front_ends():
        for keyword in entry.keywords:
            owners.setdefault((keyword.name, keyword.description), []).append(entry.name)
    lines = ["    Keywords of front ends:"]
    for (name, description), entries in owners.items():
        text = f"{name} ({', '.join(entries)}): {description}."
        lines += textwrap.wrap(
            text, 100, initial_indent=" " * 8, subsequent_indent=" " * 12, break_on_hyphens=False
        )
    return "\n".join(lines)


compile.__doc__ = f"{(compile.__doc__ or '').rstrip()}\n\n{_keywords_text()}\n    "
