"""A program with every kind of operation, small, for mutation."""

from __future__ import annotations

import sys

import ttnn_file
from machine import ROW_MAJOR, sharded


def everything() -> ttnn_file.Program:
    p = ttnn_file.Program("everything")
    x = p.input(p.tensor((40, 64)))
    w = p.input(p.tensor((64, 32)))
    ids = p.input(p.tensor((5,), "UInt32"))
    device = p.get_device()
    a, b, c = p.dram((40, 64), "BFloat16"), p.dram((64, 32), "BFP_BFloat8"), p.dram((5,), "UInt32")
    p.op("ToLayoutOp", **{"in": x}, layout="Tile", device=device, out=a)
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
    for tensor, shape in ((joined, (37, 40)), (mean, (40, 1)), (pooled, (1, 1, 12, 32))):
        host = p.tensor(shape, "BFloat16")
        p.op("ToMemoryConfigOp", in0=tensor, device=device, out=host)
        p.outputs.append(host)
    p.outputs.append(filtered)
    return p


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(ttnn_file.build(everything()))
