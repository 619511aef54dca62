"""Writes the documentation page about the clock's errors."""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from measurements import FOLDER, Constant, Row, constants, not_modelled, reasons

#: A validation row with a greater error needs a reason.
OFF = 0.10

TEMPLATE = Path(__file__).parent / "accuracy.md.in"


@dataclass(frozen=True)
class Result:
    row: Row
    text: str
    modelled: float

    @property
    def error(self) -> float:
        return self.modelled / self.row.measured - 1

    def cells(self) -> tuple[str, ...]:
        """The cells of the table, without the reason."""
        return (
            f"`{self.row.id}`",
            self.text,
            f"{number(self.row.measured)} {self.row.unit}",
            number(self.modelled),
            f"{100 * self.error:+.0f} %",
        )


def number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def digest() -> str:
    """Returns a digest of the constants and the measurements on the page."""
    parts = [f"{c.arch} {c.section} {c.name} {c.value!r} {c.source} {c.rows}" for c in constants()]
    parts += [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.csv"))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    every = [header, ["---"] * len(header), *lines]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in every) + "\n"


def summary(results: Sequence[Result]) -> str:
    """Formats a summary of the validation, by group and over all."""

    def line(name: str, some: Sequence[Result]) -> tuple[str, ...]:
        errors = [abs(result.error) for result in some]
        worst = max(some, key=lambda result: abs(result.error))
        within = sum(error <= OFF for error in errors)
        return (
            name,
            str(len(some)),
            f"{100 * statistics.median(errors):.0f} %",
            f"{100 * within / len(some):.0f} %",
            f"{100 * worst.error:+.0f} %",
            f"`{worst.row.id}`",
        )

    groups = list(dict.fromkeys(result.row.group for result in results))
    lines = [line(name, [r for r in results if r.row.group == name]) for name in groups]
    return table(
        ("group", "rows", "median error", "within 10 %", "worst", "which"),
        [*lines, line("**all**", results)],
    )


def constant_lines(found: Iterable[Constant]) -> Iterable[Sequence[str]]:
    for constant in found:
        rows = ", ".join(f"`{name}`" for name in constant.rows)
        value = constant.value if not isinstance(constant.value, list) else "..."
        yield (f"`{constant.name}`", f"{value}", constant.source, rows)


def missing_reasons(results: Iterable[Result]) -> list[str]:
    known = reasons()
    return [r.row.id for r in results if abs(r.error) > OFF and r.row.id not in known]


def validation(results: Sequence[Result]) -> str:
    """Formats a table for each group, and the reasons for errors."""
    why = reasons()
    parts = []
    for group in dict.fromkeys(r.row.group for r in results):
        some = [r for r in results if r.row.group == group]
        header = ("row", "what", "measured", "modelled", "error")
        parts += [f"### {group}\n", table(header, [result.cells() for result in some])]
        off: dict[str, list[str]] = {}
        for r in some:
            if abs(r.error) > OFF:
                off.setdefault(why[r.row.id], []).append(f"`{r.row.id}`")
        if off:
            lines = [f"- {', '.join(names)}: {text}.\n" for text, names in off.items()]
            parts += ["Off by more than 10 %:\n", "".join(lines)]
    return "\n".join(parts)


def constant_tables() -> str:
    every = list(constants())
    parts = []
    for arch in dict.fromkeys(c.arch for c in every):
        lines = constant_lines(c for c in every if c.arch == arch)
        parts += [f"### {arch}\n", table(("constant", "value", "source", "rows"), lines)]
    return "\n".join(parts)


def page(results: Sequence[Result]) -> str:
    out_of_sample = [r for r in results if r.row.use == "validation"]
    in_sample = [r for r in results if r.row.use == "calibration"]
    sections = {
        "digest": digest(),
        "summary": summary(out_of_sample),
        "validation": validation(out_of_sample),
        "not_modelled": table(
            ("what", "measured", "source", "why not"),
            [
                (r["what"], f"{r['measured']} {r['unit']}".strip(), r["source"], r["reason"])
                for r in not_modelled()
            ],
        ),
        "calibration": table(
            ("row", "what", "measured", "modelled", "error", "source"),
            [(*result.cells(), result.row.source) for result in in_sample],
        ),
        "constants": constant_tables(),
    }
    text = TEMPLATE.read_text(encoding="utf-8")
    for name, section in sections.items():
        text = text.replace(f"@{name}@", section.strip())
    return text
