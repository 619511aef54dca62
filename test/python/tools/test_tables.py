"""A new number format or option is one record: what the generators make of a scratch copy of the
definitions has it everywhere."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from op_definitions import installed

ROOT = Path(__file__).parents[3]

FORMAT = """\
defvar FormatRows = [
  FloatFormat<name = "tf19", enumerator = "TFloat19", kernel = "Tf19",
              library = "TFLOAT19", numpy = "float32", tileBytes = 4096,
              exponentBits = 8>,"""
OPTION = """\
def MaxHops
    : Option<"maxHops", "max-hops", "int64_t", "3", "The most links of a route.">,
      Details<"Longer ones are split.">;

def AllGatherSwizzle"""
CHANGES = {
    "dialects/Formats.td": {"defvar FormatRows = [": FORMAT},
    "dialects/Options.td": {"def AllGatherSwizzle": OPTION},
    "conversion/TTIRToTTMetal/Passes.td": {
        "AllGatherSwizzle, MathFidelity": "AllGatherSwizzle, MaxHops, MathFidelity"
    },
    "pipelines/Pipelines.td": {"AllGatherSwizzle,": "AllGatherSwizzle, MaxHops,"},
}


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The definitions with a format and an option more."""
    copy = tmp_path_factory.mktemp("definitions") / "cpp"
    shutil.copytree(ROOT / "cpp", copy, ignore=shutil.ignore_patterns("*.cpp", "*.h"))
    for file, changes in CHANGES.items():
        text = (copy / file).read_text()
        for old, new in changes.items():
            assert text.count(old) == 1, f"{file}: expected {old!r} once"
            text = text.replace(old, new)
        (copy / file).write_text(text)
    return copy


def records(source: Path, file: str) -> Path:
    """The records of a file of definitions, as JSON."""
    output = source / f"{Path(file).stem}.json"
    include = f"-I{installed('mlir/include')}"
    program = installed("llvm/bin/llvm-tblgen")
    done = run(program, "--dump-json", f"-I{source}", include, source / file, "-o", output)
    assert done.returncode == 0, done.stderr
    return output


@pytest.fixture(scope="module")
def table(scratch: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], str]:
    """The text of a table, by the name of its generator."""
    folder = tmp_path_factory.mktemp("tables")
    files = {"format_tables": "dialects/Formats.td", "pipeline_tables": "pipelines/Pipelines.td"}

    def make(generator: str, name: str) -> str:
        script = ROOT / "tools" / "tablegen" / f"{generator}.py"
        output = folder / f"{generator}-{name}.txt"
        done = run(sys.executable, script, name, records(scratch, files[generator]), output)
        assert done.returncode == 0, done.stderr
        return output.read_text(encoding="utf-8")

    return make


def test_a_format_is_in_every_table(scratch: Path, table: Callable[[str, str], str]) -> None:
    assert "TFloat19 = 0,\n  Float32 = 1," in table("format_tables", "schema")
    header = table("format_tables", "header")
    assert '{"tf19", "tf19", "TFloat19", "Tf19", "TFLOAT19", "float32", 4096, 32, 8, 23,' in header
    assert "X(TFloat19, TF19, TFLOAT19, Tf19)" in header
    namespace: dict[str, object] = {"__name__": "scratch"}
    exec(table("format_tables", "python"), namespace)
    formats = namespace["FORMATS"]
    assert isinstance(formats, dict)
    assert formats["tf19"].tile_bytes == 4096
    assert (
        "| `tf19` | `!tt.tile<32x32, tf19>` | `tf19` | `float32` | `TFloat19` | 4096 | 8 | 23 |"
        in table("format_tables", "page")
    )
    program, include = installed("mlir/bin/mlir-tblgen"), installed("mlir/include")
    done = run(program, "-gen-enum-decls", f"-I{scratch}", f"-I{include}",
               scratch / "dialects/TT/TTTypes.td")  # fmt: skip
    assert re.search(r"TFloat19 = 0,\s+Float32 = 1,", done.stdout)


def test_an_option_is_in_every_table(scratch: Path, table: Callable[[str, str], str]) -> None:
    header = table("pipeline_tables", "header")
    assert '*this, "max-hops",\n      ::llvm::cl::desc("The most links of a route.")' in header
    assert "  to.maxHops = from.maxHops;\n" in table("pipeline_tables", "source")
    python = table("pipeline_tables", "python")
    assert "        max_hops: The most links of a route. Longer ones are split.\n" in python
    assert python.count("    max_hops: int") == 2  # a field, and a keyword
    row = "| `max-hops` | a number | 3 | The most links of a route. Longer ones are split. |"
    assert row in table("pipeline_tables", "page")
    program, include = installed("mlir/bin/mlir-tblgen"), installed("mlir/include")
    done = run(program, "-gen-pass-decls", "-name=Conversion", f"-I{scratch}", f"-I{include}",
               scratch / "conversion/TTIRToTTMetal/Passes.td")  # fmt: skip
    assert 'maxHops{*this, "max-hops"' in done.stdout


def test_an_option_of_an_unknown_type(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "tablegen"))
    generator: ModuleType = importlib.import_module("pipeline_tables")
    found = json.loads(records(scratch, "pipelines/Pipelines.td").read_text())
    found["MaxHops"]["type"] = "float"
    with pytest.raises(SystemExit, match=r"max-hops: expected one of the types bool, .*float"):
        generator.python(found)
