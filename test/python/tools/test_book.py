"""The book: generated pages that say something about everything, and HTML without mdbook."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from op_definitions import installed

import ttmlir
from ttmlir import ir

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module", autouse=True)
def tools() -> None:
    sys.path.insert(0, str(ROOT / "tools" / "docs"))


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    return importlib.import_module("pages")


@pytest.fixture(scope="module")
def tablegen(pages: ModuleType) -> object:
    programs = installed("mlir/bin/mlir-tblgen"), installed("llvm/bin/llvm-tblgen")
    return pages.TableGen(*programs, ROOT / "cpp", [installed("mlir/include")])


@pytest.fixture(scope="module")
def book(tablegen: object, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("book") / "docs"
    packages = Path(ttmlir.__file__).parents[1]
    assert importlib.import_module("book").assemble(tablegen, packages, ROOT / "docs", output) == []
    return output


def test_the_checkout_has_the_pages_of_the_reference(book: Path) -> None:
    made, there = book / "src" / "reference", ROOT / "docs" / "src" / "reference"
    assert sorted(p.name for p in made.iterdir()) == sorted(p.name for p in there.iterdir())
    for page in sorted(made.iterdir()):
        assert page.read_text() == (there / page.name).read_text(), (
            f"expected {page.name} as the definitions and docstrings have it: build the target "
            "reference"
        )


def test_pictures_show_runs_of_today() -> None:
    pictures, screenshots = map(importlib.import_module, ("pictures", "screenshots"))
    folder = ROOT / "docs" / "src" / "pictures"
    names = {*pictures.PICTURES, *pictures.OF_EXAMPLES, *pictures.OF_BENCHMARKS}
    names |= {*screenshots.SCREENSHOTS}
    assert {p.name for p in folder.iterdir()} == names
    for name, draw in pictures.PICTURES.items():
        assert draw() == (folder / name).read_text(), f"{name}: build the target reference"


def test_public_names_of_the_package_have_pages(book: Path) -> None:
    page = (book / "src" / "reference" / "ttmlir.md").read_text()
    modules = {"config", "dialects", "emitc", "errors", "explorer", "ir", "jax", "kernel"}
    modules |= {"llm", "mpi", "onnx", "pages", "passes", "runtime", "torch"}
    for name in set(ttmlir.__all__) - modules - {"__version__", "__git_hash__"}:
        assert f"\n### {name}\n" in page
    assert "\n#### Builder.matmul\n" in page  # of a base class
    runtime = (book / "src" / "reference" / "ttmlir.runtime.md").read_text()
    assert "\n### open_mesh_device\n" in runtime  # of the extension module
    assert "\n### FormatError\n" in runtime
    assert "\n### cb_push_back\n" in (book / "src" / "reference" / "ttmlir.kernel.md").read_text()


def test_every_op_is_on_the_page_of_its_dialect(book: Path) -> None:
    for dialect in ("ttir", "ttnn"):
        module = importlib.import_module(f"ttmlir.dialects._{dialect}_ops_gen")
        registered = {
            value.OPERATION_NAME
            for value in vars(module).values()
            if isinstance(value, type) and "OPERATION_NAME" in vars(value)
        }
        page = (book / "src" / "reference" / f"{dialect}.md").read_text()
        on_page = set(re.findall(rf"^### ({dialect}\.\w+)$", page, re.M))
        assert len(registered) > 30
        assert on_page == registered


def test_every_pass_is_on_the_page_of_passes(book: Path) -> None:
    code = "from ttmlir import _tools; _tools.opt()"
    text = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True
    ).stdout
    page = (book / "src" / "reference" / "passes.md").read_text()
    documented = set(re.findall(r"^### ([\w-]+)$", page, re.M))
    passes, pipelines = (
        set(re.findall(r"^      --([\w-]+)", part, re.M)) for part in text.split("Pass Pipelines:")
    )
    assert len(documented) > 5
    assert documented <= passes
    own = {
        name
        for name in passes
        if re.match(r"ttir-|ttnn-|check-|convert-.*tt(ir|nn|kernel|metal|$)", name)
    }
    assert own == documented
    page = (book / "src" / "reference" / "pipelines.md").read_text()
    described = set(re.findall(r"`--([\w-]+)`", page))
    assert "ttir-to-ttnn-backend-pipeline" in pipelines
    assert {name for name in pipelines if "-to-tt" in name} == described


def test_examples_of_attributes_and_types_parse(pages: ModuleType, tablegen: object) -> None:
    entries = [
        entry
        for name in pages.DIALECTS
        for entry in pages.dialect_page(tablegen, name).entries
        if entry.kind in ("attribute", "type")
    ]
    examples = [(entry.name, text.strip()) for entry in entries for text in entry.examples]
    assert len(examples) > 20
    # The names that examples use for each other.
    stated = dict(examples)
    aliases = {
        "l1": "#tt.memory_space<l1>",
        "chip": stated["ChipDescAttr"],
        "device": stated["DeviceAttr"],
    }
    head = "\n".join(f"#{name} = {text}" for name, text in aliases.items())
    for name, text in examples:
        context = ir.Context()
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(f'{head}\n"example"() {{{name} = {text}}} : () -> ()', context)
        assert name in module.body.operations[0].attributes


def test_links_lead_somewhere(book: Path) -> None:
    (book / "src" / "tools.md").write_text(
        "[x](nowhere.md) [y](ttrt.md#nothing) [z](ttrt.md) ![](none.svg)\n"
    )
    found = importlib.import_module("book").dead_links(book / "src")
    assert [line for line in found if line.startswith("tools.md")] == [
        "tools.md: no such page or heading: nowhere.md",
        "tools.md: no such page or heading: ttrt.md#nothing",
        "tools.md: no such page or heading: none.svg",
    ]
    shutil.copy(ROOT / "docs" / "src" / "tools.md", book / "src" / "tools.md")


def test_html_without_mdbook(book: Path, tmp_path: Path) -> None:
    web = importlib.import_module("web")
    count = web.render(book / "src", tmp_path, "ttmlir")
    assert count == len(list(tmp_path.rglob("*.html"))) - 1
    page = (tmp_path / "reference" / "ttir.html").read_text()
    assert '<h3 id="ttirmatmul">ttir.matmul</h3>' in page
    assert '<a href="#ttirmatmul"><code>ttir.matmul</code></a>' in page
    assert '<a href="../tools.html">Command-line tools</a>' in page
    assert '<img src="pictures/matmul.svg"' in (tmp_path / "ttmetal.html").read_text()
    assert (tmp_path / "pictures" / "matmul.svg").is_file()


@pytest.mark.parametrize(
    ("body", "gaps"),
    [
        ("\n_Sum._\n\nText.\n\n```mlir\n%0\n```\n\nTraits: `X`\n", []),
        ("\n_Sum._\n\nText.\n", ["no example in a block of mlir"]),
        ("\n_Sum._\n\nExample:\n\n```mlir\n%0\n```\n", ["no description"]),
        ("\n```mlir\n%0\n```\n", ["no summary", "no description"]),
        (
            "\n_Sum._\n\nText.\n\n```mlir\n%0\n```\n\n#### Options\n\n```\n-a : A.\n-b :\n```\n",
            ["no description of the option b"],
        ),
    ],
)
def test_gaps_are_found(pages: ModuleType, body: str, gaps: list[str]) -> None:
    assert list(pages.Entry("pass", "sum", body).gaps()) == gaps
