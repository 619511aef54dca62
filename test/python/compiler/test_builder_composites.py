"""The methods of the builder that are made from the definitions of composite ops: the op that each
writes verifies and has the shapes that the definition says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from op_definitions import definitions

import ttmlir
from ttmlir.builder import Tensor
from ttmlir.builder._op_table import OpTable

Shape = tuple[int, ...]
NAMES = [
    name
    for name in vars(OpTable)
    if not name.startswith("_") and definitions()[f"ttir.{name}"].is_composite
]


class Inputs:
    """Makes inputs of a builder by their shapes."""

    def __init__(self, b: ttmlir.Builder) -> None:
        self.b, self.count = b, 0

    def __call__(self, *shape: int, dtype: str = "f32") -> Tensor:
        self.count += 1
        return self.b.input(f"x{self.count}", shape, dtype)


def _places(i: Inputs, *shape: int) -> Tensor:
    return i(*shape, dtype="i32")


Call = Callable[[ttmlir.Builder, Inputs], Any]
#: What each method is told, and the shapes of its results.
CALLS: dict[str, tuple[Call, list[Shape]]] = {
    "dot_general": (
        lambda b, i: b.dot_general(i(3, 4, 5), i(5, 6, 3), (0,), (2,), (2,), (0,)),
        [(3, 4, 6)],
    ),
    "sparse_matmul": (
        lambda b, i: b.sparse_matmul(i(2, 3, 4, 5), i(1, 6, 5, 7), i(2, 3, 1, 6)),
        [(2, 3, 1, 6, 4, 7)],
    ),
    "batch_norm_inference": (
        lambda b, i: b.batch_norm_inference(i(2, 8, 3), i(3), i(3), i(3), i(3), 1e-5, 2),
        [(2, 8, 3)],
    ),
    "batch_norm_training": (
        lambda b, i: b.batch_norm_training(i(2, 8, 3), i(3), i(3), i(3), i(3), 1e-5, 2, 0.1),
        [(2, 8, 3), *[(3,)] * 4],
    ),
    "group_norm": (
        lambda b, i: b.group_norm(i(2, 8, 6), 3, bias=i(6), channel_dim=2),
        [(2, 8, 6)],
    ),
    "distributed_rms_norm": (
        lambda b, i: b.distributed_rms_norm(i(4, 8), 1, weight=i(8)),
        [(4, 8)],
    ),
    "distributed_layer_norm": (
        lambda b, i: b.distributed_layer_norm(i(4, 8), 1, residual=i(4, 8)),
        [(4, 8)],
    ),
    "adamw": (
        lambda b, i: b.adamw(*(i(4, 8) for _ in range(4)), 1e-3, 0.9, 0.99, 0.9, 0.99, 1e-8, 0.0),
        [(4, 8)] * 3,
    ),
    "rearrange": (
        lambda b, i: b.rearrange(i(2, 3, 4, 5), "b c h w -> b (h w) c"),
        [(2, 20, 3)],
    ),
    "convolution": (
        lambda b, i: b.convolution(
            i(2, 4, 9, 8),
            i(6, 2, 3, 3),
            (1, 2),
            (1, 1, 0, -1),
            (1, 2),
            (2, 1),
            (0, 1, 2, 3),
            (0, 1, 2, 3),
            (0, 1, 2, 3),
            groups=2,
        ),
        [(2, 6, 7, 6)],
    ),
    "conv1d": (
        lambda b, i: b.conv1d(i(2, 9, 4), i(6, 2, 3), (2,), (1,), (1,), bias=i(6), groups=2),
        [(2, 5, 6)],
    ),
    "conv3d": (
        lambda b, i: b.conv3d(i(1, 4, 5, 6, 2), i(3, 2, 3, 3, 3), (1, 1, 2), (1, 0, 1)),
        [(1, 4, 3, 3, 3)],
    ),
    "reduce_window": (
        lambda b, i: b.reduce_window(i(8, 9), "max", (2, 3), (2, 1), (1, 2), (1, 1), (0, 0, 1, 1)),
        [(4, 17)],
    ),
    "select_and_scatter": (
        lambda b, i: b.select_and_scatter(i(8, 9), i(4, 9), "min", (2, 3), (2, 1), (0, 0, 1, 1)),
        [(8, 9)],
    ),
    "global_avg_pool2d": (lambda b, i: b.global_avg_pool2d(i(2, 7, 5, 3)), [(2, 1, 1, 3)]),
    "clamp_tensor": (lambda b, i: b.clamp_tensor(i(3, 4), i(1, 4), i(3, 1)), [(3, 4)]),
    "triangular_solve": (
        lambda b, i: b.triangular_solve(i(2, 4, 4), i(2, 3, 4), left_side=False, lower=False),
        [(2, 3, 4)],
    ),
    "cholesky": (lambda b, i: b.cholesky(i(2, 4, 4), lower=False), [(2, 4, 4)]),
    "fft": (lambda b, i: b.fft(i(4, 16), "rfft", [16]), [(4, 9), (4, 9)]),
    "gelu_bw": (lambda b, i: b.gelu_bw(i(3, 4), i(3, 4), approximate="tanh"), [(3, 4)]),
    "scaled_dot_product_attention": (
        lambda b, i: b.scaled_dot_product_attention(i(2, 4, 8, 16), i(2, 2, 9, 16), i(2, 2, 9, 5)),
        [(2, 4, 8, 5)],
    ),
    "scaled_dot_product_attention_decode": (
        lambda b, i: b.scaled_dot_product_attention_decode(
            i(1, 2, 4, 16), i(2, 2, 9, 16), i(2, 2, 9, 5), cur_pos_tensor=_places(i, 2)
        ),
        [(1, 2, 4, 5)],
    ),
    "paged_scaled_dot_product_attention_decode": (
        lambda b, i: b.paged_scaled_dot_product_attention_decode(
            i(1, 2, 4, 16), i(6, 2, 8, 16), i(6, 2, 8, 5), _places(i, 2, 3), is_causal=False
        ),
        [(1, 2, 4, 5)],
    ),
    "chunked_scaled_dot_product_attention": (
        lambda b, i: b.chunked_scaled_dot_product_attention(
            i(2, 4, 8, 16), i(6, 2, 8, 16), i(6, 2, 8, 5), _places(i, 2, 3), _places(i, 1)
        ),
        [(2, 4, 8, 5)],
    ),
    "paged_flash_multi_latent_attention_decode": (
        lambda b, i: b.paged_flash_multi_latent_attention_decode(
            i(1, 2, 4, 16), i(6, 1, 8, 16), _places(i, 2, 3), 5, is_causal=False
        ),
        [(1, 2, 4, 5)],
    ),
    "split_query_key_value_and_split_heads": (
        lambda b, i: b.split_query_key_value_and_split_heads(i(2, 8, 30), 3, True, num_kv_heads=1),
        [(2, 3, 8, 6), (2, 1, 6, 8), (2, 1, 8, 6)],
    ),
    "rotary_embedding": (
        lambda b, i: b.rotary_embedding(i(2, 3, 8, 6), i(1, 1, 8, 6), i(1, 1, 8, 6)),
        [(2, 3, 8, 6)],
    ),
    "concatenate_heads": (lambda b, i: b.concatenate_heads(i(2, 3, 8, 6)), [(2, 8, 18)]),
    "fill_cache": (lambda b, i: b.fill_cache(i(4, 2, 16, 8), i(1, 2, 5, 8), 1), [(4, 2, 16, 8)]),
    "update_cache": (
        lambda b, i: b.update_cache(i(4, 2, 16, 8), i(1, 2, 4, 8), _places(i, 4), 0),
        [(4, 2, 16, 8)],
    ),
    "paged_fill_cache": (
        lambda b, i: b.paged_fill_cache(i(4, 2, 16, 8), i(1, 2, 20, 8), _places(i, 2, 2)),
        [(4, 2, 16, 8)],
    ),
    "paged_update_cache": (
        lambda b, i: b.paged_update_cache(
            i(4, 2, 16, 8), i(1, 3, 2, 8), _places(i, 3), _places(i, 3, 1)
        ),
        [(4, 2, 16, 8)],
    ),
}


@pytest.mark.parametrize("op", NAMES)
def test_method(op: str) -> None:
    call, shapes = CALLS[op]
    b = ttmlir.Builder(mesh_shape=(1, 2) if op.startswith("distributed") else ())
    found = call(b, Inputs(b))
    results = found if isinstance(found, tuple) else (found,)
    assert [result.shape for result in results] == shapes
    b.output(*results)
    assert b.module.operation.verify()
    assert f'"ttir.{op}"' in str(b)
