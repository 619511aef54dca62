"""Suggestions of compile options that make an executable faster; see ``Executable.advise``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ttmlir._report import tables

#: Changes that save a smaller fraction of the time are not suggested.
MIN_GAIN = 0.01

Keywords = Mapping[str, Any]


@dataclass(frozen=True)
class Suggestion:
    """A change that makes a program faster.

    Args:
        keywords: options to pass to ``ttmlir.compile``, in addition to those of the executable or
            instead of them.
        reason: what the change does.
        before: modelled seconds of a run without the change, excluding host transfers.
        after: the same with the change.
        correlation: the lowest Pearson correlation of a result with that of the executable; None if
            the program was not run.
    """

    keywords: Keywords
    reason: str
    before: float
    after: float
    correlation: float | None = None

    @property
    def speedup(self) -> float:
        """Time before the change divided by the time after it."""
        return self.before / self.after

    @property
    def options(self) -> str:
        """The keywords as written in a call."""
        return ", ".join(f"{name}={value!r}" for name, value in self.keywords.items())

    def cells(self) -> list[str]:
        """Returns speedup, time, correlation, options and reason for a table."""
        pcc = "" if self.correlation is None else f"{self.correlation:.5f}"
        return [f"{self.speedup:.2f}", tables.time(self.after), pcc, self.options, self.reason]

    def __str__(self) -> str:
        pcc = "" if self.correlation is None else f", PCC {self.correlation:.5f}"
        return (
            f"{self.speedup:.2f} times as fast ({tables.time(self.after)} instead of "
            f"{tables.time(self.before)}{pcc}): {self.options}. {self.reason}"
        )


@dataclass(frozen=True)
class Advice(Sequence[Suggestion]):
    """Suggestions for a program, best first; made by ``Executable.advise``.

    Args:
        program: its name.
        seconds: modelled seconds of a run, excluding host transfers.
        suggestions: individual changes.
        together: the combination of changes that add to each other; None if there are fewer than
            two.
        trials: the number of compiled programs.
    """

    program: str
    seconds: float
    suggestions: tuple[Suggestion, ...]
    together: Suggestion | None
    trials: int

    def __len__(self) -> int:
        return len(self.suggestions)

    def __getitem__(self, index: Any) -> Any:
        return self.suggestions[index]

    def all(self) -> tuple[Suggestion, ...]:
        """Returns the suggestions, and their combination if there is one."""
        return (*self.suggestions, *([self.together] if self.together else ()))

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Returns a line with the program's time, and one for each suggestion."""
        count = "1 trial" if self.trials == 1 else f"{self.trials} trials"
        head = f"advice: a run of {self.program} takes {tables.time(self.seconds)}, {count}"
        if not self.suggestions:
            return [f"{head}, none at least {MIN_GAIN:.0%} faster"]
        return [head, *(f"- {suggestion}" for suggestion in self.all())]
