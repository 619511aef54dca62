"""`ttrt debug`: debugs the kernels of a program in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ttrt.common.errors import TTRTError
from ttrt.common.run import Call, Run, where
from ttrt.common.util import Binary, Program


class Debug(Run):
    """Runs like `ttrt run`, but stops in front of the first kernels. Reads commands from the
    terminal, or executes those of `--script` and `--command`, or of the standard input if it is
    not a terminal, and quits."""

    name = "debug"
    help = "debug the kernels of a flatbuffer binary"

    def preprocess(self) -> None:
        super().preprocess()
        self._quit = False
        self._commands = [*self._script(), *self["command"]]
        self._interactive = not self._commands and not self["script"] and sys.stdin.isatty()
        if not self._commands and not self["script"] and not self._interactive:
            self._commands = sys.stdin.read().splitlines()

    def _script(self) -> list[str]:
        if not self["script"]:
            return []
        try:
            return Path(self["script"]).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not a text in UTF-8"
            raise TTRTError(f"--script: '{self['script']}' cannot be read: {reason}") from None

    def _run_program(self, device: Any, file: Binary, program: Program) -> None:
        if not self._quit:
            super()._run_program(device, file, program)

    def measure(self, device: Any, file: Binary, program: Program, call: Call) -> None:
        """Debugs the program."""
        from ttmlir import Error
        from ttmlir.debugger import Debugger
        from ttmlir.debugger._console import Console, run_commands
        from ttmlir.debugger._terminal import prompt

        try:
            with Debugger(device, lambda: call.run(device, file, program, 1)) as debugger:
                self.logger.info(f"debugging {where(file, program)}")
                console = Console(debugger, self.logger.output)
                if self._interactive:
                    prompt(console)
                else:
                    run_commands(console, self._commands, self.logger.output)
                self._quit = debugger.stop.reason != "ended"
                if not self._quit:
                    debugger.result  # noqa: B018 (raises the error of the program)
        except Error as error:
            raise TTRTError(str(error)) from None

    def show_prints(self, device: Any) -> None:
        """The debugger has shown them."""

    def _check_outputs(self, *arguments: Any) -> None:
        """A program that was abandoned has no outputs."""
        if not self._quit:
            super()._check_outputs(*arguments)
