"""One generation: texts of several users, with their state on the device."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ttmlir import runtime
from ttmlir.errors import Error
from ttmlir.llm._programs import Programs
from ttmlir.llm._requests import Sampling, check_room
from ttmlir.llm._sampler import NOT_A_NUMBER

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Session:
    """Texts and state.

    Args:
        programs: of the model.
        prompts: tokens of each user.
        sampling: how tokens are chosen.
        ends: tokens that end a text.
        rows: caches of an earlier session to write over.
    """

    programs: Programs
    prompts: list[list[int]]
    sampling: Sampling
    ends: frozenset[int]
    rows: list[runtime.Tensor] | None = None
    tokens: list[list[int]] = field(init=False)
    #: Seconds of the host: until the first tokens, and for each further one.
    first_seconds: float = 0.0
    seconds: list[float] = field(default_factory=list)
    _state: list[runtime.Tensor] = field(default_factory=list)
    _lost: str = ""

    def __post_init__(self) -> None:
        self.tokens = [[] for _ in self.prompts]
        self._random = np.random.default_rng(self.sampling.seed)
        self._chooser = self.programs.sampler(is_greedy=self.sampling.is_greedy)
        self._parameters: list[runtime.Tensor] = []
        self.programs.forget_costs()
        if not self.sampling.is_greedy:
            self._parameters = self._placed_parameters()

    def _placed_parameters(self) -> list[runtime.Tensor]:
        sampling, executable = self.sampling, self._chooser.executable
        vocabulary = executable.inputs[0].shape[1]
        values = (
            sampling.temperature,
            vocabulary if sampling.top_k is None else sampling.top_k,
            # The sum of all probabilities may be rounded to more than 1.
            2.0 if sampling.top_p is None else max(sampling.top_p, 1e-6),
        )
        return [
            executable.place(i, np.full((1, 1), value, np.float32))
            for i, value in enumerate(values, 1)
        ]

    @property
    def is_done(self) -> list[bool]:
        """For each user, whether the text has ended."""
        return [bool(text) and text[-1] in self.ends for text in self.tokens]

    def run(self, count: int) -> Iterator[list[tuple[int, int]]]:
        """Generates tokens, and yields each step's: user and token, of texts that have not ended.

        A caller that stops early can go on with another run.

        Args:
            count: tokens of each user, at most.

        Raises:
            Error: an earlier run failed, or logits are NaN.
        """
        for left in range(count, 0, -1):
            # Another run may have gone on in between.
            if self._lost:
                raise Error(
                    f"the caches were lost when a generation failed ({self._lost}): start anew"
                )
            if all(self.is_done):
                return
            self._check_room(left)
            start = time.perf_counter()
            is_first = not any(self.tokens)
            try:
                chosen = self._choose(self._read_prompts() if is_first else self._read_last())
            except BaseException as error:
                # Arrays that are donated to a call that fails are gone.
                self._lost = str(error).partition("\n")[0] or type(error).__name__
                self._state.clear()
                raise
            new = self._added(chosen)
            seconds = time.perf_counter() - start
            if is_first:
                self.first_seconds = seconds
            else:
                self.seconds.append(seconds)
            yield new

    def _check_room(self, count: int) -> None:
        texts = zip(self.prompts, self.tokens, self.is_done, strict=True)
        longest = max(len(prompt) + len(text) for prompt, text, is_done in texts if not is_done)
        check_room("the longest text", longest, count, self.programs.settings.shape.context)

    def _added(self, chosen: Array) -> list[tuple[int, int]]:
        open_users = [user for user, is_done in enumerate(self.is_done) if not is_done]
        wrong = [user for user in open_users if chosen[user] == NOT_A_NUMBER]
        if wrong:
            self._lost = "NaN"
            self._state.clear()
            users = ", ".join(map(str, wrong))
            raise Error(
                f"the logits of token {len(self.tokens[wrong[0]])} are NaN for user {users}: the "
                "model's weights, or its activations in this precision, are no numbers"
            )
        new = [(user, int(chosen[user])) for user in open_users]
        for user, token in new:
            self.tokens[user].append(token)
        # Users without a prompt, and those whose text has ended, get any token.
        self._last = np.maximum(chosen, 0)
        return new

    def _read_prompts(self) -> Any:
        """Reads the prompts, which end in one row of the caches; returns the logits."""
        settings = self.programs.settings
        chunk, users = settings.chunk, settings.shape.users
        longest = max(map(len, self.prompts))
        width = -(-longest // chunk) * chunk
        ids = np.zeros((users, width), np.int32)
        # Users without a prompt have one token.
        first = np.full(users, 1 - width, np.int32)
        for user, prompt in enumerate(self.prompts):
            ids[user, width - len(prompt) :] = prompt
            first[user] = len(prompt) - width
        rows = self.programs.caches() if self.rows is None else self.rows
        self._state = [*rows, *self.programs.places(first)]
        step = self.programs.step(chunk)
        for begin in range(0, width, chunk):
            *self._state, logits = step(*self._state, ids[:, begin : begin + chunk])
        return logits

    def _read_last(self) -> Any:
        """Reads the last token of each user; returns the logits."""
        step = self.programs.step(1)
        *self._state, logits = step(*self._state, self._last[:, None])
        return logits

    def _choose(self, logits: Any) -> Array:
        users = self.programs.settings.shape.users
        inputs: list[Any] = list(self._parameters)
        if inputs:
            inputs.append(self._random.random(users, np.float32))
        [found] = self._chooser(logits, *inputs)
        return np.asarray(runtime.to_numpy(found))

    def taken_rows(self) -> list[runtime.Tensor] | None:
        """Returns the caches for another session; this one cannot go on then."""
        rows = self._state[:-3] or None
        if rows:
            self._state, self._lost = [], "another generation has begun"
        return rows
