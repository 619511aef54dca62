"""The rules of ``tools/docs/prose.py``, and which texts of a file it reads."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def prose() -> ModuleType:
    sys.path.insert(0, str(ROOT / "tools" / "docs"))
    return importlib.import_module("prose")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("## What it costs", ["heading-sentence"]),
        ("## Where a tensor is", ["heading-sentence"]),
        ("## Time is modelled", ["heading-sentence"]),
        ("## How to write a kernel", []),
        ("## Cost of a run", []),
        ("It ends. What it costs is in the report. So be it.", ["clause-subject"]),
        ("Who wants more asks\nfor it. So be it.", ["clause-subject"]),
        ("How a sum is rounded is one setting. So be it.", ["clause-subject"]),
        ("What does it cost? Nothing.", []),
        (
            "The report says how much it costs, and the error that says what was expected.",
            ["riddle"],
        ),
        ("That page has the numbers.", ["riddle"]),
        ("It costs as the clock has it.", ["riddle"]),
        ("Nobody reads it.", ["nobody"]),
        ("| What is sent |\n| --- |\n| packets |", ["clause-label"]),
        ("`What it is` and\n\n```\nWhat it costs is in the report.\n```", []),
    ],
)
def test_rules(prose: ModuleType, text: str, rules: list[str]) -> None:
    assert [rule for _, rule, _, _ in prose.by_rules(prose.markdown(text))] == rules


SOURCES = {
    ".md": """# Cost

A `run`
costs time.

```
code
```

| a | b |
| - | - |
| c | d e |
""",
    ".py": '''"""A module.

Text of ``a
name`` here.

    >>> code
"""

raise ValueError(
    f"expected {a} of them"
)
option(help="many a word here")
''',
    ".td": """def A {
  let summary = "the sum of two tensors";
  let description = [{
    It adds.

    ```mlir
    code
    ```
  }];
  let code = [{ return 1; }];
}
""",
    ".cpp": """// "a comment with many words"
fail("expected two of them, "
     "found \\"one\\"");
call("name");
""",
}
READ = {
    ".md": [(1, "Cost"), (3, "A `\ncosts time."), (10, "a"), (10, "b"), (12, "c"), (12, "d e")],
    ".py": [
        (1, "A module."),
        (3, "Text of `\n here."),
        (10, "expected ` of them"),
        (12, "many a word here"),
    ],
    ".td": [(2, "the sum of two tensors"), (4, "It adds.")],
    ".cpp": [(2, "expected two of them, \nfound 'one'")],
}


@pytest.mark.parametrize("suffix", SOURCES)
def test_texts_of_a_file(prose: ModuleType, suffix: str) -> None:
    pieces = sorted(prose.KINDS[suffix](SOURCES[suffix]), key=lambda piece: piece.line)
    found = [(p.line, prose.CODES.sub("`", p.text)) for p in pieces]
    assert found == READ[suffix]


def test_findings_of_proselint_have_the_lines_of_the_file(
    prose: ModuleType, tmp_path: Path
) -> None:
    pytest.importorskip("proselint")
    file = tmp_path / "page.md"
    file.write_text("# Cost\n\nA run\ncosts very much.\n\n| 1 | 1 |\n| - | - |\n| 5 | 5 |\n")
    [found] = prose.findings(file)
    assert (found.file, found.line, found.rule) == (file, 4, "proselint.weasel_words.very")
