"""Trains a small Transformer to count in words, and generates text on the emulated n150.

Text is generated one character at a time, with a KV cache that never leaves the device: a call
takes one token and returns one row of logits, from which the host chooses the next token. Then the
whole loop runs as one program, which chooses tokens on the device. Both texts must be equal to
NumPy's, which is generated without a cache.

    python examples/generate.py [--prompt "ninety-seven,"] [--backend ttmetal] [--temperature 0.5]

Exits with status 1 if a text differs.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, get_args

# Products as small as those in training are slower with several threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import counting
import numpy as np
from counting import CHARACTERS, END, EPSILON, Array, Config, Weights, decode, encode
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import ttmlir
from ttmlir.builder import Tensor

Backend = Literal["ttnn", "ttmetal"]
#: Marks a token that is still to be chosen.
OPEN = -1


def choice_noise(config: Config, temperature: float, seed: int) -> Array:
    """Returns the noise to add to the logits of each position before taking the maximum: (context,
    characters).

    With Gumbel noise, a token is chosen with its probability at that temperature; with zeros, the
    most probable one is. The noise is drawn in advance, so that host and device make the same
    choices.
    """
    shape = (config.context, len(CHARACTERS))
    return (temperature * np.random.default_rng(seed).gumbel(size=shape)).astype(np.float32)


def open_text(config: Config, prompt: str) -> Array:
    """Returns the prompt's tokens with space for the others."""
    text = np.full(config.context, OPEN, np.int32)
    tokens = encode(prompt)
    text[: len(tokens)] = tokens
    return text


# On the device -----------------------------------------------------------------------------------


