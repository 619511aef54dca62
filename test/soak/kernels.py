"""Random kernels of integers, loops and branches, against Python."""

from __future__ import annotations

from engine import Failure, Note
from kernel_fuzz import prints, text_of, write


class Kernels:
    name = "kernels"
    seconds = 20.0
    batch = 200

    def run(self, seed: int, note: Note) -> str:
        kernel, numbers = write(seed)
        text = "\n".join(kernel) + "\n"
        note(text, ".mlir")
        actual, expected = prints(kernel), text_of(numbers)
        if actual != expected:
            message = f"expected {expected}, found {actual}"
            raise Failure("wrong numbers", message, text, ".mlir")
        return "right numbers"
