"""Checks of the arguments of ``generate``."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ttmlir.errors import InputError
from ttmlir.llm._step import Shape


@dataclass(frozen=True)
class Sampling:
    """Sampling parameters.

    Args:
        temperature: divides the logits; 0 selects the most likely token.
        top_k: the number of most likely tokens that are candidates; None for all.
        top_p: the sum of probabilities at which the list of candidates ends; None for all.
        seed: of the random numbers.

    Raises:
        InputError: a value is outside of its range.
    """

    temperature: float = 0.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not (_is_number(self.temperature) and 0 <= self.temperature < math.inf):
            raise InputError(f"temperature: expected 0 or more, found {self.temperature!r}")
        if self.top_k is not None and not (_is_integer(self.top_k) and self.top_k >= 1):
            raise InputError(f"top_k: expected an integer from 1, found {self.top_k!r}")
        if self.top_p is not None and not (_is_number(self.top_p) and 0 < self.top_p <= 1):
            raise InputError(f"top_p: expected more than 0 and at most 1, found {self.top_p!r}")
        if not (_is_integer(self.seed) and self.seed >= 0):
            raise InputError(f"seed: expected an integer from 0, found {self.seed!r}")

    @property
    def is_greedy(self) -> bool:
        """Whether no random numbers are needed."""
        # Smaller temperatures leave only the most likely token, and may be 0 in f32.
        return self.temperature < 1e-6


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    try:
        operator.index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


def count_of(value: Any) -> int:
    """Returns the number of new tokens.

    Raises:
        InputError: it is not positive.
    """
    if not _is_integer(value) or value < 1:
        raise InputError(f"max_new_tokens: expected an integer from 1, found {value!r}")
    return operator.index(value)


def ends_of(eos: Any, vocabulary: int) -> frozenset[int]:
    """Returns the tokens that end a text.

    Raises:
        InputError: one is not in the vocabulary.
    """
    given = [] if eos is None else [eos] if _is_integer(eos) else list(eos)
    for token in given:
        if not _is_integer(token) or not 0 <= token < vocabulary:
            raise InputError(f"eos: expected tokens from 0 to {vocabulary - 1}, found {token!r}")
    return frozenset(map(operator.index, given))


def tokens_of(
    prompts: Any, tokenizer: Any, vocabulary: int, shape: Shape, new: int
) -> list[list[int]]:
    """Returns the tokens of each prompt.

    Args:
        prompts: a string, a list of them, or a list of lists of tokens.
        tokenizer: of transformers, or None.
        vocabulary: the number of tokens.
        shape: the extents of the programs.
        new: tokens to generate.

    Raises:
        InputError: there is no tokenizer for a string, a prompt is empty, has a token outside of
            the vocabulary or does not fit into the cache, or there are more prompts than users.
    """
    if isinstance(prompts, str):
        prompts = [prompts]
    given = list(prompts)
    if given and all(_is_integer(token) for token in given):
        raise InputError("prompts: expected a list for each user, found tokens of one: [[...]]")
    if not 1 <= len(given) <= shape.users:
        many = "1 prompt" if shape.users == 1 else f"1 to {shape.users} prompts"
        raise InputError(f"prompts: expected {many}, as many as users, found {len(given)}")
    found = []
    for i, prompt in enumerate(given):
        tokens = _encoded(i, prompt, tokenizer) if isinstance(prompt, str) else list(prompt)
        if not tokens:
            raise InputError(f"prompt {i}: expected at least one token, found none")
        for token in tokens:
            if not _is_integer(token) or not 0 <= token < vocabulary:
                raise InputError(
                    f"prompt {i}: expected tokens from 0 to {vocabulary - 1}, found {token!r}"
                )
        check_room(f"prompt {i}", len(tokens), new, shape.context)
        found.append([operator.index(token) for token in tokens])
    return found


def _encoded(number: int, text: str, tokenizer: Any) -> Sequence[int]:
    if tokenizer is None:
        raise InputError(
            f"prompt {number}: expected tokens, since the model has no tokenizer, found a text"
        )
    found: Sequence[int] = tokenizer(text)["input_ids"]
    return found


def check_room(what: str, known: int, new: int, context: int) -> None:
    """Raises InputError if there is no room for new tokens after the known ones."""
    if known > context:
        raise InputError(
            f"{what}: expected at most {context} tokens, the context of the model, found {known}"
        )
    if known + new > context:
        raise InputError(
            f"{what}: its {known} tokens and {new} new ones do not fit into the context of "
            f"{context}: max_new_tokens can be {context - known}"
        )
