"""Uses the wheel with each of its extras alone, as those who install it do.

    python test/extras.py [--only NAME ...] [--wheel PATH] [--sample]

Makes an environment in build/extras for none of the extras and for each of torch, llm, onnx, jax,
models and mpi, with the wheel (by default the newest of dist) and what runs tests. In each of them

- every public module can be imported, or says which extra it needs;
- the code blocks of the pages that need the extra run, and what these pages leave to tests;
  without an extra those of the pages that need nothing;
- the tests can be collected: those that miss a package are skipped with a reason that names it.

With --sample the pages are left out. Ends with `N passed, N failed`; the status is 1 if any failed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / "build" / "extras"
#: The extras that the environments have; that of the models has others inside.
EXTRAS: dict[str, set[str]] = {
    "none": set(),
    "torch": {"torch"},
    "llm": {"llm", "torch"},
    "onnx": {"onnx"},
    "jax": {"jax"},
    "models": {"models", "torch", "onnx"},
    "mpi": {"mpi"},
}
#: For the tests, and for pages that build a program with CMake.
TOOLS = ("pytest", "hypothesis", "pytest-xdist", "cmake", "ninja")
#: What pages need beside the wheel and programs of the system.
NEEDS = {
    "docs/src/compare.md": "torch",
    "docs/src/dynamic_shapes.md": "jax and torch",
    "docs/src/jax.md": "jax",
    "docs/src/jax_devices.md": "jax",
    "docs/src/jax_examples.md": "jax",
    "docs/src/llm.md": "llm",
    "docs/src/mpi.md": "mpi",
    "docs/src/numbers.md": "jax",
    "docs/src/onnx.md": "onnx",
    "docs/src/parallel.md": "torch",
    "docs/src/perf.md": "tt-perf-report",
    "docs/src/runtime.md": "a build tree",
    "docs/src/threats.md": "a build tree",
    "docs/src/torch.md": "torch",
    "docs/src/ttrt.md": "onnx",
}
#: What pages say that the tests run.
TESTS = {"models": "test/python/examples/test_models.py"}
#: Upstream's bindings of passes whose library the package leaves out.
NOT_BUILT = "ttmlir.dialects.linalg.passes"


def pinned_torch() -> str:
    """PyTorch as CI has it: of another release pip may take a build for CUDA, of several GB."""
    found = re.search(r"torch==[\w.]+", (ROOT / ".ci" / "run").read_text("utf-8"))
    assert found, "expected torch==VERSION in .ci/run"
    return found[0]


def public_modules() -> list[str]:
    """Those of the installed package, in the environment that runs this."""
    found = {"ttmlir"}
    for file in metadata.files("ttmlir") or ():
        parts = list(file.with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        is_ours = file.suffix == ".py" and parts[0] in ("ttmlir", "ttrt")
        if is_ours and not any(part.startswith("_") for part in parts):
            found.add(".".join(parts))
    return sorted(found - {NOT_BUILT})


def import_all() -> dict[str, tuple[str, str]]:
    """The type and the text of what each public module raises, empty if it can be imported."""
    found = {}
    for module in public_modules():
        try:
            importlib.import_module(module)
            found[module] = ("", "")
        except BaseException as error:
            found[module] = (type(error).__name__, str(error))
    return found


class Environment:
    """One with an extra. Counts what passed and what failed."""

    def __init__(self, name: str) -> None:
        self.name, self.folder = name, ENVIRONMENTS / name
        self.passed = self.failed = 0

    def note(self, problem: str | None) -> None:
        if problem is None:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{self.name}: failed: {problem}", flush=True)

    def say(self, text: str, since: float) -> None:
        print(f"{self.name}: {text} ({time.monotonic() - since:.0f} s)", flush=True)

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Runs the Python of the environment; the output has the errors."""
        environment = os.environ.copy()
        # What is installed is meant, not a build tree; and NINJA_STATUS is for the build's ninja.
        for name in ("PYTHONPATH", "TT_MLIR_HOME", "VIRTUAL_ENV", "NINJA_STATUS"):
            environment.pop(name, None)
        return subprocess.run(
            [self.folder / "bin" / "python", *command],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def make(self, wheel: Path) -> bool:
        begin = time.monotonic()
        subprocess.run([sys.executable, "-m", "venv", "--clear", self.folder], check=True)
        extras = EXTRAS[self.name]
        packages = [f"{wheel}[{self.name}]" if extras else str(wheel), *TOOLS]
        if "torch" in extras:
            packages.append(pinned_torch())
        pip = ("-m", "pip", "install", "-q", "--disable-pip-version-check")
        done = self.run(*pip, *packages)
        self.note(f"pip install:\n{done.stdout}" if done.returncode else None)
        self.say(f"installed {', '.join(packages)}", begin)
        return done.returncode == 0

    def check_imports(self) -> None:
        begin = time.monotonic()
        # Isolated, so that no folder of the checkout is on the path.
        done = self.run("-I", Path(__file__), "--import-all")
        lines = done.stdout.splitlines()
        if done.returncode or not lines:
            self.note(f"imports:\n{done.stdout}")
            return
        missing: Counter[str] = Counter()
        found = json.loads(lines[-1])
        for module, (kind, text) in found.items():
            needed = re.search(r"pip install ttmlir\[(\w+)\]", text)
            is_clear = kind == "ImportError" and needed and needed[1] not in EXTRAS[self.name]
            if needed and is_clear:
                missing[needed[1]] += 1
            self.note(f"import {module}: {kind}: {text}" if kind and not is_clear else None)
        others = "".join(f", {count} name the extra {name}" for name, count in missing.items())
        self.say(f"{len(found)} public modules{others}", begin)

    def check_collection(self) -> None:
        begin = time.monotonic()
        pytest = ("-m", "pytest", "-p", "no:cacheprovider", "-q", "--collect-only", "-ra")
        done = self.run(*pytest, "test/python")
        self.note(f"collection:\n{done.stdout}" if done.returncode else None)
        reasons: Counter[str] = Counter()
        for count, reason in re.findall(r"^SKIPPED \[(\d+)\] \S+: (.*)$", done.stdout, re.M):
            reasons[re.sub(r"^could not import '([^']*)'.*", r"needs \1", reason)] += int(count)
        total = re.search(r"^(\d+) tests collected", done.stdout, re.M)
        self.say(
            f"{total[1] if total else 'no'} tests collected, {reasons.total()} files and folders "
            "skipped" + "".join(f"; {count} {why}" for why, count in reasons.most_common()),
            begin,
        )

    def check_pages(self) -> None:
        begin = time.monotonic()
        pages = ["README.md", "CONTRIBUTING.md"]
        pages += sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs" / "src").glob("*.md"))
        unknown = NEEDS.keys() - set(pages)
        assert not unknown, f"expected pages, found {', '.join(unknown)}"
        pages = [page for page in pages if NEEDS.get(page, "none") == self.name]
        for page in pages:
            done = self.run("test/python/docs/pages.py", page)
            self.note(f"{page}:\n{done.stdout}" if done.returncode else None)
        self.say(f"{len(pages)} pages", begin)

    def check_tests(self) -> None:
        begin = time.monotonic()
        if self.name in TESTS:
            done = self.run("-m", "pytest", "-p", "no:cacheprovider", "-q", TESTS[self.name])
            self.note(f"tests:\n{done.stdout}" if done.returncode else None)
            self.say(f"{TESTS[self.name]}: {done.stdout.strip().splitlines()[-1]}", begin)


def newest_wheel() -> Path:
    wheels = sorted((ROOT / "dist").glob("ttmlir-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        sys.exit("error: expected dist/ttmlir-*.whl, found none: run make wheel")
    return wheels[-1]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", choices=EXTRAS, help="an environment")
    parser.add_argument("--wheel", type=Path, help="by default the newest of dist")
    parser.add_argument("--sample", action="store_true", help="without pages")
    parser.add_argument("--import-all", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.import_all:
        print(json.dumps(import_all()))
        return 0
    wheel = (options.wheel or newest_wheel()).resolve()
    if not wheel.is_file():
        sys.exit(f"error: expected a wheel, found nothing at {wheel}")
    passed = failed = 0
    for name in options.only or EXTRAS:
        environment = Environment(name)
        if environment.make(wheel):
            environment.check_imports()
            environment.check_collection()
            if not options.sample:
                environment.check_pages()
                environment.check_tests()
        passed, failed = passed + environment.passed, failed + environment.failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
