"""The options of every command, described once for the command line and for the Python API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from ttmlir.report import SORT_KEYS
from ttrt.common.errors import TTRTError


@dataclass(frozen=True)
class Argument:
    """One option. A bool is a flag; ``positional`` has no dashes on the command line, ``short`` is
    another spelling there. One that is ``multiple`` may be repeated; its value is a tuple."""

    name: str
    type: type
    default: Any
    help: str
    commands: tuple[str, ...]
    choices: tuple[str, ...] | None = None
    positional: bool = False
    least: int | None = None
    multiple: bool = False
    short: str = ""

    def convert(self, value: Any) -> Any:
        """Returns ``value`` converted to this option's type; raises TTRTError if that fails."""
        if self.multiple:
            values = (value,) if isinstance(value, str) else tuple(value)
            return tuple(self.type(one) for one in values)
        if self.type is bool:
            if isinstance(value, bool):
                return value
            raise self._wrong(value, "True or False")
        if self.type is str:
            value = str(value)
        else:
            try:
                value = self.type(value)
            except (TypeError, ValueError):
                raise self._wrong(value, f"a value of type {self.type.__name__}") from None
        if self.choices is not None and value not in self.choices:
            raise self._wrong(value, "one of " + ", ".join(self.choices))
        if self.least is not None and value < self.least:
            raise self._wrong(value, f"at least {self.least}")
        if self.name == "program-index" and not _is_program_index(value):
            raise self._wrong(value, "all or the index of a program, from 0")
        return value

    def _wrong(self, found: Any, expected: str) -> TTRTError:
        return TTRTError(f"argument '{self.name}': expected {expected}, found {found!r}")


def _is_program_index(value: str) -> bool:
    return value == "all" or (value.isascii() and value.isdigit())


_ALL = ("query", "read", "run", "perf", "debug", "check", "explore", "accuracy", "plan")
_RUN = ("run", "perf", "debug")
_MODEL = ("explore", "accuracy")
_SYSTEM = ("query", *_RUN, *_MODEL)

