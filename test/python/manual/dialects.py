"""The reference of the dialects: attributes, types and ops."""

from __future__ import annotations

from ttmlir.dialects import tt, ttkernel

from . import ops as tables
from .definitions import Enumeration, Parameters, ops, traits
from .specs import MORE_LAYOUTS, ONE
from .table import Listed, Page, Reads, Row

DATA_TYPES = (
    "f32:Float32 f16:Float16 bf16:BFloat16 bfp_f8:BFP_Float8 bfp_bf8:BFP_BFloat8 "
    "bfp_f4:BFP_Float4 bfp_bf4:BFP_BFloat4 bfp_f2:BFP_Float2 bfp_bf2:BFP_BFloat2 u32:UInt32 "
    "u16:UInt16 u8:UInt8"
)
MEMORY_LAYOUTS = (
    "interleaved:Interleaved single_bank:SingleBank height_sharded:HeightSharded "
    "width_sharded:WidthSharded block_sharded:BlockSharded"
)
L1 = "#tt.memory_space<l1>"

TT: dict[str, list[Row]] = {
    "ArchAttr": [
        Enumeration(
            "#tt.arch", tt.Arch, "grayskull:Grayskull wormhole_b0:WormholeB0 blackhole:Blackhole"
        ),
    ],
    "ArgumentAllocationAttr": [
        Parameters(
            "#tt.arg_alloc",
            "ArgumentAllocationAttr",
            "address uint64_t, size uint64_t, memorySpace MemorySpace",
            ("#tt.arg_alloc<1024, 32768, l1>",),
        ),
    ],
    "BufferAccessAttr": [
        Enumeration("#tt.buffer_access", tt.BufferAccess, "alias:Alias stream:Stream"),
    ],
    "BufferAttr": [
        Parameters(
            "#tt.buffer",
            "BufferAttr",
            "memref MemRefType, buffer_access BufferAccess",
            (f"#tt.buffer<memref<64x128xf32, {L1}>, alias>",),
        ),
    ],
    "ChipChannelAttr": [
        Parameters(
            "#tt.chip_channel",
            "ChipChannelAttr",
            "deviceId0 unsigned, ethernetCoreCoord0 ArrayRef<int64_t>, deviceId1 unsigned, "
            "ethernetCoreCoord1 ArrayRef<int64_t>",
            ("#tt.chip_channel<[0, 8, 0], [1, 0, 0]>",),
        ),
    ],
    "ChipCoordAttr": [
        Parameters(
            "#tt.chip_coord",
            "ChipCoordAttr",
            "rack unsigned, shelf unsigned, y unsigned, x unsigned",
            ("#tt.chip_coord<0, 0, 0, 1>",),
        ),
    ],
    "ChipDescAttr": [
        Parameters(
            "#tt.chip_desc",
            "ChipDescAttr",
            "arch ArchAttr, grid ArrayRef<int64_t>, l1Size unsigned, numDramChannels unsigned, "
            "dramChannelSize unsigned, nocL1AddressAlignBytes unsigned, "
            "pcieAddressAlignBytes unsigned, nocDRAMAddressAlignBytes unsigned, "
            "l1UnreservedBase unsigned, eriscL1UnreservedBase unsigned, "
            "dramUnreservedBase unsigned, dramUnreservedEnd unsigned, "
            "chipPhysicalCores ChipPhysicalCoresAttr, supportedDataTypes ArrayRef<DataTypeAttr>, "
            "supportedTileSizes ArrayRef<TileSizeAttr>",
        ),
    ],
    "ChipPhysicalCoresAttr": [
        Parameters(
            "#tt.chip_physical_cores",
            "ChipPhysicalCoresAttr",
            "worker ArrayRef<CoreCoordAttr>, dram ArrayRef<CoreCoordAttr>, "
            "eth ArrayRef<CoreCoordAttr>, eth_inactive ArrayRef<CoreCoordAttr>",
            ("#tt<chip_physical_cores{worker = [0x0] dram = [8x0] eth = [1x0]}>",),
        ),
    ],
    "CoreCoordAttr": [
        Parameters(
            "#tt.core_coord", "CoreCoordAttr", "y int64_t, x int64_t", ("#tt.core_coord<0, 1>",)
        )
    ],
    "DataTypeAttr": [Enumeration("#tt.supportedDataTypes", tt.DataType, DATA_TYPES)],
    "DeviceAttr": [
        Parameters(
            "#tt.device",
            "DeviceAttr",
            "workerGrid GridAttr, l1Map AffineMap, dramMap AffineMap, "
            "meshShape ArrayRef<int64_t>, chipIds ArrayRef<unsigned>",
            (
                "#tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, "
                "l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, 0), "
                "dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0), meshShape = 1, chipIds = [0]>",
            ),
        ),
    ],
    "GridAttr": [
        Parameters(
            "#tt.grid",
            "GridAttr",
            "shape ArrayRef<int64_t>, mapping AffineMap",
            ("#tt.grid<8x8>", "#tt.grid<8x8, (d0, d1) -> (0, d0, d1)>"),
        ),
    ],
    "IteratorTypeAttr": [
        Enumeration(
            "#tt.iterator_type",
            tt.IteratorType,
            "parallel:Parallel systolic:Systolic broadcast:Broadcast",
        ),
    ],
    "LayoutAttr": [
        Parameters(
            "#tt.layout",
            "LayoutAttr",
            "linear AffineMap, oob_val OOBVal, grid GridAttr, memref MemRefType, "
            "mem_layout TensorMemoryLayout",
        ),
        *MORE_LAYOUTS,
    ],
    "MemorySpaceAttr": [
        Enumeration(
            "#tt.memory_space",
            tt.MemorySpace,
            "system:System mmio:SystemMMIO dram:DeviceDRAM l1:DeviceL1",
        ),
    ],
    "OOBValAttr": [
        Enumeration(
            "#tt.oob_val", tt.OOBVal, "undef:Undef zero:Zero one:One inf:Inf neginf:NegInf"
        ),
    ],
    "OperandConstraintAttr": [
        Enumeration(
            "#tt.operand_constraint",
            tt.OperandConstraint,
            f"system:System dram:DRAM l1:L1 scalar:Scalar tile:Tile none:None {MEMORY_LAYOUTS} "
            "any_layout:AnyLayout any:Any any_device:AnyDevice any_device_tile:AnyDeviceTile "
            "l1_block_sharded:L1BlockSharded",
        ),
    ],
    "SystemDescAttr": [
        Parameters(
            "#tt.system_desc",
            "SystemDescAttr",
            "chipDescs ArrayRef<ChipDescAttr>, chipDescIndices ArrayRef<unsigned>, "
            "chipCapabilities ArrayRef<ChipCapabilityAttr>, chipCoords ArrayRef<ChipCoordAttr>, "
            "chipChannels ArrayRef<ChipChannelAttr>",
            (
                "#tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8>>], [0], "
                "[<pcie|host_mmio>], [<0, 0, 0, 0>]>",
            ),
        ),
    ],
    "TensorMemoryLayoutAttr": [
        Enumeration(
            "#tt.tensor_memory_layout", tt.TensorMemoryLayout, f"none:None {MEMORY_LAYOUTS}"
        ),
    ],
    "TileSizeAttr": [
        Parameters(
            "#tt.tile_size", "TileSizeAttr", "y int64_t, x int64_t", ("#tt.tile_size<32, 32>",)
        )
    ],
    "DeviceType": [
        Parameters("!tt.device", "DeviceType", "desc DeviceAttr", (f"!tt.device<{ONE.text}>",))
    ],
    "TileType": [
        Parameters(
            "!tt.tile",
            "TileType",
            "shape ArrayRef<int64_t>, dataType DataType",
            ("!tt.tile<32x32, bfp_bf8>",),
        ),
    ],
}

