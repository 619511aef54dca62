"""Mutations of MLIR text that mostly stay well-formed: whole tokens, types, attributes and lines
are exchanged for others of their kind."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|[%#!@^][\w$.]+|[A-Za-z_][\w$.]*|-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+|->|::|\s+|.',
    re.S,
)
#: With one level of angle brackets inside, as in a type with a layout.
SHAPED = re.compile(r"(?:tensor|memref)<[^<>]*(?:<[^<>]*>[^<>]*)*>")
ATTRIBUTE = re.compile(r"#tt\w*\.\w+<[^<>]*(?:<[^<>]*>[^<>]*)*>")
EXTENTS = re.compile(r"(?<=[<])(?:\d+|\?)(?:x(?:\d+|\?))*(?=x)")
ELEMENT = re.compile(r"(?<=[x<])(?:f32|bf16|f16|f64|i1|i8|i16|i32|i64|ui\d+|si\d+|index)(?=[,>])")
INTEGER = re.compile(r"(?<![\w%#!@.x])-?\d+(?![\w.x])")
FLOAT = re.compile(r"-?\d+\.\d+(?:[eE][+-]?\d+)?")
LIST = re.compile(r"\[[^\[\]]*\]|array<[^<>]*>")
ENTRY = re.compile(r"[\w.]+ = (?:[^,{}<>]|<[^<>]*>)+,\s*")

NUMBERS = [0, 1, -1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 96, 127, 128, 255, 256, 1023, 1024, 65535]
NUMBERS += [65536, 1 << 20, 1 << 24, 2**31 - 1, 2**31, -(2**31), 2**32 - 1, 2**32, 2**32 + 1]
NUMBERS += [1 << 40, 1 << 62, 2**63 - 1, -(2**63), 2**64 - 1, 10**20]
DIMENSIONS = ["0", "1", "2", "3", "7", "31", "32", "33", "64", "65", "97", "1000", "4096", "65536"]
DIMENSIONS += ["1048576", "2147483648", "4294967296", "1099511627776", "9223372036854775807", "?"]
ELEMENTS = ["f32", "bf16", "f16", "f64", "i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32"]
ELEMENTS += ["si32", "index", "complex<f32>", "vector<4xf32>", "f8E4M3FN", "tf32", "i128", "i7"]
ELEMENTS += ["!tt.tile<32x32, bf16>", "!tt.tile<32x32, bfp_bf8>", "!tt.tile<16x16, f32>", "none"]
ELEMENTS += ["tuple<>", "!quant.uniform<i8:f32, 0.1>", "tensor<2xf32>"]
REALS = ["0.0", "-0.0", "1e38", "1e39", "-1e308", "1e400", "0x7F800000", "0x7FC00000", "1e-45"]
LISTS = ["[]", "[0]", "[-1]", "[1, 1]", "[0, 1, 2, 3, 4, 5, 6, 7, 8]", "array<i32>"]
LISTS += ["array<i64: -1>", "array<i32: 0, 0>", "array<i64: 0, 0, 0, 0, 0>", "dense<0>", "[[0]]"]
CHARACTERS = ["", *'<>{}()[],"*?', "\0", "\x1b", "é"]

Mutation = Callable[[str], str]


def kind(token: str) -> str:
    """What a token may be exchanged for."""
    first = token[0]
    if first == '"' or first.isspace():
        return first
    if first in "%#!@^" and len(token) > 1:
        return first
    if first.isalpha() or first == "_":
        return "name"
    return "number" if re.match(r"-?\d", token) else "sign"


class Mutator:
    """Makes mutations with what occurs in a corpus."""

    def __init__(self, corpus: Sequence[str], rng: random.Random) -> None:
        whole = "\n".join(corpus)
        self.rng = rng
        self.corpus = corpus
        self.shaped = sorted(set(SHAPED.findall(whole)))
        self.attributes = sorted(set(ATTRIBUTE.findall(whole)))
        self.lines = sorted({line for line in whole.split("\n") if line.strip()})
        self.pool: dict[str, list[str]] = {}
        for token in sorted(set(TOKEN.findall(whole))):
            self.pool.setdefault(kind(token), []).append(token)
        self.mutations: list[Mutation] = [
            *[self.extent] * 8,
            *[self.shape] * 3,
            *[self.element] * 4,
            *[self.integer] * 4,
            *[self.token] * 2,
            *[self.line] * 2,
            *[self.type] * 2,
            self.real,
            self.attribute,
            self.list,
            self.entry,
            self.operand,
            self.character,
            self.other,
            self.nested,
            self.call,
        ]

    def mutate(self, text: str) -> str:
        for _ in range(self.rng.choice((1, 1, 1, 1, 2, 2, 3, 5))):
            text = self.rng.choice(self.mutations)(text) or text
        return text

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def _replace(self, pattern: re.Pattern[str], text: str, new: Callable[[str], str]) -> str:
        """Replaces one match, or all that are like it, so that types still fit together."""
        matches = list(pattern.finditer(text))
        if not matches:
            return text
        match = self.rng.choice(matches)
        found, replacement = match.group(0), new(match.group(0))
        if self.chance(0.7):
            return pattern.sub(lambda m: replacement if m.group(0) == found else m.group(0), text)
        return text[: match.start()] + replacement + text[match.end() :]

    def _number(self, old: str) -> str:
        if self.chance(0.7):
            return str(self.rng.choice(NUMBERS))
        return str(int(old) + self.rng.choice((-1, 1, 2, 32)))

    def extent(self, text: str) -> str:
        """One extent everywhere, in types and attributes."""
        extents = re.findall(r"(?<=[<x])\d+(?=x)", text)
        if not extents:
            return text
        old = self.rng.choice(extents)
        new = self.rng.choice(DIMENSIONS)
        if self.chance(0.4):
            new = str(max(0, int(old) + self.rng.choice((-1, 1, 32, -32, int(old)))))
        text = re.sub(rf"(?<=[<x]){old}(?=x)", new, text)
        if self.chance(0.5):
            text = re.sub(rf"(?<![\w.]){old}(?![\w.])", new.replace("?", "-1"), text)
        return text

    def shape(self, text: str) -> str:
        def change(old: str) -> str:
            parts = old.split("x")
            place = self.rng.randrange(len(parts))
            choice = self.rng.randrange(6)
            if choice == 0:
                parts = [self.rng.choice(DIMENSIONS[:12]) for _ in range(self.rng.randrange(1, 10))]
            elif choice == 1:
                parts[place] = self.rng.choice(DIMENSIONS)
            elif choice == 2:
                parts.insert(place, self.rng.choice(DIMENSIONS[:10]))
            elif choice == 3 and len(parts) > 1:
                parts.pop(place)
            elif choice == 4:
                self.rng.shuffle(parts)
            else:
                parts = parts[::-1]
            return "x".join(parts)

        return self._replace(EXTENTS, text, change)

    def element(self, text: str) -> str:
        return self._replace(ELEMENT, text, lambda _: self.rng.choice(ELEMENTS))

    def integer(self, text: str) -> str:
        return self._replace(INTEGER, text, self._number)

    def real(self, text: str) -> str:
        return self._replace(FLOAT, text, lambda _: self.rng.choice(REALS))

    def token(self, text: str) -> str:
        tokens: list[str] = TOKEN.findall(text)
        places = [i for i, token in enumerate(tokens) if not token.isspace()]
        if not places:
            return text
        place = self.rng.choice(places)
        same = kind(tokens[place])
        own = [tokens[i] for i in places if kind(tokens[i]) == same]
        tokens[place] = self.rng.choice(self.pool[same] if self.chance(0.6) else own)
        return "".join(tokens)

    def line(self, text: str) -> str:
        lines = text.split("\n")
        place, choice = self.rng.randrange(len(lines)), self.rng.randrange(4)
        if choice == 0:
            lines.pop(place)
        elif choice == 1:
            lines.insert(place, self.rng.choice(lines))
        elif choice == 2:
            other = self.rng.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        else:
            lines.insert(place, self.rng.choice(self.lines))
        return "\n".join(lines)

    def type(self, text: str) -> str:
        return self._replace(SHAPED, text, lambda _: self.rng.choice(self.shaped))

    def attribute(self, text: str) -> str:
        return self._replace(ATTRIBUTE, text, lambda _: self.rng.choice(self.attributes))

    def list(self, text: str) -> str:
        return self._replace(LIST, text, lambda _: self.rng.choice(LISTS))

    def entry(self, text: str) -> str:
        """An attribute less."""
        return self._replace(ENTRY, text, lambda _: "")

    def operand(self, text: str) -> str:
        values = re.findall(r"%\w+", text)
        return self._replace(re.compile(r"%\w+"), text, lambda _: self.rng.choice(values))

    def character(self, text: str) -> str:
        if not text:
            return text
        place = self.rng.randrange(len(text))
        return text[:place] + self.rng.choice(CHARACTERS) + text[place + 1 :]

    def other(self, text: str) -> str:
        """With another program behind it."""
        return text + "\n" + self.rng.choice(self.corpus)

    def nested(self, text: str) -> str:
        """In modules inside of modules."""
        depth = self.rng.choice((1, 2, 50))
        aliases = re.findall(r"^[#!].*$", text, re.M)
        body = re.sub(r"^[#!].*$", "", text, flags=re.M)
        return "\n".join([*aliases, "module {\n" * depth + body + "}\n" * depth])

    def call(self, text: str) -> str:
        """With a call of a function of its own."""
        functions = re.findall(r"func\.func (@\w+)", text)
        if not functions:
            return text
        name = self.rng.choice(functions)
        return re.sub(
            r"^(\s*)((?:func\.)?return\b)",
            rf"\1func.call {name}() : () -> ()\n\1\2",
            text,
            count=1,
            flags=re.M,
        )
