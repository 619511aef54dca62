"""Allocation of the blocks of a paged cache to users."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ttmlir.errors import InputError
from ttmlir.llm._step import NO_BLOCK, Shape


class PageTable:
    """The blocks of each user.

    ``table`` has their numbers in the order of positions, then ``NO_BLOCK``: (users, blocks of a
    user), int32.

    Args:
        shape: of the programs.
    """

    def __init__(self, shape: Shape) -> None:
        assert shape.page_size is not None
        self._shape, self._size = shape, shape.page_size
        self._free = list(range(shape.pages))
        self._blocks: list[list[int]] = [[] for _ in range(shape.users)]
        self.table = np.full((shape.users, shape.pages_per_user), NO_BLOCK, np.int32)

    def reserve(self, wanted: Mapping[int, int]) -> bool:
        """Allocates blocks to users for the requested number of positions. Blocks of all other
        users may be reused.

        Returns:
            Whether an entry of the table changed.

        Raises:
            InputError: there are too few blocks; the table is unchanged.
        """
        missing = {
            user: -(-count // self._size) - len(self._blocks[user])
            for user, count in wanted.items()
        }
        more = sum(n for n in missing.values() if n > 0)
        if more == 0:
            return False
        others = [user for user in range(self._shape.users) if user not in wanted]
        room = len(self._free) + sum(len(self._blocks[user]) for user in others)
        if more > room:
            held = sum(len(self._blocks[user]) for user in wanted)
            raise InputError(
                f"the texts need {held + more} pages of {self._size} tokens, but the caches have "
                f"{self._shape.pages}: expected fewer or shorter prompts, a smaller max_new_tokens "
                "or more pages"
            )
        for user in others:
            if more > len(self._free):
                self._release(user)
        for user, count in missing.items():
            for _ in range(count):
                self._blocks[user].append(self._free.pop(0))
        for user, blocks in enumerate(self._blocks):
            self.table[user] = NO_BLOCK
            self.table[user, : len(blocks)] = blocks
        return True

    def _release(self, user: int) -> None:
        self._free += self._blocks[user]
        self._blocks[user] = []
