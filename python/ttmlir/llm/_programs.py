"""The programs of a model, as they are called: what a call costs, and what it transfers."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import torch

from ttmlir import compile, ir, runtime
from ttmlir._precision import Precision, dtype_of
from ttmlir._progress import working
from ttmlir._targets import resolve
from ttmlir.executable import Executable
from ttmlir.llm import _sampler
from ttmlir.llm._source import Source, array_in
from ttmlir.llm._step import Shape, key_heads, program_of
from ttmlir.report import Report

#: What published figures of decoders have in four bits: half of each feed-forward network.
_FOUR_BITS = ("gate_proj", "up_proj")
#: Angles of positions: a thousand has no more than eight bits in bf16.
_ANGLES = "rotary_emb"


@dataclass(frozen=True)
class Cost:
    """Of a call on the chip: seconds without transfers to and from the host, and their bytes."""

    seconds: float
    to_device: int
    to_host: int


def cost_of(report: Report) -> Cost:
    cycles = sum(op.cycles for op in report.ops if op.phase == "run" and not op.host_bytes)
    return Cost(cycles / report.clock_hz, report.host_to_device_bytes, report.device_to_host_bytes)


@dataclass
class Runner:
    """An executable, with the cost of its first call in a generation, which has parameters and
    state in place."""

    executable: Executable
    cost: Cost | None = None

    def __call__(self, *inputs: Any) -> list[Any]:
        """Returns the results where the program leaves them."""
        exe = self.executable
        if self.cost is not None:
            return _listed(exe(*inputs, keep_on_device=True))
        runtime.enable_report(exe.device, True)
        try:
            found = _listed(exe(*inputs, keep_on_device=True))
            self.cost = cost_of(Report.from_runtime(runtime.get_report(exe.device)))
        finally:
            runtime.enable_report(exe.device, False)
        return found


def _listed(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


def division_of(parallel: Any, config: Any, target: str) -> dict[str, Any]:
    """Returns the keywords of ``ttmlir.compile`` that divide a model over chips.

    Chips that divide weights have whole heads of keys. More chips than heads are on two axes of a
    mesh: those along the second one have the same keys, for other heads of queries.
    """
    kinds = parallel.keys() if isinstance(parallel, Mapping) else {parallel}
    if kinds != {"tensor"}:
        return {"parallel": parallel}
    chips = resolve(target, None).num_chips
    count = parallel["tensor"] if isinstance(parallel, Mapping) else chips
    heads = math.gcd(count, key_heads(config)) if isinstance(count, int) else 0
    if not 1 < heads < count <= chips:
        return {"parallel": parallel}
    return {"parallel": "tensor", "mesh_shape": (heads, count // heads)}


@dataclass(frozen=True)
class Settings:
    """The arguments of ``ttmlir.llm.load`` that choose the programs."""

    target: str
    backend: Any
    precision: Precision | None
    dtype: Any
    shape: Shape
    chunk: int
    division: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)

    def shapes(self, source: Source, layers: int | None = None) -> torch.nn.Module:
        """Returns the model in the type that it computes in, which that of its caches is as well.

        Args:
            layers: instead of all.
        """
        base = self._base()
        computes_in = None if base is None else torch.float32 if base == "f32" else torch.bfloat16
        return source.shapes(computes_in or source.dtype, layers)

    def _base(self) -> str | None:
        """The format of what no pattern names."""
        if isinstance(self.dtype, str):
            return self.dtype
        given = None if self.dtype is None else self.dtype.get("*")
        return given or dtype_of(self.precision, self.backend)

    def formats(self, model: torch.nn.Module) -> dict[str, str]:
        """Returns the formats by name pattern: of the precision, and of ``dtype`` behind them."""
        base = self._base()
        found = {} if base is None else {"*": base}
        is_fast = self.precision == "performance" and self.backend == "ttnn"
        if is_fast and not isinstance(self.dtype, str):
            found |= self._named(model, _FOUR_BITS, "bfp4_b")
        if found:
            found |= self._named(model, (_ANGLES,), "f32")
        own = self.dtype if isinstance(self.dtype, Mapping) else {}
        return found | {pattern: chosen for pattern, chosen in own.items() if pattern != "*"}

    @staticmethod
    def _named(model: torch.nn.Module, parts: Sequence[str], chosen: str) -> dict[str, str]:
        # The weights of all experts are one parameter of a module.
        names = [name for name, _ in (*model.named_modules(), *model.named_parameters())]
        return {f"*{p}*": chosen for p in parts if any(p in name for name in names)}

    def exported(
        self, model: torch.nn.Module, tokens: int
    ) -> tuple[ir.Module, dict[str, str | torch.Tensor]]:
        """Returns the program that reads ``tokens`` of each user in TTIR, for one chip; and where
        the values of its parameters are."""
        with working(f"exporting {_name(tokens)}"):
            return program_of(model, self.shape, tokens, self.formats(model))

    def compiled(
        self, module: ir.Module, tokens: int, like: Executable | None = None
    ) -> Executable:
        """Compiles an exported program for the target, divided over its chips.

        Args:
            module: the program.
            tokens: of each user in a call.
            like: the program that decodes, with which this one shares weights.
        """
        options = dict(self.options)
        if like is not None and self.backend == "ttnn":
            logits = like.outputs[-1]
            options.setdefault("weight_rows", (logits.shard_shape or logits.shape)[0])
        with working(f"compiling {_name(tokens)}"):
            return compile(
                module,
                target=self.target,
                backend=self.backend,
                precision=self.precision,
                results_on_device=True,
                remarks=False,
                **self.division,
                **options,
            )

    def sampler(
        self, logits: Any, mesh: tuple[int, ...] = (1, 1), *, is_greedy: bool
    ) -> Executable:
        """Compiles the program that chooses tokens from the logits, an output of a step on a
        mesh."""
        users, vocabulary = logits.shape
        dtype = "f32" if logits.data_type == "Float32" else "bf16"
        division: dict[str, Any] = {"mesh_shape": (1, 1)}
        is_divided = is_greedy and math.prod(mesh) > 1
        if is_divided:
            # The logits stay where they are.
            dims = logits.shard_dims or (None,) * len(mesh)
            division = {"mesh_shape": mesh, "parallel": {"logits": dims}, "inputs_on_device": True}
        if is_greedy:
            program = _sampler.greedy(users, vocabulary, dtype, is_divided=is_divided)
        else:
            program = _sampler.sampled(users, vocabulary, dtype)
        # Probabilities are computed in f32 whatever the precision of the model.
        return compile(
            program,
            target=self.target,
            backend=self.backend,
            precision="accuracy",
            remarks=False,
            **division,
        )


def _name(tokens: int) -> str:
    return "prefill" if tokens > 1 else "decode"


@dataclass
class Programs:
    """All programs of a model, with parameters and empty caches on the device.

    ``compilations`` counts what was compiled; ``seconds`` are the host's.
    """

    settings: Settings
    shapes: torch.nn.Module
    weights: Mapping[str, Any]
    compilations: int = 0
    seconds: float = 0.0
    _steps: dict[int, Runner] = field(default_factory=dict)
    _samplers: dict[bool, Runner] = field(default_factory=dict)
    #: Weights on the device, by name and form.
    _placed: dict[Any, runtime.Tensor] = field(default_factory=dict)

    def step(self, tokens: int) -> Runner:
        """Returns the program that reads some tokens of each user, which is compiled first."""
        if tokens not in self._steps:
            # The others take the layouts of its weights, and share those that they have alike.
            decode = None if tokens == 1 else self.step(1).executable
            start = time.perf_counter()
            module, origins = self.settings.exported(self.shapes, tokens)
            executable = self.settings.compiled(module, tokens, decode)
            self._bind(executable, origins)
            self._steps[tokens] = Runner(executable)
            self._count(start)
        return self._steps[tokens]

    def sampler(self, *, is_greedy: bool) -> Runner:
        """Returns the program that chooses tokens, which is compiled first."""
        if is_greedy not in self._samplers:
            step = self.step(1).executable
            logits, mesh = step.outputs[-1], step.programs[0].mesh_shape
            start = time.perf_counter()
            with working("compiling the choice of tokens"):
                found = self.settings.sampler(logits, mesh, is_greedy=is_greedy)
            self._samplers[is_greedy] = Runner(found)
            self._count(start)
        return self._samplers[is_greedy]

    def forget_costs(self) -> None:
        """Lets the next call of each program be reported, see ``Runner``."""
        for runner in (*self._steps.values(), *self._samplers.values()):
            runner.cost = None

    def _count(self, start: float) -> None:
        self.compilations += 1
        self.seconds += time.perf_counter() - start

    def _bind(self, executable: Executable, origins: Mapping[str, str | torch.Tensor]) -> None:
        """Binds the parameters: weights are shared with the other programs."""
        weights, own = {}, {}
        for info in executable.inputs:
            if info.is_parameter:
                origin = origins[info.name]
                if isinstance(origin, str):
                    weights[info.name] = partial(self._weight, origin, info.dtype)
                else:
                    own[info.name] = array_in(origin, np.dtype(info.dtype))
        executable.bind_shared(weights, self._placed)
        if own:
            executable.bind(own)

    def _weight(self, name: str, dtype: str) -> Any:
        return array_in(self.weights[name], np.dtype(dtype))

    def caches(self) -> list[runtime.Tensor]:
        """Returns empty keys and values of all layers on the device."""
        executable = self.step(1).executable
        found = []
        for i in _donated(executable)[: -self.settings.shape.state]:
            info = executable.inputs[i]
            found.append(executable.place(i, np.zeros(info.shape, np.dtype(info.dtype))))
        return found

    def numbers(self, place: Any, ends: Any, table: Any = None) -> list[runtime.Tensor]:
        """Returns the rest of the state on the device.

        Args:
            place: the position of each user's next token.
            ends: that of the last token of its prompt.
            table: the blocks of each user, if the caches are paged.
        """
        executable = self.step(1).executable
        values = [place, ends] if table is None else [place, ends, table]
        first = _donated(executable)[-len(values) :]
        return [
            executable.place(i, np.asarray(value, np.int32))
            for i, value in zip(first, values, strict=True)
        ]


def _donated(executable: Executable) -> list[int]:
    return [i for i, info in enumerate(executable.inputs) if info.aliased_output is not None]
