"""Speed and memory of a model on the chip, modelled from shapes."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from ttmlir import runtime
from ttmlir._formats import DATA_TYPES
from ttmlir._report import tables
from ttmlir._targets import resolve
from ttmlir.errors import Error
from ttmlir.executable import Executable
from ttmlir.llm._programs import Settings, cost_of
from ttmlir.llm._source import Source


@dataclass(frozen=True)
class Estimate:
    """Modelled speed and memory. All bytes are those of a chip.

    Args:
        model: its type, as in the configuration.
        target: the system.
        chips: how many divide the model.
        users: texts at once.
        context: tokens that the caches have room for.
        chunk: tokens of the prompt in ``first_token``.
        first_token: seconds until all users have a token behind prompts of one chunk.
        step: seconds of a decode step, its choice of the most likely tokens included.
        position: of its token.
        weight_bytes: of the program that decodes, in its layout, with what else it has in DRAM
            beside the caches.
        prefill_bytes: of the program that reads prompts; 0 if that is the same program.
        cache_bytes: of keys and values, which both programs share.
        capacity: of the DRAM.
    """

    model: str
    target: str
    chips: int
    users: int
    context: int
    chunk: int
    first_token: float
    step: float
    position: int
    weight_bytes: int
    prefill_bytes: int
    cache_bytes: int
    capacity: int

    @property
    def tokens_per_second_and_user(self) -> float:
        """Of decode steps."""
        return 1 / self.step

    @property
    def tokens_per_second(self) -> float:
        """Of decode steps, of all users."""
        return self.users / self.step

    @property
    def bytes(self) -> int:
        """All DRAM of a chip that generation takes."""
        return self.weight_bytes + self.prefill_bytes + self.cache_bytes

    @property
    def fits(self) -> bool:
        """Whether both programs and the caches fit in DRAM."""
        return self.bytes <= self.capacity

    def __str__(self) -> str:
        size = tables.size
        weights = size(self.weight_bytes)
        if self.prefill_bytes:
            weights += f" to decode and {size(self.prefill_bytes)} to read prompts"
        per_chip = " a chip" if self.chips > 1 else ""
        total = f"{size(self.bytes)} of {size(self.capacity)}{per_chip}"
        end = "fits" if self.fits else "does not fit"
        if not self.fits and self.bytes - self.prefill_bytes <= self.capacity:
            end += "; with prefill_chunk=1 it does, which reads prompts token by token"
        return "\n".join(
            (
                f"{self.model} on {self.target}, {self.users} users, context {self.context}",
                f"  first token, prompts of {self.chunk}: {self.first_token * 1e3:,.1f} ms",
                f"  decode, position {self.position}: {self.step * 1e3:,.2f} ms a step, "
                f"{self.tokens_per_second_and_user:,.1f} t/s/u, {self.tokens_per_second:,.0f} t/s",
                f"  memory: weights {weights}, caches {size(self.cache_bytes)}: {total}, {end}",
            )
        )


@dataclass(frozen=True)
class _Amounts:
    """Of a program: seconds, and bytes of DRAM and of the caches in it."""

    seconds: float
    dram: float
    caches: float

    def further(self, more: _Amounts, times: float) -> _Amounts:
        """Adds the difference to a larger program several times."""
        pairs = zip(self._all(), more._all(), strict=True)
        return _Amounts(*(few + (many - few) * times for few, many in pairs))

    def _all(self) -> tuple[float, float, float]:
        return self.seconds, self.dram, self.caches


def estimated(source: Source, settings: Settings, position: int | None = None) -> Estimate:
    """Compiles models with one and two layers, or groups of layers that repeat: all others cost as
    much as those that the second has more.

    Raises:
        Error: the position is not in the caches; or only a run tells the time, on ``ttmetal``.
        CompileError: an op is not supported.
    """
    context = settings.shape.context
    position = context - 1 if position is None else position
    if not 0 <= position < context:
        raise Error(f"position: expected an integer from 0 to {context - 1}, found {position}")
    layers = source.config.get_text_config().num_hidden_layers
    group = _period(getattr(source.config, "layer_types", None) or ["layer"] * layers)
    decode, executable = _whole(source, settings, 1, layers, group, position)
    prefill = decode
    if settings.chunk > 1:
        prefill, _ = _whole(source, settings, settings.chunk, layers, group, settings.chunk - 1)
    chooser = settings.sampler(executable.outputs[-1], is_greedy=True)
    choice = cost_of(chooser.estimate()).seconds
    chip, capacity = _dram(settings)
    return Estimate(
        model=source.config.model_type,
        target=settings.target,
        chips=math.prod(executable.programs[0].mesh_shape),
        users=settings.shape.users,
        context=settings.shape.context,
        chunk=settings.chunk,
        first_token=prefill.seconds + choice,
        step=decode.seconds + choice,
        position=position,
        weight_bytes=round(decode.dram * chip - decode.caches),
        prefill_bytes=round(prefill.dram * chip - prefill.caches) if settings.chunk > 1 else 0,
        cache_bytes=round(decode.caches),
        capacity=capacity,
    )


def _whole(
    source: Source, settings: Settings, tokens: int, layers: int, group: int, position: int
) -> tuple[_Amounts, Executable]:
    """Estimates the program that reads some tokens, the last one at the position, of all layers;
    and returns one of a few."""
    if layers <= 2 * group:
        executable, _ = settings.step(settings.shapes(source), tokens)
        return _amounts(executable, position), executable
    few, _ = settings.step(settings.shapes(source, group), tokens)
    more, _ = settings.step(settings.shapes(source, 2 * group), tokens)
    at = position
    return _amounts(few, at).further(_amounts(more, at), (layers - group) / group), few


def _period(kinds: list[str]) -> int:
    """Returns after how many layers their kinds repeat."""
    count = len(kinds)
    return next(n for n in range(1, count + 1) if kinds[n:] == kinds[: count - n])


def _amounts(executable: Executable, position: int) -> _Amounts:
    report = executable.estimate(position=position)
    caches = [
        info
        for info in executable.inputs
        if info.aliased_output is not None and len(info.shape) == 4
    ]
    return _Amounts(cost_of(report).seconds, report.dram_high_water, sum(map(_bytes, caches)))


def _bytes(info: Any) -> int:
    """Of a tensor in tiles, on a chip."""
    *outer, rows, columns = info.shard_shape or info.shape
    tiles = math.prod(outer) * -(-rows // 32) * -(-columns // 32)
    return int(tiles * DATA_TYPES[info.data_type].tile_bytes)


def _dram(settings: Settings) -> tuple[int, int]:
    """Returns the channels of a chip, and their bytes together."""
    desc: runtime.SystemDesc = resolve(settings.target, None)
    chip = json.loads(desc.as_json())["system_desc"]["chip_descs"][0]
    usable: int = chip["dram_unreserved_end"] - chip["dram_unreserved_base"]
    channels: int = chip["num_dram_channels"]
    return channels, usable * channels
