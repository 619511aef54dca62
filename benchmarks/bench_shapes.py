"""Calls of MiniLM's encoder with random shapes: 1 to 8 sentences of 1 to 512 tokens, in buckets.

The encoder (6 layers, width 384) has random weights. The results are compared with PyTorch in f32
on the CPU. Compilations are at most the combinations of buckets.

    python benchmarks/bench_shapes.py [--calls 200] [--tokens 512]
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from bench_models import minilm
from rich.console import Console

import ttmlir

#: Lengths are drawn so that all sizes are equally likely, short ones as often as long ones.
BUCKETS = {"batch": [1, 8], "tokens": [32, 128, 512]}


def run(console: Console, calls: int = 200, tokens: int = BUCKETS["tokens"][-1]) -> None:
    try:
        import torch

        model, (ids, mask) = minilm()
    except ImportError:
        console.print("shapes: needs torch and transformers")
        return
    lengths = [n for n in BUCKETS["tokens"] if n <= tokens] or [tokens]
    buckets = {**BUCKETS, "tokens": lengths}
    shape = {0: torch.export.Dim("batch", max=8), 1: torch.export.Dim("tokens", max=512)}
    example = tuple(x.repeat(2, 1) for x in (ids, mask))
    exe: Any = ttmlir.compile(
        model, example_inputs=example, dynamic_shapes=(shape, shape), buckets=buckets
    )
    rng = np.random.default_rng(0)
    largest, spent, start = 0.0, 0.0, time.perf_counter()
    for _ in range(calls):
        rows, length = int(rng.integers(1, 9)), int(2 ** rng.uniform(0, np.log2(lengths[-1])))
        given = torch.randint(0, model.config.vocab_size, (rows, length))
        ones = torch.ones_like(given)
        made, begin = exe.compilations, time.perf_counter()
        [found] = exe(given, ones)
        if exe.compilations == made:
            spent += time.perf_counter() - begin
        with torch.no_grad():
            [wanted] = model(given, ones)
        assert found.shape == wanted.shape
        largest = max(largest, float((found - wanted).abs().max()))
    most = int(np.prod([len(sizes) for sizes in buckets.values()]))
    console.print(
        f"MiniLM, {calls} calls of random shapes: {exe.compilations} compilations for {most} "
        f"combinations of buckets, largest error {largest:.1e}; "
        f"{spent / max(calls - exe.compilations, 1):.2f} s for a later call, "
        f"{time.perf_counter() - start:.0f} s in all"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--tokens", type=int, default=BUCKETS["tokens"][-1], help="at most")
    args = parser.parse_args()
    run(Console(), args.calls, args.tokens)


if __name__ == "__main__":
    main()
