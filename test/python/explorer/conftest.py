"""A program with names, in every form that the explorers open."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import ttmlir


@pytest.fixture(scope="session")
def program() -> ttmlir.Builder:
    b = ttmlir.Builder()
    x, y = b.input("x", (256, 256), "bf16"), b.input("y", (256, 256), "bf16")
    hidden = b.relu(b.matmul(x, y, name="layer/product"), name="layer/clip")
    scale = b.constant(0.01, shape=(256, 256), dtype="bf16")
    b.output(b.exp(b.multiply(hidden, scale), name="grow"))
    return b


@pytest.fixture(scope="session")
def models(program: ttmlir.Builder, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Files by their suffix."""
    folder = tmp_path_factory.mktemp("models")
    paths = {suffix: folder / f"model{suffix}" for suffix in (".mlir", ".ttnn", ".ttm")}
    paths[".mlir"].write_text(program.module.operation.get_asm(enable_debug_info=True))
    ttmlir.compile(program, optimization_level=0).save(paths[".ttnn"])
    ttmlir.compile(program, backend="ttmetal").save(paths[".ttm"])
    return paths
