"""Checks the prose of the project with proselint and with its own rules.

    python tools/docs/prose.py                 # every page, docstring, description and message
    python tools/docs/prose.py README.md       # these files
    python tools/docs/prose.py --count         # findings by rule and kind of file

The pages are README.md, CONTRIBUTING.md, CHANGELOG.md and docs/src/*.md, without their code. Other
texts are Python docstrings, exceptions and ``help=`` texts, TableGen descriptions and summaries,
and C++ string literals that are sentences. The exit status is 1 if there are findings.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]


NUMBERS = itertools.count()
CODES = re.compile(r"\bcode\d+")


def code() -> str:
    """Returns a placeholder word for code in a sentence, a new one for each call."""
    return f"code{next(NUMBERS)}"


@dataclass(frozen=True)
class Piece:
    """A heading or paragraph; lines of the text are lines of the file."""

    line: int
    text: str
    heading: bool = False


@dataclass(frozen=True)
class Rule:
    """A pattern that prose must not contain."""

    name: str
    pattern: re.Pattern[str]
    advice: str
    headings: bool = False


#: The begin of a sentence.
BEGIN = r"(?:\A|(?<=[.:;!?]\s)|(?<=[.!?][)\"]\s))"
VERBS = "is|isn't|are|aren't|was|were|has|have|does|do|can|cannot|will|may|must|should"

RULES = (
    Rule(
        "clause-subject",
        re.compile(rf"{BEGIN}(?:What|Who|Whoever|Whatever|Which)\s[^.?!]*(?:[.!]|\Z)"),
        "a clause with 'what' or 'who' is the subject: name the thing",
    ),
    Rule(
        "clause-subject",
        re.compile(rf"{BEGIN}How\s(?!to\s)[^.?!]*\s(?:is|are|says|stands)\s[^.?!]*[.!]"),
        "a clause is the subject: name the thing",
    ),
    Rule(
        "nobody",
        re.compile(r"\b(?:nobody|no one|everybody|somebody|whoever)\b", re.I),
        "say who: 'no user', 'no test', 'the caller'; or turn the sentence around",
    ),
    Rule(
        "heading-sentence",
        re.compile(
            rf"^(?:(?:What|Who|Where|Which|When|Why|If|That|How(?!\sto\s))\s.*|.*\b(?:{VERBS})\b.*)",
        ),
        "a heading is a noun phrase or 'How to ...'",
        headings=True,
    ),
    Rule(
        "riddle",
        re.compile(
            r"\b(?:this|that|the|whose)\s(?:page|table|row|line|section|book|chapter|list)s?\s"
            r"(?:has|have|says?|tells?|knows?)\b",
            re.I,
        ),
        "say what is there: 'see the page on ...', 'the table lists ...'",
    ),
    Rule(
        "riddle",
        re.compile(
            r"(?<!error that )(?<!errors that )(?<!message that )(?<!exception that )"
            r"\b(?:says?|said)\s(?:so|what|who|how|why|where|which|when)\b"
        ),
        "name the content instead of 'says what'",
    ),
    Rule(
        "riddle",
        re.compile(r"\b(?:as|that|which|who|code\d+|page)\s(?:\w+\s){0,3}ha(?:s|ve)\sit\b"),
        "say what 'it' is",
    ),
)

#: For a docstring, a table cell or a summary that consists of such a clause only.
LABEL = "a label is a noun phrase: 'Cost of a run', not 'What a run costs'"

#: Checks of proselint that are disabled, because they misinterpret code, numbers and terms.
WITHOUT = ("cliches", "dates_times", "misc.phrasal_adjectives", "restricted", "typography")


# ---- Pieces of a file ----


def markdown(text: str, first: int = 1) -> Iterator[Piece]:
    """Yields the headings and paragraphs of a page that starts at line ``first``."""
    heading, begin = False, 0
    for token in MarkdownIt("commonmark", {"html": True}).enable("table").parse(text):
        if token.map:
            begin = token.map[0]
        if token.type in ("heading_open", "heading_close"):
            heading = token.type == "heading_open"
        elif token.type == "inline":
            yield Piece(first + begin, _plain(token.children or []), heading)


def _plain(tokens: Iterable[Token]) -> str:
    """Returns the text of a paragraph without markup, with the line breaks of its source."""
    parts = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif token.type == "code_inline":
            parts.append(code())
        elif token.type == "text":
            parts.append(token.content)
    return "".join(parts)


def _docstring(text: str, first: int) -> Iterator[Piece]:
    """Yields the paragraphs of a docstring without examples and code."""
    lines = text.splitlines()
    shown = [line for line in lines[1:] if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in shown), default=0)
    paragraph: list[str] = []
    for number, line in enumerate([*lines, ""]):
        inside = line[margin:] if number else line
        # Examples are indented; so are sections such as Raises, whose entries are sentences.
        if not inside.strip() or re.match(r"\s*(>>>|\.\.\.)|\s{8}", inside):
            if paragraph:
                joined = "\n".join(paragraph)
                # Backticks may span two lines.
                spans = re.compile(r"``.+?``|`[^`]+`", re.S)
                plain = spans.sub(lambda m: code() + "\n" * m[0].count("\n"), joined)
                yield Piece(first + number - len(paragraph), plain)
            paragraph = []
        else:
            paragraph.append(inside.strip())


def python(text: str) -> Iterator[Piece]:
    """Yields docstrings, and the texts of exceptions, of ``help=`` and of options."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            match node.body[:1]:
                case [ast.Expr(value=ast.Constant(value=str(doc)) as place)]:
                    yield from _docstring(doc, place.lineno)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from _messages(node.exc.args)
        elif isinstance(node, ast.keyword) and node.arg in ("help", "epilog", "description"):
            yield from _messages([node.value])


