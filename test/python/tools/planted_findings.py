"""Runs a campaign with planted mistakes, saves its findings in a folder and prints a summary."""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "soak"))

import engine


class Planted:
    """Case 1 fails, 2 raises, 3 aborts, 4 hangs, 5 aborts as is known; the others are fine."""

    name = "planted"
    seconds = 5.0
    batch = 4
    known_aborts = (("mistake of another", "case 3"), ("mistake of another", "case 5"))

    def run(self, seed: int, note: engine.Note) -> str:
        note(f"case {seed}")
        if seed == 1:
            raise engine.Failure("wrong", "not what was expected", "reduced")
        if seed == 2:
            raise ValueError("unforeseen")
        if seed == 3:
            os.abort()
        if seed == 4:
            time.sleep(60)
        if seed == 5:
            os.write(2, b"mistake of another")
            os.abort()
        return "fine"


def main(folder: Path) -> None:
    summary = engine.run(Planted(), itertools.count(), time.monotonic() + 60, 7)
    for finding in summary.findings:
        finding.save(folder)
    found = {finding.seed: (finding.kind, finding.reproducer) for finding in summary.findings}
    print(json.dumps({"ends": summary.ends, "findings": found}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
