"""Random modules of PyTorch by several ways onto the chip, against PyTorch."""

from __future__ import annotations

from engine import Failure, Note

import ttmlir


class TorchModules:
    name = "torch"
    seconds = 300.0
    batch = 50

    def run(self, seed: int, note: Note) -> str:
        try:
            import random_modules
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "torch":
                raise
            return "without PyTorch"
        text = str(random_modules.draw(seed))
        note(text, ".py")
        try:
            return random_modules.check(seed).partition(":")[0]
        except AssertionError as error:
            raise Failure("wrong numbers", str(error), text, ".py") from None
        except ttmlir.Error as error:
            raise Failure(type(error).__name__, f"seed {seed}: {error}", text, ".py") from None
