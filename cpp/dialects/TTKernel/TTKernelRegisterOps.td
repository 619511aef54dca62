//===- Registers of a core in the 'ttkernel' dialect ---------------------===//

#ifndef TTMLIR_TTKERNEL_REGISTER_OPS_TD
#define TTMLIR_TTKERNEL_REGISTER_OPS_TD

include "dialects/TTKernel/TTKernelKernelOp.td"

//===----------------------------------------------------------------------===//
// Who has the destination registers
//===----------------------------------------------------------------------===//

def TTKernel_AcquireDstOp : TTKernel_ComputeOp<"acquire_dst",
    "The destination registers for this kernel",
    "Waits until the destination registers are free, and takes them.">;

def TTKernel_ReleaseDstOp : TTKernel_ComputeOp<"release_dst",
    "The destination registers for other kernels",
    "Gives back the destination registers that `ttkernel.acquire_dst` took.">;

def TTKernel_TileRegsAcquireOp : TTKernel_ComputeOp<"tile_regs_acquire",
    "The destination registers for the math thread", [{Waits until the math
    thread may write the destination registers, and takes them. They hold zeros.}]>;

def TTKernel_TileRegsCommitOp : TTKernel_ComputeOp<"tile_regs_commit",
    "The destination registers from the math to the pack thread",
    "Says that the math thread has written the destination registers.">;

def TTKernel_TileRegsWaitOp : TTKernel_ComputeOp<"tile_regs_wait",
    "The destination registers for the pack thread",
    "Waits until the math thread has committed the destination registers.">;

def TTKernel_TileRegsReleaseOp : TTKernel_ComputeOp<"tile_regs_release",
    "The destination registers from the pack to the math thread",
    "Says that the pack thread has read the destination registers.">;

//===----------------------------------------------------------------------===//
// Destination registers to buffers
//===----------------------------------------------------------------------===//

def TTKernel_PackOp : TTKernel_ComputeOp<"pack",
    "A destination register to a page of a buffer", [{Writes the tile of
    destination register `dst_index` to tile `out_index` of the pages reserved in
    `out_cb`.}],
    [KDst<>, KTiles<"out_cb", "cb_out0">, KInt<"out_index">]>;

def TTKernel_PackTileOp : TTKernel_ComputeOp<"pack_tile",
    "A tile of the destination registers to a buffer", [{Writes the tile of
    destination register `dst_index`, which the math thread committed, to a tile
    of the pages reserved in `out_cb`: to tile `out_index` with the attribute
    `out_of_order`. Without it tiles go one after the other, and `out_index` is
    the number of the tile.}],
    [KDst<>, KTiles<"out_cb", "cb_out0">, KInt<"out_index">,
     KOptional<"out_of_order">]>;

def TTKernel_PackTileBlockOp : TTKernel_ComputeOp<"pack_tile_block",
    "Tiles of the destination registers to a buffer", [{Writes the tiles of
    `num_tiles` destination registers, from `dst_index` on, to the next pages
    reserved in `out_cb`.}],
    [KDst<>, KTiles<"out_cb", "cb_out0">, KInt<"num_tiles">]>;

def TTKernel_PackSetDataTypeOp : TTKernel_ComputeOp<"pack_set_data_type",
    "The number format that tiles are packed to", [{Sets the format of the tiles
    that the packer writes; `data_type` is a number of the enumeration
    `DataType`.}],
    [KDataType<"data_type", "0">]>;

def TTKernel_PackReconfigDataFormatOp
    : TTKernel_ComputeOp<"pack_reconfig_data_format",
    "The number format of a buffer for the packer", [{Sets the packer up for tiles
    of the format of `out_cb`, where an init op has set it up for another
    buffer.}],
    [KTiles<"out_cb", "cb_out0">]>;

def TTKernel_PackReconfigL1AccOp : TTKernel_ComputeOp<"pack_reconfig_l1_acc",
    "Whether the packer adds to what is in L1", [{With `enable` 1 the packer adds
    tiles to those that the buffer's pages hold already, with 0 it replaces
    them.}],
    [KInt<"enable">]>;

//===----------------------------------------------------------------------===//
// Buffers to source and destination registers
//===----------------------------------------------------------------------===//

def TTKernel_UnpackAOp : TTKernel_ComputeOp<"unpack_a",
    "A tile of a buffer to the first source register",
    "Reads tile `src_index` of `cb`.",
    [KTiles<"cb">, KInt<"src_index">]>;

def TTKernel_UnpackABOp : TTKernel_ComputeOp<"unpack_ab",
    "Tiles of two buffers to both source registers",
    "Reads tile `src_a_index` of `cb_a` and tile `src_b_index` of `cb_b`.",
    [KTiles<"cb_a">, KInt<"src_a_index">, KTiles<"cb_b", "cb_in1">,
     KInt<"src_b_index">]>;

def TTKernel_UnpackSetDataTypeOp : TTKernel_ComputeOp<"unpack_set_data_type",
    "The number formats that tiles are unpacked from", [{Sets the formats of the
    tiles that the unpacker reads for the first and the second source register;
    both are numbers of the enumeration `DataType`.}],
    [KDataType<"data_type_a", "0">, KDataType<"data_type_b", "2">]>;

def TTKernel_ReconfigDataFormatOp : TTKernel_ComputeOp<"reconfig_data_format",
    "The number formats of two buffers for the unpacker", [{Sets the unpacker up
    for tiles of the format of `cb_a` in the first and of `cb_b` in the second
    source register, where an init op has set it up for others.}],
    [KTiles<"cb_a">, KTiles<"cb_b", "cb_in1">]>;

foreach register = [["A", "a", "first"], ["B", "b", "second"]] in
def "TTKernel_ReconfigDataFormatSrc" # register[0] # "Op"
    : TTKernel_ComputeOp<"reconfig_data_format_src" # register[1],
    "The number format of a buffer for the " # register[2] # " source register",
    "Sets the unpacker up for tiles of the format of `cb` in the "
        # register[2] # " source register.",
    [KTiles<"cb">]>;

def TTKernel_CopyTileInitOp : TTKernel_ComputeOp<"copy_tile_init",
    "The engines for `ttkernel.copy_tile`",
    "Sets the unpacker and the math engine up to copy tiles of `cb`.",
    [KTiles<"cb">]>;

def TTKernel_CopyTileOp : TTKernel_ComputeOp<"copy_tile",
    "A tile of a buffer to a destination register",
    "Copies tile `tile_index` of `cb` to destination register `dst_index`.",
    [KTiles<"cb">, KInt<"tile_index">, KDst<>]>;

#endif
