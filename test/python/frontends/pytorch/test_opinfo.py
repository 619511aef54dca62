"""A sample of PyTorch's own samples of its ops; ``opinfo.py`` runs all of them."""

from __future__ import annotations

import pytest

pytest.importorskip("expecttest")

from opinfo import infos, run, samples

#: Ops whose first sample runs, one of each kind of handler.
_NAMES = """
add atan2 clamp floor_divide pow remainder where logit xlogy copysign
cat diagonal_scatter index_put gather scatter_reduce slice_scatter sort topk unfold masked_scatter
amax argmin cumprod logcumsumexp linalg.vector_norm std var_mean cdist
addmm baddbmm dot tensordot
nn.functional.adaptive_max_pool2d nn.functional.avg_pool3d nn.functional.batch_norm
nn.functional.conv3d nn.functional.conv_transpose2d nn.functional.grid_sample
nn.functional.group_norm nn.functional.interpolate nn.functional.layer_norm
nn.functional.max_pool3d nn.functional.pdist nn.functional.scaled_dot_product_attention
"""
OPS = _NAMES.split()


@pytest.mark.parametrize("dtype", ["f32", "bf16", "i32", "bool"])
@pytest.mark.parametrize("name", OPS)
def test_first_sample(name: str, dtype: str) -> None:
    info = infos([name])[0]
    sample = next(samples(info, dtype), None)
    if sample is None:
        pytest.skip(f"PyTorch has no {name} in {dtype}")
    found = run(info, dtype, 0, sample)
    assert found.outcome == "passed", found.reason
