"""Prints what programs on meshes compute and what they cost, as JSON: for each of them a digest of
the results, the modelled cycles, and a digest of the report. The same script runs in one process
and on several ranks.

    [mpirun -n 8] python [-m ttmlir.mpi] rank_meshes.py [NAME ...]
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import ttmlir

Made = tuple[ttmlir.Executable, list[np.ndarray[Any, Any]]]


def random(*shape: int, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    return np.random.default_rng(0).normal(0, 0.3, shape).astype(dtype)


def mlp(target: str, parallel: Any, **keywords: Any) -> Made:
    b = ttmlir.Builder("mlp")
    x, bias = b.input("x", (64, 64)), b.input("bias", (64,))
    w1, w2 = b.input("w1", (64, 256)), b.input("w2", (256, 64))
    hidden = b.gelu(b.matmul(x, w1))
    b.output(b.softmax(b.add(x, b.linear(hidden, w2, bias)), -1), hidden)
    exe = ttmlir.compile(
        b, target=target, parallel=parallel, parameters=["w1", "w2", "bias"], **keywords
    )
    return exe, [random(64, 64), random(64), random(64, 256), random(256, 64)]


def collectives(mesh: tuple[int, int], **keywords: Any) -> Made:
    """Every collective that the two backends have."""
    b = ttmlir.Builder(mesh_shape=mesh)
    x = b.input("x", (64 * mesh[0], 64 * mesh[1]), "bf16")
    y = b.mesh_shard(x, (0, 1))
    total = b.all_reduce(y, cluster_axis=0)
    part = b.reduce_scatter(total, 1, cluster_axis=1)
    whole = b.all_gather(part, 1, cluster_axis=1)
    turned = b.collective_permute(whole, [(i, (i + 1) % mesh[1]) for i in range(mesh[1])])
    groups = [list(range(r * mesh[1], (r + 1) * mesh[1])) for r in range(mesh[0])]
    swapped = b.all_to_all(b.add(whole, y), 0, 1, groups)
    spread = b.collective_broadcast(turned, groups)
    piece = b.mesh_partition(spread, 0, cluster_axis=1)
    b.output(*(b.mesh_gather(value, (0, 1)) for value in (whole, swapped, spread, piece)))
    exe = ttmlir.compile(b, target="t3000", **keywords)
    return exe, [random(64 * mesh[0], 64 * mesh[1], dtype=ml_dtypes.bfloat16)]


def loops(backend: Any) -> Made:
    """Control flow on tensors of the chips."""
    b = ttmlir.Builder(mesh_shape=(1, 8))
    x = b.mesh_shard(b.input("x", (32, 512)), (None, 1))
    limit = b.constant(100.0, shape=(1, 1))

    def below(y: Any) -> Any:
        total = b.all_reduce(b.sum(b.abs(y), [0, 1], keep_dim=True), cluster_axis=1)
        return b.lt(total, limit * 60.0)

    (y,) = b.while_loop(below, lambda y: y * 1.5, [x])
    (z,) = b.for_loop(3, lambda i, z: b.add(z, y), [y])
    b.output(b.mesh_gather(z, (None, 1)))
    return ttmlir.compile(b, target="t3000", backend=backend), [random(32, 512)]


def kernels(mesh: tuple[int, int], op: str, **keywords: Any) -> Made:
    """Collectives as kernels, which send to other chips."""
    b = ttmlir.Builder(mesh_shape=mesh)
    x = b.mesh_shard(b.input("x", (64 * mesh[0], 64 * mesh[1]), "bf16"), (0, 1))
    axis = mesh.index(max(mesh))
    if op == "all_reduce":
        y = b.all_reduce(x, cluster_axis=axis)
    else:
        y = getattr(b, op)(x, 0, cluster_axis=axis)
    b.output(b.mesh_gather(b.relu(y), (0, 1)))
    exe = ttmlir.compile(
        b, backend="ttmetal", target="t3000", use_all_gather_kernel=True, **keywords
    )
    return exe, [random(64 * mesh[0], 64 * mesh[1], dtype=ml_dtypes.bfloat16)]


ATTENTION = """
#any = #tt.operand_constraint<any_device>
func.func @attention(
    %q: tensor<1x16x8x32xbf16> {tt.shard_dims = array<i64: -1, 1>},
    %k: tensor<16x2x256x32xbf16> {tt.shard_dims = array<i64: -1, 0>},
    %v: tensor<16x2x256x32xbf16> {tt.shard_dims = array<i64: -1, 0>},
    %at: tensor<16xi32> {tt.shard_dims = array<i64: -1, 0>}) -> tensor<1x16x8x32xbf16> {
  %0 = tensor.empty() : tensor<1x16x8x32xbf16>
  %1 = "ttir.scaled_dot_product_attention_decode"(%q, %k, %v, %at, %0) <{is_causal = true,
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 1>,
      operand_constraints = [#any, #any, #any, #any, #any]}>
    : (tensor<1x16x8x32xbf16>, tensor<16x2x256x32xbf16>, tensor<16x2x256x32xbf16>,
       tensor<16xi32>, tensor<1x16x8x32xbf16>) -> tensor<1x16x8x32xbf16>
  return %1 : tensor<1x16x8x32xbf16>
}
"""


def attention() -> Made:
    """The last position of all chips, which one rank has, determines the time."""
    exe = ttmlir.compile(ATTENTION, target="t3000", mesh_shape=(1, 8))
    bf16 = ml_dtypes.bfloat16
    cache = random(16, 2, 256, 32, dtype=bf16)
    positions = np.arange(16, dtype=np.int32)
    positions[13] = 200
    return exe, [random(1, 16, 8, 32, dtype=bf16), cache, cache * bf16(2), positions]


PROGRAMS: dict[str, Callable[[], Made]] = {
    "ttnn data": lambda: mlp("t3000", "data"),
    "ttnn tensor": lambda: mlp("t3000", "tensor"),
    "ttnn data and tensor": lambda: mlp("t3000", {"data": 2, "tensor": 4}),
    "ttnn two axes": lambda: mlp("t3000", "tensor", mesh_shape=(2, 4)),
    "ttnn galaxy": lambda: mlp("galaxy", {"data": 8, "tensor": 4}),
    "ttnn sequence": lambda: mlp("t3000", "sequence"),
    "ttnn collectives": lambda: collectives((2, 4)),
    "ttnn exact collectives": lambda: collectives((1, 8), numerics="exact"),
    "ttnn loops": lambda: loops("ttnn"),
    "ttnn attention": attention,
    "ttmetal data": lambda: mlp("t3000", "data", backend="ttmetal"),
    "ttmetal tensor": lambda: mlp("t3000", "tensor", backend="ttmetal"),
    "ttmetal data and tensor": lambda: mlp("t3000", {"data": 2, "tensor": 4}, backend="ttmetal"),
    "ttmetal two axes": lambda: mlp("t3000", "tensor", mesh_shape=(2, 4), backend="ttmetal"),
    "ttmetal galaxy": lambda: mlp("galaxy", {"data": 8, "tensor": 4}, backend="ttmetal"),
    "ttmetal collectives": lambda: collectives((2, 4), backend="ttmetal"),
    "ttmetal loops": lambda: loops("ttmetal"),
    "ttmetal all_gather kernel": lambda: kernels((1, 8), "all_gather"),
    "ttmetal reduce_scatter kernel": lambda: kernels((2, 4), "reduce_scatter"),
    "ttmetal all_reduce kernel": lambda: kernels((1, 8), "all_reduce"),
}


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def digests(
    exe: ttmlir.Executable,
    arguments: list[np.ndarray[Any, Any]],
    device: ttmlir.runtime.Device | None = None,
) -> dict[str, Any]:
    """Digests of the results, the report and the timeline of a call; and its cycles."""
    results = exe(*arguments, device=device)
    arrays = results if isinstance(results, (tuple, list)) else [results]
    report = exe.report(*arguments, trace=True, device=device)
    pieces: list[bytes] = []
    assert report.trace is not None
    report.trace.write(pieces.append, "json")
    return {
        "bits": digest(*(np.ascontiguousarray(array).tobytes() for array in arrays)),
        "cycles": report.cycles,
        "report": digest(repr(report).encode()),
        "timeline": digest(*pieces),
    }


if __name__ == "__main__":
    print(
        json.dumps(
            {name: digests(*PROGRAMS[name]()) for name in sys.argv[1:] or PROGRAMS}, indent=1
        )
    )
