"""Cost of a model on each target: ``ttmlir.plan``."""

from __future__ import annotations

import contextlib
import json
import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from ttmlir._divisions import Dram, Trial, division_name, divisions, has_experts, trials
from ttmlir._files import written
from ttmlir._precision import Precision
from ttmlir._progress import bar, working
from ttmlir._report import tables
from ttmlir._targets import resolve
from ttmlir.advice import MIN_GAIN, Suggestion
from ttmlir.compiler import compile
from ttmlir.errors import Error, InputError

#: The default targets of a plan: the current boards, and the smallest system of several.
TARGETS = ("n150", "n300", "t3000", "p150")
PRECISIONS: tuple[Precision, ...] = ("balanced", "performance")

#: By target.
Amounts = Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class AnyChoice(ABC):
    """A way to run a model, with its modelled cost.

    Args:
        target: the system.
        precision: as in ``ttmlir.compile``; None for the dtypes of the source.
        parallel: the division over chips, as in ``ttmlir.compile``; empty for one chip.
        chips: the number of chips that run the program.
        price: of the target, if the user gave one.
        watts: of the target, if the user gave them.
        error: why the program does not compile; empty if it does.
    """

    target: str
    precision: Precision | None
    parallel: Mapping[str, int]
    chips: int
    price: float | None = None
    watts: float | None = None
    error: str = ""

    @property
    @abstractmethod
    def fits(self) -> bool:
        """Whether the program compiles and its tensors fit in DRAM."""

    @property
    @abstractmethod
    def seconds(self) -> float:
        """The time by which choices are compared: that of a call, or of a decode step."""

    @property
    def keywords(self) -> dict[str, Any]:
        """The keywords for this choice."""
        found: dict[str, Any] = {"target": self.target}
        if self.precision is not None:
            found["precision"] = self.precision
        return found | ({"parallel": dict(self.parallel)} if self.parallel else {})

    @property
    def call(self) -> str:
        """The call for this choice."""
        return f"compile(..., {arguments_text(self.keywords)})"

    @abstractmethod
    def costs(self) -> dict[str, str]:
        """Returns the columns of the table that a program which compiles has, by title."""

    @property
    def name(self) -> str:
        """A short name: target, precision and division."""
        return " ".join(filter(None, self._head().values()))

    def cells(self) -> dict[str, str]:
        """Returns the columns of the table by title."""
        return self._head() | (self.costs() if not self.error else {"fits": self.error})

    def _head(self) -> dict[str, str]:
        return {
            "target": self.target,
            "chips": str(self.chips),
            "precision": self.precision or "",
            "parallel": division_name(self.parallel),
        }


@dataclass(frozen=True, kw_only=True)
class Choice(AnyChoice):
    """A way to run a program, with its modelled cost.

    Args:
        seconds: time of a call on the chips, excluding host transfers; infinite if the program does
            not compile.
        calls_per_second: of a pipeline, whose calls overlap; 0 for others.
        compute_share: the share of this time that the products would take at the peak rate of their
            fidelity.
        weight_bytes: DRAM bytes of a chip for parameters and other data that stays between calls.
        rest_bytes: the peak for inputs, results and intermediate results, without temporary memory
            of collectives.
        dram_capacity: the DRAM of a chip.
        l1_bytes: the peak L1 use of tensors on a core.
        link_bytes: bytes over all Ethernet links in a call.
        host_bytes: bytes to and from the host in a call.
    """

    seconds: float = float("inf")
    calls_per_second: float = 0.0
    compute_share: float = 0.0
    weight_bytes: int = 0
    rest_bytes: int = 0
    dram_capacity: int = 0
    l1_bytes: int = 0
    link_bytes: int = 0
    host_bytes: int = 0

    @property
    def dram_bytes(self) -> int:
        """Total DRAM of a chip that tensors take."""
        return self.weight_bytes + self.rest_bytes

    @property
    def fits(self) -> bool:
        """Whether the program compiles and its tensors fit in DRAM."""
        return not self.error and self.dram_bytes <= self.dram_capacity

    def costs(self) -> dict[str, str]:
        """Returns the columns of the table that a program which compiles has, by title."""
        rate = self.calls_per_second or (1 / self.seconds if self.seconds else 0.0)
        return {
            "time": tables.time(self.seconds),
            "calls/s": f"{rate:,.1f}" if rate else "",
            "calls/s/$": significant(rate / self.price) if self.price else "",
            "J a call": significant(self.watts * self.seconds) if self.watts else "",
            "busy": f"{self.compute_share:.0%}",
            "weights": tables.size(self.weight_bytes),
            "rest": tables.size(self.rest_bytes),
            "DRAM a chip": tables.size(self.dram_capacity),
            "links": tables.size(self.link_bytes) if self.link_bytes else "",
            "host": tables.size(self.host_bytes),
            "fits": fits_text(self.dram_bytes, self.dram_capacity),
        }


