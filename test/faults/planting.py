"""Plants faults into sources in a form that can be switched at run time.

One build has all faults; the environment variable ``TTMLIR_PLANTED_FAULT`` is the number of the
active one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from faults import ACTIVE, Fault

VARIABLE = "TTMLIR_PLANTED_FAULT"

#: Included at the top of each planted C++ file. Each file has its own copy, since some are built
#: for other processors, and a shared function could come from any of them.
HEADER = f"""#pragma once
#include <cstdlib>
[[maybe_unused]] static const int ttmlir_planted_fault = [] {{
  const char *text = std::getenv("{VARIABLE}");
  return text ? std::atoi(text) : 0;
}}();
static inline bool ttmlir_fault(int number) {{
  return ttmlir_planted_fault == number;
}}
"""

#: On the line of the import from ``__future__``, so that all lines keep their numbers.
_FUTURE = "from __future__ import annotations\n"
_HELPER = (
    "from __future__ import annotations; _planted_fault = lambda number: "
    f'__import__("os").environ.get("{VARIABLE}") == str(number)\n'
)


def switched(fault: Fault) -> str:
    """Returns the replacement of ``fault.place`` with the faulty and the correct text."""
    name = "_planted_fault" if fault.is_python else "ttmlir_fault"
    active = f"{name}({fault.number})"
    if ACTIVE in fault.faulty:
        both = fault.faulty.replace(ACTIVE, active)
    elif fault.is_python:
        both = f"(({fault.faulty}) if {active} else ({fault.original}))"
    else:
        both = f"({active} ? ({fault.faulty}) : ({fault.original}))"
    return fault.place.replace(fault.original, both)


def problem(root: Path, fault: Fault) -> str:
    """Returns why the fault cannot be planted; empty if it can."""
    path = root / fault.file
    if not path.exists():
        return "the file does not exist"
    text = path.read_text(encoding="utf-8")
    if (count := text.count(fault.place)) != 1:
        return f"expected the original text once, found it {count} times"
    if (count := fault.place.count(fault.original)) != 1:
        return f"expected the original text once in its context, found it {count} times"
    if fault.is_python and text.count(_FUTURE) != 1:
        return f"expected '{_FUTURE.strip()}'"
    return ""


def problems(root: Path, faults: Iterable[Fault]) -> list[str]:
    """Returns a line for each fault that cannot be planted."""
    return [
        f"{fault.number}: {fault.file}: {why}" for fault in faults if (why := problem(root, fault))
    ]


def planted(text: str, faults: Sequence[Fault], header: Path) -> str:
    """Returns the text of a file with its faults; all lines keep their numbers."""
    for fault in faults:
        text = text.replace(fault.place, switched(fault))
    if faults[0].is_python:
        return text.replace(_FUTURE, _HELPER)
    return f'#include "{header}"\n#line 1\n{text}'


def by_file(faults: Iterable[Fault]) -> dict[str, list[Fault]]:
    found: dict[str, list[Fault]] = {}
    for fault in faults:
        found.setdefault(fault.file, []).append(fault)
    return found


def plant(root: Path, faults: Iterable[Fault], header: Path) -> None:
    """Plants faults into the files of a checkout, and writes ``header`` for them."""
    header.write_text(HEADER, encoding="utf-8")
    for file, own in by_file(faults).items():
        path = root / file
        path.write_text(planted(path.read_text(encoding="utf-8"), own, header), encoding="utf-8")
