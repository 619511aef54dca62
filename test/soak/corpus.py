"""The programs of the lit tests, and what their RUN lines do with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LIT = Path(__file__).parents[1] / "ttmlir"
#: A pass or a pipeline with its options.
Pass = tuple[str, str]
#: Longer ones take their time for nothing.
LONGEST = 12000


@dataclass(frozen=True)
class Text:
    """A part of a test file, without comments, and the passes that its file runs."""

    name: str
    text: str
    runs: tuple[tuple[Pass, ...], ...]
    #: Whether the file is about correct programs.
    is_valid: bool


def _runs(text: str, known: Sequence[str]) -> tuple[tuple[Pass, ...], ...]:
    found = []
    joined = re.sub(r"\\\n// RUN:\s*", " ", text)
    for line in re.findall(r"// RUN:(.*)", joined):
        if "ttmlir-opt" not in line:
            continue
        command = line.split("ttmlir-opt", 1)[1].split("|")[0]
        options = re.findall(r"--([a-z][\w-]+)(?:=(?:\"([^\"]*)\"|'([^']*)'|(\S+)))?", command)
        passes = tuple(
            # Files of the test, such as a system description, are not there.
            (name, "" if "%" in (value := a or b or c) else value)
            for name, a, b, c in options
            if name in known
        )
        if passes:
            found.append(passes)
    return tuple(found)


@cache
def texts(known: tuple[str, ...]) -> tuple[Text, ...]:
    """All parts of all files; of the RUN lines the ``known`` passes."""
    found = []
    for path in sorted(LIT.rglob("*.mlir")):
        content = path.read_text(encoding="utf-8")
        runs = _runs(content, known)
        for i, part in enumerate(re.split(r"^// -----.*$", content, flags=re.M)):
            text = re.sub(r"^\s*//.*\n", "", part, flags=re.M)
            text = re.sub(r"\n\s*\n+", "\n", text).lstrip()
            if len(text) < LONGEST and "(" in text:
                name = f"{path.relative_to(LIT)}#{i}"
                is_valid = not path.stem.endswith(("-errors", "_errors"))
                found.append(Text(name, text, runs, is_valid))
    return tuple(found)
