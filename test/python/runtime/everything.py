"""A program with every kind of operation, small, for mutation."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import ttnn_file
from machine import ROW_MAJOR, sharded


def everything() -> ttnn_file.Program:
    p = ttnn_file.Program("everything")
    x = p.input(p.tensor((40, 64)))
    w = p.input(p.tensor((64, 32)))
    ids = p.input(p.tensor((5,), "UInt32"))
    device = p.get_device()
    whole = {"shard_direction": "FullToShard", "shard_shape": [1, 1], "shard_dims": [0, -1]}
    a, b, c = p.dram((40, 64), "BFloat16"), p.dram((64, 32), "BFP_BFloat8"), p.dram((5,), "UInt32")
    shard = p.tensor((40, 64))
    p.op("MeshShardOp", **{"in": x}, out=shard, shard_type="Devices", **whole)
    p.op("ToLayoutOp", **{"in": shard}, layout="Tile", device=device, out=a)
    p.op("ToDeviceOp", **{"in": w}, device=device, out=b)
    p.op("ToDeviceOp", **{"in": ids}, device=device, out=c)
    product = p.dram((40, 32), "BFloat16")
    p.op("EmptyOp", shape=[40, 32], dtype="BFloat16", layout="Tile", device=device, out=product)
    p.op("MatmulOp", in0=a, in1=b, out=product)
    one = p.dram((1, 32), "BFloat16", **ROW_MAJOR)
    p.op("FullOp", device=device, fill_value=1.0, out=one)
    added = p.dram((40, 32), "BFloat16", **sharded((2, 1)))
    p.op("EltwiseOp", type="Add", ins=[product, one], out=added)
    relu = p.dram((40, 32), "BFloat16")
    p.op("EltwiseOp", type="Relu", ins=[added], out=relu)
    p.op("DeallocOp", **{"in": added})
    soft = p.dram((40, 32), "BFloat16")
    p.op("SoftmaxOp", **{"in": relu}, out=soft, dimension=-1)
    mean = p.dram((40, 1), "BFloat16")
    p.op("ReductionOp", type="Mean", **{"in": soft}, out=mean, dim_arg=[-1], keep_dim=True)
    turned = p.dram((32, 40), "BFloat16")
    p.op("TransposeOp", **{"in": soft}, out=turned, dim0=0, dim1=1)
    image = p.dram((1, 1, 40, 32), "BFloat16")
    p.op("ReshapeOp", **{"in": turned}, out=image, shape=[1, 1, 40, 32])
    pooled = p.dram((1, 1, 10, 32), "BFloat16")
    extents = {"stride_height": 2, "stride_width": 2, "dilation_height": 1, "dilation_width": 1}
    extents |= {"batch_size": 1, "input_height": 5, "input_width": 8}
    window = {"kernel_height": 1, "kernel_width": 2}
    pool = extents | window | {"stride_height": 2, "ceil_mode": False, "channels": 32}
    pooled = p.dram((1, 1, 12, 32), "BFloat16")
    p.op("MaxPool2dOp", **{"in": image}, out=pooled, device=device, **pool)
    kernel = p.dram((8, 32, 1, 2), "BFloat16")
    p.op("FullOp", device=device, fill_value=0.5, out=kernel)
    filtered = p.dram((1, 1, 12, 8), "BFloat16")
    conv = extents | window | {"in_channels": 32, "out_channels": 8, "groups": 1}
    p.op("Conv2dOp", input=image, weight=kernel, out=filtered, device=device, **conv)
    rows = p.dram((5, 40), "BFloat16")
    p.op("EmbeddingOp", input=c, weight=turned, output=rows)
    joined = p.dram((37, 40), "BFloat16")
    p.op("ConcatOp", inputs=[rows, turned], out=joined, dim=0)
    keep = [(joined, (37, 40)), (mean, (40, 1)), (pooled, (1, 1, 12, 32))]
    keep += more(p, device, a, c, turned)
    for i, (tensor, shape) in enumerate(keep):
        host = p.tensor(shape, tensor["desc"]["layout"]["memory_desc"]["data_type"])
        if i == 0:
            p.op("ToMemoryConfigOp", in0=tensor, device=device, out=host)
        else:
            p.op("FromDeviceOp", **{"in": tensor}, out=host)
        p.outputs.append(host)
    p.outputs.append(filtered)
    return p


Tensor = dict[str, Any]
Kept = list[tuple[Tensor, tuple[int, ...]]]


def more(p: ttnn_file.Program, device: Tensor, a: Tensor, ids: Tensor, turned: Tensor) -> Kept:
    """The operations beyond those of the first release; `a` is 40x64, `turned` 32x40."""
    kept: Kept = []

    def op(table: str, size: tuple[int, ...], kind: str = "BFloat16", **fields: Any) -> Tensor:
        out = p.dram(size, kind)
        p.op(table, out=out, **fields)
        kept.append((out, size))
        return out

    steps = op("ArangeOp", (5,), "Int32", start=-4, end=6, step=2, device=device)
    data = np.arange(5 * 40, dtype=np.int16).view(np.uint8).tolist()
    table = op("ConstantOp", (5, 40), "UInt16", dtype="UInt16", data=data, device=device)
    op("EltwiseOp", (5, 40), "Float32", type="Typecast", ins=[table])
    op("EltwiseOp", (40, 64), type="Clamp", ins=[a], parameters=[-1.0, 1.0])
    op("EltwiseOp", (40, 64), type="LeakyRelu", ins=[a], parameters=[0.1])
    op("EltwiseOp", (40, 64), type="Selu", ins=[a], parameters=[1.25, 1.5])
    less = op("EltwiseOp", (5,), "UInt8", type="LessThan", ins=[steps, ids])
    op("EltwiseOp", (5,), "Int32", type="Where", ins=[less, steps, ids])
    op("EltwiseOp", (5,), "Int32", type="BitwiseNot", ins=[steps])
    op("ReductionOp", (40,), type="Prod", **{"in": a}, dim_arg=[1], keep_dim=False)
    op("ArgMaxOp", (40, 1), "UInt32", **{"in": a}, dim=-1, keep_dim=True)
    op("ArgMaxOp", (), "Int32", **{"in": a}, keep_dim=False)
    op("CumSumOp", (40, 64), **{"in": a}, dim=0)
    gradient = op("PermuteOp", (40, 32), **{"in": turned}, permutation=[1, 0])
    few = op("SliceOp", (5, 16), **{"in": gradient}, begins=[0, 1], ends=[40, 32], step=[8, 2])
    op("EmbeddingBackwardOp", (7, 16), input=ids, weight=weight(p, device), in_gradient=few)
    op(
        "GatherOp",
        (5, 64),
        input=a,
        start_indices=ids,
        offset_dims=[1],
        collapsed_slice_dims=[0],
        start_index_map=[0],
        index_vector_dim=1,
        slice_sizes=[1, 64],
    )
    gain = p.dram((64,), "BFloat16")
    p.op("FullOp", device=device, fill_value=1.5, out=gain)
    norm = {"input": a, "weight": gain, "normalized_shape": [64], "epsilon": 1e-5}
    op("LayerNormOp", (40, 64), **norm, bias=gain)
    op("RMSNormOp", (40, 64), **norm)
    op("PadOp", (8, 16), **{"in": few}, padding=[1, 2, 0, 0], value=-1.0)
    op("RepeatOp", (10, 16), **{"in": few}, repeat_dims=[2, 1])
    op("LinearOp", (40, 40), in0=a, in1=a, bias=bias(p, device), transpose_b=True)
    image = op("ReshapeOp", (1, 5, 8, 64), **{"in": a}, shape=[1, 5, 8, 64])
    extents = {"batch_size": 1, "input_height": 5, "input_width": 8}
    op(
        "AvgPool2dOp",
        (1, 3, 5, 64),
        **{"in": image},
        channels=64,
        kernel_height=2,
        kernel_width=2,
        stride_height=2,
        stride_width=2,
        dilation_height=1,
        dilation_width=1,
        padding_height=1,
        padding_width=1,
        padding_bottom=0,
        padding_right=1,
        count_include_pad=True,
        **extents,
    )
    kernel = p.dram((64, 2, 2, 2), "BFloat16")
    p.op("FullOp", device=device, fill_value=0.25, out=kernel)
    op(
        "ConvTranspose2dOp",
        (1, 9, 16, 4),
        input=image,
        weight=kernel,
        device=device,
        groups=2,
        in_channels=64,
        out_channels=4,
        kernel_size=[2, 2],
        stride=[2, 2],
        padding=[1, 0, 0, 0],
        output_padding=[0, 0],
        dilation=[1, 1],
        **extents,
    )
    op("UpsampleOp", (1, 10, 24, 64), **{"in": image}, scale_factor=[2, 3], mode="Bilinear")
    op("UpsampleOp", (1, 5, 16, 64), **{"in": image}, scale_factor=[1, 2], mode="Nearest")
    return kept


def weight(p: ttnn_file.Program, device: Tensor) -> Tensor:
    """The table that an embedding's gradient is for."""
    tensor = p.dram((7, 16), "BFloat16")
    p.op("FullOp", device=device, fill_value=0.0, out=tensor)
    return tensor


