"""Compares modelled times with published measurements, and writes docs/src/accuracy.md.

    python benchmarks/accuracy/run.py [--check] [KIND...]

Without arguments, runs all rows and writes the page. With kinds (files of `measurements`), prints
their rows. ``--check`` runs the quick rows and compares them with the page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import engine_rows
import measurements
import network_rows
import program_rows
from measurements import Row
from page import Result, digest, missing_reasons, page

PAGE = Path(__file__).parents[2] / "docs" / "src" / "accuracy.md"


class Kind(NamedTuple):
    model: Callable[[Row], float]
    text: str
    quick: bool = True


KINDS = {
    "transfers": Kind(network_rows.transfers, "{chip}: {count} x {op}, {bytes} B, {where}"),
    "multicasts": Kind(
        network_rows.multicasts, "{chip}: {count} x {bytes} B, {rows}x{columns} cores"
    ),
    "bandwidths": Kind(
        network_rows.bandwidths, "{chip}: {op} of {channels} channels, NOC{noc}, {place} cores"
    ),
    "tiles": Kind(engine_rows.tiles, "{chip}: {op}, {fidelity}, {mode}, {engine}"),
    "launches": Kind(program_rows.launches, "{chip}: from op to op"),
    "host_launches": Kind(program_rows.host_launches, "{chip}: an op that the host launches"),
    "uploads": Kind(program_rows.uploads, "{chip}: from the host to DRAM, pages of {page} B"),
    "functions": Kind(program_rows.functions, "{chip}: {op} of {rows}x{columns}, {part}"),
    "products": Kind(
        program_rows.products,
        "{chip}: {dtype}, {fidelity}, {memory}, {m}x{k} by {k}x{n}",
        quick=False,
    ),
    "collectives": Kind(
        program_rows.collectives,
        "{chip}: {op}, {devices} chips in a {topology}, {bytes} B",
        quick=False,
    ),
}
CHIPS = {"n150": "WH", "n300": "WH", "t3000": "WH", "p150": "BH"}


def run(row: Row) -> Result:
    kind = KINDS[row.kind]
    text = kind.text.format(chip=CHIPS[row.target], **row.arguments)
    return Result(row, text, kind.model(row))


def check() -> list[str]:
    """Returns the differences between the page and a run of the quick rows."""
    if not PAGE.exists() or f"digest: {digest()}" not in PAGE.read_text(encoding="utf-8"):
        return [f"{PAGE.name} was made from other constants or measurements"]
    found = PAGE.read_text(encoding="utf-8")
    different = []
    for name, kind in KINDS.items():
        for row in measurements.rows(name) if kind.quick else ():
            line = " | ".join(run(row).cells())
            if line not in found:
                different.append(f"{PAGE.name} has another line of {row.id}; now: {line}")
    return different


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="kind", help=", ".join(KINDS))
    parser.add_argument("--check", action="store_true", help="compare with the page")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.kinds if name not in KINDS]
    if unknown:
        parser.error(f"no kind '{unknown[0]}', expected one of {', '.join(KINDS)}")
    if arguments.check:
        different = check()
        sys.exit("\n".join([*different, f"run {Path(__file__).name} again"]) if different else 0)
    results = []
    for name in arguments.kinds or KINDS:
        for row in measurements.rows(name):
            results.append(run(row))
            print(*results[-1].cells(), row.use, sep="  ", flush=True)
    if arguments.kinds:
        return
    missing = missing_reasons(r for r in results if r.row.use == "validation")
    if missing:
        sys.exit(f"reasons.csv: expected why these rows are off: {', '.join(missing)}")
    PAGE.write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main()
