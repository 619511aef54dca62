"""Mutated MLIR text through every pass, pipeline and translation: each ends in an error with a
location, or in IR that verifies, prints and loads."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Any

import sanitizers
from corpus import Pass, Text, texts
from engine import Failure, Note
from tokens import Mutator

import ttmlir
from ttmlir import ir, passes, runtime
from ttmlir._mlir_libs import _ttmlir

TTNN, TTMETAL = "ttir-to-ttnn-backend-pipeline", "ttir-to-ttmetal-backend-pipeline"
PIPELINES: dict[str, tuple[str, ...]] = {
    TTNN: (
        "",
        "enable-optimizer=false",
        "sharding-pass-enabled=true",
        "sharding-pass-enabled=true resharding-enabled=true",
        "mesh-shape=1,2",
        "mesh-shape=2,4",
        "override-grid-sizes=relu_0=2x4",
    ),
    TTMETAL: ("", "default-memory-space=l1", "override-device-shape=2,3", "mesh-shape=1,2"),
}
PASSES: dict[str, tuple[str, ...]] = {
    **PIPELINES,
    "linalg-to-ttir-pipeline": ("",),
    "tosa-to-ttir-pipeline": ("",),
    "check-tosa": ("",),
    "convert-linalg-to-ttir": ("",),
    "convert-scf-to-tt": ("",),
    "convert-tosa-to-ttir": ("",),
    "convert-ttir-to-ttmetal": ("", "use-all-gather-kernel=true"),
    "convert-ttir-to-ttnn": ("",),
    "convert-ttnn-to-emitc": ("",),
    "convert-ttkernel-to-emitc": ("",),
    "ttir-allocate": ("",),
    "ttir-decomposition": ("",),
    "ttir-generic": ("", "fuse=true"),
    "ttir-generic-kernel": ("",),
    "ttir-generic-region-operands-to-memref": ("",),
    "ttir-implicit-device": ("", "mesh-shape=2,4", "override-device-shape=2,3"),
    "ttir-layout": ("", "default-memory-space=l1", "default-device-memory-layout=block_sharded"),
    "ttir-load-system-desc": ("",),
    "ttir-optimizer": ("", "sharding-pass-enabled=true"),
    "ttir-propagate-layout": ("",),
    "ttir-sliding-window-2d-fix-shapes": ("",),
    "ttir-split-compound-layout": ("",),
    "ttnn-ccl-activation-dtype-lowering": ("", "lower-f32=true"),
    "ttnn-deallocate": ("",),
    "canonicalize": ("",),
    "cse": ("",),
}
#: Aborts of MLIR's own parser and verifiers, which no check of this project is run before:
#: what they say, and the text that leads to them. docs/src/tools.md lists them.
UPSTREAM: tuple[tuple[str, str], ...] = (
    (r"LinalgOps\.cpp:\d+!", r"linalg\."),
    (r"NamedAttrList::set", r"linalg\.\w+ .*(dimensions|permutation) ="),
    (r"To = mlir::StringAttr", r"iterator_types"),
    (r"To = mlir::AffineConstantExpr", r"linalg\.\w*(pooling|conv).*(dilations|strides)"),
    (r"To = mlir::AffineConstantExpr", r"linalg\.generic .*[0-9]{18}"),
    (r"created with unregistered dialect", r"linalg\.(reduce|map) \{"),
    (r"willBeValidAffineMap", r"tensor\.(expand|collapse)_shape"),
    (r"RankedTensorType.*verifyInvariants", r"tensor\.pad|linalg\.(un)?pack"),
    (r"invalid index for value range", r"tensor\.pad .*-9223372036854775808"),
    (r"SmallVector.*AffineMap.*idx < size", r"linalg\.\w+ indexing_maps = \["),
    (r"SmallVector unable to grow", r"tensor\.from_elements .*[0-9]{10}"),
)
CORPUS = texts(tuple(PASSES))
VALID = [text for text in CORPUS if text.is_valid]


class Case:
    """A mutation with the passes that it goes through."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        # Mutations of what is wrong already rarely get far.
        origin = rng.choice(VALID if rng.random() < 0.9 else CORPUS)
        mutator = _mutator(rng)
        self.rng, self.origin = rng, origin
        self.text = origin.text if rng.random() < 0.05 else mutator.mutate(origin.text)
        self.passes = self._choose(origin)

    def _choose(self, origin: Text) -> list[Pass]:
        rng, choice = self.rng, self.rng.random()
        if origin.runs and choice < 0.5:
            return list(rng.choice(origin.runs))
        if choice < 0.8:
            pipeline = rng.choice(list(PIPELINES))
            front = [
                (f"{name}-to-ttir-pipeline", "")
                for name in ("tosa", "linalg")
                if f"{name}." in self.text
            ]
            return [*front[:1], (pipeline, rng.choice(PIPELINES[pipeline]))]
        names = [rng.choice(list(PASSES)) for _ in range(rng.randrange(1, 5))]
        return [(name, rng.choice(PASSES[name])) for name in names]

    def __str__(self) -> str:
        words = [f"--{name}={options}" if options else f"--{name}" for name, options in self.passes]
        return f"// {self.origin.name}: ttmlir-opt {' '.join(words)}\n{self.text}"