def _messages(values: Iterable[ast.expr]) -> Iterator[Piece]:
    for value in values:
        if isinstance(value, ast.JoinedStr):
            texts = [p.value if isinstance(p, ast.Constant) else code() for p in value.values]
            text = "".join(map(str, texts))
        elif isinstance(value, ast.Constant) and isinstance(value.value, str):
            text = value.value
        else:
            continue
        if text.count(" ") > 1:
            yield Piece(value.lineno, text.replace("\n", " "))


def tablegen(text: str) -> Iterator[Piece]:
    """Yields descriptions, which are Markdown, and summaries."""
    for found in re.finditer(r"\[\{(.*?)\}\]", text, re.S):
        line = text.count("\n", 0, found.start(1)) + 1
        lines = found[1].splitlines()
        margin = min((len(x) - len(x.lstrip()) for x in lines if x.strip()), default=0)
        # C++ code is in these brackets, too.
        if not re.search(r";\s*$|^\s*return\b|\$_self", found[1], re.M):
            yield from markdown("\n".join(x[margin:] for x in lines), line)
    rest = re.sub(r"\[\{.*?\}\]|//[^\n]*", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    yield from literals(rest)


def literals(text: str) -> Iterator[Piece]:
    """Yields string literals that are sentences; adjacent literals are joined."""
    text = re.sub(r"^\s*#.*$|//[^\n]*", "", text, flags=re.M)
    for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
        joined = re.sub(r'(?<!\\)"(\s*)"', lambda m: "\n" * m[1].count("\n"), found[0])[1:-1]
        if len(re.findall(r"[a-z]{2,}", joined)) > 3:
            plain = joined.replace("\\n", " ").replace('\\"', "'")
            yield Piece(text.count("\n", 0, found.start()) + 1, plain)


KINDS = {".md": markdown, ".py": python, ".td": tablegen, ".cpp": literals, ".h": literals}


# ---- Findings ----


@dataclass(frozen=True)
class Finding:
    file: Path
    line: int
    rule: str
    text: str
    advice: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.text!r}: {self.advice}"


def by_rules(pieces: Iterable[Piece]) -> Iterator[tuple[int, str, str, str]]:
    for piece in pieces:
        for rule in RULES:
            if rule.headings != piece.heading and rule.name != "nobody":
                continue
            for found in rule.pattern.finditer(piece.text):
                line = piece.line + piece.text.count("\n", 0, found.start())
                text = CODES.sub("...", " ".join(found[0].split()))[:70]
                if rule.name == "clause-subject" and found[0].strip() == piece.text.strip():
                    yield line, "clause-label", text, LABEL
                else:
                    yield line, rule.name, text, rule.advice


def by_proselint(pieces: Iterable[Piece]) -> Iterator[tuple[int, str, str, str]]:
    from proselint.checks import __register__
    from proselint.config import DEFAULT, Config
    from proselint.registry import CheckRegistry
    from proselint.tools import LintFile

    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(__register__)
    names = {**DEFAULT["checks"], **dict.fromkeys(WITHOUT, False)}
    names = dict(sorted(names.items(), key=lambda item: -item[0].count(".")))
    # One text for the whole file, with the same line numbers.
    lines: list[list[str]] = []
    for piece in pieces:
        for number, text in enumerate(piece.text.splitlines(), piece.line):
            lines += [[] for _ in range(number + 1 - len(lines))]
            lines[number].append(text)
        if piece.text.strip() and piece.text.rstrip()[-1] not in ".:;!?":
            lines[number][-1] += "."
    content = "\n".join(" | ".join(texts) for texts in lines[1:])
    if not content.strip():
        return
    linted = LintFile("prose", content)
    for found in linted.lint(Config(max_errors=1000, checks=names)):
        begin, end = found.check_result.span
        text = " ".join(linted.content[begin:end].split())
        check = found.check_result
        # Numbers in a table are not repeated words.
        if not re.fullmatch(r"[\d\W]+", text):
            message = " ".join(check.message.split())
            yield found.pos[0], f"proselint.{check.check_path}", text, message


def findings(path: Path) -> list[Finding]:
    """Returns the findings of a file, in the order of its lines."""
    pieces = sorted(KINDS[path.suffix](path.read_text("utf-8")), key=lambda piece: piece.line)
    inside = path.resolve()
    name = inside.relative_to(ROOT) if inside.is_relative_to(ROOT) else path
    found = [*by_rules(pieces), *by_proselint(pieces)]
    return sorted((Finding(name, *one) for one in found), key=lambda f: (f.line, f.rule))


def files() -> list[Path]:
    """Returns the pages and sources with texts for users."""
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += sorted((ROOT / "docs" / "src").glob("*.md"))
    patterns = "python/*.py", "tools/*.py", "cpp/*.td", "cpp/*.cpp", "runtime/*.cpp", "runtime/*.h"
    command = ["git", "-C", str(ROOT), "ls-files", *patterns]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return pages + [ROOT / name for name in listed.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--count", action="store_true", help="print counts by rule and file type")
    options = parser.parse_args()
    found = [finding for path in options.files or files() for finding in findings(path)]
    if options.count:
        counts = Counter((finding.rule, finding.file.suffix) for finding in found)
        for (rule, suffix), number in sorted(counts.items(), key=lambda item: -item[1]):
            print(f"{number:6} {suffix:5} {rule}")
    else:
        print("\n".join(map(str, found)), end="\n" if found else "")
    print(f"{len(found)} findings", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
