"""The debugger's commands that show state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path

from ttmlir._formats import FORMATS
from ttmlir.debugger import _views as views
from ttmlir.debugger._session import Debugger
from ttmlir.debugger._state import Buffer, Core, Thread
from ttmlir.errors import InputError

_AROUND = 5
#: Of a source.
_MOST_BYTES = 1 << 24


def number_of(text: str) -> int:
    try:
        number = int(text, 0)
    except ValueError:
        raise InputError(f"expected a number, found '{text}'") from None
    if number < 0:
        raise InputError(f"expected a number from 0 on, found {number}")
    return number


class StateCommands:
    """Commands that show state: methods ``do_<name>``, whose docstring begins with the usage."""

    def __init__(self, debugger: Debugger, write: Callable[[str], None]) -> None:
        self.debugger = debugger
        self._write = write
        self._selected: Thread | None = None

    # ------------------------------------------------------------------------------------------
    # Selection

    def _select(self, words: tuple[str, ...]) -> None:
        name, core, device = "", None, 0
        for word in words:
            if "," in word:
                device, core = self._core_of(word)
            elif word in views.THREADS:
                name = word
            else:
                close = get_close_matches(word, views.THREADS, n=1)
                hint = f"; did you mean '{close[0]}'?" if close else ""
                raise InputError(
                    f"expected noc0, noc1, compute or ROW,COLUMN, found '{word}'{hint}"
                )
        before = self._thread()
        if core is None:
            core, device = before.core, before.device
        own = [t for t in self.debugger.threads if (t.device, t.core) == (device, core)]
        if not own:
            raise InputError(f"no kernel runs on core ({core[0]}, {core[1]})")
        same = [t for t in own if t.name == (name or before.name)]
        if name and not same:
            raise InputError(f"no kernel runs on {name} of core ({core[0]}, {core[1]})")
        self._selected = (same or own)[0]

    def do_thread(self, *words: str) -> None:
        """`thread [NAME] [ROW,COLUMN]` selects a thread, or shows the selected one."""
        if words:
            self._select(words)
        self.do_where()

    def _thread(self) -> Thread:
        found = self._selected or self.debugger.stop.thread
        threads = self.debugger.threads
        if not threads:
            raise InputError("no kernel runs")
        # As it is now.
        self._selected = next((t for t in threads if found and t.place == found.place), threads[0])
        return self._selected

    def do_core(self, place: str) -> None:
        """`core ROW,COLUMN` selects a core; on a mesh `core DEVICE:ROW,COLUMN`."""
        self._select((place,))
        self.do_where()

    def _core_of(self, text: str) -> tuple[int, tuple[int, int]]:
        match = re.fullmatch(r"\(?(?:(\d+):)?(\d+),(\d+)\)?", text)
        if match is None:
            raise InputError(f"expected a core as ROW,COLUMN, found '{text}'")
        return int(match[1] or 0), (int(match[2]), int(match[3]))

    def _state(self) -> Core:
        thread = self._thread()
        return self.debugger.core(*thread.core, thread.device)

    # ------------------------------------------------------------------------------------------
    # State

    def do_threads(self) -> None:
        """`threads` shows where all threads are."""
        self._write(views.threads(self.debugger, self._thread()))

    def do_grid(self) -> None:
        """`grid` shows which threads of all cores wait."""
        self._write(views.grid(self.debugger.threads))

    def do_where(self) -> None:
        """`where` shows the place of the selected thread and what it waits for."""
        thread = self._thread()
        self._write(f"{thread}: {thread.instruction}\n{thread.location} ({thread.state})")
        if thread.state == "waiting":
            self._write(views.waiting([thread]).partition("\n")[2])

    def do_wait(self) -> None:
        """`wait` shows which threads wait for what, and which could supply it."""
        self._write(views.waiting(self.debugger.waiting))

    def do_cbs(self, buffer: str = "", page: str = "") -> None:
        """`cbs [BUFFER [PAGE]]` shows the circular buffers of the core, or the numbers of a page,
        by default of the next one to pop."""
        found = self._state().buffers
        if not buffer:
            self._write(views.buffers(found))
            return
        chosen = self._buffer(found, buffer)
        self._write(views.page(chosen, number_of(page) if page else chosen.read_page))

    @staticmethod
    def _buffer(found: Mapping[str, Buffer], name: str) -> Buffer:
        for buffer in found.values():
            if name in (buffer.name, str(buffer.port)):
                return buffer
        raise InputError(f"expected a circular buffer of {', '.join(found)}, found '{name}'")

    def do_sems(self) -> None:
        """`sems` shows the semaphores of the core."""
        found = self._state().semaphores
        self._write(
            views.table(("semaphore", "value"), found.items()) if found else "no semaphores"
        )

    def do_dst(self, index: str = "") -> None:
        """`dst [INDEX]` shows the destination registers of the core, or the numbers of one."""
        found = self._state().registers
        if not index:
            self._write(views.registers(found))
            return
        for register in found:
            if register.index == number_of(index):
                self._write(
                    f"register {register.index} ({register.section}), {register.kind}\n"
                    + views.numbers(register.values)
                )
                return
        raise InputError(f"destination register {index} is not written")

    def do_l1(self, address: str, what: str = "64") -> None:
        """`l1 ADDRESS [BYTES | FORMAT]` shows L1 memory of the core as words, or as a tile."""
        state = self._state()
        if what in FORMATS:
            self._write(views.numbers(state.tile(number_of(address), what)))
        elif what[0].isdigit():
            begin = number_of(address)
            self._write(views.memory(state.l1(begin, number_of(what)), begin))
        else:
            raise InputError(f"expected bytes or a format of {', '.join(FORMATS)}, found '{what}'")

    def do_args(self) -> None:
        """`args` shows the arguments of the selected thread's kernel."""
        found = self.debugger.arguments(self._thread())
        for kind in ("runtime", "common", "compile_time"):
            if found[kind]:
                self._write(f"{kind}: " + " ".join(map(str, found[kind])))
        if not any(found[kind] for kind in ("runtime", "common", "compile_time")):
            self._write("no arguments")

    def do_regs(self) -> None:
        """`regs` shows the registers of the selected thread, which hold its kernel's values."""
        found = self.debugger.arguments(self._thread())["registers"]
        words = [f"r{i}={value & 0xFFFFFFFF}" for i, value in enumerate(found)]
        self._write(" ".join(words) or "a C++ kernel has no registers: see gdb")

    def do_list(self, line: str = "") -> None:
        """`list [LINE]` shows the source around the selected thread, or around a line. Arrows mark
        the threads of the core, and B breakpoints."""
        thread = self._thread()
        path, number = self._line_of(thread)
        text = self._source(path)
        if text is None:
            self._list_code(thread)
            return
        middle = number_of(line) if line else number
        threads = [
            t
            for t in self.debugger.threads
            if (t.device, t.core) == (thread.device, thread.core) and t.state != "ended"
        ]
        stops = {place for b in self.debugger.breakpoints if b.enabled for place in b.places}
        for i in range(max(1, middle - _AROUND), min(len(text), middle + _AROUND) + 1):
            here = [t.name for t in threads if t.line == f"{path}:{i}"]
            mark = "B" if f"{path}:{i}" in stops else " "
            arrow = "->" if here else "  "
            names = f"   <- {', '.join(here)}" if here else ""
            self._write(f"{mark}{arrow}{i:4} {text[i - 1]}{names}".rstrip())

    def _list_code(self, thread: Thread) -> None:
        code = self.debugger.code(thread)
        at = next((i for i, (_, _, is_next) in enumerate(code) if is_next), 0)
        for i in range(max(0, at - _AROUND), min(len(code), at + _AROUND + 1)):
            location, text, is_next = code[i]
            self._write(f" {'->' if is_next else '  '}{i:4} {text}   {location}".rstrip())

    @staticmethod
    def _line_of(thread: Thread) -> tuple[str, int]:
        """Returns the file and the line of a thread; 0 for a location that is no line."""
        path, _, number = thread.line.rpartition(":")
        return path, int(number) if number.isdecimal() else 0

    def _source(self, path: str) -> list[str] | None:
        if path in self.debugger.sources:
            return self.debugger.sources[path].splitlines()
        try:
            # A file may name any path: a device would have no end.
            if not Path(path).is_file() or Path(path).stat().st_size > _MOST_BYTES:
                return None
            return Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            return None

    def do_prints(self) -> None:
        """`prints` shows all lines that the kernels have printed."""
        self._write("\n".join(self.debugger.prints) or "nothing was printed")

    def do_watcher(self, file: str = "") -> None:
        """`watcher [FILE]` shows the state of all cores as tt-metal's watcher logs it, or writes it
        to a file."""
        text = self.debugger.watcher_log()
        if not file:
            self._write(text)
            return
        try:
            Path(file).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"'{file}' cannot be written: {error.strerror}") from None

    def do_info(self, what: str) -> None:
        """`info breakpoints | threads` shows all of them."""
        if "breakpoints".startswith(what):
            self._write(views.breakpoints(self.debugger.breakpoints))
        elif "threads".startswith(what):
            self.do_threads()
        else:
            raise InputError(f"expected breakpoints or threads, found '{what}'")
