"""The commands of the debugger's terminal."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path

import pytest
from debugged_programs import NUMBERS, deadlock, doubling, endless, line
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

import ttmlir
from ttmlir import kernel
from ttmlir.debugger import Debugger, interact
from ttmlir.debugger import _views as views
from ttmlir.debugger._console import ALIASES, Console, run_commands
from ttmlir.debugger._terminal import _choices, _toolbar


class Terminal:
    """A console that collects what it writes."""

    def __init__(self, debugger: Debugger) -> None:
        self.lines: list[str] = []
        self.debugger = debugger
        self.console = Console(debugger, self.lines.append)

    def __call__(self, command: str) -> str:
        self.lines.clear()
        assert self.console.execute(command)
        return "\n".join(self.lines)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with doubling().debug(x=NUMBERS) as debugger:
        yield Terminal(debugger)


def test_breakpoints(terminal: Terminal) -> None:
    assert terminal(f"break {line('commit')}").startswith("Breakpoint 1 at ")
    assert terminal("b write thread=noc1 core=0,0").startswith("Breakpoint 2 at ")
    assert "is pending" in terminal("b elsewhere.py:3")
    hint = terminal("b debuged_programs.py:3")
    assert hint.endswith("; did you mean 'debugged_programs.py'?")
    shown = terminal("info b")
    assert f"{line('commit')} " in shown
    assert "the start of kernel write on noc1 of core (0, 0)" in shown
    assert "pending" in shown
    terminal("disable 1 2")
    assert [b.enabled for b in terminal.debugger.breakpoints] == [False, False, True, True]
    terminal("enable 1")
    terminal("delete 3 4")
    assert [b.id for b in terminal.debugger.breakpoints] == [1, 2]
    terminal("d")
    assert terminal("i b") == "no breakpoints"


def test_control(terminal: Terminal) -> None:
    terminal(f"tbreak {line('reserve')}")
    shown = terminal("run")
    assert shown.startswith("Breakpoint 1, read on noc0 of core (0, 0): cb_reserve_back(cb 0, 1)")
    assert shown.endswith("kernel.cb_reserve_back(tiles, 1)  # reserve")
    assert "get_write_ptr(cb 0)" in terminal("stepi")
    assert "noc_async_read_page" in terminal("")  # the same again
    assert "noc_async_read_barrier()" in terminal("s")
    assert "0:(x=0,y=0):NC: page 0" in terminal("next 2")
    assert terminal("prints") == "0:(x=0,y=0):NC: page 0"
    assert "write on noc1" in terminal("t noc1")
    assert "Stopped, write on noc1" in terminal("sc")
    assert "Breakpoint 2, double on compute" in terminal(f"until {line('commit')}")
    assert terminal("c").endswith("0:(x=0,y=0):NC: page 5\nThe program has ended")
    with pytest.raises(ttmlir.InputError, match="the program has ended"):
        terminal("run")
    with pytest.raises(ttmlir.InputError, match="has ended"):
        terminal("threads")


def test_state(terminal: Terminal) -> None:
    terminal(f"b {line('commit')}")
    terminal("r")
    listing = terminal("list")
    (here,) = (row for row in listing.splitlines() if "->" in row)
    assert here.startswith("B->")
    assert here.endswith("kernel.tile_regs_commit()  # commit   <- compute")
    assert len(terminal("l 3").splitlines()) == 8
    buffers = [row.split() for row in terminal("cbs").splitlines()]
    assert ["in0", "(0)", "bf16", "2", "x", "2048", "2", "0", "0", "0", "1", "0"] in [
        row[:-1] for row in buffers
    ]
    assert terminal("cbs in0").startswith("in0 page 0 (available), bf16\n[[   0.    1.    2.")
    assert terminal("cb 16 1").startswith("out0 page 1 (free), bf16")
    assert terminal("dst").splitlines()[-1].split() == ["0", "math", "f32", "0", "6016"]
    assert terminal("dst 0").startswith("register 0 (math), f32\n[[   0.    2.    4.")
    address = terminal.debugger.core(0, 0).buffers["in0"].address
    assert terminal(f"l1 {address:#x} 8") == f"{address:#010x}: 3f800000 40404000"
    assert terminal(f"l1 {address} bf16").startswith("[[   0.    1.    2.")
    assert terminal("sems") == "no semaphores"
    assert terminal("args") == "no arguments"
    assert terminal("regs").startswith("r0=")
    waits = terminal("wait")
    assert "waits for 1 free pages of circular buffer 0, which has 0 of 2" in waits
    assert "  <- kernel 'double' on compute of core (0, 0), which waits" in waits
    assert len(terminal("i threads").splitlines()) == 5
    assert "double on compute" in terminal("bt")
    assert "   0 WWR" in terminal("grid").splitlines()
    assert terminal("watcher").splitlines()[0].endswith("k_ids:2|1|3")


def test_a_deadlock() -> None:
    with deadlock().debug() as debugger:
        terminal = Terminal(debugger)
        assert terminal("run").startswith("Deadlock: 2 threads wait forever\n")
        assert terminal("wait").count("waits for semaphore 0 to be 1, which is 0") == 2
        assert terminal("grid").splitlines()[1:3] == ["       0   1", "   0 W-- W--"]
        assert terminal("core 0,1").startswith("exchange on noc0 of core (0, 1)")
        assert terminal("sems").splitlines()[-1].split() == ["0", "0"]
        assert terminal("c") == "The program has ended: deadlock: 2 threads wait forever"


def test_writes_the_log_of_the_watcher(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal(f"watcher {tmp_path / 'watcher.log'}") == ""
    assert (tmp_path / "watcher.log").read_text().startswith("Device 0 worker core(x= 0,y= 0): ")
    with pytest.raises(ttmlir.InputError, match="cannot be written"):
        terminal(f"watcher {tmp_path / 'none' / 'watcher.log'}")


def test_ctrl_c_stops_the_program() -> None:
    with endless().debug() as debugger:
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        terminal = Terminal(debugger)
        assert terminal("run").startswith("Interrupted, spin on noc0 of core (0, 0)")
        assert debugger.threads[0].steps > 100


def test_the_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        doubling().debug(x=NUMBERS) as debugger,
        create_pipe_input() as keys,
        create_app_session(input=keys, output=DummyOutput()),
    ):
        # An error is a line, Ctrl-C clears a line, Ctrl-D ends.
        keys.send_text("tbreak double\nrun\nstpe\nxyz\x03\x04")
        interact(debugger)
        assert debugger.stop.reason == "breakpoint"
        assert [b.kernel for b in debugger.breakpoints] == []
        shown = capsys.readouterr().out
        assert "Breakpoint 1, double on compute of core (0, 0)" in shown
        assert shown.endswith("error: there is no command 'stpe'; did you mean 'step'?\n")
        console = Console(debugger, print)
        assert _toolbar(console)[0] == ("bold", "core (0, 0)")
        assert {"break", "tbreak", "run"} <= {*_choices(console, [])}
        assert {"read", "double", "write"} <= {*_choices(console, ["b"])}
        assert {*_choices(console, ["thread"])} == {"noc0", "noc1", "compute"}
        assert {*_choices(console, ["nothing"])} == set()
        debugger.run()
        assert _toolbar(console) == [("", "ended")]


def test_the_prompt_in_an_event_loop() -> None:
    """As in a notebook."""

    async def cell() -> None:
        interact(debugger)

    with (
        doubling().debug(x=NUMBERS) as debugger,
        create_pipe_input() as keys,
        create_app_session(input=keys, output=DummyOutput()),
    ):
        keys.send_text("run\n\x04")
        # Another test may have left a loop in this thread.
        with ThreadPoolExecutor(1) as threads:
            threads.submit(copy_context().run, asyncio.run, cell()).result()
        assert debugger.stop.reason == "ended"


@pytest.mark.parametrize("name", ["", "no line", "/dev/zero:3:1", "a\x00b:3:1", "/:1:1"])
def test_locations_without_a_source(name: str) -> None:
    text = """
    func.func @wait(%tiles: !ttkernel.cb<cb_in0, 0, memref<1x1x!tt.tile<32x32, bf16>,
                            #tt.memory_space<l1>>, 2048, 1>) {
      %one = arith.constant 1 : i32
      "ttkernel.cb_reserve_back"(%tiles, %one) : (!ttkernel.cb<cb_in0, 0,
          memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>, 2048, 1>, i32) -> ()
      return
    }
    """
    program = kernel.Program("text")
    program.output("y", (32, 32), "bf16")
    program.add(
        kernel.parse(text, kernel.DataMovement(0), name="wait"), program.circular_buffer("in0")
    )
    with program.debug(checks=False) as debugger:
        terminal = Terminal(debugger)
        thread = debugger.threads[0]
        debugger.break_at(kernel="wait")
        assert terminal("run").startswith("Breakpoint 1, wait on noc0")
        assert "cb_reserve_back(cb 0, " in terminal("list")
        assert views.place(replace(thread, location=name))
        assert terminal.console._line_of(replace(thread, location=name))[1] in (0, 1, 3)
        assert terminal.console._source(name.rsplit(":", 2)[0]) is None


def test_help_has_every_command(terminal: Terminal) -> None:
    shown = terminal("help")
    for name in terminal.console.commands:
        assert f"\n{name}" in shown
        assert terminal(f"help {name}").startswith(name)
    assert {terminal.console.find(name) for name in ALIASES} <= {*terminal.console.commands}
    assert terminal("# a comment") == ""


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("stpe", "there is no command 'stpe'; did you mean 'step'?"),
        ("xyz", "there is no command 'xyz'; 'help' lists all"),
        ("w 3", "expected: wait"),
        ("st", "'st' is ambiguous: step, stepcore, stepi"),
        ("step x", "expected a number, found 'x'"),
        ("step -1", "expected a number from 0 on, found -1"),
        ("until", "expected: until FILE:LINE"),
        ("b doubel", "no kernel 'doubel' runs: did you mean 'double'?"),
        ("b a.py:3 krenel=x", "expected kernel=, thread= or core=, found 'krenel=x'"),
        ("b a.py:3 core=0", "expected a core as ROW,COLUMN, found '0'"),
        ("b a.py:3 thread=brisc", "expected the thread noc0, noc1 or compute, found 'brisc'"),
        ("thread nco1", "did you mean 'noc1'?"),
        ("core 3,3", "no kernel runs on core (3, 3)"),
        ("cbs in5", "expected a circular buffer of in0, out0, found 'in5'"),
        ("cbs in0 7", "in0: expected a page below 2, found 7"),
        ("dst 3", "destination register 3 is not written"),
        ("l1 0 f99", "expected bytes or a format of "),
        ("l1 0 99999999", "expected bytes of an L1 of "),
        ("delete 9", "there is no breakpoint 9"),
        ("info x", "expected breakpoints or threads, found 'x'"),
        ('b "', "No closing quotation"),
    ],
)
def test_errors(terminal: Terminal, command: str, message: str) -> None:
    with pytest.raises(ttmlir.InputError) as error:
        terminal(command)
    assert message in str(error.value)


def test_a_script_ends_at_its_first_error(terminal: Terminal) -> None:
    lines: list[str] = []
    with pytest.raises(ttmlir.Error, match="stpe: there is no command"):
        run_commands(terminal.console, ["run", "stpe", "wait"], lines.append)
    assert lines == ["(ttrt) run", "(ttrt) stpe"]
    run_commands(terminal.console, ["quit", "wait"], lines.append)
    assert lines[2:] == ["(ttrt) quit"]
