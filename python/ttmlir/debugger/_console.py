"""The commands of the debugger's terminal."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path

from ttmlir.debugger import _views as views
from ttmlir.debugger._session import Debugger, Stop
from ttmlir.debugger._state_commands import StateCommands, number_of
from ttmlir.errors import Error, InputError

#: Abbreviations that are not the start of one command only.
ALIASES = {
    "b": "break",
    "bt": "where",
    "c": "continue",
    "cb": "cbs",
    "d": "delete",
    "i": "info",
    "l": "list",
    "n": "next",
    "p": "prints",
    "q": "quit",
    "r": "run",
    "s": "step",
    "sc": "stepcore",
    "sem": "sems",
    "si": "stepi",
    "t": "thread",
    "w": "wait",
    "exit": "quit",
}
#: Commands that an empty line repeats.
_REPEATED = ("continue", "step", "stepi", "stepcore", "next")


class Console(StateCommands):
    """Executes commands on a stopped program; ``write`` takes their output."""

    def __init__(self, debugger: Debugger, write: Callable[[str], None]) -> None:
        super().__init__(debugger, write)
        self._printed = 0
        self._last = ""
        #: The lines where breakpoints were, by id.
        self._places: dict[int, tuple[str, ...]] = {}

    @property
    def commands(self) -> tuple[str, ...]:
        """The names of all commands."""
        return tuple(name[3:] for name in dir(self) if name.startswith("do_"))

    def execute(self, line: str) -> bool:
        """Executes a command; an empty line repeats a step. Returns False to quit.

        Raises:
            InputError: there is no such command, or it cannot be executed now.
        """
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise InputError(str(error)) from None
        if not words or words[0].startswith("#"):
            if line.strip() or not self._last:
                return True
            words = shlex.split(self._last)
        name = self.find(words[0])
        self._last = shlex.join(words) if name in _REPEATED else ""
        if name == "quit":
            return False
        getattr(self, "do_" + name)(*self._arguments(name, words[1:]))
        return True

    def _arguments(self, name: str, words: list[str]) -> list[str]:
        parameters = inspect.signature(getattr(self, "do_" + name)).parameters.values()
        if any(p.kind is p.VAR_POSITIONAL for p in parameters):
            return words
        least = sum(p.default is p.empty for p in parameters)
        if not least <= len(words) <= len(parameters):
            usage = (getattr(self, "do_" + name).__doc__ or "").split("`")[1]
            raise InputError(f"expected: {usage}")
        return words

    def find(self, word: str) -> str:
        """Returns the command that a name or an abbreviation stands for.

        Raises:
            InputError: there is none, or several.
        """
        commands = self.commands
        if word in commands:
            return word
        if word in ALIASES:
            return ALIASES[word]
        found = [name for name in commands if name.startswith(word)]
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(f"'{word}' is ambiguous: {', '.join(found)}")
        close = get_close_matches(word, commands, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else "; 'help' lists all"
        raise InputError(f"there is no command '{word}'{hint}")

    # ------------------------------------------------------------------------------------------
    # Control

    def do_break(self, *words: str) -> None:
        """`break FILE:LINE [kernel=NAME] [thread=NAME] [core=ROW,COLUMN]` stops in front of a line.
        `break KERNEL` stops at the start of a kernel."""
        self._add_breakpoint(words, once=False)

    def do_tbreak(self, *words: str) -> None:
        """`tbreak FILE:LINE [kernel=NAME] [thread=NAME] [core=ROW,COLUMN]` stops once."""
        self._add_breakpoint(words, once=True)

    def _add_breakpoint(self, words: tuple[str, ...], once: bool) -> None:
        line = kernel = thread = ""
        core, device = None, 0
        for word in words:
            key, equals, value = word.partition("=")
            if equals and key == "kernel":
                kernel = value
            elif equals and key == "thread":
                thread = value
            elif equals and key == "core":
                device, core = self._core_of(value)
            elif equals and key not in ("kernel", "thread", "core"):
                raise InputError(f"expected kernel=, thread= or core=, found '{word}'")
            elif ":" in word:
                line = word
            elif word.isdecimal():
                path = self._thread().line.rpartition(":")[0]
                line = f"{Path(path).name}:{word}"
            else:
                kernel = word
        if not words:
            line = self._thread().line
        if kernel:
            known = list(dict.fromkeys(t.kernel for t in self.debugger.threads))
            if kernel not in known:
                close = get_close_matches(kernel, known, n=1)
                hint = f"did you mean '{close[0]}'?" if close else f"expected {', '.join(known)}"
                raise InputError(f"no kernel '{kernel}' runs: {hint}")
        made = self.debugger.break_at(
            line, kernel=kernel, thread=thread, core=core, device=device, once=once
        )
        self._places[made.id] = made.places
        if made.places:
            self._write(f"Breakpoint {made.id} at {', '.join(made.places)}")
            return
        files = {Path(t.line.rpartition(":")[0]).name for t in self.debugger.threads}
        close = get_close_matches(line.rpartition(":")[0], files, n=1)
        hint = f"; did you mean '{close[0]}'?" if close and close[0] not in line else ""
        self._write(f"Breakpoint {made.id} is pending: no kernel has the line {line} now{hint}")

    def do_delete(self, *ids: str) -> None:
        """`delete [ID...]` deletes breakpoints, by default all."""
        for found in ids or [str(b.id) for b in self.debugger.breakpoints]:
            self.debugger.delete(number_of(found))

    def do_enable(self, *ids: str) -> None:
        """`enable ID...` enables breakpoints."""
        for found in ids:
            self.debugger.enable(number_of(found))

    def do_disable(self, *ids: str) -> None:
        """`disable ID...` disables breakpoints."""
        for found in ids:
            self.debugger.enable(number_of(found), False)

    def do_run(self) -> None:
        """`run` continues, like `continue`."""
        self._resume(self.debugger.run)

    def do_continue(self, count: str = "1") -> None:
        """`continue [COUNT]` runs to the next breakpoint, fault, deadlock or the end."""
        self._repeat(self.debugger.run, count)

    def do_step(self, count: str = "1") -> None:
        """`step [COUNT]` runs the selected thread to another line; other threads run, too."""
        self._repeat(lambda: self.debugger.step_line(self._thread()), count)

    def do_next(self, count: str = "1") -> None:
        """`next [COUNT]` is `step`: functions of a kernel are inlined."""
        self.do_step(count)

    def do_stepi(self, count: str = "1") -> None:
        """`stepi [COUNT]` executes an instruction of the selected thread."""
        self._repeat(lambda: self.debugger.step(self._thread()), count)

    def do_stepcore(self, count: str = "1") -> None:
        """`stepcore [COUNT]` executes an instruction of each thread of the selected core."""
        self._repeat(lambda: self.debugger.step_core(self._thread()), count)

    def do_until(self, line: str) -> None:
        """`until FILE:LINE` runs to a line."""
        self._add_breakpoint((line,), once=True)
        self._resume(self.debugger.run)

    def _repeat(self, move: Callable[[], Stop], count: str) -> None:
        for _ in range(number_of(count) - 1):
            if self._moved(move).reason not in ("step", "breakpoint"):
                break
        else:
            self._moved(move)
        self._show_stop()

    def _resume(self, move: Callable[[], Stop]) -> None:
        self._moved(move)
        self._show_stop()

    def _moved(self, move: Callable[[], Stop]) -> Stop:
        if self.debugger.stop.reason == "ended":
            raise InputError("the program has ended")
        try:
            stop = move()
        except KeyboardInterrupt:
            stop = self.debugger.interrupt()
        self._selected = stop.thread
        return stop

    def _show_stop(self) -> None:
        stop = self.debugger.stop
        lines = self.debugger.prints
        for line in lines[self._printed :]:
            self._write(line)
        self._printed = len(lines)
        source = None
        if stop.thread is not None:
            path, number = self._line_of(stop.thread)
            text = self._source(path)
            if text is not None and 0 < number <= len(text):
                source = text[number - 1]
        for found in self.debugger.breakpoints if stop.breakpoints else ():
            before = self._places.get(found.id, ())
            self._places[found.id] = found.places
            for old, new in zip(before, found.places, strict=False):
                if found.id in stop.breakpoints and old != new:
                    self._write(f"Breakpoint {found.id} moved to {new}: {old} has no call")
        self._write(views.stop(stop, source))

    def do_help(self, command: str = "") -> None:
        """`help [COMMAND]` shows all commands, or one."""
        if command:
            text = getattr(self, "do_" + self.find(command)).__doc__ or ""
            self._write(" ".join(text.replace("`", "").split()))
            return
        rows = []
        for name in sorted(self.commands):
            text = " ".join((getattr(self, "do_" + name).__doc__ or "").split())
            _, usage, meaning = text.split("`", 2)
            rows.append((usage, meaning.strip().replace("`", "").partition(". ")[0].rstrip(".")))
        self._write(views.table(("command", "effect"), rows))

    def do_quit(self) -> None:
        """`quit` abandons the program."""


def run_commands(console: Console, lines: list[str], write: Callable[[str], None]) -> None:
    """Executes commands and shows each behind a prompt; stops after `quit`.

    Raises:
        Error: a command failed; the message names it.
    """
    for line in lines:
        write(f"(ttrt) {line}")
        try:
            if not console.execute(line):
                return
        except Error as error:
            raise Error(f"{line}: {error}") from None