ARGUMENTS: list[Argument] = [
    Argument("clean-artifacts", bool, False, "clean all artifacts from previous runs", _ALL),
    Argument("save-artifacts", bool, False, "save all artifacts during run", _ALL),
    Argument("log-file", str, "", "log file to dump ttrt output to", _ALL),
    Argument(
        "artifact-dir",
        str,
        "",
        "--save-artifacts flag must be set, provides a directory path to save artifacts to",
        _ALL,
    ),
    Argument(
        "target",
        str,
        "",
        "the emulated system: its name, such as t3000, or a .ttsys file (default: n150)",
        _SYSTEM,
    ),
    Argument(
        "section",
        str,
        "all",
        "output sections of the fb",
        ("read",),
        choices=("all", "cpp", "inputs", "mlir", "outputs", "remarks", "system_desc", "version"),
    ),
    Argument("program-index", str, "all", "the program inside the fbb to run, by index", _RUN),
    Argument("loops", int, 1, "number of loops", ("run", "perf"), least=1),
    Argument(
        "init",
        str,
        "randn",
        "function to initialize tensors with",
        (*_RUN, "accuracy"),
        choices=("arange", "randn", "zeros"),
    ),
    Argument("load-inputs", str, "", "an .npz file with inputs, by name or as input_<i>", _RUN),
    Argument(
        "shapes",
        str,
        "",
        "extents of an ONNX model, as batch=1,x=1x3x224x224",
        (*_RUN, "plan"),
    ),
    Argument("identity", bool, False, "do a golden identity test on the output tensors", _RUN),
    Argument("non-zero", bool, False, "test the output tensors are non-zero", _RUN),
    Argument("rtol", float, 1e-05, "rtol for golden test", _RUN),
    Argument("atol", float, 1e-08, "atol for golden test", _RUN),
    Argument("seed", int, 0, "seed for random number generator", (*_RUN, *_MODEL)),
    Argument(
        "load-kernels-from-disk",
        bool,
        False,
        "Pickup the kernels from disk (/tmp, or the artifacts) instead of the flatbuffer",
        _RUN,
    ),
    Argument(
        "allow-cpp",
        bool,
        False,
        "compile and run kernels in C++ of the file, natively and with your rights (TTMetal)",
        _RUN,
    ),
    Argument(
        "disable-async-ttnn",
        bool,
        False,
        "Disable async mode device execution for TTNN runtime",
        _RUN,
    ),
    Argument(
        "check",
        bool,
        False,
        "report violations that a chip does not detect, such as missing barriers (TTMetal)",
        _RUN,
    ),
    Argument("no-check", bool, False, "do not report violations", _RUN),
    Argument(
        "numerics",
        str,
        "fast",
        "arithmetic of the engines: in f32, or with the bits of the chip",
        (*_RUN, "accuracy"),
        choices=("exact", "fast"),
    ),
    Argument("step-limit", int, 0, "most instructions of a kernel thread (TTMetal)", _RUN),
    Argument(
        "command",
        str,
        (),
        "a command of the debugger, instead of a prompt; may be repeated",
        ("debug",),
        multiple=True,
    ),
    Argument(
        "script", str, "", "a file of commands to run before --command", ("debug",), short="-x"
    ),
    Argument(
        "sort",
        str,
        "start",
        "the column to sort operations by",
        ("perf",),
        choices=SORT_KEYS,
    ),
    Argument("top", int, 0, "number of rows to show; 0 for all", ("perf", "plan"), least=0),
    Argument("ops", bool, False, "show operations, without their kernels", ("perf",)),
    Argument("kernels", bool, False, "show kernels, without their operations", ("perf",)),
    Argument(
        "replays",
        int,
        0,
        "capture the program as a trace, and show so many replays on two queues; 0 for none",
        ("perf",),
        least=0,
    ),
    Argument("host-only", bool, False, "collect performance trace on host only", ("perf",)),
    Argument("html", str, "", "save the report of the program as an HTML page", ("perf",)),
    Argument(
        "backend",
        str,
        "ttnn",
        "the system to compile the model for",
        _MODEL,
        choices=("ttnn", "ttmetal"),
    ),
    Argument("port", int, 0, "port to serve the page on; 0 for a free one", ("explore",)),
    Argument("time-limit", float, 300.0, "most seconds of a compilation and run", ("explore",)),
    Argument("open", bool, False, "open the page in a browser", ("explore",)),
    Argument("model", str, "", "MLIR file to explore", ("explore",), positional=True),
    Argument(
        "model",
        str,
        "",
        "ONNX, .pt2, MLIR or flatbuffer file to compare with its source",
        ("accuracy",),
        positional=True,
    ),
    Argument(
        "dtype",
        str,
        "",
        "format of weights and activations: f32, bf16 or bfp8_b (default: the model's)",
        ("accuracy",),
    ),
    Argument(
        "min-pcc",
        float,
        0.0,
        "least correlation of a correct result (default: by its format); less fails",
        ("accuracy",),
    ),
    Argument(
        "max-relative",
        float,
        0.0,
        "greatest relative error of a correct result (default: by its format)",
        ("accuracy",),
    ),
    Argument("parts", bool, False, "also show intermediate steps of ops", ("accuracy",)),
    Argument(
        "model",
        str,
        "",
        "ONNX, .pt2 or MLIR file of a program for one chip, or config.json of a decoder",
        ("plan",),
        positional=True,
    ),
    Argument(
        "targets", str, "n150,n300,t3000,p150", "systems to compare, separated by commas", ("plan",)
    ),
    Argument(
        "precisions",
        str,
        "balanced,performance",
        "precisions to compare: some of accuracy,balanced,performance",
        ("plan",),
    ),
    Argument("parameters", str, "", "arguments of an MLIR program that are weights", ("plan",)),
    Argument("users", int, 32, "texts that a decoder generates at once", ("plan",), least=1),
    Argument(
        "context", int, 1024, "tokens of a user that caches have room for", ("plan",), least=1
    ),
    Argument("prompt", int, 128, "tokens of a prompt before the first token", ("plan",), least=1),
    Argument("prices", str, "", "prices of targets, as n150=999,t3000=11999", ("plan",)),
    Argument("watts", str, "", "watts of targets, as n150=160", ("plan",)),
    Argument("changes", int, 3, "number of changes to look for; 0 for none", ("plan",), least=0),
    Argument("json", str, "", "save the result as a .json file", ("accuracy", "plan")),
    Argument("page", str, "", "save the result as an HTML page", ("accuracy", "plan")),
    Argument(
        "trace-format",
        str,
        "json",
        "format of the timeline: for Chrome's viewer, or for Perfetto",
        ("perf",),
        choices=("json", "perfetto"),
    ),
    Argument(
        "trace-tracks",
        str,
        "",
        "tracks of the timeline: some of ops,cores,noc,dram,ethernet,counters",
        ("perf",),
    ),
    Argument("trace-ops", str, "", "trace these ops only: names or labels, as a,b*", ("perf",)),
    Argument("trace-devices", str, "", "trace these chips only, as 0,2-3", ("perf",)),
    Argument("trace-cores", str, "", "trace these cores only, as '0,0 2-3,0-7'", ("perf",)),
    Argument("trace-window", str, "", "trace these cycles only, as BEGIN:END", ("perf",)),
    Argument("trace-limit", int, 1_000_000, "most slices of a timeline", ("perf",), least=1),
    Argument("system-desc", str, "", "system desc to check against", ("check",)),
    Argument(
        "binary",
        str,
        "",
        "flatbuffer binary file",
        ("read", *_RUN, "check"),
        positional=True,
    ),
]


