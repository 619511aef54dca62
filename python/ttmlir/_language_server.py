"""ttmlir-lsp-server: MLIR's language server, with op descriptions in hovers.

The C++ server runs as a child process; this process forwards the messages between editor and
server.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import subprocess
import sys
import threading
from functools import cache
from typing import IO, Any, NoReturn

from ttmlir._tools import PROGRAM, run

DIALECTS = ("ttir", "ttnn", "ttmetal", "ttkernel")


def main() -> NoReturn:
    # With options there is no editor on stdin, for example with --help and in MLIR's own tests.
    if len(sys.argv) > 1:
        run("ttmlir-lsp-server")
    command = [str(PROGRAM), "ttmlir-lsp-server"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin
    assert server.stdout
    hovers: set[Any] = set()
    asking = threading.Thread(
        target=_forward, args=(sys.stdin.buffer, server.stdin, hovers), daemon=True
    )
    asking.start()
    while (message := _read(server.stdout)) is not None:
        content = json.loads(message)
        if content.get("id") in hovers and "method" not in content:
            hovers.discard(content["id"])
            message = json.dumps(_described(content)).encode()
        _write(sys.stdout.buffer, message)
    # The other thread may still be reading from the editor; a normal exit would wait for it.
    os._exit(server.wait())


def _forward(editor: IO[bytes], server: IO[bytes], hovers: set[Any]) -> None:
    """Forwards the editor's messages, and records the ids of hover requests."""
    try:
        while (message := _read(editor)) is not None:
            content = json.loads(message)
            if content.get("method") == "textDocument/hover":
                hovers.add(content.get("id"))
            _write(server, message)
        server.close()
    except BrokenPipeError:
        pass  # The server has ended.


def _read(stream: IO[bytes]) -> bytes | None:
    """Reads the next message; None at the end."""
    length = 0
    while (line := stream.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return stream.read(length) if line else None


def _write(stream: IO[bytes], message: bytes) -> None:
    stream.write(b"Content-Length: %d\r\n\r\n" % len(message) + message)
    stream.flush()


def _described(answer: dict[str, Any]) -> dict[str, Any]:
    """Adds the description of the op to a hover response, after the op's name."""
    contents = (answer.get("result") or {}).get("contents")
    if isinstance(contents, dict) and (op := re.match(r'"([\w.]+)"[^\n]*\n', contents["value"])):
        text = _description(op[1])
        contents["value"] = contents["value"].replace(op[0], f"{op[0]}\n{text}\n", 1)
    return answer


@cache
def _description(name: str) -> str:
    """Returns the description of an op of this project; empty for others."""
    dialect = name.partition(".")[0]
    if dialect not in DIALECTS:
        return ""
    module = importlib.import_module(f"ttmlir.dialects.{dialect}")
    for value in vars(module).values():
        if getattr(value, "OPERATION_NAME", None) == name:
            return inspect.cleandoc(value.__doc__ or "")
    return ""
