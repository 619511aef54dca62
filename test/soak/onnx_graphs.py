"""Random graphs of ONNX against ONNX's own reference."""

from __future__ import annotations

from engine import Failure, Note

import ttmlir


class OnnxGraphs:
    name = "onnx"
    seconds = 300.0
    batch = 100

    def run(self, seed: int, note: Note) -> str:
        try:
            import random_graphs
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "onnx":
                raise
            return "without ONNX"
        text = str(random_graphs.draw(seed))
        note(text)
        backend = "ttmetal" if seed % 5 == 0 else "ttnn"
        try:
            return random_graphs.check(seed, backend).partition(":")[0]
        except AssertionError as error:
            raise Failure("wrong numbers", str(error), text) from None
        except ttmlir.Error as error:
            raise Failure(type(error).__name__, f"seed {seed}: {error}", text) from None
