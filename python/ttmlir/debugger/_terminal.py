"""The debugger's prompt in a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ttmlir.debugger import _views as views
from ttmlir.debugger._console import Console
from ttmlir.debugger._session import Debugger
from ttmlir.errors import Error

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.formatted_text import StyleAndTextTuples


def interact(debugger: Debugger) -> None:
    """Reads commands of `ttrt debug` from the terminal until `quit` or the end of the input.

    Keeps the threads of the core in sight. Ctrl-C interrupts a program that runs, and clears the
    line of one that has stopped.
    """
    prompt(Console(debugger, print))


def _has_event_loop() -> bool:
    """Whether the caller runs in an event loop, such as a notebook's, where a prompt cannot start
    another one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def prompt(console: Console) -> None:
    """Reads commands of a console, like ``interact``."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion

    class Words(Completer):
        def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
            before = document.text_before_cursor.split(" ")
            for word in _choices(console, before[:-1]):
                if word.startswith(before[-1]):
                    yield Completion(word, -len(before[-1]))

    session: PromptSession[str] = PromptSession(
        completer=Words(),
        complete_while_typing=False,
        bottom_toolbar=lambda: _toolbar(console),
    )
    while True:
        try:
            if not console.execute(session.prompt("(ttrt) ", in_thread=_has_event_loop())):
                return
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        except Error as error:
            print(f"error: {error}")


def _choices(console: Console, before: list[str]) -> Iterable[str]:
    if not before:
        return console.commands
    try:
        threads = console.debugger.threads
        name = console.find(before[0])
    except Error:
        return ()
    if name in ("break", "tbreak", "until"):
        return dict.fromkeys([*(t.kernel for t in threads), *(views.place(t) for t in threads)])
    if name == "thread":
        return dict.fromkeys(t.name for t in threads)
    if name == "help":
        return console.commands
    return ()


def _toolbar(console: Console) -> StyleAndTextTuples:
    """Shows the threads of the core at which the program has stopped."""
    stop = console.debugger.stop
    try:
        threads = console.debugger.threads
    except Error:
        return [("", stop.reason)]
    core = stop.thread or (threads[0] if threads else None)
    own = [t for t in threads if core and (t.device, t.core) == (core.device, core.core)]
    places = "  |  ".join(f"{t.name} {views.place(t)} {t.state}" for t in own)
    where = f"core ({core.core[0]}, {core.core[1]})" if core else ""
    return [("bold", where), ("", f"  {places}")]