def fits_text(needed: int, capacity: int) -> str:
    """Returns yes, or how much memory a chip lacks."""
    return "yes" if needed <= capacity else f"no: {tables.size(needed - capacity)} missing"


def significant(value: float) -> str:
    """0.00123456 -> '0.00123'."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


C = TypeVar("C", bound=AnyChoice)


@dataclass(frozen=True)
class Plan(Sequence[C], Generic[C]):
    """The choices for a model, those that fit first, sorted by time; created by ``ttmlir.plan`` and
    ``ttmlir.llm.plan``.

    Args:
        choices: all choices that were tried.
        changed: the choice that ``changes`` apply to: the fastest of the first target.
        changes: the changes that gain most.
        total: the number of choices, more than were tried if the user interrupted the search.
    """

    choices: tuple[C, ...]
    changed: C | None = None
    changes: tuple[Suggestion, ...] = ()
    total: int = 0

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, index: Any) -> Any:
        return self.choices[index]

    @property
    def best(self) -> C | None:
        """The fastest choice that fits, or None."""
        return self.choices[0] if self.choices and self.choices[0].fits else None

    def best_of(self, target: str) -> C | None:
        """The fastest choice that fits on a target."""
        return next((c for c in self.choices if c.target == target and c.fits), None)

    def __str__(self) -> str:
        return self.text()

    def text(self, top: int | None = None) -> str:
        """The table of the ``top`` first choices as text, and the changes that gain most.

        Raises:
            ValueError: ``top`` is less than 1.
        """
        if top is not None and top < 1:
            raise ValueError(f"top: expected at least 1, found {top}")
        head, body = self._table(self.choices[:top])
        return "\n".join([tables.text_table(self._title(), head, body), *self._changes()])

    def _title(self) -> str:
        title = "no choice fits" if self.best is None else f"best: {self.best.call}"
        if len(self) < self.total:
            title += f", of the {len(self)} of {self.total} choices before the interrupt"
        return title

    def _changes(self) -> list[str]:
        if self.changed is None or not self.changes:
            return []
        title = f"changes that gain most, for {self.changed.name}:"
        return [title, *(f"- {change}" for change in self.changes)]

    @staticmethod
    def _table(choices: Sequence[C]) -> tuple[list[str], list[list[str]]]:
        """Returns titles and cells of the nonempty columns."""
        rows = [choice.cells() for choice in choices]
        titles = max(rows, key=len, default={})
        head = [title for title in titles if any(row.get(title) for row in rows)]
        return head, [[row.get(title, "") for title in head] for row in rows]

    def as_dict(self) -> dict[str, Any]:
        """Returns JSON-compatible values; the time of a program that does not compile is None."""
        found = []
        for choice in self.choices:
            entry = asdict(choice) | {"fits": choice.fits}
            found.append(entry | {"seconds": None if choice.error else choice.seconds})
        changes = [asdict(change) for change in self.changes]
        name = self.changed.name if self.changed else None
        return {"choices": found, "total": self.total, "changed": name, "changes": changes}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a page (``.html``) or ``.json``.

        Raises:
            InputError: the path has another suffix.
            FileError: the file cannot be written.
        """
        suffix = Path(path).suffix
        if suffix not in (".html", ".json"):
            raise InputError(f"'{os.fspath(path)}': expected a file that ends in .html or .json")
        text = json.dumps(self.as_dict(), indent=1) if suffix == ".json" else self._page()
        with written(path) as file:
            file.write(text.encode())

    def _page(self) -> str:
        from rich import box
        from rich.console import Console
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, title="Plan")
        head, body = self._table(self.choices)
        for title in head:
            table.add_column(title, justify="left" if title in self._LEFT else "right")
        for choice, cells in zip(self.choices, body, strict=True):
            style = "bold" if choice is self.best else None if choice.fits else "dim"
            table.add_row(*cells, style=style)
        with open(os.devnull, "w") as nowhere:
            console = Console(record=True, width=200, file=nowhere)
            console.print(table)
            for line in (self._title(), *self._changes()):
                console.print(line, highlight=False, markup=False)
            return console.export_html()

    _LEFT = ("target", "precision", "parallel", "fits")


