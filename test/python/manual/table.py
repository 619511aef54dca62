"""What a row of the table is: a command, listing, option or name of the manual, and its check."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ttmlir import ir

ROOT = Path(__file__).parents[3]
BESIDE_PYTHON = Path(sys.executable).parent


class NotHere(Exception):
    """What a row needs is not on this machine."""


@dataclass
class World:
    """A folder like a built checkout, with the files that the manual calls /path/to/..., and the
    Python names that the listings of a page share."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)

    def fill_in(self, text: str) -> str:
        given = self.folder / "given"
        for written, place in {
            "/path/to/dir/of/flatbuffers": given / "flatbuffers",
            "/dir/of/flatbuffers": given / "flatbuffers",
            "/dir/of/system_desc": given / "system_descs",
            "/path/to/": f"{given}/",
            "/opt/folder": self.folder / "artifacts",
            "<checkout>": ROOT,
            "<python>": sys.executable,
        }.items():
            text = text.replace(written, str(place))
        return text

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        environment = dict(os.environ)
        path = [self.folder / "build" / "bin", BESIDE_PYTHON, environment["PATH"]]
        environment["PATH"] = os.pathsep.join(map(str, path))
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", self.fill_in(line)],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )


@dataclass(frozen=True)
class Row(ABC):
    text: str

    @abstractmethod
    def check(self, world: World) -> None:
        """Raises an AssertionError that says what is wrong, or NotHere."""


@dataclass(frozen=True)
class Listed(Row):
    """What does not work as printed, and why."""

    why: str

    def check(self, world: World) -> None:
        pass


@dataclass(frozen=True)
class Runs(Row):
    """A command line. ``instead`` is what runs in its place where the line itself would build for
    minutes or be no command; ``needs`` is a program that not every machine has."""

    instead: str = ""
    needs: str = ""

    def check(self, world: World) -> None:
        if self.needs and not shutil.which(
            self.needs, path=f"{BESIDE_PYTHON}:{os.environ['PATH']}"
        ):
            raise NotHere(self.needs)
        line = self.instead or self.text
        done = world.run(line)
        said = f"{done.stdout[-2000:]}{done.stderr[-2000:]}"
        assert done.returncode == 0, said
        if re.match(r"ttrt|\./build/bin|llvm-lit", line) and " -o " not in line:
            # What was asked for is printed; `run` and `check` have only messages.
            assert said or "log-file" in line, "printed nothing"


@dataclass(frozen=True)
class Target(Row):
    """`cmake --build build -- <target>`: the build tree has it. What it does takes minutes."""

    def check(self, world: World) -> None:
        build = Path(os.environ.get("TTMLIR_BUILD_DIR", ""))
        if not (build / "build.ninja").exists():
            raise NotHere("TTMLIR_BUILD_DIR does not name a build tree of Ninja")
        beside = BESIDE_PYTHON / "cmake"
        cmake = str(beside) if beside.exists() else "cmake"
        # A dry run does not look at targets when CMake would run again.
        done = subprocess.run(
            [cmake, "--build", build, "--", "-t", "query", self.text],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@dataclass(frozen=True)
class CMakeOption(Row):
    """A -D that the project's CMake knows."""

    def check(self, world: World) -> None:
        assert re.search(rf"\b{self.text}\b", (ROOT / "CMakeLists.txt").read_text()), "unknown"


@dataclass(frozen=True)
class Reads(Row):
    """IR that is read, verified, printed and read back: a type, an attribute or a module."""

    def check(self, world: World) -> None:
        with ir.Context(), ir.Location.unknown():
            text = self.text.strip()
            if re.match(r"module|#\w+ = ", text):
                module = ir.Module.parse(text)
                assert module.operation.verify()
                assert str(ir.Module.parse(str(module))) == str(module)
            else:
                parse = ir.Type.parse if re.match(r"tensor<|!", text) else ir.Attribute.parse
                read = parse(text)
                assert parse(str(read)) == read, str(read)


@dataclass(frozen=True)
class Exists(Row):
    """A file or folder of the checkout. ``here`` is where it is if it has another place."""

    here: str = ""

    def check(self, world: World) -> None:
        assert (ROOT / (self.here or self.text)).exists(), f"no {self.here or self.text}"


@dataclass(frozen=True)
class In(Row):
    """A name that a file of the checkout, or another one, has, or some file of a folder."""

    path: str | Path

    def check(self, world: World) -> None:
        place = ROOT / self.path
        files = [file for file in place.rglob("*") if file.is_file()] if place.is_dir() else [place]
        assert any(self.text in file.read_text(errors="replace") for file in files), str(self.path)


@dataclass(frozen=True)
class Python(Row):
    """A listing that runs, in the folder, behind those before it on the page. ``before`` defines
    what the listing takes for granted."""

    before: str = ""

    def check(self, world: World) -> None:
        place = Path.cwd()
        os.chdir(world.folder)
        try:
            exec(world.fill_in(self.before), world.names)
            exec(world.fill_in(self.text), world.names)
        finally:
            os.chdir(place)


@dataclass(frozen=True)
class Page:
    """The rows of a page under its headings, or why it has none."""

    title: str
    rows: dict[str, list[Row]] = field(default_factory=dict)
    why: str = ""
