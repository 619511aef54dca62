"""Runs the worked examples of CONTRIBUTING.md on a scratch copy of the checkout.

    python test/worked_examples/run.py [--folder DIR]

Each patch in this folder adds one op: `tanhshrink` is an elementwise function, `logcumsumexp` a
separate op. Applies both to a clone of the committed state, reports how many files each changes,
builds, and runs the tests of the ops: definition, round trip, numbers of both backends, C++ and the
builder.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: The ops, with the maximum number of hand-written files for each, including tests.
EXAMPLES = {"tanhshrink": 4, "logcumsumexp": 8}
TESTS = (
    *("ops/test_op_table.py", "ops/test_numbers.py", "ops/test_backends.py"),
    *("ops/test_decomposition.py", "emitc/test_ops.py", "compiler/test_builder_ops.py"),
)


def files(op: str) -> list[str]:
    """Returns the files that the example of an op changes."""
    text = (HERE / f"{op}.patch").read_text(encoding="utf-8")
    return re.findall(r"^\+\+\+ b/(.*)$", text, re.M)


def carry_out(folder: Path) -> int:
    checkout = folder / "ttmlir"
    environment = os.environ | {"PYTHONPATH": str(checkout / "build" / "python_packages")}

    def run(*command: str | Path) -> int:
        print("+", *command, flush=True)
        return subprocess.run(command, cwd=checkout, env=environment, check=False).returncode

    subprocess.run(["git", "clone", "-q", ROOT, checkout], check=True)
    for op, most in EXAMPLES.items():
        print(f"{op}: {len(files(op))} files by hand, {most} at most", flush=True)
        if len(files(op)) > most or run("git", "apply", HERE / f"{op}.patch"):
            return 1
    configure = ("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_UNITY_BUILD=ON")
    tests = [str(checkout / "test" / "python" / test) for test in TESTS]
    return (
        run(*configure, "-DCMAKE_BUILD_TYPE=Release")
        or run("ninja", "-C", "build", "ttmlir-wheel")
        or run(sys.executable, "-m", "pytest", "-q", *tests, "-k", " or ".join(EXAMPLES))
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="where to create and keep the copy")
    folder = parser.parse_args().folder
    if folder:
        folder.mkdir(parents=True)
        return carry_out(folder.resolve())
    temporary = Path(tempfile.mkdtemp(prefix="worked-examples-"))
    try:
        return carry_out(temporary)
    finally:
        shutil.rmtree(temporary)


if __name__ == "__main__":
    sys.exit(main())