def of_command(command: str) -> list[Argument]:
    """Returns the options of a command."""
    return [a for a in ARGUMENTS if command in a.commands]


def register(argument: Argument) -> None:
    """Adds an option; its name must be new to its commands."""
    for command in argument.commands:
        if any(key_of(a.name) == key_of(argument.name) for a in of_command(command)):
            raise TTRTError(f"'{command}' already has an argument '{argument.name}'")
    ARGUMENTS.append(argument)


def key_of(name: str) -> str:
    """Maps ``--clean-artifacts``, ``clean-artifacts`` and ``clean_artifacts`` to the same key."""
    return name.lstrip("-").replace("-", "_")


class Arguments(MutableMapping[str, Any]):
    """The values of one command's options: a dict that accepts every spelling of a key.

    Starts with the defaults. Assigning to an option that the command does not have, or a value of
    the wrong type, raises TTRTError.
    """

    def __init__(self, command: str, values: Any = None) -> None:
        self.command = command
        self._arguments = {key_of(a.name): a for a in of_command(command)}
        self._values = {key: a.default for key, a in self._arguments.items()}
        self._given: set[str] = set()
        for name, value in self._items(values):
            self[name] = value

    def __getitem__(self, name: str) -> Any:
        return self._values[self._key(name)]

    def __setitem__(self, name: str, value: Any) -> None:
        key = self._key(name)
        self._values[key] = self._arguments[key].convert(value)
        self._given.add(key)

    def __delitem__(self, name: str) -> None:
        key = self._key(name)
        self._values[key] = self._arguments[key].default
        self._given.discard(key)

    def given(self, name: str) -> Any:
        """Returns the value if it was assigned, else None."""
        key = self._key(name)
        return self._values[key] if key in self._given else None

    def assigned(self) -> dict[str, Any]:
        """Returns the assigned values, without defaults."""
        return {key: self._values[key] for key in self._given}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and key_of(name) in self._values

    def __iter__(self) -> Iterator[str]:
        return iter([a.name for a in self._arguments.values()])

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Arguments({self.command!r}, {dict(self)!r})"

    def _key(self, name: str) -> str:
        key = key_of(name)
        if key not in self._arguments:
            names = [a.name for a in self._arguments.values()]
            close = get_close_matches(name.lstrip("-"), names, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else f", expected one of {names}"
            raise TTRTError(f"'{self.command}' has no argument '{name}'{hint}")
        return key

    def _items(self, values: Any) -> list[tuple[str, Any]]:
        """Returns the assignments in a dict, the arguments of another call, or an argparse
        namespace."""
        if values is None:
            return []
        if isinstance(values, Arguments):
            return list(values.assigned().items())
        if isinstance(values, Mapping):
            return list(values.items())
        # A namespace has all defaults, and may have options of other tools.
        own = [(n, v) for n, v in vars(values).items() if key_of(n) in self._arguments]
        return [(name, value) for name, value in own if value != self._values[key_of(name)]]
