"""A character-level Transformer in NumPy that learns to count in words, for ``generate.py``.

Text, model, gradients and training are implemented with NumPy only. A layer is an RMS norm, causal
attention with rotary embedding, another norm and an MLP, each half with a residual connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Weights = dict[str, Array]

LAST = 200
EPSILON = 1e-5
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def words(number: int) -> str:
    """Spells a number from 0 to 999: 142 is "one hundred forty-two"."""
    if number < 20:
        return _ONES.split()[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS.split()[tens - 2] + (f"-{words(ones)}" if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{words(hundreds)} hundred" + (f" {words(rest)}" if rest else "")


#: The training text, which repeats from the start after its end.
TEXT = ", ".join(words(number) for number in range(1, LAST + 1)) + ".\n"
#: A token is the index of a character in this list.
CHARACTERS = "".join(sorted(set(TEXT)))
END = CHARACTERS.index("\n")


def encode(text: str) -> list[int]:
    """Returns the tokens of a text.

    Raises:
        ValueError: the training text does not have a character.
    """
    unknown = sorted(set(text) - set(CHARACTERS))
    if unknown:
        raise ValueError(f"expected characters of {CHARACTERS!r}, found {unknown[0]!r}")
    return [CHARACTERS.index(character) for character in text]


def decode(tokens: Array) -> str:
    """Returns the text of some tokens."""
    return "".join(CHARACTERS[token] for token in tokens)


@dataclass(frozen=True)
class Config:
    """Sizes of the model; ``context`` is the maximum length of a text."""

    layers: int = 2
    heads: int = 4
    head_dim: int = 16
    context: int = 128

    @property
    def width(self) -> int:
        return self.heads * self.head_dim

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of all weights, by name."""
        width, mlp = self.width, 4 * self.width
        found: dict[str, tuple[int, ...]] = {"embedding": (len(CHARACTERS), width)}
        for i in range(self.layers):
            found |= {f"{name}{i}": (width, width) for name in ("wq", "wk", "wv", "wo")}
            found |= {f"up{i}": (width, mlp), f"down{i}": (mlp, width)}
        return found | {"unembedding": (width, len(CHARACTERS))}

    def angles(self) -> tuple[Array, Array]:
        """Cosine and sine of the rotary embedding: (context, head_dim)."""
        rates = 1e4 ** -(np.arange(0, self.head_dim, 2) / self.head_dim)
        angle = np.tile(np.outer(np.arange(self.context), rates), 2)
        return np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)


# The model ---------------------------------------------------------------------------------------


def norm(x: Array) -> tuple[Array, Array]:
    """Divides ``x`` by the root mean square of its rows; also returns the factors of the rows."""
    factor = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
    return x * factor, factor


def norm_gradient(gradient: Array, normed: Array, factor: Array) -> Array:
    found: Array = factor * (gradient - normed * (gradient * normed).mean(-1, keepdims=True))
    return found


def softmax(x: Array) -> Array:
    x = np.exp(x - x.max(-1, keepdims=True))
    x /= x.sum(-1, keepdims=True)
    return x


