"""`ttrt perf`: has the options of `ttrt run`; this version has no performance trace."""

from __future__ import annotations

from ttrt.common.command import Command
from ttrt.common.util import TTRTError


class Perf(Command):
    name = "perf"
    help = "run performance trace and collect performance data"

    def execute(self) -> None:
        raise TTRTError(
            "ttrt perf: this version has no performance trace; the modelled time of each "
            "operation is in ttmlir.Executable.report()"
        )
