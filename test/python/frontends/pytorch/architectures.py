"""Runs architectures of the package transformers, with random weights and small configurations, and
compares with PyTorch.

``python architectures.py`` prints a table: for each architecture the least correlation of its
results with those of PyTorch in f32, where the module is f32 and where weights and activations are
bf16 (``dtype="bf16"``), and the seconds that export, import and compilation of the f32 program
take. In the column of bf16 PyTorch computes in f32, with weights that are rounded to bf16. Names
restrict it to some. Needs the package transformers.
"""

from __future__ import annotations

import argparse
import copy
import logging
import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any

import torch
import transformers
from architecture_table import ARCHITECTURES
from judge import correlation
from torch import nn
from torch.utils import _pytree as pytree

import ttmlir
from ttmlir.frontends.torch import import_program

_SEED = 20261126


@dataclass(frozen=True)
class Outcome:
    """Least correlations, and seconds."""

    f32: float
    bf16: float
    exported: float
    imported: float
    compiled: float


def made(name: str) -> tuple[nn.Module, dict[str, Any]]:
    """An architecture for inference, and its arguments."""
    logging.disable(logging.WARNING)
    torch.manual_seed(_SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module, keywords = ARCHITECTURES[name]()
    return module.eval(), keywords


def agreement(module: nn.Module, keywords: dict[str, Any], dtype: str | None = None) -> float:
    """The least correlation of the results with those of PyTorch in f32."""
    executable = ttmlir.compile(module, example_kwargs=keywords, dtype=dtype)
    reference = copy.deepcopy(module)
    if dtype is not None:
        with torch.no_grad():
            for parameter in reference.parameters():
                parameter.copy_(parameter.to(torch.bfloat16))
    with torch.no_grad():
        expected = _tensors(reference(**keywords))
    found = _tensors(executable(**keywords))
    if [x.shape for x in found] != [x.shape for x in expected]:
        raise AssertionError("the results have other shapes than those of PyTorch")
    return min(correlation(a, b) for a, b in zip(found, expected, strict=True))


def _tensors(tree: Any) -> list[torch.Tensor]:
    return [x for x in pytree.tree_leaves(tree) if isinstance(x, torch.Tensor)]


def outcome(name: str) -> Outcome:
    """What becomes of an architecture.

    Raises:
        CompileError: it has ops that cannot be expressed.
    """
    module, keywords = made(name)
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(module, (), keywords)
    exported = time.perf_counter()
    found = import_program(program)
    imported = time.perf_counter()
    ttmlir.compile(found.builder)
    compiled = time.perf_counter()
    f32, bf16 = agreement(module, keywords), agreement(module, keywords, "bf16")
    return Outcome(f32, bf16, exported - start, imported - exported, compiled - imported)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="architectures; all by default")
    chosen = parser.parse_args().names or list(ARCHITECTURES)
    print(f"transformers {transformers.__version__}, torch {torch.__version__}")
    print("| architecture | f32 | bf16 | export s | import s | compile s |")
    print("| --- | --- | --- | --- | --- | --- |")
    good = 0
    for name in chosen:
        try:
            found = outcome(name)
        except (ttmlir.Error, RuntimeError, ValueError, AssertionError) as error:
            print(f"| {name} | {type(error).__name__}: {str(error)[:200]!r} |", flush=True)
            continue
        good += found.f32 >= 0.9999 and found.bf16 >= 0.99
        print(
            f"| {name} | {found.f32:.7f} | {found.bf16:.5f} | {found.exported:.2f} "
            f"| {found.imported:.2f} | {found.compiled:.2f} |",
            flush=True,
        )
    print(f"{good} of {len(chosen)} with a correlation of 0.9999 in f32 and of 0.99 in bf16")
    return 0


if __name__ == "__main__":
    sys.exit(main())
