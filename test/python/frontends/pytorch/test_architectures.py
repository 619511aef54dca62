"""Architectures of the package transformers; ``architectures.py`` runs all of them."""

from __future__ import annotations

import pytest

pytest.importorskip("transformers")

from architectures import agreement, made


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("bert", None), ("llama", "bf16"), ("resnet", "bf16"), ("mixtral", None)],
)
def test_architecture(name: str, dtype: str | None) -> None:
    least = 0.9999 if dtype is None else 0.99
    assert agreement(*made(name), dtype) >= least