class Pass:
    """A forward pass from ``tokens`` (texts, length) to ``logits`` (texts, length, characters),
    which keeps the values that the gradients need."""

    def __init__(self, config: Config, weights: Weights, tokens: Array) -> None:
        self.config, self.weights, self.tokens = config, weights, tokens
        length = tokens.shape[1]
        self.cos, self.sin = (table[:length] for table in config.angles())
        self.layers: list[tuple[Array, ...]] = []
        mask = np.triu(np.full((length, length), -1e9, np.float32), k=1)
        w = weights
        x = w["embedding"][tokens]
        for i in range(config.layers):
            h, factor = norm(x)
            q = self.rotate(self.heads(h @ w[f"wq{i}"]))
            k = self.rotate(self.heads(h @ w[f"wk{i}"]))
            v = self.heads(h @ w[f"wv{i}"])
            seen = softmax(q @ k.swapaxes(-1, -2) * config.head_dim**-0.5 + mask)
            mixed = self.joined(seen @ v)
            x = x + mixed @ w[f"wo{i}"]
            h2, factor2 = norm(x)
            up = np.maximum(h2 @ w[f"up{i}"], 0)
            x = x + up @ w[f"down{i}"]
            self.layers.append((h, factor, q, k, v, seen, mixed, h2, factor2, up))
        self.last, self.last_factor = norm(x)
        self.logits = self.last @ w["unembedding"]

    def heads(self, x: Array) -> Array:
        """Reshapes (texts, length, width) to (texts, heads, length, head_dim)."""
        split: Array = x.reshape(*x.shape[:2], self.config.heads, -1).swapaxes(1, 2)
        return split

    def joined(self, x: Array) -> Array:
        """Joins the heads again."""
        side_by_side: Array = x.swapaxes(1, 2).reshape(len(x), -1, self.config.width)
        return side_by_side

    def rotate(self, x: Array, sign: int = 1) -> Array:
        first, second = np.split(x, 2, axis=-1)
        turned: Array = x * self.cos + np.concatenate([-second, first], -1) * (sign * self.sin)
        return turned

    def loss(self, targets: Array) -> tuple[float, Weights]:
        """Returns the mean cross entropy of the next characters, and its gradient for each
        weight."""
        w, config, found = self.weights, self.config, dict[str, Array]()
        probabilities = softmax(self.logits)
        right = np.expand_dims(targets, -1)
        taken = np.take_along_axis(probabilities, right, -1)
        loss = -float(np.log(taken + 1e-30).mean())
        np.put_along_axis(probabilities, right, taken - 1, -1)
        d = probabilities / targets.size
        found["unembedding"] = product(self.last, d)
        d = norm_gradient(d @ w["unembedding"].T, self.last, self.last_factor)
        for i in reversed(range(config.layers)):
            h, factor, q, k, v, seen, mixed, h2, factor2, up = self.layers[i]
            found[f"down{i}"] = product(up, d)
            d_up = d @ w[f"down{i}"].T * (up > 0)
            found[f"up{i}"] = product(h2, d_up)
            d = d + norm_gradient(d_up @ w[f"up{i}"].T, h2, factor2)
            found[f"wo{i}"] = product(mixed, d)
            d_mixed = self.heads(d @ w[f"wo{i}"].T)
            d_seen = d_mixed @ v.swapaxes(-1, -2)
            d_scores = seen * (d_seen - (d_seen * seen).sum(-1, keepdims=True))
            d_scores *= config.head_dim**-0.5
            parts = {
                "wq": self.rotate(d_scores @ k, -1),
                "wk": self.rotate(d_scores.swapaxes(-1, -2) @ q, -1),
                "wv": seen.swapaxes(-1, -2) @ d_mixed,
            }
            d_h = np.zeros_like(h)
            for name, part in parts.items():
                joined = self.joined(part)
                found[f"{name}{i}"] = product(h, joined)
                d_h += joined @ w[f"{name}{i}"].T
            d = d + norm_gradient(d_h, h, factor)
        found["embedding"] = np.zeros_like(w["embedding"])
        np.add.at(found["embedding"], self.tokens, d)
        return loss, found


def product(x: Array, gradient: Array) -> Array:
    """Returns the gradient of the weight in a product with ``x``."""
    result: Array = x.reshape(-1, x.shape[-1]).T @ gradient.reshape(-1, gradient.shape[-1])
    return result


# Training ----------------------------------------------------------------------------------------


def initial_weights(config: Config, seed: int) -> Weights:
    """Draws normal numbers divided by the root of the rows; the embedding is not a product."""
    rng = np.random.default_rng(seed)
    scales = {name: shape[0] ** -0.5 for name, shape in config.shapes().items()}
    scales["embedding"] = 0.5
    return {
        name: (scales[name] * rng.standard_normal(shape)).astype(np.float32)
        for name, shape in config.shapes().items()
    }


def train(
    config: Config, weights: Weights, steps: int, *, batch: int = 8, seed: int = 0
) -> Iterator[float]:
    """Changes ``weights`` with Adam and yields the loss of each step. The texts of a batch begin
    with random numbers."""
    rng = np.random.default_rng(seed)
    text = np.array(encode(TEXT))
    begins = np.flatnonzero(np.roll(text == encode(",")[0], 2) | (np.arange(len(text)) == 0))
    moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in weights.items()}
    for step in range(1, steps + 1):
        places = rng.choice(begins, (batch, 1)) + np.arange(config.context + 1)
        texts = text[places % len(text)]
        loss, gradients = Pass(config, weights, texts[:, :-1]).loss(texts[:, 1:])
        # Linear warm-up for 20 steps, then cosine decay to 0.
        rate = 0.01 * min(1, step / 20) * (1 + np.cos(np.pi * step / steps)) / 2
        rate *= np.sqrt(1 - 0.99**step) / (1 - 0.9**step)
        for name, gradient in gradients.items():
            mean, square = moments[name]
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient * gradient - square)
            weights[name] -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))
        yield loss
