"""Published measurements: a file for each way to model them, with a row for each number.

A calibration row is one from which a constant of the clock (runtime/data) was derived, which then
names it; all other rows are for validation.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "measurements"
CONSTANTS = Path(__file__).parents[2] / "runtime" / "data"
ARCHS = ("wormhole_b0", "blackhole")

_COMMON = ("id", "use", "group", "target", "measured", "unit", "source")


@dataclass(frozen=True)
class Row:
    """A measurement. ``kind`` is its file, ``arguments`` the columns specific to that file."""

    id: str
    use: str
    group: str
    target: str
    measured: float
    unit: str
    source: str
    kind: str
    arguments: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return self.arguments[name]

    def number(self, name: str) -> int:
        return int(self.arguments[name])


@dataclass(frozen=True)
class Constant:
    """A constant of the clock; ``rows`` are the measurements it was derived from."""

    arch: str
    section: str
    name: str
    value: Any
    source: str
    rows: tuple[str, ...]


def _table(kind: str) -> list[dict[str, str]]:
    with (FOLDER / f"{kind}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rows(kind: str) -> list[Row]:
    """Returns the rows of a file."""
    return [
        Row(
            **{name: line[name] for name in _COMMON if name != "measured"},
            measured=float(line["measured"]),
            kind=kind,
            arguments={name: text for name, text in line.items() if name not in _COMMON},
        )
        for line in _table(kind)
    ]


def not_modelled() -> list[dict[str, str]]:
    """Returns the measurements that cannot be modelled, each with the reason."""
    return _table("not_modelled")


def reasons() -> dict[str, str]:
    """Returns the reasons for errors of the model, by row id."""
    return {line["id"]: line["reason"] for line in _table("reasons")}


def constants() -> Iterator[Constant]:
    """Yields the timing constants of the clock."""
    for arch in ARCHS:
        data = json.loads((CONSTANTS / f"{arch}.json").read_text(encoding="utf-8"))
        for section, entries in data.items():
            if section in ("arch", "chip"):
                continue
            for name, entry in entries.items():
                yield Constant(
                    arch, section, name, entry["value"], entry["source"],
                    tuple(entry.get("rows", ())),
                )  # fmt: skip
