"""ttmlir.dialects.ttkernel and .ttmetal: types, attributes, and modules built op by op."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ttmlir import ir
from ttmlir.dialects import arith, func, tt, ttkernel, ttmetal


@pytest.fixture
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


def shard(shape: list[int], element: str) -> ir.MemRefType:
    space = tt.ir.MemorySpaceAttr.get(ir.Context.current, tt.MemorySpace.DeviceL1)
    return ir.MemRefType.get(shape, ir.Type.parse(element), memory_space=space)


def test_circular_buffers(context: ir.Context) -> None:
    memref = shard([2, 4], "!tt.tile<32x32, f32>")
    buffer = ttkernel.ir.CBType.get(context, 0x1000, ttkernel.CBPort.Out1, memref)
    assert str(buffer) == (
        "!ttkernel.cb<cb_out1, 4096, memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, "
        "4096, 1>"
    )
    assert buffer == ir.Type.parse(str(buffer)) == ttkernel.ir.CBType.get(context, 4096, 17, memref)
    assert (buffer.shape, buffer.memref, buffer.port) == ([2, 4], memref, ttkernel.CBPort.Out1)
    assert (buffer.address, buffer.page_size, buffer.num_buffers) == (4096, 4096, 1)
    rows = ttkernel.ir.CBType.get(context, 64, 0, shard([64, 16], "bf16"), num_buffers=2)
    assert (rows.page_size, rows.num_buffers) == (32, 2)
    assert ttkernel.ir.CBType.get(context, 64, 0, memref, 64).page_size == 64
    # Mantissas and exponents.
    blocks = ttkernel.ir.CBType.get(context, 64, 0, shard([2, 4], "!tt.tile<32x32, bfp_bf8>"))
    assert blocks.page_size == 1088
    assert ttkernel.ir.CBType.cast(ir.Type.parse(str(buffer))).shape == [2, 4]


def test_wrong_circular_buffers(context: ir.Context) -> None:
    memref = shard([2, 4], "!tt.tile<32x32, f32>")
    get = ttkernel.ir.CBType.get
    with pytest.raises(ValueError, match="unknown port 32"):
        get(context, 0, 32, memref)
    with pytest.raises(ValueError, match="expected a memref, found 'f32'"):
        get(context, 0, 0, ir.F32Type.get())
    with pytest.raises(ValueError, match=r"\(C1\) expected a memref of static shape"):
        get(context, 0, 0, shard([ir.ShapedType.get_dynamic_size(), 2], "f32"))
    with pytest.raises(ValueError, match=r"\(C2\) expected numbers of 32 bits, found 4294967296"):
        get(context, 1 << 32, 0, memref)
    with pytest.raises(ValueError, match=r"expected a !ttkernel\.cb"):
        ttkernel.ir.CBType.cast(memref)


def test_attributes(context: ir.Context) -> None:
    reader = ttkernel.ir.NocConfigAttr.get(context, ttkernel.NocIndex.Noc1)
    assert str(reader) == "#ttkernel.noc_config<noc1>"
    assert reader.noc_index is ttkernel.NocIndex.Noc1
    compute = ttkernel.ir.TensixConfigAttr.get(
        context, ttkernel.MathFidelity.HiFi3, fp32_dest_acc_en=True, math_approx_mode=True
    )
    assert str(compute) == "#ttkernel.tensix_config<hifi3, true, false, true>"
    assert compute.math_fidelity is ttkernel.MathFidelity.HiFi3
    assert (compute.fp32_dest_acc_en, compute.preserve_fp32_precision) == (True, False)
    assert compute.math_approx_mode
    link = ttkernel.ir.EthernetConfigAttr.get(context, ttkernel.EthType.Receiver, 0)
    assert str(link) == "#ttkernel.ethernet_config<receiver, noc0>"
    assert (link.eth_type, link.noc_index) == (ttkernel.EthType.Receiver, ttkernel.NocIndex.Noc0)
    thread = ttkernel.ir.ThreadTypeAttr.get(context, ttkernel.ThreadType.Tensix)
    assert str(thread) == "#ttkernel.thread<tensix>"
    cores = ttmetal.ir.CoreRangeAttr.get(context, [1, 2], [3, 4])
    assert (str(cores), cores.offset, cores.size) == (
        "#ttmetal.core_range<1x2, 3x4>",
        [1, 2],
        [3, 4],
    )
    assert str(ttkernel.ir.NocAddrType.get(context)) == "!ttkernel.noc_addr"
    with pytest.raises(ValueError, match="unknown MathFidelity 1"):
        ttkernel.ir.TensixConfigAttr.get(context, 1)
    with pytest.raises(ValueError, match="unknown NocIndex 2"):
        ttkernel.ir.NocConfigAttr.get(context, 2)
    with pytest.raises(ValueError, match="expected a positive size, found 0x1"):
        ttmetal.ir.CoreRangeAttr.get(context, [0, 0], [0, 1])


@pytest.mark.parametrize(
    ("name", "member", "text"),
    [
        ("EltwiseBinaryType", "Mul", "#ttkernel.eltwise_binary_type<mul>"),
        ("BroadcastType", "Col", "#ttkernel.broadcast_type<col>"),
        ("PoolType", "Max", "#ttkernel.pool_type<max>"),
        ("ReduceDim", "Scalar", "#ttkernel.reduce_dim<scalar>"),
    ],
)
def test_enumerations(context: ir.Context, name: str, member: str, text: str) -> None:
    attribute, enumerator = getattr(ttkernel.ir, f"{name}Attr"), getattr(ttkernel, name)[member]
    made = attribute.get(context, enumerator)
    assert (str(made), made.value) == (text, enumerator)
    assert made == ir.Attribute.parse(text)
    with pytest.raises(ValueError, match=f"unknown {name} 9"):
        attribute.get(context, 9)


def test_accessors_and_arguments(context: ir.Context) -> None:
    get = ttkernel.ir.TensorAccessorArgsAttr.get
    interleaved = (tt.MemorySpace.DeviceDRAM, tt.TensorMemoryLayout.Interleaved)
    dram = get(context, *interleaved, 100, 128, [4, 8])
    assert (dram.page_size, dram.aligned_page_size) == (100, 128)
    l1 = (tt.MemorySpace.DeviceL1, tt.TensorMemoryLayout.BlockSharded)
    sharded = get(context, *l1, 64, 64, [4, 8], [2, 2], [0, 0, 2, 4])
    assert sharded == ir.Attribute.parse(
        "#ttkernel.tensor_accessor_args<l1, block_sharded, 64, 64, tensor = 4x8, shard = 2x2, "
        "cores = [<0x0, 2x4>]>"
    )
    with pytest.raises(ValueError, match=r"\(C2\)"):
        get(context, *interleaved, 128, 100, [4, 8])
    with pytest.raises(ValueError, match=r"\(C3\)"):
        get(context, *interleaved, 128, 128, [4, 0])
    with pytest.raises(ValueError, match="unknown MemorySpace 9"):
        get(context, 9, 0, 128, 128, [4, 8])
    assert str(ttkernel.ir.TensorAccessorType.get(context)) == "!ttkernel.tensor_accessor"


@pytest.mark.parametrize(
    ("grid", "memref", "place", "layout", "text", "size"),
    [
        # 20 tiles over 12 banks of DRAM.
        (
            "1x1",
            "4x5x!tt.tile<32x32, bfp_bf8>",
            "dram",
            "interleaved",
            "dram, interleaved, 1088, 1088, tensor = 4x5",
            2 * 1088,
        ),
        # Rows of 160 elements of 2 bytes.
        (
            "1x1",
            "128x160xbf16",
            "dram",
            "interleaved",
            "dram, interleaved, 320, 320, tensor = 128x1",
            11 * 320,
        ),
        (
            "2x5",
            "2x1x!tt.tile<32x32, f32>",
            "l1",
            "none",
            "l1, block_sharded, 4096, 4096, tensor = 4x5, shard = 2x1, cores = [<0x0, 2x5>]",
            2 * 4096,
        ),
    ],
)
def test_accessors_of_tensors(
    context: ir.Context, grid: str, memref: str, place: str, layout: str, text: str, size: int
) -> None:
    system = tt.ir.SystemDescAttr.from_name(context, "n150")
    kind = ir.Type.parse(
        f"tensor<128x160xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <{grid}>, "
        f"memref<{memref}, #tt.memory_space<{place}>>, {layout}>>"
    )
    args = ttkernel.ir.TensorAccessorArgsAttr.for_tensor(kind, system)
    assert args == ir.Attribute.parse(f"#ttkernel.tensor_accessor_args<{text}>")
    assert args.bytes_per_bank(system) == size
    assert "tensor = " + "x".join(map(str, args.tensor_pages)) in text
    assert bool(args.shard_pages) == (place == "l1")


def test_tensors_without_pages(context: ir.Context) -> None:
    system = tt.ir.SystemDescAttr.from_name(context, "n150")
    for text in ("tensor<32x32xf32>", "i32"):
        with pytest.raises(ValueError, match="expected a tensor in pages on the device, found"):
            ttkernel.ir.TensorAccessorArgsAttr.for_tensor(ir.Type.parse(text), system)


def test_systems_from_bytes(context: ir.Context) -> None:
    from ttmlir import runtime

    data = runtime.get_default_system_desc("n150").to_bytes()
    system = tt.ir.SystemDescAttr.from_bytes(context, data)
    assert system.chip_descs == tt.ir.SystemDescAttr.from_name(context, "n150").chip_descs
    with pytest.raises(ValueError, match="the system description"):
        tt.ir.SystemDescAttr.from_bytes(context, data[:100])

    assert str(ttmetal.ir.TensorAddressAttr.get(context, 3)) == "#ttmetal.tensor_address<3>"
    semaphore = ttmetal.ir.SemaphoreAddressAttr.get(context, 7)
    assert (str(semaphore), semaphore.value) == ("#ttmetal.semaphore_address<7>", 7)
    numbers = ttmetal.ir.ScalarArgsAttr.get(context, [1, 4294967295])
    assert (str(numbers), numbers.values) == (
        "#ttmetal.scalar_args<[1, 4294967295]>",
        [1, 4294967295],
    )
    with pytest.raises(ValueError, match=r"\(C1\)"):
        ttmetal.ir.ScalarArgsAttr.get(context, [])


def test_a_kernel_built_op_by_op(context: ir.Context) -> None:
    """The layouts of the names and operands are those of the dialect; every context knows them."""
    ttkernel.register_dialect(context)
    memref = shard([1, 4], "!tt.tile<32x32, f32>")
    buffers = [
        ttkernel.ir.CBType.get(context, 4096 * i, port, memref)
        for i, port in enumerate((ttkernel.CBPort.In0, ttkernel.CBPort.In1, ttkernel.CBPort.Out0))
    ]
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):

        @func.FuncOp.from_py_func(*buffers, name="eltwise")  # type: ignore[no-untyped-call]
        def eltwise(in0: ir.Value, in1: ir.Value, out0: ir.Value) -> None:
            one = arith.constant(ir.IntegerType.get_signless(32), 1)
            ttkernel.cb_wait_front(in0, one)
            ttkernel.tile_regs_acquire()
            ttkernel.add_tiles_init(in0, in1)
            ttkernel.add_tiles(in0, in1, one, one, one)
            ttkernel.tile_regs_release()
            ttkernel.cb_push_back(out0, one)
            ttkernel.pack_set_data_type(tt.DataType.BFloat16)
            ttkernel.unary_bcast_init(in0, out0, ttkernel.BroadcastType.Row)

    module.operation.verify()
    text = str(module)
    assert '"ttkernel.add_tiles"(%arg0, %arg1, %c1_i32, %c1_i32, %c1_i32)' in text
    assert "data_type = 2 : i32" in text
    assert "#ttkernel.broadcast_type<row>" in text
