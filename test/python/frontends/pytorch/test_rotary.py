"""Rotary embeddings as transformers has them are one op for queries and one for keys."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

import ttmlir


class Rotated(torch.nn.Module):
    def forward(self, q: Any, k: Any, angles: Any) -> Any:
        angles = torch.cat([angles, angles], -1)
        cos, sin = (function(angles).to(q.dtype) for function in (torch.cos, torch.sin))
        return apply_rotary_pos_emb(torch.relu(q), torch.relu(k), cos, sin)


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize(
    ("batch", "rows", "places", "width"), [(2, 1, 37, 64), (3, 3, 1, 128), (1, 1, 64, 256)]
)
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_queries_and_keys(
    backend: Any, batch: int, rows: int, places: int, width: int, dtype: Any
) -> None:
    torch.manual_seed(0)
    q, k = (torch.randn(batch, heads, places, width) for heads in (6, 2))
    angles = 6 * torch.rand(rows, places, width // 2)
    exe = ttmlir.compile(
        Rotated(), example_inputs=(q, k, angles), dtype=dtype, backend=backend, target="n150"
    )
    if backend == "ttnn":
        names = [op.name for op in exe.estimate().ops if op.phase == "run" and op.kernels]
        assert names.count("rotary_embedding") == 2
        assert "neg" not in names
        assert names.count("concat") <= 1  # of the angles
    tolerance = {"f32": 2**-20, "bf16": 2**-6}[dtype]
    for found, exact in zip(exe(q, k, angles), Rotated()(q, k, angles), strict=True):
        error = (torch.as_tensor(found).float() - exact).abs().max()
        assert error <= tolerance * exact.abs().max()


def test_a_part_of_the_width() -> None:
    """As Phi and GPT-NeoX: the rest of a head stays as it is."""

    class Partly(torch.nn.Module):
        def forward(self, q: Any, k: Any, angles: Any) -> Any:
            turned = Rotated()(q[..., :64], k[..., :64], angles)
            return tuple(
                torch.cat([a, b[..., 64:]], -1) for a, b in zip(turned, (q, k), strict=True)
            )

    torch.manual_seed(0)
    q, k = (torch.randn(2, heads, 40, 96) for heads in (4, 2))
    angles = 6 * torch.rand(1, 40, 32)
    exe = ttmlir.compile(Partly(), example_inputs=(q, k, angles), dtype="f32", target="n150")
    names = [op.name for op in exe.estimate().ops if op.phase == "run"]
    assert names.count("rotary_embedding") == 2
    for found, exact in zip(exe(q, k, angles), Partly()(q, k, angles), strict=True):
        torch.testing.assert_close(torch.as_tensor(found), exact, rtol=0, atol=2e-6)
