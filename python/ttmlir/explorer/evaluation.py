"""Compiles a program with overrides, runs it, and compares it with itself in f32."""

from __future__ import annotations

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ttmlir import ir, runtime
from ttmlir._comparison.f32_modules import return_all, to_f32
from ttmlir._lowering import ttir_of
from ttmlir._metrics import compare
from ttmlir._numerics import Numerics, option_of
from ttmlir._parsing import copied, parse
from ttmlir.compiler import compile
from ttmlir.errors import Error
from ttmlir.executable import Executable
from ttmlir.explorer.files import program_graphs
from ttmlir.explorer.graphs import EMPTY, Graph, choosable, graphs_of, names_of
from ttmlir.explorer.settings import keywords_of


@dataclass(frozen=True)
class Subject:
    """The program to explore as text or bytecode, with its compile options and inputs.

    ``target`` is the name of a system or a ``.ttsys`` file; ``inputs`` are arrays of the program's
    shapes, by default drawn with ``seed``.
    """

    program: bytes
    #: The path of its file; empty if there is none.
    path: str
    backend: str
    target: str
    mesh_shape: tuple[int, ...] = ()
    seed: int = 0
    inputs: Sequence[Any] | None = None


@dataclass(frozen=True)
class Trial:
    """A choice of layouts: settings by op name, and pipeline options.

    ``each_op`` requests the accuracy of every op, which runs the program once more;
    ``numerics`` is the arithmetic of the engines, see ``settings.NUMERICS``.
    """

    overrides: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    each_op: bool = False
    numerics: Numerics = "exact"