def arguments_text(keywords: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in keywords.items())


# Searches, which ttmlir.llm.plan shares ----------------------------------------------------------


def check_targets(targets: Sequence[str], **amounts: Amounts | None) -> None:
    """Checks the arguments of plans; ``amounts`` are prices and watts.

    Raises:
        TypeError: the targets are one string.
        Error: a target is unknown; or an amount is not a positive number, or for another target.
    """
    if isinstance(targets, str):
        raise TypeError(f"targets: expected a list of names, found '{targets}'")
    if not targets:
        raise Error("targets: expected at least one, found none")
    for target in targets:
        resolve(target, None)
    for name, found in amounts.items():
        for target, value in (found or {}).items():
            if target not in targets:
                raise Error(f"{name}: '{target}' is not one of the targets {', '.join(targets)}")
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
                raise Error(f"{name}: '{target}': expected a positive number, found {value!r}")


def amounts_of(text: str, name: str) -> dict[str, float]:
    """Parses amounts by target on a command line, such as ``n150=999,t3000=11999``.

    Raises:
        InputError: the text has another form.
    """
    found = {}
    for part in filter(None, text.split(",")):
        target, _, value = part.partition("=")
        try:
            found[target.strip()] = float(value)
        except ValueError:
            raise InputError(
                f"{name}: expected amounts by target, such as n150=999, found {part!r}"
            ) from None
    return found


def collected(
    found: Iterable[C], total: int, progress: Callable[[C], None] | None
) -> tuple[tuple[C, ...], bool]:
    """Returns the choices, those that fit first, sorted by time, and whether Ctrl-C ended the
    search after one of them."""
    choices: list[C] = []
    is_ended = False
    with bar("plan", total) as done:
        try:
            for choice in found:
                choices.append(choice)
                fitting = [c for c in choices if c.fits]
                best = min(fitting, key=lambda c: c.seconds, default=None)
                text = f"best is {best.name}, {tables.time(best.seconds)}" if best else "none fits"
                done(f"{len(choices)} of {total}, {text}")
                if progress is not None:
                    progress(choice)
        except KeyboardInterrupt:
            if not choices:
                raise
            is_ended = True
    choices.sort(key=lambda choice: (not choice.fits, bool(choice.error), choice.seconds))
    return tuple(choices), is_ended


def changed(
    plan: Plan[C],
    target: str,
    count: int,
    tried: Callable[[C], Sequence[Suggestion]],
) -> Plan[C]:
    """Adds to the plan the changes that gain most over the fastest choice on a target: the fastest
    other target, and options tried for the choice. After Ctrl-C, the options are omitted."""
    base = plan.best_of(target)
    if base is None or count < 1:
        return plan
    found = []
    other = plan.best
    if other is not None and other.seconds <= base.seconds * (1 - MIN_GAIN):
        keywords = {
            name: other.keywords.get(name)
            for name in dict.fromkeys([*base.keywords, *other.keywords])
            if other.keywords.get(name) != base.keywords.get(name)
        }
        reason = f"The model then runs on {other.chips} chip{'s' * (other.chips > 1)}."
        found.append(Suggestion(keywords, reason, base.seconds, other.seconds))
    with contextlib.suppress(KeyboardInterrupt):
        found += tried(base)
    found.sort(key=lambda change: change.after)
    return replace(plan, changed=base, changes=tuple(found[:count]))


# Programs ----------------------------------------------------------------------------------------