_MUTATORS: dict[str, Mutator] = {}


def _mutator(rng: random.Random) -> Mutator:
    """One for all cases: it knows the whole corpus."""
    if not _MUTATORS:
        _MUTATORS[""] = Mutator([text.text for text in CORPUS], rng)
    _MUTATORS[""].rng = rng
    return _MUTATORS[""]


class Texts:
    name = "texts"
    seconds = 30.0 if sanitizers.loaded() else 10.0
    batch = 400
    known_aborts = UPSTREAM

    def run(self, seed: int, note: Note) -> str:
        case = Case(seed)
        note(str(case), ".mlir")
        context = ir.Context()
        context.enable_multithreading(False)
        found: list[Said] = []

        def collect(diagnostic: Any) -> bool:
            found.append(Said.of(diagnostic))
            return True

        handler = context.attach_diagnostic_handler(collect)
        try:
            return self._run(case, context, found)
        finally:
            handler.detach()

    def _run(self, case: Case, context: ir.Context, found: list[Said]) -> str:
        # As the tools do.
        if _ttmlir.find_exceeded_limit(case.text):
            return "exceeds a limit"
        try:
            module = ir.Module.parse(case.text, context)
        except (ir.MLIRError, ValueError, UnicodeError):
            return "does not parse"
        for name, options in case.passes:
            try:
                for operation in _operations(module, name):
                    passes.run_pipeline(operation, name, options)
            except passes.PassError as error:
                _check_message(case, found, error, name)
                return "pass fails"
        if not module.operation.verify():
            raise Failure("IR that does not verify", f"after {case.passes}", str(case), ".mlir")
        str(module)
        return self._translate(case, module, found)

    def _translate(self, case: Case, module: ir.Module, found: list[Said]) -> str:
        functions = {
            TTNN: passes.ttnn_to_flatbuffer_bytes,
            TTMETAL: passes.ttmetal_to_flatbuffer_bytes,
        }
        last = case.passes[-1][0]
        if last not in functions:
            return "passes"
        try:
            data = functions[last](module)
        except (passes.PassError, ValueError) as error:
            _check_message(case, found, error, "translation")
            return "translation fails"
        try:
            runtime.load_binary_from_bytes(data)
        except (ttmlir.Error, runtime.RuntimeError) as error:
            raise Failure("file that does not load", str(error), str(case), ".mlir") from None
        return "loads"


def _operations(module: ir.Module, name: str) -> list[Any]:
    """What a pass runs on: kernels are turned into C++ one by one."""
    if name != "convert-ttkernel-to-emitc":
        return [module]
    return [op for op in module.body.operations if op.operation.name == "func.func"]


@dataclass(frozen=True)
class Said:
    """A diagnostic, which itself does not outlive its callback."""

    severity: str
    location: str
    message: str

    @staticmethod
    def of(diagnostic: Any) -> Said:
        words = (diagnostic.severity, diagnostic.location, diagnostic.message)
        return Said(*map(str, words))


def _check_message(case: Case, found: list[Said], error: Exception, name: str) -> None:
    """An error says where and what."""
    errors = [*map(Said.of, getattr(error, "error_diagnostics", [])), *found]
    errors = [said for said in errors if "ERROR" in said.severity.upper()]
    about = f"{name}: {error}"
    if not errors:
        if re.search(r"options|no pass|unknown", str(error)):
            return
        raise Failure("error without a diagnostic", about, str(case), ".mlir")
    first = errors[0]
    if first.location in ("", "-", "loc(unknown)"):
        raise Failure("error without a location", f"{about}: {first.message}", str(case), ".mlir")
    if re.search(r"failed to legalize|unresolved materialization|Pass failed", first.message):
        raise Failure("error that says nothing", f"{name}: {first.message}", str(case), ".mlir")
