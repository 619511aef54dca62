"""Cost of text generation on each target: ``ttmlir.llm.plan``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from ttmlir._divisions import divisions, reason_of
from ttmlir._precision import Precision
from ttmlir._progress import working
from ttmlir._report import tables
from ttmlir._targets import resolve
from ttmlir.advice import MIN_GAIN, Suggestion
from ttmlir.errors import CompileError
from ttmlir.llm._estimate import Estimate, Estimator, Exports
from ttmlir.llm._model import Model, load
from ttmlir.llm._programs import Settings, division_of
from ttmlir.planning import (
    PRECISIONS,
    TARGETS,
    Amounts,
    AnyChoice,
    Plan,
    arguments_text,
    changed,
    check_targets,
    collected,
    fits_text,
    significant,
)

#: The number of weight groups, those with the most bytes, that get individual trials.
_MAX_GROUPS = 4


@dataclass(frozen=True, kw_only=True)
class Choice(AnyChoice):
    """A way to run a model, with its modelled cost.

    Args:
        estimate: speed and memory; None if the model does not compile. A chunk of 1 means that the
            decode program processes prompts, since a prefill program does not fit.
    """

    estimate: Estimate | None = None

    @property
    def fits(self) -> bool:
        """Whether the model compiles, and its programs and caches fit in DRAM."""
        return self.estimate is not None and self.estimate.fits

    @property
    def seconds(self) -> float:
        """Seconds of a decode step; infinite if the model does not compile."""
        return float("inf") if self.estimate is None else self.estimate.step

    @property
    def keywords(self) -> dict[str, Any]:
        """The keywords of ``ttmlir.llm.load`` for this choice."""
        found = self.estimate
        if found is None:
            return super().keywords
        names = {"users": found.users, "context": found.context, "prefill_chunk": found.chunk}
        return super().keywords | names

    @property
    def call(self) -> str:
        """The call that loads this choice."""
        return f"llm.load(..., {arguments_text(self.keywords)})"

    def costs(self) -> dict[str, str]:
        """Returns the table columns of a model that compiles, by title."""
        found = self.estimate
        assert found is not None
        rate = found.tokens_per_second
        return {
            "first token": tables.time(found.first_token),
            "a step": tables.time(found.step),
            "t/s/u": f"{found.tokens_per_second_and_user:,.1f}",
            "t/s": f"{rate:,.0f}",
            "t/s/$": significant(rate / self.price) if self.price else "",
            "J a token": significant(self.watts / rate) if self.watts else "",
            "weights": tables.size(found.weight_bytes),
            "to read": tables.size(found.prefill_bytes) if found.prefill_bytes else "",
            "caches": tables.size(found.cache_bytes),
            "rest": tables.size(found.rest_bytes),
            "DRAM a chip": tables.size(found.capacity),
            "links a step": tables.size(found.link_bytes) if found.link_bytes else "",
            "fits": fits_text(found.bytes, found.capacity),
        }


def plan(
    source: Any,
    *,
    targets: Sequence[str] = TARGETS,
    precisions: Sequence[Precision | None] = PRECISIONS,
    users: int = 32,
    context: int = 1024,
    prompt: int = 128,
    position: int | None = None,
    prefill_chunk: int = 128,
    dtype: str | Mapping[str, str] | None = None,
    prices: Amounts | None = None,
    watts: Amounts | None = None,
    changes: int = 3,
    progress: Callable[[Choice], None] | None = None,
    **options: Any,
) -> Plan[Choice]:
    """Compares the modelled cost of a decoder on several targets, in several precisions, divided
    over chips by users, by weights and by both, and for mixtures also by experts. It runs nothing
    and needs no weights.

    Ctrl-C ends the search and returns the choices found so far.

    Args:
        source: as in ``ttmlir.llm.load``; a configuration suffices.
        targets: some of ``ttmlir.targets()``.
        precisions: as in ``ttmlir.llm.load``.
        users: batch size over all chips.
        context: cache capacity in tokens for each user.
        prompt: prompt length before the first token.
        position: that of the token in a decode step, by default the last one of the caches.
        prefill_chunk: as in ``ttmlir.llm.load``; 1 if a program for larger chunks does not fit.
        dtype: as in ``ttmlir.llm.load``.
        prices: of targets, for the throughput per dollar.
        watts: of targets, for the energy of a token.
        changes: the number of changes to find that make the fastest choice of the first target
            faster; 0 for none.
        progress: called with each choice when it is found.
        options: further keywords of ``ttmlir.llm.load``.

    Raises:
        TypeError: ``targets`` is a string, or a keyword that the plan itself chooses.
        InputError, FileError: as in ``ttmlir.llm.load``.
        Error: an unknown target or precision, a price for another target, or a position or prompt
            that exceeds the context.
    """
    for name in ("target", "precision", "parallel", "mesh_shape"):
        if name in options:
            raise TypeError(
                f"plan() chooses {name} itself: remove it, or set targets and precisions"
            )
    check_targets(targets, prices=prices, watts=watts)
    keywords: dict[str, Any] = {
        "users": users,
        "context": context,
        "prefill_chunk": prefill_chunk,
        "dtype": dtype,
    }
    keywords |= options
    models = [load(source, precision=p, target=targets[0], **keywords) for p in precisions]
    search = _Search(models, position, prompt)
    has_experts = _has_experts(models[0].settings.shapes(search.source, 1))
    parts = {t: _divisions(resolve(t, None).num_chips, has_experts) for t in targets}

    def found() -> Iterator[Choice]:
        for target, chosen in parts.items():
            price, power = (prices or {}).get(target), (watts or {}).get(target)
            for model in models:
                for parallel in chosen:
                    choice = search.choice(model.settings, target, parallel)
                    yield replace(choice, price=price, watts=power)

    total = len(models) * sum(map(len, parts.values()))
    choices, is_ended = collected(found(), total, progress)
    plan = Plan(choices, total=total)
    return plan if is_ended else changed(plan, targets[0], changes, search.changes)


def _divisions(chips: int, has_experts: bool) -> list[dict[str, int]]:
    """Returns the divisions of a decoder: by users and by weights, and by experts if it has any,
    with all other weights sharded on one axis or replicated."""
    return [
        parallel
        for parallel in divisions(chips, has_experts)
        if not {"sequence", "pipeline"} & set(parallel)
    ]


def _has_experts(model: torch.nn.Module) -> bool:
    """Whether a model has stacked weights."""
    return any(value.dim() > 2 for value in model.parameters())


class _Search:
    """Estimates models with the same source."""

    def __init__(self, models: Sequence[Model], position: int | None, prompt: int) -> None:
        self._models, self._position, self._prompt = models, position, prompt
        self.source = models[0]._source
        self._exports = Exports(self.source)

    def choice(self, settings: Settings, target: str, parallel: Mapping[str, int]) -> Choice:
        """Estimates a choice with settings for another target."""
        chips = 1
        for count in parallel.values():
            chips *= count
        base = Choice(target=target, precision=settings.precision, parallel=parallel, chips=chips)
        settings = self._divided(settings, target, parallel)
        with warnings.catch_warnings():
            # The warning that only one of several chips is used: the table shows it.
            warnings.simplefilter("ignore")
            try:
                return replace(base, estimate=self._estimate(settings))
            except CompileError as error:
                return replace(base, error=reason_of(error))

    def _divided(self, settings: Settings, target: str, parallel: Mapping[str, int]) -> Settings:
        config = self.source.config
        division = division_of(dict(parallel), config, target) if parallel else {}
        return replace(settings, target=target, division=division)

    def _estimate(self, settings: Settings) -> Estimate:
        """Estimates with a prefill program if it fits."""
        estimator = Estimator(self._exports, settings)
        one = estimator.estimate(self._position, self._prompt, is_whole=False)
        if not one.fits:
            return one
        found = estimator.estimate(self._position, self._prompt)
        return found if found.fits else one

    def changes(self, base: Choice) -> Sequence[Suggestion]:
        """Tries other formats for the largest weights, and fewer multiplier phases."""
        model = next(m for m in self._models if m.settings.precision == base.precision)
        settings = self._divided(model.settings, base.target, base.parallel)
        found = []
        with working("trying changes"):
            for tried, keywords, reason in self._tries(settings):
                try:
                    after = Estimator(self._exports, tried).estimate(self._position, is_whole=False)
                except CompileError:
                    continue
                if after.fits and after.step <= base.seconds * (1 - MIN_GAIN):
                    found.append(Suggestion(keywords, reason, base.seconds, after.step))
        return found

    def _tries(self, settings: Settings) -> Iterator[tuple[Settings, dict[str, Any], str]]:
        shapes = settings.shapes(self.source)
        present = settings.formats(shapes)
        own = settings.dtype if isinstance(settings.dtype, Mapping) else {}
        if not isinstance(settings.dtype, str):
            for part in _largest(shapes):
                if present.get(f"*{part}*") == "bfp4_b":
                    continue
                dtype = {**own, f"*{part}*": "bfp4_b"}
                yield (
                    replace(settings, dtype=dtype),
                    {"dtype": dtype},
                    f"The weights of {part} are in 4-bit block floats.",
                )
        tried: list[tuple[dict[str, Any], str]] = [
            ({"math_fidelity": "lofi"}, "All products take one multiplier phase.")
        ]
        if settings.division and settings.precision != "performance":
            lowering = {"enable_activation_dtype_lowering": True}
            tried.append((lowering, "Chips send activations as 8-bit block floats."))
        for options, reason in tried:
            if not options.items() <= settings.options.items():
                yield replace(settings, options={**settings.options, **options}), options, reason


def _largest(model: torch.nn.Module) -> list[str]:
    """Returns the module names with the largest product weights, summed over all layers."""
    sizes: dict[str, int] = {}
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Linear):
            part = name.rpartition(".")[2]
            sizes[part] = sizes.get(part, 0) + module.weight.numel()
    return sorted(sizes, key=lambda part: -sizes[part])[:_MAX_GROUPS]
