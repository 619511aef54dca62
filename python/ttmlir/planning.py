"""What a model costs on each target: ``ttmlir.plan``."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ttmlir import runtime
from ttmlir._divisions import Trial, trials
from ttmlir._files import written
from ttmlir._precision import Precision
from ttmlir._report import tables
from ttmlir._targets import resolve
from ttmlir.compiler import compile
from ttmlir.errors import InputError

#: The targets of a plan by default: the current boards, and the smallest system of several.
TARGETS = ("n150", "n300", "t3000", "p150")

_HEAD = ("target", "chips", "precision", "parallel", "time", "calls/s", "busy", "DRAM a chip")
_HEAD += ("links", "host", "fits")


@dataclass(frozen=True)
class Choice:
    """A way to run a model, with its modelled cost.

    Args:
        target: the system.
        precision: as of ``ttmlir.compile``; None for the dtypes of the source.
        parallel: the division over chips as ``ttmlir.compile`` takes it; empty for one chip.
        chips: how many chips run the program.
        seconds: of a call on the chips, without transfers to and from the host; infinite if the
            program does not compile.
        compute_share: the part of this time that the products would take at the peak rate of their
            fidelity.
        dram_bytes: the most DRAM of a chip that tensors take: parameters, inputs, results and all
            between, without temporary memory of collectives.
        dram_capacity: the DRAM of a chip.
        l1_bytes: the most L1 of a core that tensors take.
        link_bytes: over all Ethernet links in a call.
        host_bytes: to and from the host in a call.
        error: why the program does not compile; empty if it does.
    """

    target: str
    precision: Precision | None
    parallel: Mapping[str, int]
    chips: int
    seconds: float
    compute_share: float = 0.0
    dram_bytes: int = 0
    dram_capacity: int = 0
    l1_bytes: int = 0
    link_bytes: int = 0
    host_bytes: int = 0
    error: str = ""

    @property
    def fits(self) -> bool:
        """Whether the program compiles and its tensors fit in DRAM."""
        return not self.error and self.dram_bytes <= self.dram_capacity

    @property
    def keywords(self) -> dict[str, Any]:
        """The keywords of ``ttmlir.compile`` that choose it."""
        found: dict[str, Any] = {"target": self.target}
        if self.precision is not None:
            found["precision"] = self.precision
        return found | ({"parallel": dict(self.parallel)} if self.parallel else {})

    def cells(self) -> list[str]:
        """Returns the columns of the table."""
        parallel = " x ".join(f"{kind} {n}" for kind, n in self.parallel.items())
        first = [self.target, str(self.chips), self.precision or "", parallel]
        if self.error:
            return [*first, *[""] * 6, self.error]
        return [
            *first,
            tables.time(self.seconds),
            f"{1 / self.seconds:,.1f}" if self.seconds else "",
            f"{self.compute_share:.0%}",
            f"{tables.size(self.dram_bytes)} of {tables.size(self.dram_capacity)}",
            tables.size(self.link_bytes) if self.link_bytes else "",
            tables.size(self.host_bytes),
            "yes" if self.fits else "no",
        ]


@dataclass(frozen=True)
class Plan(Sequence[Choice]):
    """The choices for a model: those that fit first, fastest first; made by ``ttmlir.plan``."""

    choices: tuple[Choice, ...]

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, index: Any) -> Any:
        return self.choices[index]

    @property
    def best(self) -> Choice | None:
        """The fastest choice that fits; None if none does."""
        return self.choices[0] if self.choices and self.choices[0].fits else None

    def best_of(self, target: str) -> Choice | None:
        """The fastest choice that fits on a target."""
        return next((c for c in self.choices if c.target == target and c.fits), None)

    def __str__(self) -> str:
        return self.text()

    def text(self, top: int | None = None) -> str:
        """The table as text, of the ``top`` first choices.

        Raises:
            ValueError: ``top`` is less than 1.
        """
        if top is not None and top < 1:
            raise ValueError(f"top: expected at least 1, found {top}")
        best = self.best
        title = "no choice fits" if best is None else f"best: compile(..., {_call(best.keywords)})"
        return tables.text_table(title, _HEAD, [choice.cells() for choice in self.choices[:top]])

    def as_dict(self) -> dict[str, Any]:
        """Returns JSON-compatible values; the time of a program that does not compile is None."""
        found = []
        for choice in self.choices:
            entry = asdict(choice) | {"fits": choice.fits}
            found.append(entry | {"seconds": None if choice.error else choice.seconds})
        return {"choices": found}

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

        best = self.best
        table = Table(box=box.SIMPLE_HEAD, title="No choice fits" if best is None else "Plan")
        for name in _HEAD:
            table.add_column(name, justify="left" if name in _HEAD[:4] else "right")
        for choice in self.choices:
            style = "bold" if choice is best else None if choice.fits else "dim"
            table.add_row(*choice.cells(), style=style)
        with open(os.devnull, "w") as nowhere:
            console = Console(record=True, width=200, file=nowhere)
            console.print(table)
            if best is not None:
                console.print(f"ttmlir.compile(..., {_call(best.keywords)})", highlight=False)
            return console.export_html()


def _call(keywords: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in keywords.items())


def plan(
    source: Any,
    *example_args: Any,
    targets: Sequence[str] = TARGETS,
    precisions: Sequence[Precision | None] = ("balanced", "performance"),
    progress: Callable[[Choice], None] | None = None,
    **keywords: Any,
) -> Plan:
    """Models what a program costs on several targets, with several precisions, and divided over
    their chips in all ways that use all of them. Nothing is run, and weights may be PyTorch's meta
    tensors, which have a shape only.

    Args:
        source: as of ``ttmlir.compile``, for one chip.
        example_args: as of ``ttmlir.compile``.
        targets: some of ``ttmlir.targets()``.
        precisions: as of ``ttmlir.compile``; None for the dtypes of the source.
        progress: called with each choice when it is found.
        keywords: further keywords of ``ttmlir.compile``.

    Raises:
        CompileError: the program does not compile for one chip.
        TypeError: ``targets`` is a string, or a keyword that the plan itself chooses.
        Error: an unknown target or precision; or the time of the program is only known after a run,
            because it has loops or conditions or is for ``backend="ttmetal"``.

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
    if isinstance(targets, str):
        raise TypeError(f"targets: expected a list of names, found '{targets}'")
    for name in ("target", "system_desc", "parallel", "mesh_shape"):
        if name in keywords:
            raise TypeError(f"plan() tries all: remove {name}, or set targets")
    found: list[Choice] = []
    for target in targets:
        desc = resolve(target, None)
        dram = _Dram.of(desc)
        for precision in precisions:
            with warnings.catch_warnings():
                # That a chip of several is used: the table says so.
                warnings.simplefilter("ignore")
                executable = compile(
                    source, *example_args, target=target, precision=precision, **keywords
                )
            recompile: Any = executable._recompile
            for trial in trials(recompile, desc.num_chips):
                found.append(_choice(target, precision, trial, dram))
                if progress is not None:
                    progress(found[-1])
    found.sort(key=lambda choice: (not choice.fits, bool(choice.error), choice.seconds))
    return Plan(tuple(found))


