"""A session with the language server, as an editor has it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

URI = "file:///program.mlir"
TEXT = """#any = #tt.operand_constraint<any>
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "ttir.abs"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1>,
    operand_constraints = [#any, #any]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""


class Editor:
    def __init__(self) -> None:
        command = "from ttmlir._language_server import main; main()"
        self.server = subprocess.Popen(
            [sys.executable, "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.notes: list[dict[str, Any]] = []
        self.number = 0

    def tell(self, method: str, parameters: Any, **more: Any) -> None:
        message = json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters, **more})
        assert self.server.stdin
        self.server.stdin.write(f"Content-Length: {len(message)}\r\n\r\n{message}".encode())
        self.server.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.server.stdout
        length = 0
        while (line := self.server.stdout.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        message: dict[str, Any] = json.loads(self.server.stdout.read(length))
        return message

    def ask(self, method: str, parameters: Any) -> Any:
        self.number += 1
        self.tell(method, parameters, id=self.number)
        while (message := self.hear()).get("id") != self.number:
            self.notes.append(message)
        return message["result"]

    def at(self, line: int, character: int) -> dict[str, Any]:
        place = {"line": line, "character": character}
        return {"textDocument": {"uri": URI}, "position": place}


@pytest.fixture
def editor() -> Iterator[Editor]:
    editor = Editor()
    editor.ask("initialize", {"processId": 1, "rootUri": None, "capabilities": {}})
    yield editor
    editor.ask("shutdown", None)
    editor.tell("exit", None)
    assert editor.server.wait(10) == 0


def open_text(editor: Editor, text: str) -> None:
    document = {"uri": URI, "languageId": "mlir", "version": 1, "text": text}
    editor.tell("textDocument/didOpen", {"textDocument": document})


def test_hover(editor: Editor) -> None:
    open_text(editor, TEXT)
    said = editor.ask("textDocument/hover", editor.at(2, 9))["contents"]["value"]
    assert said.startswith('"ttir.abs"\n')
    assert "every element of the result is\nx without its sign" in said
    assert "Constraints:" in said
    assert "Generic Form:" in said
    of_func = editor.ask("textDocument/hover", editor.at(1, 12))["contents"]["value"]
    assert of_func.startswith('"func.func"')


def test_definition_and_references(editor: Editor) -> None:
    open_text(editor, TEXT)
    [definition] = editor.ask("textDocument/definition", editor.at(4, 10))
    assert definition["range"]["start"] == {"line": 2, "character": 2}
    parameters = editor.at(2, 3) | {"context": {"includeDeclaration": True}}
    found = editor.ask("textDocument/references", parameters)
    assert [place["range"]["start"]["line"] for place in found] == [2, 4]


def test_diagnostics(editor: Editor) -> None:
    open_text(editor, TEXT.replace("-> tensor<4x4xf32>\n  return", "-> tensor<4x5xf32>\n  return"))
    editor.ask("textDocument/hover", editor.at(0, 0))
    [published] = [n for n in editor.notes if n["method"] == "textDocument/publishDiagnostics"]
    [first, *_] = published["params"]["diagnostics"]
    assert first["range"]["start"]["line"] in (2, 3, 4)
    assert "tensor<4x5xf32>" in first["message"]