def plan(
    source: Any,
    *example_args: Any,
    targets: Sequence[str] = TARGETS,
    precisions: Sequence[Precision | None] = PRECISIONS,
    prices: Amounts | None = None,
    watts: Amounts | None = None,
    changes: int = 3,
    progress: Callable[[Choice], None] | None = None,
    **keywords: Any,
) -> Plan[Choice]:
    """Compares the modelled cost of a program on several targets, in several precisions, and in all
    divisions that use all chips. It runs nothing, and weights may be PyTorch's meta tensors, which
    have only shapes. For text generation, use ``ttmlir.llm.plan``.

    Ctrl-C ends the search and returns the choices found so far.

    Args:
        source: as in ``ttmlir.compile``, for one chip.
        example_args: as in ``ttmlir.compile``.
        targets: some of ``ttmlir.targets()``.
        precisions: as in ``ttmlir.compile``; None for the dtypes of the source.
        prices: of targets, for the throughput per dollar.
        watts: of targets, for the energy of a call.
        changes: the number of changes to find that make the fastest choice of the first target
            faster, by compiling it with other options; 0 for none.
        progress: called with each choice when it is found.
        keywords: further keywords of ``ttmlir.compile``.

    Raises:
        CompileError: the program does not compile for one chip.
        TypeError: ``targets`` is a string, or a keyword that the plan itself chooses.
        Error: an unknown target or precision, or a price for another target; or the time of the
            program is only known after a run, because it has loops or conditions or is for
            ``backend="ttmetal"``.

    Example:
        >>> import ttmlir
        >>> b = ttmlir.Builder()
        >>> b.output(b.matmul(b.input("x", (64, 256)), b.input("w", (256, 256))))
        >>> plan = ttmlir.plan(b, targets=["n150", "n300"], precisions=[None], parameters=["w"])
        >>> sorted({choice.target for choice in plan})
        ['n150', 'n300']
        >>> plan.best_of("n150").parallel
        {}
    """
    for name in ("target", "system_desc", "parallel", "mesh_shape"):
        if name in keywords:
            raise TypeError(f"plan() chooses {name} itself: remove it, or set targets")
    check_targets(targets, prices=prices, watts=watts)
    descs = {target: resolve(target, None) for target in targets}

    def compiled(**chosen: Any) -> Any:
        with warnings.catch_warnings():
            # The warning that only one of several chips is used: the table shows it.
            warnings.simplefilter("ignore")
            return compile(source, *example_args, **chosen, **keywords)

    first = compiled(target=targets[0], precision=precisions[0])
    parts = {t: divisions(desc.num_chips, has_experts(first)) for t, desc in descs.items()}
    total = len(precisions) * sum(map(len, parts.values()))

    def found() -> Iterable[Choice]:
        for target, desc in descs.items():
            dram = Dram.of(desc)
            price, power = (prices or {}).get(target), (watts or {}).get(target)
            for precision in precisions:
                recompile = compiled(target=target, precision=precision)._recompile
                for trial in trials(recompile.divided, parts[target]):
                    choice = _choice(target, precision, trial, dram)
                    yield replace(choice, price=price, watts=power)

    def tried(base: Choice) -> Sequence[Suggestion]:
        if "pipeline" in base.parallel:
            return ()  # Options are tried on one program.
        with working("trying changes"):
            return tuple(compiled(**base.keywords).advise(limit=changes).suggestions)

    choices, is_ended = collected(found(), total, progress)
    plan = Plan(choices, total=total)
    return plan if is_ended else changed(plan, targets[0], changes, tried)


def _choice(target: str, precision: Precision | None, trial: Trial, dram: Dram) -> Choice:
    chips = 1
    for count in trial.parallel.values():
        chips *= count
    base = Choice(target=target, precision=precision, parallel=trial.parallel, chips=chips)
    report = trial.report
    if report is None:
        return replace(base, error=trial.error)
    cycles = trial.seconds * report.clock_hz
    ideal = sum(op.ideal_compute_cycles for op in report.ops if not op.host_bytes)
    # Tensors that are alive at any time stay between calls.
    stays = min((op.dram_high_water for op in report.ops), default=0)
    rate = 0.0
    if pipeline := report.pipeline:
        # All stages work at the same time.
        cycles *= len(pipeline.stages) / report.repeats
        largest = max(pipeline.stages, key=lambda stage: stage.dram_high_water)
        stays = largest.weight_bytes
        rate = pipeline.calls_per_second
    return replace(
        base,
        seconds=trial.seconds,
        calls_per_second=rate,
        compute_share=ideal / cycles if cycles else 0.0,
        weight_bytes=stays * dram.channels,
        rest_bytes=(report.dram_high_water - stays) * dram.channels,
        dram_capacity=dram.bytes * dram.channels,
        l1_bytes=report.l1_high_water,
        link_bytes=report.repeats * sum(op.ethernet_bytes for op in report.ops),
        host_bytes=report.repeats * sum(op.host_bytes for op in report.ops),
    )
