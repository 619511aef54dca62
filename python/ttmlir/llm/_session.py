"""One generation: texts of several users, with their state on the device."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ttmlir import runtime
from ttmlir.errors import Error
from ttmlir.llm._pages import PageTable
from ttmlir.llm._programs import Programs
from ttmlir.llm._requests import Sampling, check_room
from ttmlir.llm._sampler import NOT_A_NUMBER

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Session:
    """Texts and state.

    Args:
        programs: of the model.
        prompts: prompt tokens of each user.
        sampling: sampling parameters.
        ends: tokens that end a text.
        rows: caches of an earlier session, to be overwritten.
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
    _numbers: list[runtime.Tensor] = field(default_factory=list)
    _lost: str = ""

    def __post_init__(self) -> None:
        self.tokens = [[] for _ in self.prompts]
        shape = self.programs.settings.shape
        self._pages = None if shape.page_size is None else PageTable(shape)
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
        """Generates tokens, and yields for each step the users whose text has not ended, with their
        tokens.

        A caller that stops early can continue with another run.

        Args:
            count: maximum number of tokens for each user.

        Raises:
            Error: an earlier run failed, or logits are NaN.
        """
        for left in range(count, 0, -1):
            # Another run may have continued in between.
            if self._lost:
                raise Error(
                    f"the caches were lost when a generation failed ({self._lost}): start a new one"
                )
            if all(self.is_done):
                return
            self._make_room(left)
            start = time.perf_counter()
            is_first = not any(self.tokens)
            try:
                chosen = self._read_prompts() if is_first else self._read_last()
            except BaseException as error:
                # A failed call loses its donated arrays.
                self._lose(str(error).partition("\n")[0] or type(error).__name__)
                raise
            new = self._added(chosen)
            seconds = time.perf_counter() - start
            if is_first:
                self.first_seconds = seconds
            else:
                self.seconds.append(seconds)
            yield new

    def _lose(self, why: str) -> None:
        self._lost, self.rows = why, None
        self._numbers.clear()

    def _make_room(self, count: int) -> None:
        """Ensures that all users have cache rows for some more tokens.

        Raises:
            InputError: the context is too short, or there are too few pages.
        """
        known = [len(p) + len(text) for p, text in zip(self.prompts, self.tokens, strict=True)]
        open_users = [user for user, is_done in enumerate(self.is_done) if not is_done]
        longest = max(known[user] for user in open_users)
        check_room("the longest text", longest, count, self.programs.settings.shape.context)
        if self._pages is None:
            return
        # The last token is not processed.
        wanted = {user: known[user] + count - 1 for user in open_users}
        if self._pages.reserve(wanted) and self._numbers:
            self._place([len(p) for p in self.prompts], [n - 1 for n in known])

    def _place(self, lengths: Sequence[int], place: Sequence[int]) -> None:
        """Puts positions on the device: lengths of prompts and the users' next positions."""
        users = self.programs.settings.shape.users
        # Users without a prompt get one token.
        ends, at = np.zeros(users, np.int32), np.zeros(users, np.int32)
        ends[: len(lengths)] = np.array(lengths) - 1
        at[: len(place)] = place
        table = None if self._pages is None else self._pages.table
        self._numbers = self.programs.numbers(at, ends, table)

    def _added(self, chosen: Array) -> list[tuple[int, int]]:
        open_users = [user for user, is_done in enumerate(self.is_done) if not is_done]
        wrong = [user for user in open_users if chosen[user] == NOT_A_NUMBER]
        if wrong:
            self._lose("NaN")
            users = ", ".join(map(str, wrong))
            raise Error(
                f"the logits of token {len(self.tokens[wrong[0]])} are NaN for user {users}: the "
                "model's weights, or its activations in this precision, contain NaN"
            )
        new = [(user, int(chosen[user])) for user in open_users]
        for user, token in new:
            self.tokens[user].append(token)
        # Users without a prompt, and those whose text has ended, get an arbitrary token.
        self._last = np.maximum(chosen, 0)
        return new

    def _read_prompts(self) -> Array:
        """Processes the prompts in chunks; returns the first token of each user."""
        settings = self.programs.settings
        chunk, users = settings.chunk, settings.shape.users
        lengths = [len(prompt) for prompt in self.prompts]
        ids = np.zeros((users, -(-max(lengths) // chunk) * chunk), np.int32)
        for user, prompt in enumerate(self.prompts):
            ids[user, : len(prompt)] = prompt
        self._begin(lengths)
        found = np.zeros(users, np.int32)
        for begin in range(0, ids.shape[1], chunk):
            logits = self._step(ids[:, begin : begin + chunk])
            ended = [u for u, n in enumerate(lengths) if begin < n <= begin + chunk]
            if ended:
                found[ended] = self._choose(logits)[ended]
        # From here on, each user has its own position.
        self._place(lengths, lengths)
        return found

    def _step(self, ids: Array) -> Any:
        """Processes tokens of each user: (users, tokens); returns the logits."""
        place, ends, *table = self._numbers
        assert self.rows is not None
        *found, logits = self.programs.step(ids.shape[1])(*self.rows, place, ends, ids, *table)
        count = len(self._numbers)
        self.rows, self._numbers = found[:-count], found[-count:]
        return logits

    def _begin(self, lengths: Sequence[int]) -> None:
        if self.rows is None:
            self.rows = self.programs.caches()
        self._place(lengths, [0] * len(lengths))

    def read(self, ids: Array) -> Array:
        """Processes texts token by token, regardless of the model's own predictions.

        Args:
            ids: (users, tokens).

        Returns:
            The tokens that the model predicts after each of them: (tokens, users).
        """
        users, count = ids.shape
        if self._pages is not None:
            self._pages.reserve(dict.fromkeys(range(users), count))
        self._begin([count] * users)
        return np.stack([self._choose(self._step(ids[:, i : i + 1])) for i in range(count)])

    def _read_last(self) -> Array:
        """Processes the last token of each user; returns the next ones."""
        return self._choose(self._step(self._last[:, None]))

    def _choose(self, logits: Any) -> Array:
        users = self.programs.settings.shape.users
        inputs: list[Any] = list(self._parameters)
        if inputs:
            inputs.append(self._random.random(users, np.float32))
        [found] = self._chooser(logits, *inputs)
        return np.asarray(runtime.to_numpy(found))

    def taken_rows(self) -> list[runtime.Tensor] | None:
        """Returns the caches for another session, after which a session that has begun cannot
        continue."""
        rows, self.rows = self.rows, None
        if self._numbers:
            self._lose("another generation has begun")
        return rows
