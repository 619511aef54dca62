"""Runs the code blocks of a page of the documents, in order, as a reader would who pastes them.

    python test/python/docs/pages.py docs/src/kernels.md

Blocks of ``python`` share their names, like in one session of the interpreter; blocks of ``sh`` run
in bash. All run in one new folder that has what the checkout has, with ``python`` and the tools of
this installation on the path. A block of another language shows what the block before it prints:
its lines come in that order, ``...`` stands for anything. What cannot run is introduced by a
comment that says why: ``<!-- not run: reason -->``. A block without a language is a drawing.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
RUN = ("python", "sh")
#: What blocks print.
PRINTED = ("text", "mlir", "cpp")
DRAWING = ""
_FENCE = re.compile(
    r"(?:^<!-- not run: (?P<why>.*?) -->\n+)?^```(?P<language>\w*)\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    """A block of code: ``line`` is that of its first line, ``why`` the reason not to run it, and
    ``output`` the text that follows it."""

    language: str
    code: str
    line: int
    why: str = ""
    output: str | None = None


def blocks(page: str) -> list[Block]:
    found: list[Block] = []
    end = 0
    for match in _FENCE.finditer(page):
        language, code, why = match["language"], match["code"], match["why"] or ""
        line = page[: match.start("code")].count("\n") + 1
        between = page[end : match.start()]
        end = match.end()
        if language in PRINTED and found and found[-1].language in RUN and not between.strip():
            last = found.pop()
            found.append(Block(last.language, last.code, last.line, last.why, code))
        else:
            found.append(Block(language, code, line, why))
    return found


def lacks(expected: str, printed: str) -> str | None:
    """The first line of ``expected`` that is not printed behind those before it."""
    rest = printed.splitlines()
    for line in expected.splitlines():
        if line.strip() in ("", "..."):
            continue
        pattern = ".*".join(map(re.escape, map(str.strip, line.split("..."))))
        at = next((i for i, found in enumerate(rest) if re.search(pattern, found)), None)
        if at is None:
            return line
        rest = rest[at + 1 :]
    return None


def run_python(block: Block, name: str, names: dict[str, Any]) -> str:
    # Lines count as in the page, so that tracebacks and locations name them.
    code = compile("\n" * (block.line - 1) + block.code, name, "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def run_sh(block: Block) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"ended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


def run_page(path: Path) -> str | None:
    """What is wrong with the page, or None."""
    name = str(path.relative_to(ROOT))
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(path.read_text("utf-8")):
        where = f"{name}:{block.line}"
        if block.language in PRINTED and not block.why:
            return f"{where}: expected the block that prints it in front of it"
        if block.language not in (*RUN, *PRINTED, DRAWING):
            return f"{where}: expected a language of {', '.join(RUN + PRINTED)}"
        if block.why or block.language == DRAWING:
            continue
        try:
            if block.language == "python":
                printed = run_python(block, path.name, names)
            else:
                printed = run_sh(block)
        except BaseException:
            return f"{where}: does not run\n{block.code}\n{traceback.format_exc()}"
        if block.output is not None and (line := lacks(block.output, printed)) is not None:
            return f"{where}: expected the output {line!r}, found\n{printed}"
    return None


def main() -> int:
    [path] = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="ttmlir-page-") as folder:
        for entry in ROOT.iterdir():
            # Artifacts of a reader's own runs are not written through a link.
            if entry.name not in (".git", "build", "docs", "ttrt-artifacts"):
                Path(folder, entry.name).symlink_to(entry)
        Path(folder, "build").symlink_to(os.environ.get("TTMLIR_BUILD_DIR", ROOT / "build"))
        os.chdir(folder)
        os.environ.pop("TT_MLIR_HOME", None)
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        problem = run_page(ROOT / path)
    if problem:
        print(problem, file=sys.stderr)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
