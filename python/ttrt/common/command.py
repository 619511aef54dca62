"""The base class of ttrt's commands: arguments, logging, artifacts, results."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from ttrt.common.arguments import Argument, Arguments, of_command, register
from ttrt.common.util import Artifacts, FileManager, Logger, SkipFile, TTRTError


class _RegisteredArgs:
    """Returns a fresh copy of the defaults, so that changes do not affect later calls."""

    def __get__(self, instance: object, owner: type[Command]) -> Arguments:
        return Arguments(owner.name)


class Command(ABC):
    """One command as a callable.

    ``args`` is a dict (keys with dashes or underscores) or a namespace; omitted options have
    their defaults. Calling the instance runs the command, writes ``<name>_results.json`` to the
    current folder and returns its entries: ``file_path``, ``result`` (pass, skip, error or fail),
    ``exception``, ``log_file`` and ``artifacts``. It raises TTRTError, after all files were tried,
    if one of them ended in error or fail.
    """

    name: ClassVar[str]
    help: ClassVar[str]
    registered_args = _RegisteredArgs()

    def __init__(
        self,
        args: Any = None,
        logging: Logger | None = None,
        artifacts: Artifacts | None = None,
        *,
        logger: Logger | None = None,
    ) -> None:
        self.args = Arguments(self.name, args)
        self.logger = logging or logger or Logger(self.args["log-file"])
        self.file_manager = FileManager(self.logger)
        self.artifacts = artifacts or Artifacts(
            self.logger, self.file_manager, artifacts_folder_path=self.args["artifact-dir"]
        )
        self.results: list[dict[str, Any]] = []

    def __str__(self) -> str:
        return f"ttrt {self.name} {dict(self.args)}"

    def __getitem__(self, name: str) -> Any:
        return self.args[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self.args[name] = value

    @classmethod
    def arguments(cls) -> list[Argument]:
        return of_command(cls.name)

    @classmethod
    def register_arg(
        cls,
        name: str,
        type: type,
        default: Any,
        choices: Sequence[str] | None,
        help: str,
        api_only: bool = True,
    ) -> None:
        """Adds an option to the command and, unless it is ``api_only``, to those derived from
        it."""
        commands = [cls.name]
        if not api_only:
            commands += [c.name for c in cls.__subclasses__()]
        register(
            Argument(
                name.lstrip("-"),
                type,
                default,
                help,
                tuple(commands),
                tuple(choices) if choices else None,
                positional=not name.startswith("-"),
            )
        )

    @classmethod
    def get_upstream_apis(cls) -> list[str]:
        """Names of the commands that this one is based on, such as `run` for `perf`."""
        return [base.name for base in cls.__mro__[1:] if hasattr(base, "name")]

    @classmethod
    def generate_subparser(cls, subparsers: Any) -> argparse.ArgumentParser:
        """Adds the command to the subparsers of another tool; ``args.api(args)()`` runs it."""
        parser: argparse.ArgumentParser = subparsers.add_parser(cls.name, help=cls.help)
        parser.set_defaults(api=cls)
        for a in cls.arguments():
            if a.positional:
                parser.add_argument(a.name, type=a.type, help=a.help)
            elif a.multiple:
                parser.add_argument(
                    f"--{a.name}",
                    action="append",
                    type=a.type,
                    default=list(a.default),
                    help=a.help,
                )
            elif a.type is bool:
                parser.add_argument(f"--{a.name}", action="store_true", help=a.help)
            else:
                parser.add_argument(
                    f"--{a.name}", type=a.type, default=a.default, choices=a.choices, help=a.help
                )
        return parser

    def __call__(self) -> list[dict[str, Any]]:
        self.results = []
        try:
            self.preprocess()
            self.check_constraints()
            self.execute()
        except TTRTError as error:
            self.record("", "error", error)
        finally:
            self.postprocess()
        bad = [r for r in self.results if r["result"] in ("error", "fail")]
        if bad:
            raise TTRTError("\n".join(r["exception"] for r in bad), self.results)
        return self.results

    def preprocess(self) -> None:
        if self["clean-artifacts"]:
            self.artifacts.clean_artifacts()
        if self["save-artifacts"]:
            self.artifacts.create_artifacts()

    def check_constraints(self) -> None:  # noqa: B027 (a hook that a command may leave as it is)
        """Loads the inputs of the command and skips those that do not fit."""

    def save(self, result: Any) -> None:
        """Saves a result to the files named by `--json` and `--page`."""
        for option, suffix in (("json", ".json"), ("page", ".html")):
            if not self[option]:
                continue
            if Path(self[option]).suffix != suffix:
                raise TTRTError(f"--{option}: expected a file that ends in {suffix}")
            result.save(self[option])

    @abstractmethod
    def execute(self) -> None:
        """Runs the command on each file and appends to ``results``."""

    def postprocess(self) -> None:
        """Writes the report; an unwritable folder only causes a warning."""
        target = Path(f"{self.name}_results.json")
        try:
            write_text(target, json.dumps(self.results, indent=2) + "\n")
        except OSError as error:
            self.logger.warning(f"{target} cannot be written: {error.strerror}")

    def record(self, file_path: str, result: str, error: Exception | None = None) -> None:
        """Adds an entry to the report and logs an error."""
        message = "" if error is None else str(error)
        entry: dict[str, Any] = {"file_path": file_path} if file_path else {}
        entry |= {
            "result": result,
            "exception": message,
            "log_file": self.logger.file_name,
            "artifacts": self.artifacts.artifacts_folder_path,
        }
        if "program-index" in self.args:
            entry["program_index"] = self["program-index"]
        self.results.append(entry)
        if result in ("error", "fail"):
            self.logger.error(message)
        elif result == "skip":
            self.logger.warning(f"{message} - skipping this test")

    def load_files(self, types: dict[str, type[Any]]) -> list[Any]:
        """Loads the files that the argument ``binary`` names and checks their version; TTNN files
        come before TTMetal files.

        An unusable file that was named itself is an error; in a folder it is skipped.
        """
        paths, named = self.file_manager.find(self["binary"], tuple(types))
        loaded = []
        for path in paths:
            try:
                file = types[path.suffix](self.logger, self.file_manager, path)
                self.check_version(file)
            except TTRTError as error:
                self.record(str(path), "error" if named else "skip", error)
                continue
            loaded.append(file)
        if not paths:
            self.logger.warning(f"no binaries found to {self.name} - returning early")
        self.named = named
        return sorted(loaded, key=lambda file: file.fbb.file_identifier == "TTM0")

    def check_version(self, file: Any) -> None:
        """Raises SkipFile for a file of another version; `read` prints as much as it can."""
        file.check_version()

    def keep(self, file: Any, check: Any) -> bool:
        """Runs a check that raises SkipFile; returns whether to keep the file."""
        try:
            check()
        except SkipFile as error:
            self.record(file.file_path, "error" if self.named else "skip", error)
            return False
        return True


def write_text(target: Path, text: str) -> None:
    """Writes a file atomically."""
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
