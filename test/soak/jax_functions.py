"""Random functions of JAX with loops, conditions, batches and gradients, against JAX on the CPU."""

from __future__ import annotations

from engine import Failure, Note

import ttmlir


class JaxFunctions:
    name = "jax"
    seconds = 300.0
    batch = 50

    def run(self, seed: int, note: Note) -> str:
        try:
            import test_random_programs
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in ("jax", "jaxlib"):
                raise
            return "without JAX"
        text = f"test_random_programs.check({seed}, controls=True)\n"
        note(text, ".py")
        backend = "ttmetal" if seed % 5 == 0 else "ttnn"
        try:
            test_random_programs.check(seed, backend, controls=True)
        except AssertionError as error:
            raise Failure("wrong numbers", str(error), text, ".py") from None
        except ttmlir.Error as error:
            raise Failure(type(error).__name__, f"seed {seed}: {error}", text, ".py") from None
        return "program"
