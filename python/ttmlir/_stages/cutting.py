"""Cuts a module of TTIR into the modules of pipeline stages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ttmlir import ir, runtime
from ttmlir._lowering import argument_name, mark_arguments, to_binary
from ttmlir._parsing import copied, diagnostics
from ttmlir._pipelines import BACKENDS
from ttmlir.errors import CompileError, Remark
from ttmlir.passes.passes import run_pipeline, run_raw

#: Operations of reports that compute no result of an op.
_HELPERS = ("get_device", "empty", "dealloc")
#: Composites that have a sharding rule.
_COMPOSITES = ("scaled_dot_product_attention", "rotary_embedding")
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
        binary: of the program.
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
    """Runs the first passes of the backends, up to folding norms into convolutions: a cut between
    the two would keep both."""
    names = ["ttir-integer-products"] if options.enable_integer_products else []
    names += ["ttir-split-long-integers", "convert-scf-to-tt", "ttir-legalize-types"]
    names += ["ttir-recognize"] if options.enable_recognition else []
    passes = dict.fromkeys(names, "")
    passes["ttir-expand-composites"] = f"keep={','.join(_COMPOSITES)}"
    if options.enable_erase_inverse_ops:
        passes["ttir-erase-inverse-ops"] = ""
    if options.enable_fusing and options.enable_const_eval:
        passes["ttir-fusing"] = ""
    with diagnostics(module.context, "compilation failed"):
        for name, own in passes.items():
            run_raw(module, name, own, None, ".")


def micro_batched(module: ir.Module, count: int) -> ir.Module:
    """Returns a copy of the program for one of ``count`` micro-batches.

    Raises:
        CompileError: they do not divide the batch, or are not independent.
    """
    made = copied(module)
    with diagnostics(made.context, "compilation failed"):
        run_raw(made, "ttir-micro-batches", f"count={count}", None, ".")
    function = function_of(made)
    arguments = function.regions[0].blocks[0].arguments
    for argument, own in zip(arguments, _argument_attributes(function), strict=True):
        if count > 1 and "tt.aliased_output" in own and "tt.micro_batch_dim" not in own:
            raise CompileError(
                f"parallel: 'pipeline': each micro-batch would change the donated input "
                f"'{argument_name(argument)}', which all samples share; expected micro_batches=1"
            )
    return made


def function_of(module: ir.Module) -> Any:
    """Returns the public function of a module of one program.

    Raises:
        CompileError: there are several or none.
    """
    found: list[Any] = [
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


def _attributes(function: Any, name: str, count: int) -> list[Mapping[str, Any]]:
    """Returns the attributes of each argument (``arg_attrs``) or result (``res_attrs``)."""
    if name not in function.attributes:
        return [{}] * count
    entries: list[Any] = [ir.DictAttr(entry) for entry in function.attributes[name]]
    return [{e[i].name: e[i].attr for i in range(len(e))} for e in entries]


def _argument_attributes(function: Any) -> list[Mapping[str, Any]]:
    return _attributes(function, "arg_attrs", len(function.regions[0].blocks[0].arguments))


def micro_batch_dims(
    function: Any,
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """Returns the dimension that micro-batches divide, of each argument and each result; None for
    what is the same for all."""
    kind: Any = function.attributes["function_type"].value

    def dims(entries: Sequence[Mapping[str, Any]]) -> tuple[int | None, ...]:
        name = "tt.micro_batch_dim"
        return tuple(entry[name].value if name in entry else None for entry in entries)

    results = _attributes(function, "res_attrs", len(kind.results))
    return dims(_argument_attributes(function)), dims(results)


def batch_of(function: Any) -> int:
    """Returns the extent of the first dimension of the first input; 1 if there is none."""
    for _, shape, _ in _inputs(function):
        if shape:
            return shape[0]
    return 1


def _inputs(function: Any) -> list[tuple[int, tuple[int, ...], Mapping[str, Any]]]:
    """Returns number, shape and attributes of the arguments that are no parameters."""
    arguments = function.regions[0].blocks[0].arguments
    return [
        (i, tuple(ir.RankedTensorType(argument.type).shape), own)
        for i, (argument, own) in enumerate(
            zip(arguments, _argument_attributes(function), strict=True)
        )
        if not re.search("parameter|constant", str(own.get("tt.argument_type")))
    ]


def state_inputs(module: ir.Module, kinds: Sequence[str]) -> None:
    """States the shardings of inputs on the axes of ``data`` and ``sequence``: the first input of a
    stage need not be the first one of the program."""
    dims = {"data": 0, "sequence": 1}
    if not any(kind in dims for kind in kinds):
        return
    inputs = _inputs(function_of(module))
    extents = {
        dim: next((shape[dim] for _, shape, _ in inputs if len(shape) > dim), 0)
        for dim in dims.values()
    }

    def sharded(kind: str, shape: tuple[int, ...]) -> int:
        dim = dims.get(kind, -1)
        return dim if 0 <= dim < len(shape) and shape[dim] == extents[dim] else -1

    chosen = {
        number: [sharded(kind, shape) for kind in kinds]
        for number, shape, own in inputs
        # Donated inputs have the sharding of their first use.
        if "tt.aliased_output" not in own and "tt.shard_dims" not in own
    }
    _mark(module, [chosen.get(i) for i in range(len(_argument_attributes(function_of(module))))])


def state_shards(module: ir.Module, shardings: Sequence[tuple[int | None, ...] | None]) -> None:
    """States the shardings of the arguments of a stage that earlier stages return."""
    _mark(module, [[-1 if d is None else d for d in own or ()] for own in shardings])


def _mark(module: ir.Module, dims: Sequence[Sequence[int] | None]) -> None:
    """Sets the dimension that each mesh axis shards, by argument, if there is one."""

    def marks(name: str, argument: Any) -> dict[str, ir.Attribute]:
        own = dims[argument.arg_number]
        if not own:
            return {}
        return {"tt.shard_dims": ir.DenseI64ArrayAttr.get(list(own), module.context)}

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
    count = len(ops)
    del block, ops  # Compiling erases them.
    try:
        data, _ = to_binary(tagged, options, desc)
    except CompileError:
        to_binary(copied(module), options, desc)  # The same error with its location.
        raise
    binary = runtime.load_binary_from_bytes(data)
    costs = [0.0] * count
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
        backend: Any = BACKENDS["ttnn"]
        own = {name: getattr(options, name) for name in shared}
        options = backend(optimization_level=1, **own)
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
    remarks: list[Remark] | None = None,
) -> tuple[tuple[StageProgram, ...], tuple[int, ...]]:
    """Cuts the program into stages; changes the module. Also returns the numbers of the values that
    the program returns, and appends remarks on the cuts.

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
        run_pipeline(module, "ttir-pipeline-stages", options, remarks=remarks)
    results = _numbers(module.operation, "tt.stage_results")
    del module.operation.attributes["tt.stage_results"]
    return tuple(_stage(module, stage) for stage in range(stages)), results


def _stage(module: ir.Module, stage: int) -> StageProgram:
    """Returns a module with the function of a stage, and without those of others."""
    made = copied(module)
    functions = [op for op in made.body.operations if "tt.stage_inputs" in op.operation.attributes]
    own = functions.pop(stage).operation
    for other in functions:
        other.operation.erase()
    inputs, outputs = _numbers(own, "tt.stage_inputs"), _numbers(own, "tt.stage_outputs")
    for name in ("tt.stage_inputs", "tt.stage_outputs"):
        del own.attributes[name]
    return StageProgram(made, inputs, outputs)


def _numbers(operation: Any, name: str) -> tuple[int, ...]:
    return tuple(ir.DenseI64ArrayAttr(operation.attributes[name]))
