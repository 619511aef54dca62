"""Speed and memory of a model on the chip, modelled from shapes."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from ttmlir import ir, runtime
from ttmlir._formats import DATA_TYPES
from ttmlir._report import tables
from ttmlir._targets import resolve
from ttmlir.errors import Error
from ttmlir.executable import Executable
from ttmlir.llm._programs import Settings, cost_of
from ttmlir.llm._source import Source


@dataclass(frozen=True)
class Estimate:
    """Modelled speed and memory. All bytes of memory are those of a chip.

    Args:
        model: its type, as in the configuration.
        target: the system.
        chips: the number of chips that share the model.
        users: batch size.
        context: cache capacity in tokens for each user.
        chunk: prompt tokens processed at once for each user.
        prompt: prompt length for ``first_token``.
        first_token: seconds until all users have their first token.
        step: seconds of a decode step, including the selection of the most likely tokens.
        position: that of the token in the decode step.
        weight_bytes: weights of the decode program, in its layouts.
        prefill_bytes: weights that the prefill program has in other layouts than the decode
            program.
        cache_bytes: keys and values, shared by both programs.
        rest_bytes: the peak for intermediate results of a program, in DRAM.
        link_bytes: bytes over all Ethernet links in a decode step.
        capacity: DRAM of a chip.
    """

    model: str
    target: str
    chips: int
    users: int
    context: int
    chunk: int
    prompt: int
    first_token: float
    step: float
    position: int
    weight_bytes: int
    prefill_bytes: int
    cache_bytes: int
    rest_bytes: int
    link_bytes: int
    capacity: int

    @property
    def tokens_per_second_and_user(self) -> float:
        """Decode speed for each user."""
        return 1 / self.step

    @property
    def tokens_per_second(self) -> float:
        """Decode speed of all users together."""
        return self.users / self.step

    @property
    def bytes(self) -> int:
        """DRAM of a chip that generation needs."""
        return self.weight_bytes + self.prefill_bytes + self.cache_bytes + self.rest_bytes

    @property
    def fits(self) -> bool:
        """Whether both programs and the caches fit in DRAM."""
        return self.bytes <= self.capacity

    def __str__(self) -> str:
        size = tables.size
        weights = size(self.weight_bytes)
        if self.prefill_bytes:
            weights += f" and {size(self.prefill_bytes)} more to read prompts"
        per_chip = " a chip" if self.chips > 1 else ""
        total = f"{size(self.bytes)} of {size(self.capacity)}{per_chip}"
        end = "fits" if self.fits else "does not fit"
        if not self.fits and self.bytes - self.prefill_bytes <= self.capacity:
            end += "; it fits with prefill_chunk=1, which reads prompts token by token"
        links = f", {size(self.link_bytes)} over links" if self.link_bytes else ""
        return "\n".join(
            (
                f"{self.model} on {self.target}, {self.users} users, context {self.context}",
                f"  first token, prompts of {self.prompt}: {self.first_token * 1e3:,.1f} ms",
                f"  decode, position {self.position}: {self.step * 1e3:,.2f} ms a step{links}, "
                f"{self.tokens_per_second_and_user:,.1f} t/s/u, {self.tokens_per_second:,.0f} t/s",
                f"  memory: weights {weights}, caches {size(self.cache_bytes)}, "
                f"rest {size(self.rest_bytes)}: {total}, {end}",
            )
        )


@dataclass(frozen=True)
class _Amounts:
    """Seconds, DRAM bytes by kind, and bytes over links of a program."""

    seconds: float
    weights: float
    caches: float
    rest: float
    links: float

    def further(self, more: _Amounts, times: float) -> _Amounts:
        """Extrapolates: adds the difference to a larger program several times."""
        pairs = zip(self._all(), more._all(), strict=True)
        return _Amounts(*(few + (many - few) * times for few, many in pairs))

    def _all(self) -> tuple[float, ...]:
        return self.seconds, self.weights, self.caches, self.rest, self.links


@dataclass(frozen=True)
class _Program:
    """A program of all layers, extrapolated from programs of ``few`` and of ``more`` layers, whose
    difference is added ``times`` times."""

    few: Callable[[int], _Amounts]
    more: Callable[[int], _Amounts] | None
    times: float
    executables: tuple[Executable, ...]

    def at(self, position: int) -> _Amounts:
        """Its cost if the last token is at the position."""
        found = self.few(position)
        return found if self.more is None else found.further(self.more(position), self.times)


@dataclass
class Exports:
    """The TTIR programs of a source, shared by all targets and divisions."""

    source: Source
    _found: dict[Any, ir.Module] = field(default_factory=dict)

    def get(self, settings: Settings, tokens: int, layers: int | None) -> ir.Module:
        """Returns the program that processes some tokens, with some layers or all."""
        key = settings.backend, settings.precision, repr(settings.dtype), tokens, layers
        if key not in self._found:
            model = settings.shapes(self.source, layers)
            self._found[key], _ = settings.exported(model, tokens)
        return self._found[key]


class Estimator:
    """Compiles models with one and two layers, or one and two periods of a repeating group of
    layers, and extrapolates to all layers from the difference.

    Raises:
        Error: the backend is ``ttmetal``, whose time is only known after a run.
        CompileError: an op is not supported.
    """

    def __init__(self, exports: Exports, settings: Settings) -> None:
        self._exports, self._settings = exports, settings
        config = exports.source.config
        self._layers: int = config.get_text_config().num_hidden_layers
        self._group = _period(getattr(config, "layer_types", None) or ["layer"] * self._layers)
        self._dram = _dram(settings)

    @cached_property
    def _decode(self) -> _Program:
        return self._program(1)

    @cached_property
    def _prefill(self) -> _Program:
        return self._program(self._settings.chunk)

    @cached_property
    def _choice(self) -> float:
        """Seconds to select the most likely tokens."""
        step = self._decode.executables[0]
        mesh = step.programs[0].mesh_shape
        chooser = self._settings.sampler(step.outputs[-1], mesh, is_greedy=True)
        return cost_of(chooser.estimate()).seconds

    def estimate(
        self, position: int | None = None, prompt: int | None = None, *, is_whole: bool = True
    ) -> Estimate:
        """Estimates the model.

        Args:
            position: of the decoded token, by default the last one of the caches.
            prompt: prompt length, by default one chunk.
            is_whole: whether there is a prefill program; otherwise the decode program processes
                prompts token by token.

        Raises:
            Error: the position or the prompt exceeds the caches.
        """
        settings, context = self._settings, self._settings.shape.context
        position = context - 1 if position is None else position
        if not 0 <= position < context:
            raise Error(f"position: expected an integer from 0 to {context - 1}, found {position}")
        prompt = settings.chunk if prompt is None else prompt
        if not 1 <= prompt <= context:
            raise Error(f"prompt: expected an integer from 1 to {context}, found {prompt}")
        chunk = settings.chunk if is_whole else 1
        decode = self._decode.at(position)
        reader = self._decode if chunk == 1 else self._prefill
        chunks = -(-prompt // chunk)
        first, last = reader.at(chunk - 1), reader.at(chunks * chunk - 1)
        own = round(first.weights - self._shared(reader)) if reader is not self._decode else 0
        return Estimate(
            model=self._exports.source.config.model_type,
            target=settings.target,
            chips=math.prod(self._decode.executables[0].programs[0].mesh_shape),
            users=settings.shape.users,
            context=context,
            chunk=chunk,
            prompt=prompt,
            # The rows that attention reads grow linearly with the chunks.
            first_token=chunks * (first.seconds + last.seconds) / 2 + self._choice,
            step=decode.seconds + self._choice,
            position=position,
            weight_bytes=round(decode.weights),
            prefill_bytes=own,
            cache_bytes=round(decode.caches),
            rest_bytes=round(max(decode.rest, first.rest)),
            link_bytes=round(decode.links),
            capacity=self._dram[1],
        )

    def _program(self, tokens: int) -> _Program:
        """Compiles the program that processes some tokens of each user."""
        layers, group = self._layers, self._group
        is_short = layers <= 2 * group
        # The prefill program takes the weight layouts of the decode program.
        like: tuple[Executable | None, ...] = (None, None)
        if tokens > 1:
            like = (*self._decode.executables, None)
        few = self._compiled(tokens, None if is_short else group, like[0])
        more = None if is_short else self._compiled(tokens, 2 * group, like[1])
        return _Program(
            self._costs(few),
            None if more is None else self._costs(more),
            (layers - group) / group,
            (few,) if more is None else (few, more),
        )

    def _compiled(self, tokens: int, layers: int | None, like: Executable | None) -> Executable:
        module = self._exports.get(self._settings, tokens, layers)
        return self._settings.compiled(module, tokens, like)

    def _shared(self, reader: _Program) -> float:
        """Returns the bytes of weights that a program shares with the decode program."""
        pairs = zip(self._decode.executables, reader.executables, strict=True)
        few, *more = (_alike(*pair) * self._dram[0] for pair in pairs)
        return few + sum(many - few for many in more) * reader.times

    def _costs(self, executable: Executable) -> Callable[[int], _Amounts]:
        caches = sum(
            _bytes(info)
            for info in executable.inputs
            if info.aliased_output is not None and len(info.shape) == 4
        )
        channels = self._dram[0]

        @cache
        def at(position: int) -> _Amounts:
            report = executable.estimate(position=position)
            # Tensors that are alive at any time stay between calls.
            stays = min(op.dram_high_water for op in report.ops) * channels
            return _Amounts(
                cost_of(report).seconds,
                stays - caches,
                caches,
                report.dram_high_water * channels - stays,
                sum(op.ethernet_bytes for op in report.ops),
            )

        return at


def _alike(first: Executable, second: Executable) -> int:
    """Returns the bytes in a DRAM channel of the parameter values that both programs share."""
    kept = [Counter(exe.binary.get_program_kept(0)) for exe in (first, second)]
    return sum(size * count for (_, size), count in (kept[0] & kept[1]).items())


def _period(kinds: list[str]) -> int:
    """Returns the number of layers after which the layer kinds repeat."""
    count = len(kinds)
    return next(n for n in range(1, count + 1) if kinds[n:] == kinds[: count - n])


def _bytes(info: Any) -> int:
    """Bytes of a tiled tensor on a chip."""
    *outer, rows, columns = info.shard_shape or info.shape
    tiles = math.prod(outer) * -(-rows // 32) * -(-columns // 32)
    return int(tiles * DATA_TYPES[info.data_type].tile_bytes)


def _dram(settings: Settings) -> tuple[int, int]:
    """Returns the DRAM channels of a chip, and their total bytes."""
    desc: runtime.SystemDesc = resolve(settings.target, None)
    chip = json.loads(desc.as_json())["system_desc"]["chip_descs"][0]
    usable: int = chip["dram_unreserved_end"] - chip["dram_unreserved_base"]
    channels: int = chip["num_dram_channels"]
    return channels, usable * channels
