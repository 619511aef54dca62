"""Random programs of JAX over random meshes with random shardings, against JAX on the CPU."""

from __future__ import annotations

from engine import Failure, Note

import ttmlir


class Meshes:
    name = "meshes"
    seconds = 300.0
    batch = 20

    def run(self, seed: int, note: Note) -> str:
        try:
            import random_meshes
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in ("jax", "jaxlib"):
                raise
            return "without JAX"
        text = f"random_meshes.check({seed})\n"
        note(text, ".py")
        try:
            random_meshes.check(seed)
        except AssertionError as error:
            raise Failure("wrong numbers", str(error), text, ".py") from None
        except ttmlir.Error as error:
            raise Failure(type(error).__name__, f"seed {seed}: {error}", text, ".py") from None
        return "program"