@dataclass(frozen=True)
class _Dram:
    """The DRAM of a chip for tensors, in bytes of a channel."""

    channels: int
    bytes: int

    @staticmethod
    def of(desc: runtime.SystemDesc) -> _Dram:
        chip = json.loads(desc.as_json())["system_desc"]["chip_descs"][0]
        usable = chip["dram_unreserved_end"] - chip["dram_unreserved_base"]
        return _Dram(chip["num_dram_channels"], usable)


def _choice(target: str, precision: Precision | None, trial: Trial, dram: _Dram) -> Choice:
    chips = 1
    for count in trial.parallel.values():
        chips *= count
    report = trial.report
    if report is None:
        return Choice(target, precision, trial.parallel, chips, trial.seconds, error=trial.error)
    on_chip = [op for op in report.ops if not op.host_bytes]
    cycles = sum(op.cycles for op in on_chip)
    return Choice(
        target,
        precision,
        trial.parallel,
        chips,
        trial.seconds,
        compute_share=sum(op.ideal_compute_cycles for op in on_chip) / cycles if cycles else 0.0,
        dram_bytes=report.dram_high_water * dram.channels,
        dram_capacity=dram.bytes * dram.channels,
        l1_bytes=report.l1_high_water,
        link_bytes=sum(op.ethernet_bytes for op in report.ops),
        host_bytes=sum(op.host_bytes for op in report.ops),
    )