def bias(p: ttnn_file.Program, device: Tensor) -> Tensor:
    tensor = p.dram((1, 40), "BFloat16")
    p.op("FullOp", device=device, fill_value=-0.5, out=tensor)
    return tensor


def mesh() -> ttnn_file.Program:
    """Shards, collectives and results of two chips."""
    p = ttnn_file.Program("mesh")
    x = p.input(p.tensor((64, 64)))
    device = p.get_mesh((1, 2), [1, 0])
    part = p.tensor((64, 32))
    cut = {"shard_type": "Devices", "shard_shape": [1, 2], "shard_dims": [-1, 1]}
    p.op("MeshShardOp", **{"in": x}, out=part, shard_direction="FullToShard", **cut)
    a = p.dram((64, 32), "BFloat16")
    p.op("ToLayoutOp", **{"in": part}, layout="Tile", device=device, out=a)

    def collective(kind: str, shape: tuple[int, ...], **fields: Any) -> Tensor:
        out = p.dram(shape, "BFloat16")
        p.op("CollectiveOp", type=kind, **{"in": a}, out=out, **fields)
        return out

    groups = {"groups": [0, 1], "group_size": 2}
    gathered = collective("AllGather", (64, 64), dim=1, cluster_axis=1, num_links=2)
    collective("ReduceScatter", (32, 32), dim=0, cluster_axis=1, reduce_type="Max")
    total = collective("AllReduce", (64, 32), cluster_axis=1, reduce_type="Mean")
    collective("CollectivePermute", (64, 32), **groups)
    collective("MeshPartition", (64, 16), dim=1)
    collective("AllToAll", (32, 64), dim=0, concat_dim=1, split_count=2, **groups)
    collective("CollectiveBroadcast", (64, 32), **groups)
    for tensor, shape in ((gathered, (64, 64)), (total, (64, 32))):
        host = p.tensor(shape, "BFloat16")
        p.op("FromDeviceOp", **{"in": tensor}, out=host)
        p.outputs.append(host)
    whole = p.tensor((64, 64), "BFloat16")
    p.op("MeshShardOp", **{"in": host}, out=whole, shard_direction="ShardToFull", **cut)
    p.outputs.append(whole)
    return p


if __name__ == "__main__":
    # everything.py <file> [mesh]
    content = (
        ttnn_file.build(mesh(), target="n300") if sys.argv[2:] else ttnn_file.build(everything())
    )
    with open(sys.argv[1], "wb") as file:
        file.write(content)
