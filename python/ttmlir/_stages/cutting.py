"""Cuts a module of TTIR into the modules of pipeline stages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ttmlir import ir, runtime
from ttmlir._lowering import mark_arguments, to_binary
from ttmlir._parsing import copied, diagnostics
from ttmlir._pipelines import BACKENDS
from ttmlir.errors import CompileError
from ttmlir.passes.passes import run_raw

#: Operations of reports that compute no result of an op.
_HELPERS = ("get_device", "empty", "dealloc")
#: The location that an op has while it is timed.
_TAG = "op:{}"


@dataclass(frozen=True)
class StageProgram:
    """The program of a stage.

    Args:
        module: with one public function.
        inputs: the numbers of the values that it takes: below the number of arguments of the whole
            program, its arguments; others are results of earlier stages.
        outputs: the numbers of its results.
    """

    module: ir.Module
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Timing:
    """The modelled cost of a program that is not cut.

    Args:
        executable: the binary.
        costs: cycles by the number of the op in the function.
        ends: the numbers of ops whose results the program materializes.
    """

    binary: runtime.Binary
    costs: tuple[float, ...]
    ends: tuple[int, ...]

    @property
    def cycles(self) -> float:
        """The cycles of all ops, without transfers of the host."""
        return sum(self.costs)


def simplified(module: ir.Module, options: Any) -> None:
    """Runs the passes before partitioning, so that ops are cut that the backends know."""
    names = ["ttir-integer-products"] if options.enable_integer_products else []
    names += ["ttir-split-long-integers", "convert-scf-to-tt", "ttir-legalize-types"]
    names += ["ttir-recognize"] if options.enable_recognition else []
    with diagnostics(module.context, "compilation failed"):
        for name in names:
            run_raw(module, name, "", None, ".")


def micro_batched(module: ir.Module, count: int) -> ir.Module:
    """Returns a copy of the program for one of ``count`` micro-batches.

    Raises:
        CompileError: they do not divide the batch, or are not independent.
    """
    made = copied(module)
    with diagnostics(made.context, "compilation failed"):
        run_raw(made, "ttir-micro-batches", f"count={count}", None, ".")
    return made


def function_of(module: ir.Module) -> Any:
    """Returns the public function of a module of one program.

    Raises:
        CompileError: there are several or none.
    """
    found = [
        function.operation
        for function in module.body.operations
        if function.operation.name == "func.func"
        and "sym_visibility" not in function.operation.attributes
        and function.operation.regions[0].blocks
        and "tt.part" not in function.operation.attributes
        and "tt.host" not in function.operation.attributes
    ]
    if len(found) != 1:
        names = ", ".join(f"'{f.attributes['sym_name'].value}'" for f in found) or "none"
        raise CompileError(f"parallel: 'pipeline': expected one program, found {names}")
    return found[0]


def micro_batch_dims(
    function: Any,
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """Returns the dimension that micro-batches divide, of each argument and each result; None for
    what is the same for all."""
    kind = function.attributes["function_type"].value

    def dims(name: str, count: int) -> tuple[int | None, ...]:
        if name not in function.attributes:
            return (None,) * count
        entries = [ir.DictAttr(entry) for entry in function.attributes[name]]
        return tuple(
            entry["tt.micro_batch_dim"].value if "tt.micro_batch_dim" in entry else None
            for entry in entries
        )

    return dims("arg_attrs", len(kind.inputs)), dims("res_attrs", len(kind.results))


def batch_of(function: Any) -> int:
    """Returns the extent of the first dimension of the first input; 1 if there is none."""
    for _, shape, _ in _inputs(function):
        if shape:
            return shape[0]
    return 1


def _inputs(function: Any) -> list[tuple[int, tuple[int, ...], bool]]:
    """Returns the number and the shape of arguments that are no parameters, and whether the caller
    donates them."""
    found = []
    arguments = function.regions[0].blocks[0].arguments
    for i, argument in enumerate(arguments):
        own = (
            ir.DictAttr(function.attributes["arg_attrs"][i])
            if "arg_attrs" in function.attributes
            else {}
        )
        kind = str(own["tt.argument_type"]) if "tt.argument_type" in own else ""
        if "parameter" in kind or "constant" in kind:
            continue
        shape = tuple(ir.RankedTensorType(argument.type).shape)
        found.append((i, shape, "tt.aliased_output" in own))
    return found


def state_inputs(module: ir.Module, kinds: Sequence[str]) -> None:
    """States the shardings of inputs on the axes of ``data`` and ``sequence``: the first input of a
    stage need not be the first one of the program."""
    dims = {"data": 0, "sequence": 1}
    if not any(kind in dims for kind in kinds):
        return
    inputs = _inputs(function_of(module))
    extents: dict[int, int] = {}
    for dim in set(dims.values()):
        extents[dim] = next((s[dim] for _, s, _ in inputs if len(s) > dim), 0)
    chosen = {
        number: [
            dims[kind]
            if kind in dims and len(shape) > dims[kind] and shape[dims[kind]] == extents[dims[kind]]
            else -1
            for kind in kinds
        ]
        for number, shape, is_donated in inputs
        if not is_donated
    }

    def marks(name: str, argument: Any) -> dict[str, ir.Attribute]:
        number = argument.arg_number
        own = module_attributes[number] if module_attributes is not None else {}
        if number not in chosen or "tt.shard_dims" in own:
            return {}
        return {"tt.shard_dims": ir.DenseI64ArrayAttr.get(chosen[number], module.context)}

    function = function_of(module)
    module_attributes = (
        [ir.DictAttr(entry) for entry in function.attributes["arg_attrs"]]
        if "arg_attrs" in function.attributes
        else None
    )
    mark_arguments(module, marks)


def state_shards(module: ir.Module, shardings: Sequence[tuple[int | None, ...] | None]) -> None:
    """States the shardings of the arguments of a stage that earlier stages return."""

    def marks(name: str, argument: Any) -> dict[str, ir.Attribute]:
        found = shardings[argument.arg_number]
        if found is None:
            return {}
        dims = [-1 if dim is None else dim for dim in found]
        return {"tt.shard_dims": ir.DenseI64ArrayAttr.get(dims, module.context)}

    mark_arguments(module, marks)


def timed(module: ir.Module, options: Any, desc: runtime.SystemDesc) -> Timing:
    """Times each op of a program in TTNN.

    Raises:
        CompileError: the program does not compile.
        RuntimeError: only a run tells the time.
    """
    tagged = copied(module)
    block = function_of(tagged).regions[0].blocks[0]
    ops = list(block.operations)[:-1]
    with tagged.context:
        for number, op in enumerate(ops):
            op.operation.location = ir.Location.name(_TAG.format(number))
    try:
        data, _ = to_binary(tagged, options, desc)
    except CompileError:
        to_binary(copied(module), options, desc)  # The same error with its location.
        raise
    binary = runtime.load_binary_from_bytes(data)
    costs = [0.0] * len(ops)
    ends = set()
    for op in runtime.estimate_report(binary, 0, None).ops:
        numbers = [int(n) for n in re.findall(r'"op:(\d+)"', op.location[-200:])]
        if numbers and op.name not in _HELPERS:
            ends.update(numbers)
            costs[max(numbers)] += 0.0 if op.host_bytes else op.cycles
    return Timing(binary, tuple(costs), tuple(sorted(ends)))


def timing_options(options: Any, mesh: Sequence[int], ids: Sequence[int]) -> Any:
    """Returns the options of TTNN to time a program on the chips of one stage: kernels can only be
    timed by a run, so programs of TTMetal are cut by the times of TTNN."""
    if not isinstance(options, BACKENDS["ttnn"]):
        shared = ("enable_integer_products", "enable_recognition", "parallelism")
        options = BACKENDS["ttnn"](
            optimization_level=1, **{name: getattr(options, name) for name in shared}
        )
    return replace(
        options,
        mesh_shape=tuple(mesh),
        chip_ids=tuple(ids),
        inputs_on_device=True,
        results_on_device=True,
    )


def cut(
    module: ir.Module,
    stages: int,
    timing: Timing,
    *,
    bytes_per_cycle: float,
    weight_limit: int,
) -> tuple[tuple[StageProgram, ...], tuple[int, ...]]:
    """Cuts the program into stages; changes the module. Also returns the numbers of the values that
    the program returns.

    Raises:
        CompileError: the program cannot be cut into so many stages.
    """
    costs = ",".join(f"{cost:.1f}" for cost in timing.costs)
    ends = ",".join(map(str, timing.ends))
    options = (
        f"stages={stages} costs={costs} ends={ends} "
        f"bytes-per-cycle={bytes_per_cycle:.6f} weight-limit={weight_limit}"
    )
    with diagnostics(module.context, "compilation failed"):
        run_raw(module, "ttir-pipeline-stages", options, None, ".")
    results = tuple(module.operation.attributes["tt.stage_results"])
    del module.operation.attributes["tt.stage_results"]
    return tuple(_stage(module, stage) for stage in range(stages)), results


def _stage(module: ir.Module, stage: int) -> StageProgram:
    """Returns a module with the function of a stage, and without those of others."""
    made = copied(module)
    functions = [op for op in made.body.operations if "tt.stage_inputs" in op.operation.attributes]
    own = functions.pop(stage).operation
    for other in functions:
        other.operation.erase()
    inputs = tuple(own.attributes["tt.stage_inputs"])
    outputs = tuple(own.attributes["tt.stage_outputs"])
    for name in ("tt.stage_inputs", "tt.stage_outputs"):
        del own.attributes[name]
    return StageProgram(made, inputs, outputs)
