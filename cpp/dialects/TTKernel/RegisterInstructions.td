//===- Instructions on the registers of a core ---------------------------===//

#ifndef TTMLIR_TTKERNEL_REGISTER_INSTRUCTIONS_TD
#define TTMLIR_TTKERNEL_REGISTER_INSTRUCTIONS_TD

include "dialects/TTKernel/InstructionBase.td"

//===----------------------------------------------------------------------===//
// Who has the destination registers
//===----------------------------------------------------------------------===//

/// It has no operands.
class DstInstruction<int number, string mnemonic, string summary,
                     string semantics>
    : KernelInstruction<number, mnemonic, "Compute", summary, semantics>;

let group = "dst" in {

def Kernel_AcquireDst : DstInstruction<82, "acquire_dst",
    "Acquires the destination registers",
    "Waits until the destination registers are free, and acquires them.">;

def Kernel_ReleaseDst : DstInstruction<83, "release_dst",
    "Releases the destination registers",
    "Releases the destination registers acquired by `ttkernel.acquire_dst`.">;

def Kernel_TileRegsAcquire : DstInstruction<84, "tile_regs_acquire",
    "Acquires the destination registers for math", [{Waits until the math
    thread may write the destination registers, and acquires them. They hold
    zeros.}]>;

def Kernel_TileRegsCommit : DstInstruction<85, "tile_regs_commit",
    "Passes the destination registers from math to pack",
    "Signals that the math thread has written the destination registers.">;

let engine = "Pack" in {
def Kernel_TileRegsWait : DstInstruction<86, "tile_regs_wait",
    "Waits for the destination registers in the pack thread",
    "Waits until the math thread has committed the destination registers.">;

def Kernel_TileRegsRelease : DstInstruction<87, "tile_regs_release",
    "Passes the destination registers from pack to math",
    "Signals that the pack thread has read the destination registers.">;
} // engine

} // group

//===----------------------------------------------------------------------===//
// Destination registers to buffers
//===----------------------------------------------------------------------===//

let group = "data" in {

def Kernel_Pack : ComputeInstruction<95, "pack",
    "Packs a destination register to a page of a buffer", [{Writes the tile of
    destination register `dst_index` to tile `out_index` of the pages reserved in
    `out_cb`.}],
    [KDst<>, KTiles<"out_cb", "cb_out0">, KInt<"out_index">]>,
      Pack<["pack"]>;

def Kernel_PackTile : ComputeInstruction<97, "pack_tile",
    "Packs a tile of the destination registers to a buffer",
    [{Writes the tile of
    destination register `dst_index`, which the math thread committed, to a tile
    of the pages reserved in `out_cb`: to tile `out_index` with the attribute
    `out_of_order`. Without it tiles are written in order, and `out_index`
    is the number of the tile.}],
    [KDst<>, KTiles<"out_cb", "cb_out0">, KInt<"out_index", "0">,
     KFlag<"out_of_order", "false">]>,
      Pack<["pack"]>, Needs<"-o--", "">;

def Kernel_PackTileBlock : ComputeInstruction<98, "pack_tile_block",
    "Packs tiles of the destination registers to a buffer",
    [{Writes the tiles of `num_tiles` destination registers, starting at
    `dst_index`, to the next pages
    reserved in `out_cb`.}],
    [KDst<>, KTiles<"out_cb", "cb_out0">, KInt<"num_tiles">]>,
      Pack<["pack"]>, Needs<"-o-", "">;

def Kernel_PackSetDataType : ComputeInstruction<96, "pack_set_data_type",
    "The number format that tiles are packed to", [{Sets the format of the tiles
    that the packer writes; `data_type` is a value of the enumeration
    `DataType`.}],
    [KDataType<"data_type", "0">]>,
      Formats<"O"> {
  let engine = "Pack";
  let hasFunction = 1;
}

def Kernel_PackReconfigDataFormat
    : ComputeInstruction<99, "pack_reconfig_data_format",
    "The number format of a buffer for the packer",
    [{Sets up the packer for tiles
    in the format of `out_cb`, after an init op for another buffer.}],
    [KTiles<"out_cb", "cb_out0">]>,
      Formats<"o"> {
  let engine = "Pack";
}

def Kernel_PackReconfigL1Acc : ComputeInstruction<100, "pack_reconfig_l1_acc",
    "Whether the packer accumulates in L1", [{With `enable` 1 the packer adds
    tiles to those in the buffer's pages, with 0 it replaces them.}],
    [KInt<"enable">]>,
      SettingUp {
  let engine = "Pack";
  let hasFunction = 1;
}

} // group

//===----------------------------------------------------------------------===//
// Buffers to source and destination registers
//===----------------------------------------------------------------------===//

let group = "data" in {

def Kernel_UnpackA : ComputeInstruction<88, "unpack_a",
    "Unpacks a tile to the first source register",
    "Reads tile `src_index` of `cb`.",
    [KTiles<"cb">, KInt<"src_index">]>,
      Unpack<["unpack"]>;

def Kernel_UnpackAB : ComputeInstruction<89, "unpack_ab",
    "Unpacks tiles of two buffers to both source registers",
    "Reads tile `src_a_index` of `cb_a` and tile `src_b_index` of `cb_b`.",
    [KTiles<"cb_a">, KInt<"src_a_index">, KTiles<"cb_b", "cb_in1">,
     KInt<"src_b_index">]>,
      Unpack<["unpack"]>;

def Kernel_UnpackSetDataType : ComputeInstruction<90, "unpack_set_data_type",
    "The number formats that tiles are unpacked from", [{Sets the formats of the
    tiles that the unpacker reads for the first and the second source register;
    both are values of the enumeration `DataType`.}],
    [KDataType<"data_type_a", "0">, KDataType<"data_type_b", "2">]>,
      Formats<"AB"> {
  let engine = "Unpack";
  let hasFunction = 1;
}

def Kernel_ReconfigDataFormat : ComputeInstruction<101, "reconfig_data_format",
    "The number formats of two buffers for the unpacker", [{Sets up the unpacker
    for tiles of the format of `cb_a` in the first and of `cb_b` in the second
    source register, after an init op for other buffers.}],
    [KTiles<"cb_a">, KTiles<"cb_b", "cb_in1">]>,
      Formats<"ab">;

def Kernel_ReconfigDataFormatSrcA
    : ComputeInstruction<102, "reconfig_data_format_srca",
    "The number format of a buffer for the first source register",
    "Sets up the unpacker for tiles of the format of `cb` in the first source "
    "register.",
    [KTiles<"cb">]>,
      Formats<"a">;

def Kernel_ReconfigDataFormatSrcB
    : ComputeInstruction<103, "reconfig_data_format_srcb",
    "The number format of a buffer for the second source register",
    "Sets up the unpacker for tiles of the format of `cb` in the second source "
    "register.",
    [KTiles<"cb">]>,
      Formats<"b">;

def Kernel_CopyTileInit : ComputeInstruction<104, "copy_tile_init",
    "Setup for `ttkernel.copy_tile`",
    "Sets up the unpacker and the math engine to copy tiles of `cb`.",
    [KTiles<"cb">]>,
      SetsUp<"-", "copy_tile">;

def Kernel_CopyTile : ComputeInstruction<105, "copy_tile",
    "Copies a tile of a buffer to a destination register",
    "Copies tile `tile_index` of `cb` to destination register `dst_index`.",
    [KTiles<"cb">, KInt<"tile_index">, KDst<>]>,
      Math<["unpack", "eltwise"]>, Needs<"a--", "copy_tile_init">;

} // group

#endif