KERNEL: dict[str, list[Row]] = {
    "EthernetConfigAttr": [
        Parameters(
            "#ttkernel.ethernet_config",
            "EthernetConfigAttr",
            "eth_type EthType, noc_index NocIndex",
            ("#ttkernel.ethernet_config<sender, noc0>",),
        ),
    ],
    "NocConfigAttr": [
        Parameters(
            "#ttkernel.noc_config",
            "NocConfigAttr",
            "noc_index NocIndex",
            ("#ttkernel.noc_config<noc0>",),
        ),
    ],
    "TensixConfigAttr": [
        Parameters(
            "#ttkernel.tensix_config",
            "TensixConfigAttr",
            "math_fidelity MathFidelity, fp32_dest_acc_en bool, preserve_fp32_precision bool, "
            "math_approx_mode bool",
            ("#ttkernel.tensix_config<hifi4, false, false, false>",),
        ),
    ],
    "ThreadTypeAttr": [
        Enumeration(
            "#ttkernel.thread", ttkernel.ThreadType, "noc:Noc tensix:Tensix ethernet:Ethernet"
        ),
    ],
    "ops": ops("ttkernel", tables.TTKERNEL),
    "traits": traits("ttkernel", tables.TRAITS),
    "ttkernel.get_noc_addr": [
        Listed("InferTypeOpInterface", "the type of the address is written, and there is one only"),
    ],
    "CBType": [
        Parameters(
            "!ttkernel.cb",
            "CBType",
            "port CBPort, address uint64_t, memref MemRefType, page_size uint64_t, "
            "num_buffers uint64_t",
            (f"!ttkernel.cb<cb_in0, 0, memref<2x4x!tt.tile<32x32, f32>, {L1}>, 4096, 1>",),
        ),
    ],
    "NocAddrType": [Parameters("!ttkernel.noc_addr", "NocAddrType", "", ("!ttkernel.noc_addr",))],
}

