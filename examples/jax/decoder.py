"""Generates text with a Llama-style decoder, with the whole loop in one program on an emulated
chip.

The decoder has RMS norm, rotary embedding, grouped-query attention, SwiGLU and a KV cache. One
function computes a block of tokens after those in the cache; training, the prompt and each new
token are calls of it. The loop over tokens, with sampling, is one program of ``jax.jit``, and the
cache is donated to it, so that the chip updates it in place.

    python examples/jax/decoder.py [--prompt "the chip"] [--temperature 0.7] [--seed 0]

The weights are trained on JAX's CPU, on a text in this file. Exits with status 1 if the chip
generates other texts than the CPU, or if its logits differ from the CPU's by more than rounding
explains.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from rich.console import Console

import ttmlir
import ttmlir.jax

TEXT = """
the chip has a grid of cores. each core has a memory of its own, and two networks join the cores.
a tensor is cut into tiles, and each tile has rows and columns of numbers. the cores read tiles from
the memory beside the grid, multiply them, and write what they have found. a core that needs a tile
waits for it, and a core that has no room waits, too. the program says who reads, who computes and
who writes, and the chip does no more than that.
"""
CHARACTERS = "".join(sorted(set(TEXT.replace("\n", " "))))
#: Tolerance of logits, relative to the greatest: f32 has 24 bits, and a logit sums many products.
TOLERANCE = 1e-5

Tree = dict[str, Any]


@dataclass(frozen=True)
class Config:
    """Sizes of a decoder. ``context`` is the maximum number of tokens, and the number of rows of
    the cache."""

    context: int = 96
    layers: int = 2
    hidden: int = 64
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 16
    mlp: int = 160
    theta: float = 10000.0
    epsilon: float = 1e-5

    def empty_cache(self) -> list[Tree]:
        """Returns keys and values (context, kv_heads, head_dim) of each layer."""
        shape = (self.context, self.kv_heads, self.head_dim)
        return [{name: jnp.zeros(shape) for name in ("keys", "values")} for _ in range(self.layers)]


def encode(text: str) -> Any:
    """Returns the tokens (n,) of a text.

    Raises:
        ValueError: the decoder does not know a character.
    """
    unknown = sorted(set(text) - set(CHARACTERS))
    if unknown:
        raise ValueError(f"expected characters of '{CHARACTERS}', found '{unknown[0]}'")
    return np.array([CHARACTERS.index(c) for c in text], np.int32)


def decode(tokens: Any) -> str:
    return "".join(CHARACTERS[int(token)] for token in tokens)


# The decoder -------------------------------------------------------------------------------------


def initial_weights(config: Config, key: Any) -> Tree:
    """Draws normal numbers divided by the root of the rows; norms are 1."""
    c, vocabulary = config, len(CHARACTERS)
    queries, pairs = c.heads * c.head_dim, c.kv_heads * c.head_dim
    shapes = {
        "q": (c.hidden, queries),
        "k": (c.hidden, pairs),
        "v": (c.hidden, pairs),
        "o": (queries, c.hidden),
        "gate": (c.hidden, c.mlp),
        "up": (c.hidden, c.mlp),
        "down": (c.mlp, c.hidden),
    }

    def matrices(key: Any, shapes: dict[str, tuple[int, int]]) -> Tree:
        keys = jax.random.split(key, len(shapes))
        return {
            name: jax.random.normal(own, shape) / np.sqrt(shape[0])
            for own, (name, shape) in zip(keys, shapes.items(), strict=True)
        }

    first, *others = jax.random.split(key, c.layers + 1)
    norms = {name: jnp.ones(c.hidden) for name in ("attention_norm", "mlp_norm")}
    ends = {"embedding": (vocabulary, c.hidden), "logits": (c.hidden, vocabulary)}
    layers = [matrices(own, shapes) | norms for own in others]
    return matrices(first, ends) | {"norm": jnp.ones(c.hidden), "layers": layers}


def forward(
    config: Config, weights: Tree, cache: list[Tree], tokens: Any, start: Any
) -> tuple[Any, list[Tree]]:
    """Returns the logits (n, characters) of ``tokens`` (n,), of which the first is at position
    ``start``, and the cache with their keys and values."""
    positions = start + jnp.arange(len(tokens))

    def norm(x: Any, weight: Any) -> Any:
        return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + config.epsilon) * weight

    def rotate(x: Any) -> Any:
        """Rotates the pairs of (n, heads, head_dim) by their positions."""
        half = config.head_dim // 2
        angles = positions[:, None, None] * config.theta ** (-jnp.arange(half) / half)
        cos, sin = jnp.cos(angles), jnp.sin(angles)
        first, second = jnp.split(x, 2, axis=-1)
        return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)

    def attention(x: Any, w: Tree, kept: Tree) -> tuple[Any, Tree]:
        def heads(name: str) -> Any:
            return (x @ w[name]).reshape(len(tokens), -1, config.head_dim)

        new = {"keys": rotate(heads("k")), "values": heads("v")}
        kept = {n: jax.lax.dynamic_update_slice(kept[n], new[n], (start, 0, 0)) for n in new}
        # Heads with the same keys and values form a group.
        q = rotate(heads("q")).reshape(len(tokens), config.kv_heads, -1, config.head_dim)
        scores = jnp.einsum("nhgd,thd->hgnt", q, kept["keys"]) / np.sqrt(config.head_dim)
        past = jnp.arange(config.context) <= positions[:, None]
        shares = jax.nn.softmax(jnp.where(past, scores, -jnp.inf), axis=-1)
        found = jnp.einsum("hgnt,thd->nhgd", shares, kept["values"])
        return found.reshape(len(tokens), -1) @ w["o"], kept

    x, new_cache = weights["embedding"][tokens], []
    for w, kept in zip(weights["layers"], cache, strict=True):
        found, new = attention(norm(x, w["attention_norm"]), w, kept)
        new_cache.append(new)
        x = x + found
        h = norm(x, w["mlp_norm"])
        x = x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"]
    return norm(x, weights["norm"]) @ weights["logits"], new_cache


@partial(jax.jit, static_argnames=("config", "count"), donate_argnames="cache")
def write(
    config: Config,
    weights: Tree,
    cache: list[Tree],
    prompt: Any,
    count: int,
    key: Any,
    temperature: Any,
) -> tuple[Any, Any, list[Tree]]:
    """Continues a prompt.

    Args:
        prompt: tokens (n,).
        count: the number of tokens to generate; ``n + count`` is at most ``config.context``.
        temperature: 0 takes the most probable token, other values sample.

    Returns:
        The tokens (count,), their logits (count, characters), and the cache.
    """

    def choose(logits: Any, key: Any) -> Any:
        drawn = jax.random.categorical(key, logits / jnp.maximum(temperature, 1e-6))
        return jnp.where(temperature > 0, drawn, logits.argmax())

    def turn(state: tuple[Any, list[Tree]], given: tuple[Any, Any]) -> tuple[Any, Any]:
        (logits, cache), (position, key) = state, given
        token = choose(logits, key)
        following, cache = forward(config, weights, cache, token[None], position)
        return (following[0], cache), (token, logits)

    logits, cache = forward(config, weights, cache, prompt, 0)
    turns = (len(prompt) + jnp.arange(count), jax.random.split(key, count))
    (_, cache), (tokens, rows) = jax.lax.scan(turn, (logits[-1], cache), turns)
    return tokens, rows, cache


def trained_weights(config: Config, steps: int, seed: int) -> tuple[Tree, list[float]]:
    """Returns weights and losses after ``steps`` batches of random pieces of the text."""
    text = encode(TEXT.replace("\n", " ").strip() + " ")
    optimizer = optax.adam(3e-3)

    def mean_loss(weights: Tree, pieces: Any) -> Any:
        def one(piece: Any) -> Any:
            logits, _ = forward(config, weights, config.empty_cache(), piece[:-1], 0)
            return optax.softmax_cross_entropy_with_integer_labels(logits, piece[1:])

        return jax.vmap(one)(pieces).mean()

    @jax.jit
    def step(weights: Tree, state: Any, pieces: Any) -> tuple[Tree, Any, Any]:
        loss, gradient = jax.value_and_grad(mean_loss)(weights, pieces)
        change, state = optimizer.update(gradient, state)
        return optax.apply_updates(weights, change), state, loss

    rng, losses = np.random.default_rng(seed), []
    weights = initial_weights(config, jax.random.key(seed))
    state = optimizer.init(weights)
    for _ in range(steps):
        starts = rng.integers(0, len(text) - config.context, 16)
        pieces = np.stack([text[i : i + config.context + 1] for i in starts])
        weights, state, loss = step(weights, state, pieces)
        losses.append(loss)
    return weights, [float(loss) for loss in losses]


# Both devices ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Texts:
    """Tokens and logits of a device, without (0) and with temperature."""

    tokens: list[Any]
    logits: list[Any]
    report: ttmlir.Report | None


def run(config: Config, weights: Tree, prompt: Any, temperature: float, device: Any) -> Texts:
    """Generates two texts on a device, up to the end of the context."""
    count = config.context - len(prompt)
    with jax.default_device(device):
        own = jax.device_put(weights, device)
        tokens, logits = [], []
        for heat in (0.0, temperature):
            arguments = (prompt, count, jax.random.key(7), heat)
            found = write(config, own, config.empty_cache(), *arguments)
            tokens.append(np.asarray(found[0]))
            logits.append(np.asarray(found[1]))
        report = None
        if device.platform != "cpu":
            report = ttmlir.jax.report(write, config, own, config.empty_cache(), *arguments)
    return Texts(tokens, logits, report)


def failures(own: Texts, other: Texts) -> list[str]:
    """Returns a line for each difference between chip and CPU."""
    wrong = []
    pairs = zip(own.tokens, other.tokens, own.logits, other.logits, strict=True)
    for tokens, expected, logits, reference in pairs:
        if not np.array_equal(tokens, expected):
            wrong.append(f"expected '{decode(expected)}' as on the CPU, found '{decode(tokens)}'")
            continue
        error = np.abs(logits - reference).max() / np.abs(reference).max()
        if not error <= TOLERANCE:
            wrong.append(f"expected logits within {TOLERANCE} of the CPU's, found {error:.1e}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--prompt", default="the chip")
    parser.add_argument("--temperature", type=float, default=0.7)
    parser.add_argument("--steps", type=int, default=150, help="training steps; 0: random weights")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    config, console = Config(), Console()
    if not 1 <= len(options.prompt) < config.context:
        parser.error(f"--prompt: expected 1 to {config.context - 1} characters")
    try:
        prompt = encode(options.prompt)
    except ValueError as error:
        parser.error(f"--prompt: {error}")

    chip, cpu = jax.devices("tt")[0], jax.devices("cpu")[0]
    with jax.default_device(cpu):
        weights, losses = trained_weights(config, options.steps, options.seed)
    if losses:
        console.print(
            f"{options.steps} steps of training: loss {losses[0]:.2f} to {losses[-1]:.2f}"
        )
    own, other = (run(config, weights, prompt, options.temperature, d) for d in (chip, cpu))
    for name, tokens in zip(("greedy", "sampled"), own.tokens, strict=True):
        console.print(f"[bold]{name}[/bold]: {options.prompt}[cyan]{decode(tokens)}[/cyan]")
    assert own.report is not None
    count = len(own.tokens[0])
    console.print(
        f"One call writes {count} tokens behind {len(prompt)}; the chip, {chip.device_kind}, would "
        f"need {own.report.seconds * 1e6 / count:.1f} us a token. The call moves "
        f"{own.report.host_to_device_bytes} bytes to the chip and "
        f"{own.report.device_to_host_bytes} back."
    )
    wrong = failures(own, other)
    for message in wrong:
        print(f"error: {message}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
