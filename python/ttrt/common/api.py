"""The commands of ttrt as Python objects.

from ttrt.common.api import API

API.initialize_apis()
API.Run(args={"binary": "out.ttnn", "loops": 10})()
"""

from __future__ import annotations

from typing import ClassVar

from ttrt.common.accuracy import Accuracy
from ttrt.common.arguments import Arguments
from ttrt.common.check import Check
from ttrt.common.command import Command
from ttrt.common.debug import Debug
from ttrt.common.explore import Explore
from ttrt.common.perf import Perf
from ttrt.common.plan import Plan
from ttrt.common.query import Query
from ttrt.common.read import Read
from ttrt.common.run import Run

_METHODS = (
    *("preprocess", "check_constraints", "execute", "postprocess"),
    *("register_arg", "get_upstream_apis", "generate_subparser"),
)


class API:
    """The registered commands; each is also an attribute: ``API.Query``, ``API.Run`` and so on."""

    Query = Query
    Read = Read
    Run = Run
    Perf = Perf
    Debug = Debug
    Check = Check
    Explore = Explore
    Accuracy = Accuracy
    Plan = Plan

    registered_apis: ClassVar[dict[str, type[Command]]] = {}
    registered_args: ClassVar[dict[str, Arguments]] = {}

    @staticmethod
    def initialize_apis() -> None:
        """Registers all commands; calling it again changes nothing."""
        for command in (Query, Read, Run, Perf, Debug, Check, Explore, Accuracy, Plan):
            API.register_api(command)

    @staticmethod
    def register_api(command: type[Command]) -> None:
        """Adds a command; raises TypeError if it lacks one of a command's methods."""
        missing = [m for m in (*_METHODS, "__call__") if not callable(getattr(command, m, None))]
        if missing:
            raise TypeError(f"API '{command.__name__}' has no method {', '.join(missing)}")
        API.registered_apis[command.name] = command
        API.registered_args[command.name] = Arguments(command.name)