METAL: dict[str, list[Row]] = {
    "CoreRangeAttr": [
        Parameters(
            "#ttmetal.core_range",
            "CoreRangeAttr",
            "offset ArrayRef<int64_t>, size ArrayRef<int64_t>",
            ("#ttmetal.core_range<0x0, 8x8>",),
        ),
    ],
    "ops": ops("ttmetal", tables.TTMETAL),
    "traits": traits("ttmetal", tables.TRAITS),
}

CONSTANTS = """
func.func @f() {
  %0 = "ttir.constant"() {value = dense<0> : tensor<2x3xi32>} : () -> tensor<2x3xi32>
  %1 = "ttir.constant"() {value = dense<[0.2, 1.3]> : tensor<2xf32>} : () -> tensor<2xf32>
  return
}"""

TTIR: dict[str, list[Row]] = {
    "ops": ops("ttir", tables.TTIR),
    "traits": traits("ttir", tables.TRAITS),
    "ttir.add, ttir.multiply": [
        Listed("TTIR_GenericRegionOpInterface", "regions are made by a pass, for every such op"),
    ],
    "ttir.constant": [Reads(f"module {{{CONSTANTS}\n}}")],
    "ttir.generic": [
        Listed(
            '%5 = "ttir.generic"(%1, %3, %4) <{ grid = #tt.grid<1x1>, ...',
            "a sketch: no end of the attributes, no body, and no operand_constraints",
        ),
    ],
    "ttir.maximum": [Listed("%lhs: [[3, 2, 7], [1, 4, 4]] ...", "numbers, not IR")],
    "ttir.to_layout": [
        Listed("#tt.layout<8192x128x1, undef, ...>", "an older form, with strides and no map"),
    ],
}
TTNN: dict[str, list[Row]] = {
    "ops": ops("ttnn", tables.TTNN),
    "traits": traits("ttnn", tables.TRAITS),
    "ttnn.maximum": [Listed("%lhs: [[3, 2, 7], [1, 4, 4]] ...", "numbers, not IR")],
}

PAGES = [
    Page("'tt' Dialect", TT),
    Page("'ttir' Dialect", TTIR),
    Page("'ttkernel' Dialect", KERNEL),
    Page("'ttmetal' Dialect", METAL),
    Page("'ttnn' Dialect", TTNN),
]
