"""Logging, artifacts and loaded files of commands."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any, TextIO

from ttrt.common.errors import GoldenMismatch, SkipFile, TTRTError
from ttrt.common.paths import fresh

__all__ = [
    "Artifacts",
    "Binary",
    "FileManager",
    "Flatbuffer",
    "Globals",
    "GoldenMismatch",
    "Logger",
    "SkipFile",
    "SystemDesc",
    "TTRTError",
]

# A .ttb file holds programs of either runtime.
BINARIES = (".ttnn", ".ttm", ".ttb")
EXTENSIONS = (*BINARIES, ".ttsys")
# Control characters, and those that change the direction of a text.
_CONTROL = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)


def printable(text: str) -> str:
    """Removes characters that would affect the terminal: names of files and their contents may come
    from an untrusted source."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def one_entry(text: str) -> str:
    """Formats text as one entry of a log: its further lines cannot be mistaken for entries."""
    return printable(text).replace("\n", "\n    ")


class _Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return one_entry(super().format(record))


class Logger:
    """Messages go to stderr, results to stdout; with ``file_name`` both go to that file instead.

    Each instance has its own handlers, so that several APIs can log to several files. Errors are
    printed to stderr even with a file.
    """

    FORMAT = "%(asctime)s - %(levelname)s - %(message)s"

    def __init__(self, file_name: str = "", *, quiet: bool = False) -> None:
        self.file_name = str(file_name)
        self.logging = logging.Logger("ttrt", logging.INFO)
        self._stream: TextIO | None = None
        formatter = _Formatter(self.FORMAT)
        stderr = logging.StreamHandler(sys.stderr)
        stderr.setFormatter(formatter)
        if self.file_name:
            try:
                handler = logging.FileHandler(self.file_name, mode="w", encoding="utf-8")
            except OSError as error:
                raise TTRTError(
                    f"log file '{self.file_name}' cannot be written: {error.strerror}"
                ) from None
            handler.setFormatter(formatter)
            self.logging.addHandler(handler)
            self._stream = handler.stream
        if self.file_name or quiet:
            stderr.setLevel(logging.ERROR)
        self.logging.addHandler(stderr)

    def get_logger(self) -> logging.Logger:
        return self.logging

    def debug(self, message: str) -> None:
        self.logging.debug(message)

    def info(self, message: str) -> None:
        self.logging.info(message)

    def warning(self, message: str) -> None:
        self.logging.warning(message)

    def error(self, message: str) -> None:
        self.logging.error(message)

    def output(self, text: str) -> None:
        """Prints a result of the command, without a prefix."""
        stream = self._stream or sys.stdout
        text = printable(text)
        stream.write(text if text.endswith("\n") else text + "\n")
        stream.flush()


class Globals:
    """Extensions and identifiers of the file types that ttrt supports."""

    file_extensions = EXTENSIONS

    def __init__(self, logger: Logger | None = None) -> None:
        self.logger = logger or Logger()

    @staticmethod
    def get_ttmetal_file_extension() -> str:
        return ".ttm"

    @staticmethod
    def get_ttnn_file_extension() -> str:
        return ".ttnn"

    @staticmethod
    def get_ttsys_file_extension() -> str:
        return ".ttsys"