class Bench:
    """Compiles and runs trials of a subject. Not thread-safe."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        module = parse(subject.program, subject.path or "the program")
        if not len(module.body.operations):
            raise Error(f"{subject.path}: expected a module with functions, found an empty one")
        self._module = ttir_of(module)
        #: The number of ops without a name of their own.
        self.named = name_ops(self._module)
        self._golden: dict[bool, list[Any]] = {}
        self._inputs: list[Any] = []

    def describe(self) -> dict[str, Any]:
        """Describes the program before compilation."""
        functions = [graph for graph in self.graphs() if graph.id == graph.function]
        return {
            "graphs": [_drawn(graph) for graph in functions],
            "ops": [n.name for graph in functions for n in graph.nodes if choosable(n)],
            "named": self.named,
            "mlir": self._module.operation.get_asm(enable_debug_info=True),
        }

    def graphs(self) -> list[Graph]:
        return graphs_of(self._module)

    def run(self, trial: Trial) -> dict[str, Any]:
        """Returns the program's cost and accuracy with these choices.

        Raises:
            Error: the program does not compile or run.
        """
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            exe = self.compile(trial)
        report = exe.report()
        result: dict[str, Any] = {
            "cycles": report.cycles,
            "seconds": report.seconds,
            "arch": report.arch,
            "parts": {phase: asdict(report.parts(phase)) for phase in _PHASES},
            "l1_high_water": report.l1_high_water,
            "dram_high_water": report.dram_high_water,
            "rows": [_row(op) for op in report.ops],
            "layouts": _layouts(program_graphs(exe)),
            "remarks": [asdict(remark) for remark in report.remarks],
            "warnings": [str(warning.message) for warning in said],
        }
        return result | {"accuracy": self.accuracy(exe, trial)}

    def compile(self, trial: Trial) -> Executable:
        return self._compile(self._module, trial)

    def accuracy(self, exe: Executable, trial: Trial) -> dict[str, Any]:
        """Returns the accuracy of ``outputs`` by index, of ``each_op`` by name if requested, and
        under ``unknown`` the reason why either is missing."""
        inputs = self._arrays(exe)
        found = _run(exe, inputs, trial.numerics)
        accuracy: dict[str, Any] = {}
        try:
            accuracy["outputs"] = _compare_all(self._wanted(inputs, False), found)
            if trial.each_op:
                accuracy["each_op"] = self._each_op(inputs, trial)
        except Error as error:
            accuracy["unknown"] = str(error)
        return accuracy

    @property
    def _system(self) -> dict[str, Any]:
        """The keywords that select the system to compile for."""
        target = self._subject.target
        key = "system_desc" if target.endswith(".ttsys") else "target"
        return {key: target, "mesh_shape": self._subject.mesh_shape}

    def _compile(self, module: ir.Module, trial: Trial) -> Executable:
        keywords: dict[str, Any] = {
            "backend": self._subject.backend,
            **self._system,
            **keywords_of(trial.overrides, trial.options),
        }
        return compile(module, **keywords)

    def _each_op(self, inputs: list[Any], trial: Trial) -> dict[str, Any]:
        module, names = self._copy(), self._names()
        return_all(module, names)
        values = _run(self._compile(module, trial), inputs, trial.numerics)[-len(names) :]
        wanted = self._wanted(inputs, True)[-len(names) :]
        return dict(zip(names, _compare_all(wanted, values), strict=True))

    def _wanted(self, inputs: list[Any], all_ops: bool) -> list[Any]:
        """Returns the f32 results: those of library calls on tensors in DRAM."""
        if all_ops not in self._golden:
            module = self._copy()
            if all_ops:
                return_all(module, self._names())
            to_f32(module)
            exe = compile(module, **self._system)
            wide = [
                array.astype(info.dtype) for array, info in zip(inputs, exe.inputs, strict=True)
            ]
            self._golden[all_ops] = _run(exe, wide, "fast")
        return self._golden[all_ops]

    def _names(self) -> list[str]:
        """Returns the names of ops whose results can be compared."""
        return [
            node.name
            for node in self.graphs()[0].nodes
            if choosable(node) and node.outputs[0].get("dtype", "")[0] in "fb"
        ]

    def _arrays(self, exe: Executable) -> list[Any]:
        if not self._inputs:
            given = self._subject.inputs
            rng = np.random.default_rng(self._subject.seed)
            self._inputs = list(given or (_draw(info, rng) for info in exe.inputs))
        return self._inputs

    def _copy(self) -> ir.Module:
        return copied(self._module)


#: Characters with a special meaning in option texts.
_UNFIT = re.compile(r"""[\s,={}'"]+""")
_PHASES = ("upload", "run", "download")


def name_ops(module: ir.Module) -> int:
    """Gives each op that has a tensor result a unique name that is valid in pipeline options;
    returns how many had none."""
    locations = [(op, op.location) for op in _ops(module)]
    names = Counter(at.name_str for _, at in locations if at.is_a_name())
    unnamed = [
        (op, at)
        for op, at in locations
        if not at.is_a_name() or names[at.name_str] > 1 or _UNFIT.search(at.name_str)
    ]
    with module.context:
        for op, location in unnamed:
            base = _UNFIT.sub("_", "/".join(names_of(location))) or op.name.rpartition(".")[2]
            number = 1
            while names[unique := f"{base}_{number}"]:
                number += 1
            names[unique] = 1
            op.location = ir.Location.name(unique, location)
    return len(unnamed)


def _ops(module: ir.Module) -> Iterator[Any]:
    for function in module.body.operations:
        for region in function.operation.regions:
            for block in region.blocks:
                for op in block.operations:
                    if len(op.operation.results) and op.operation.name not in EMPTY:
                        yield op.operation


def _draw(info: Any, rng: np.random.Generator) -> Any:
    values = rng.standard_normal(info.shape, dtype=np.float32)
    dtype = np.dtype(info.dtype)
    # Small indices are valid in every table.
    return (np.abs(values) > 1).astype(dtype) if dtype.kind in "iub" else values.astype(dtype)


def _compare_all(wanted: Sequence[Any], found: Sequence[Any]) -> list[dict[str, Any]]:
    return [asdict(compare(want, got)) for want, got in zip(wanted, found, strict=True)]


def _run(exe: Executable, inputs: Sequence[Any], numerics: Numerics) -> list[Any]:
    options = runtime.DeviceOptions(checks=False, numerics=option_of(numerics))
    runtime.set_device_options(exe.device, options)
    results = exe(*inputs)
    return list(results) if isinstance(results, tuple) else [results]


#: Attributes that only the syntax of an op requires.
_PLUMBING = ("operandSegmentSizes", "operand_constraints")


def _drawn(graph: Graph) -> dict[str, Any]:
    """Returns a graph without the ops that only allocate results."""
    hidden = {node.id for node in graph.nodes if node.op in EMPTY}
    nodes = [
        {
            "id": node.id,
            "op": node.op,
            "label": node.label,
            "name": node.name,
            "source": node.source,
            "choosable": choosable(node),
            "attributes": {k: v for k, v in node.attributes.items() if k not in _PLUMBING},
            "outputs": node.outputs,
            "inputs": [edge.source for edge in node.inputs if edge.source not in hidden],
        }
        for node in graph.nodes
        if node.id not in hidden
    ]
    return {"id": graph.id, "nodes": nodes}


def _row(op: Any) -> dict[str, Any]:
    """Returns an op of the report without core and link usage."""
    return {
        "name": op.name,
        "label": op.label,
        "source": op.source,
        "phase": op.phase,
        "cycles": op.cycles,
        "parts": asdict(op.parts),
        "bound": op.bound,
        "fidelity": op.fidelity,
        "cores": op.cores,
        "l1_high_water": op.l1_high_water,
        "dram_bytes": op.dram_read_bytes + op.dram_write_bytes,
        "noc_bytes": op.noc_bytes,
    }


def _layouts(graphs: list[Graph]) -> dict[str, str]:
    """Returns the layouts that the compiler chose for results of ops, by name."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for graph in graphs:
        for node in graph.nodes:
            if node.name and choosable(node) and (text := node.outputs[0].get("override")):
                found[node.name][node.op] = text
    return {name: list(layouts.values())[-1] for name, layouts in found.items()}