def cache_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Shapes of the keys and values of each layer."""
    shape = (1, config.heads, config.context, config.head_dim)
    return {f"{name}{i}": shape for i in range(config.layers) for name in ("keys", "values")}


def place_tables(config: Config) -> Weights:
    """Returns tables with a row for each position: the rotary embedding, and the mask of later
    positions."""
    cos, sin = config.angles()
    unseen = np.triu(np.full((config.context, config.context), -1e9, np.float32), k=1)
    return {"cos": cos, "sin": sin, "unseen": unseen}


class Model:
    """Builds the step for one token."""

    def __init__(self, name: str, config: Config) -> None:
        self.b, self.config = ttmlir.Builder(name), config

    def parameters(self) -> None:
        """Adds the parameters to be bound."""
        tables = {name: table.shape for name, table in place_tables(self.config).items()}
        looked_up = {"embedding", *tables}
        self.w = {
            name: self.table(name, shape) if name in looked_up else self.b.parameter(name, shape)
            for name, shape in (self.config.shapes() | tables).items()
        }

    def table(self, name: str, shape: tuple[int, ...]) -> Tensor:
        """Adds a parameter for row lookups: tiled, so that its row-major form is computed only
        once."""
        b = self.b
        return b.input(name, shape, argument_type="parameter", memory_space="dram", tiled=True)

    def from_host(self, x: Tensor) -> Tensor:
        """Adds the input conversion, from row-major: a tile would transfer 1024 elements."""
        return self.b.to_layout(x, memory_space="dram", tiled=False)

    def to_host(self, x: Tensor) -> Tensor:
        """Adds the output conversion, to row-major."""
        x = self.b.to_layout(x, memory_space="dram", tiled=False)
        return self.b.to_layout(x, memory_space="system", tiled=False)

    def step(
        self, token: Tensor, place: Tensor, caches: Sequence[Tensor]
    ) -> tuple[Tensor, list[Tensor]]:
        """Returns logits (1, characters) and caches, given a token (1) and its position (1)."""
        b, w, config = self.b, self.w, self.config
        cos, sin, unseen = (b.embedding(place, w[name]) for name in ("cos", "sin", "unseen"))
        x, updated = b.embedding(token, w["embedding"]), list[Tensor]()
        for i in range(config.layers):
            h = b.rms_norm(x, epsilon=EPSILON, name=f"norm{i}")
            query = self.rotate(self.heads(h @ w[f"wq{i}"]), cos, sin)
            key = self.rotate(self.heads(h @ w[f"wk{i}"]), cos, sin)
            value = self.heads(h @ w[f"wv{i}"])
            keys, values = (
                b.update_cache(cache, b.reshape(new, (1, config.heads, 1, -1)), place, 0)
                for cache, new in zip(caches[2 * i : 2 * i + 2], (key, value), strict=True)
            )
            updated += [keys, values]
            query = b.reshape(query, (1, config.heads, 1, config.head_dim))
            scores = b.matmul(query, keys, transpose_b=True, name=f"scores{i}")
            seen = b.softmax(b.add(scores * config.head_dim**-0.5, unseen), name=f"seen{i}")
            mixed = b.matmul(seen, values, name=f"mixed{i}")
            x = x + b.reshape(mixed, (1, config.width)) @ w[f"wo{i}"]
            h = b.rms_norm(x, epsilon=EPSILON, name=f"mlp_norm{i}")
            x = x + b.relu(h @ w[f"up{i}"]) @ w[f"down{i}"]
        return b.rms_norm(x, epsilon=EPSILON) @ w["unembedding"], updated

    def heads(self, x: Tensor) -> Tensor:
        return self.b.reshape(x, (self.config.heads, self.config.head_dim))

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Applies the rotary embedding to every head."""
        b, (heads, width) = self.b, x.shape
        first = b.slice(x, (0, 0), (heads, width // 2))
        second = b.slice(x, (0, width // 2), (heads, width))
        return b.add(x * cos, b.concat([b.neg(second), first], dim=-1) * sin)


def step_program(config: Config, backend: Backend, target: str) -> ttmlir.Executable:
    """One token: from token (1), position (1) and caches to logits, the next position and
    caches."""
    model = Model("step", config)
    b = model.b
    token = b.input("token", (1,), "si32")
    place = b.input("place", (1,), "si32", donated=True)
    caches = [b.input(name, shape, donated=True) for name, shape in cache_shapes(config).items()]
    model.parameters()
    logits, caches = model.step(model.from_host(token), place, caches)
    b.output(model.to_host(logits), b.add(place, b.constant([1], dtype="si32")), *caches)
    return ttmlir.compile(b, backend=backend, target=target)


def loop_program(config: Config, backend: Backend, target: str) -> ttmlir.Executable:
    """All tokens: from an open text (context) to the complete one."""
    model = Model("loop", config)
    b = model.b
    text = b.input("text", (config.context,), "si32")
    noise = model.table("noise", (config.context, len(CHARACTERS)))
    model.parameters()
    one = b.constant([1], dtype="si32")

    def goes_on(text: Tensor, place: Tensor, *_: Tensor) -> Tensor:
        token = b.dynamic_slice(text, place, [1])
        room = b.lt(place, b.constant([config.context - 1], dtype="si32"))
        return b.logical_and(room, b.ne(token, b.constant([END], dtype="si32")))

    def turn(text: Tensor, place: Tensor, *caches: Tensor) -> tuple[Tensor, ...]:
        logits, updated = model.step(b.dynamic_slice(text, place, [1]), place, caches)
        chosen = b.argmax(logits + b.embedding(place, noise), dim=1)
        place = place + one
        given = b.dynamic_slice(text, place, [1])
        is_open = b.lt(given, b.constant([0], dtype="si32"))
        token = b.where(is_open, b.typecast(chosen, "si32"), given)
        return b.dynamic_update_slice(text, token, place), place, *updated

    empty = [b.zeros(shape) for shape in cache_shapes(config).values()]
    start = b.constant([0], dtype="si32")
    b.output(b.while_loop(goes_on, turn, [text, start, *empty], name="loop")[0])
    return ttmlir.compile(b, backend=backend, target=target)


# Runs --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """A text and its cost: ``report`` is that of one of the ``calls``, ``seconds`` are the host's
    for all of them."""

    way: str
    text: Array
    calls: int
    seconds: float
    report: ttmlir.Report


@dataclass(frozen=True)
class Generator:
    """A trained model, the noise for its logits, and its backend and target."""

    config: Config
    weights: Weights
    noise: Array
    backend: Backend
    target: str

    def goes_on(self, text: Array, place: int) -> bool:
        return place < self.config.context - 1 and text[place] != END

    def parameters(self) -> Weights:
        """Returns the values that stay on the device."""
        return self.weights | place_tables(self.config)

    def reference(self, text: Array) -> Array:
        """Generates with NumPy and without a cache: computes all positions again for each token."""
        text, place = text.copy(), 0
        while self.goes_on(text, place):
            if text[place + 1] == OPEN:
                known = text[None, : place + 1]
                logits = counting.Pass(self.config, self.weights, known).logits[0, -1]
                text[place + 1] = np.argmax(logits + self.noise[place])
            place += 1
        return text

    def token_by_token(self, text: Array) -> Outcome:
        """Chooses each token on the host; position and caches are passed from call to call."""
        program = step_program(self.config, self.backend, self.target)
        program.bind(self.parameters())
        state: list[Any] = [np.zeros(1, np.int32)]
        state += [np.zeros(shape, np.float32) for shape in cache_shapes(self.config).values()]
        text, place, start = text.copy(), 0, time.perf_counter()
        while self.goes_on(text, place):
            row, *state = program(text[place : place + 1], *state, keep_on_device=True)
            if text[place + 1] == OPEN:
                logits = ttmlir.runtime.to_numpy(row)[0]
                text[place + 1] = np.argmax(logits + self.noise[place])
            place += 1
        seconds = time.perf_counter() - start
        report = program.report(inputs=[text[:1], *state])
        return Outcome("token by token", text, place, seconds, report)

    def one_program(self, text: Array) -> Outcome:
        """Chooses each token and ends the loop on the device."""
        program = loop_program(self.config, self.backend, self.target)
        program.bind(self.parameters() | {"noise": self.noise})
        start = time.perf_counter()
        found = program(text)
        seconds = time.perf_counter() - start
        return Outcome("one program", found, 1, seconds, program.report(inputs=[text]))


def trained(config: Config, steps: int, console: Console) -> Weights:
    """Returns the weights after some training steps."""
    weights, start = counting.initial_weights(config, seed=0), time.perf_counter()
    losses: list[float] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("Training", total=steps)
        for loss in counting.train(config, weights, steps):
            losses.append(loss)
            progress.update(task, advance=1, description=f"Training, loss {loss:.3f}")
    if losses:
        console.print(
            f"Trained {sum(w.size for w in weights.values()):,} weights to count in words in "
            f"{time.perf_counter() - start:.1f} s: loss {losses[0]:.2f} to {losses[-1]:.2f}"
        )
    return weights


def show(console: Console, title: str, prompt: str, outcomes: list[Outcome]) -> None:
    written = decode(outcomes[0].text)[len(prompt) :].rstrip("\n")
    console.print(f"\n[bold]{prompt}[/bold]{written}\n", highlight=False)
    table = Table(title=title, box=None, pad_edge=False)
    for column in ("way", "calls", "bytes to device", "to host", "modelled", "host time"):
        table.add_column(column, justify="left" if column == "way" else "right", no_wrap=True)
    for o in outcomes:
        table.add_row(
            o.way,
            str(o.calls),
            f"{o.report.host_to_device_bytes:,}",
            f"{o.report.device_to_host_bytes:,}",
            f"{o.report.seconds * 1e6:,.0f} us",
            f"{o.seconds:.2f} s",
        )
    console.print(table)
    console.print("Bytes and modelled times are those of a call.", style="dim")


def failures(expected: Array, outcomes: list[Outcome]) -> list[str]:
    """Returns a line for each deviation from the expected results."""
    found = [
        f"{o.way}: expected the text that NumPy makes, {decode(expected)!r}, found "
        f"{decode(o.text)!r}"
        for o in outcomes
        if not np.array_equal(o.text, expected)
    ]
    token, row = 4, 4 * len(CHARACTERS)
    call = outcomes[0].report
    if (call.host_to_device_bytes, call.device_to_host_bytes) != (token, row):
        found.append(
            f"a call: expected {token} bytes to the device and {row} to the host, found "
            f"{call.host_to_device_bytes} and {call.device_to_host_bytes}"
        )
    return found


class Parser(argparse.ArgumentParser):
    """Reports a wrong argument in one line, and exits with status 1."""

    def error(self, message: str) -> NoReturn:
        sys.exit(f"error: {message}")


def parse() -> argparse.Namespace:
    parser = Parser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--prompt", default="ninety-seven,", help="start of the text")
    parser.add_argument("--backend", choices=get_args(Backend), default="ttnn")
    parser.add_argument("--target", choices=ttmlir.targets(), default="n150")
    parser.add_argument("--temperature", type=float, default=0.0, help="0: the likeliest token")
    parser.add_argument("--seed", type=int, default=0, help="of the choices")
    parser.add_argument("--steps", type=int, default=600, help="of the training")
    options = parser.parse_args()
    room = Config.context - 1
    if not 0 < len(options.prompt) <= room:
        parser.error(f"--prompt: expected 1 to {room} characters, found {len(options.prompt)}")
    try:
        if END in encode(options.prompt):
            parser.error("--prompt: expected one line, found the end of one")
    except ValueError as error:
        parser.error(f"--prompt: {error}")
    for name in ("temperature", "seed", "steps"):
        if not 0 <= getattr(options, name) < np.inf:
            parser.error(f"--{name}: expected at least 0, found {getattr(options, name)}")
    return options


def main() -> int:
    options = parse()
    console, config = Console(), Config()
    weights = trained(config, options.steps, console)
    noise = choice_noise(config, options.temperature, options.seed)
    generator = Generator(config, weights, noise, options.backend, options.target)
    text = open_text(config, options.prompt)
    outcomes = [generator.token_by_token(text), generator.one_program(text)]
    title = f"Generation on the emulated {options.target}, {options.backend}"
    show(console, title, options.prompt, outcomes)
    failed = failures(generator.reference(text), outcomes)
    for message in failed:
        print(f"error: {message}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