class FileManager:
    """Creates, copies, removes and finds files; a failure is a TTRTError with the path."""

    def __init__(self, logger: Logger | None = None) -> None:
        self.logger = logger or Logger()

    def create_directory(self, path: str | os.PathLike[str]) -> None:
        try:
            Path(path).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TTRTError(f"cannot create folder '{path}': {error.strerror}") from None

    def remove_directory(self, path: str | os.PathLike[str]) -> None:
        try:
            shutil.rmtree(path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise TTRTError(f"cannot remove folder '{path}': {error.strerror}") from None

    def copy_file(self, target: str | os.PathLike[str], source: str | os.PathLike[str]) -> None:
        """Copies ``source`` to ``target``, a file or an existing folder."""
        to = Path(target)
        if to.is_dir():
            to /= Path(source).name
        try:
            if to.exists() and not to.is_symlink() and to.samefile(source):
                return
            to.unlink(missing_ok=True)  # A link is replaced, not followed.
            shutil.copy(source, to)
        except OSError as error:
            raise TTRTError(f"cannot copy '{source}' to '{target}': {error.strerror}") from None

    def check_file_exists(self, path: str | os.PathLike[str]) -> bool:
        return Path(path).is_file()

    def check_directory_exists(self, path: str | os.PathLike[str]) -> bool:
        return Path(path).is_dir()

    def find(self, path: str, extensions: tuple[str, ...]) -> tuple[list[Path], bool]:
        """Returns the files to handle and whether ``path`` names one of them itself.

        A folder is searched recursively. Raises TTRTError for a path that does
        not exist or a file of another kind.
        """
        if not path:
            raise TTRTError("no flatbuffer given, expected a file or a folder")
        found = Path(path)
        if found.is_dir():
            files = [p for p in found.rglob("*") if p.suffix in extensions and p.is_file()]
            return sorted(files, key=lambda p: (EXTENSIONS.index(p.suffix), str(p))), False
        if not found.exists():
            raise TTRTError(f"'{path}' does not exist")
        if found.suffix not in extensions:
            expected = ", ".join(extensions)
            raise TTRTError(
                f"'{path}' has the extension '{found.suffix}', expected one of {expected}"
            )
        return [found], True


class Artifacts:
    """The folder for a command's output files.

    The default is ``ttrt-artifacts`` in $TT_MLIR_HOME or, if that is unset, in the current folder.
    ``logging`` and ``logger`` are the same argument.
    """

    FOLDER = "ttrt-artifacts"
    # Marks a folder as ttrt's own: only such a folder is ever removed.
    MARKER = ".ttrt-artifacts"

    def __init__(
        self,
        logger: Logger | None = None,
        file_manager: FileManager | None = None,
        artifacts_folder_path: str | os.PathLike[str] = "",
        *,
        logging: Logger | None = None,
    ) -> None:
        self.logger = logger or logging or Logger()
        self.file_manager = file_manager or FileManager(self.logger)
        base = Path(os.environ.get("TT_MLIR_HOME") or Path.cwd())
        self.artifacts_folder_path = str(artifacts_folder_path or base / self.FOLDER)
        self._chosen = bool(artifacts_folder_path)

    @property
    def path(self) -> Path:
        return Path(self.artifacts_folder_path)

    def create_artifacts(self) -> None:
        if self.path.is_symlink() and not self._chosen:
            raise TTRTError(
                f"'{self.path}' is a symbolic link: pass its target with --artifact-dir"
            )
        self.file_manager.create_directory(self.path)
        try:
            marker = self.path / self.MARKER
            if not marker.exists():
                fresh(marker).touch()
        except OSError as error:
            raise TTRTError(f"cannot write to '{self.path}': {error.strerror}") from None

    def clean_artifacts(self) -> None:
        """Removes the folder if ttrt created it."""
        if not self.path.exists():
            return
        own = self.path.name == self.FOLDER or (self.path / self.MARKER).exists()
        if not own and any(self.path.iterdir()):
            raise TTRTError(
                f"'{self.path}' was not made by ttrt, so it is not removed: "
                "choose another --artifact-dir or empty it yourself"
            )
        self.file_manager.remove_directory(self.path)

    def folder(self, *parts: str) -> Path:
        """Returns a subfolder of the artifacts, created if necessary.

        Raises:
            TTRTError: one of the parts is a symbolic link.
        """
        found = self.path
        for part in parts:
            found /= part
            if found.is_symlink():
                raise TTRTError(f"'{found}' is a symbolic link: expected a folder of ttrt's own")
            self.file_manager.create_directory(found)
        return found

    def clean_binary_artifacts(self, binary: Flatbuffer) -> None:
        self.file_manager.remove_directory(self.get_binary_folder_path(binary))

    def get_binary_folder_path(self, binary: Flatbuffer) -> str:
        return str(self.path / binary.name)

    def get_binary_run_folder_path(self, binary: Flatbuffer) -> str:
        return str(self.path / binary.name / "run")

    def get_binary_kernels_folder_path(self, binary: Flatbuffer) -> str:
        return str(self.path / binary.name / "kernels")

    def get_binary_perf_folder_path(self, binary: Flatbuffer) -> str:
        return str(self.path / binary.name / "perf")

    def save_binary(self, binary: Flatbuffer, query: Any = None) -> Path:
        """Copies the file, and the system descriptor if a query is given; returns the folder."""
        self.create_artifacts()
        folder = self.folder(binary.name)
        self.file_manager.copy_file(folder / binary.name, binary.file_path)
        if query is not None:
            self.save_system_desc(query.system_desc, folder)
        return folder

    def save_kernels(self, binary: Binary) -> None:
        """Writes the C++ of the kernels of a TTMetal binary, one file for each."""
        for program in binary.programs:
            for name, text in binary.fbb.get_program_kernels(program.index):
                folder = self.folder(binary.name, "kernels")
                try:
                    fresh(folder / name).write_text(text, encoding="utf-8")
                except OSError as error:
                    raise TTRTError(f"cannot write to '{folder}': {error.strerror}") from None

    def save_system_desc(self, desc: Any, folder: str | os.PathLike[str] = "") -> Path:
        """Writes ``system_desc.ttsys`` and returns its path."""
        self.create_artifacts()
        target = fresh(Path(folder or self.path) / "system_desc.ttsys")
        desc.store(str(target))
        self.logger.info(f"system desc saved: {target}")
        return target

    def save_tensor(self, folder: str | os.PathLike[str], name: str, array: Any) -> Path:
        """Saves a tensor as .pt if torch is installed, else as .npy; returns the path."""
        from ttrt.common.tensors import save

        self.create_artifacts()
        inside = os.path.relpath(folder, self.path)
        if inside.startswith(".."):
            raise TTRTError(f"expected a folder in '{self.path}', found '{folder}'")
        return save(self.folder(*Path(inside).parts), name, array)


class Flatbuffer:
    """A file on disk: ``fbb`` is the runtime's object, ``fbb_dict`` its content as a dict,
    without the bytes of constants and goldens."""

    def __init__(
        self,
        logger: Logger,
        file_manager: FileManager,
        file_path: str | os.PathLike[str],
        capsule: Any = None,
    ) -> None:
        self.logger = logger
        self.file_manager = file_manager
        self.file_path = str(file_path)
        self.name = Path(self.file_path).name
        self.extension = Path(self.file_path).suffix
        try:
            self.fbb = self._load(capsule)
        except Exception as error:
            message = str(error)
            where = "" if self.file_path in message else f"'{self.file_path}': "
            raise TTRTError(where + message) from None
        self.version: str = self.fbb.version
        self._dict: dict[str, Any] | None = None

    def _load(self, capsule: Any) -> Any:
        from ttrt import binary

        return binary.load_from_path(self.file_path)

    @property
    def fbb_dict(self) -> dict[str, Any]:
        if self._dict is None:
            self._dict = json.loads(self.as_json(elements=False))
        return self._dict

    def as_json(self, *, elements: bool = True) -> str:
        """Returns the content as text; raises an error if it is too long."""
        try:
            return str(self.fbb.as_json(elements=elements))
        except RuntimeError as error:
            raise TTRTError(f"'{self.file_path}': {error}") from None

    def check_version(self) -> None:
        """Raises SkipFile unless the file was written by this version."""
        from ttmlir import __version__

        if self.version != __version__:
            raise SkipFile(
                f"ttrt: v{__version__} does not match flatbuffer: v{self.version} "
                f"for flatbuffer: {self.file_path}"
            )

    def save(self, artifacts: Artifacts, query: Any = None) -> str:
        """Copies the file to the artifacts, with the system descriptor of a query if given; returns
        the folder."""
        return str(artifacts.save_binary(self, query))

    def version_text(self) -> str:
        return f"\nversion: {self.version}\ntt-mlir git hash: {self.fbb.ttmlir_git_hash}"

    def get_system_desc_as_dict(self) -> dict[str, Any]:
        desc: dict[str, Any] = self.fbb_dict["system_desc"]
        return desc

    def system_desc_text(self) -> str:
        return json.dumps(self.get_system_desc_as_dict(), indent=2)


class SystemDesc(Flatbuffer):
    """A ``.ttsys`` file."""

    def _load(self, capsule: Any) -> Any:
        from ttrt import binary

        return binary.load_system_desc_from_path(self.file_path)


class Binary(Flatbuffer):
    """A ``.ttnn``, ``.ttm`` or ``.ttb`` file with its programs."""

    def _load(self, capsule: Any) -> Any:
        from ttrt import binary

        if capsule is not None:
            return binary.load_binary_from_capsule(capsule)
        return binary.load_binary_from_path(self.file_path)

    @property
    def programs(self) -> list[Program]:
        return [Program(i, p) for i, p in enumerate(self.fbb_dict.get("programs", []))]

    def compile_cpp(self) -> None:
        """Compiles the kernels in C++ of the file, so that they run."""
        from ttmlir import Error
        from ttmlir._cpp_kernels import with_compiled_kernels

        try:
            self.fbb = with_compiled_kernels(self.fbb)
        except (Error, RuntimeError) as error:
            raise TTRTError(f"'{self.file_path}': {error}") from None

    def get_num_programs(self) -> int:
        return len(self.fbb_dict.get("programs", []))

    def get_program(self, index: int) -> Program:
        return self.programs[index]

    def check_program_index_exists(self, index: int) -> bool:
        return 0 <= index < self.get_num_programs()

    def check_program_index(self, index: str) -> None:
        """Raises SkipFile unless ``index`` is "all" or the index of a program."""
        if index == "all" or self.check_program_index_exists(int(index)):
            return
        last = self.get_num_programs() - 1
        indices = "" if last < 0 else " or 0" if last == 0 else f" or 0 to {last}"
        raise SkipFile(
            f"program index={index} is greater than number of programs in: {self.file_path}: "
            f"expected all{indices}"
        )

    @property
    def is_ttmetal(self) -> bool:
        """Whether the programs are for the TTMetal runtime instead of TTNN."""
        return str(self.fbb.file_identifier) == "TTM0"

    def check_system_desc(self, query: Any) -> None:
        """Raises SkipFile unless the file was compiled for the system of ``query``."""
        found = query.get_system_desc_as_dict()["system_desc"]
        if self.get_system_desc_as_dict() != found:
            raise SkipFile(
                f"system desc for device did not match flatbuffer: {self.file_path}"
                f"{self.wanted_target()}"
            )

    def wanted_target(self) -> str:
        """Returns a suffix for messages that names the file's system, if it has a name."""
        from ttmlir.runtime import get_default_system_desc, get_default_targets

        own = self.get_system_desc_as_dict()
        for name in get_default_targets():
            if json.loads(get_default_system_desc(name).as_json())["system_desc"] == own:
                return f" (compiled for {name}: expected --target {name})"
        return ""


class Program:
    """One program of a binary, as described in the file."""

    def __init__(self, index: int, program: dict[str, Any]) -> None:
        self.index = index
        self.program = program
        self.name: str = program.get("name", "")
        self.inputs: list[dict[str, Any]] = program.get("inputs", [])
        self.outputs: list[dict[str, Any]] = program.get("outputs", [])
        self.input_tensors: list[Any] = []
        self.output_tensors: list[Any] = []

    @property
    def mlir(self) -> tuple[str, str] | None:
        """Name and text of the module that was serialized."""
        mlir = self.program.get("debug_info", {}).get("mlir")
        return (mlir.get("name", ""), mlir.get("source", "")) if mlir else None

    @property
    def cpp(self) -> str | None:
        cpp: str | None = self.program.get("debug_info", {}).get("cpp")
        return cpp
