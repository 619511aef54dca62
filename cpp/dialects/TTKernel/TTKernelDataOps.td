//===- Circular buffers, memory and network in the 'ttkernel' dialect ----===//

#ifndef TTMLIR_TTKERNEL_DATA_OPS_TD
#define TTMLIR_TTKERNEL_DATA_OPS_TD

include "dialects/TTKernel/TTKernelKernelOp.td"

//===----------------------------------------------------------------------===//
// Circular buffers
//===----------------------------------------------------------------------===//

def TTKernel_CBWaitFrontOp : TTKernel_AnyThreadOp<"cb_wait_front",
    "Waits for pages of a buffer",
    "Waits until `numPages` pages of `cb` have been pushed.",
    [KBuffer<"cb">, KPages<"numPages">]>;

def TTKernel_CBPopFrontOp : TTKernel_AnyThreadOp<"cb_pop_front",
    "Frees pages of a buffer",
    "Takes the first `numPages` pages out of `cb`.",
    [KBuffer<"cb">, KPages<"numPages">]>;

def TTKernel_CBReserveBackOp : TTKernel_AnyThreadOp<"cb_reserve_back",
    "Waits for room in a buffer",
    "Waits until `numPages` pages of `cb` are free.",
    [KBuffer<"cb", "cb_out0">, KPages<"numPages">]>;

def TTKernel_CBPushBackOp : TTKernel_AnyThreadOp<"cb_push_back",
    "Hands pages of a buffer on",
    "Adds `numPages` written pages to `cb`.",
    [KBuffer<"cb", "cb_out0">, KPages<"numPages">]>;

def TTKernel_CBPagesAvailableAtFrontOp
    : TTKernel_AnyThreadOp<"cb_pages_available_at_front",
    "Whether a buffer has pages",
    "1 if `numPages` pages of `cb` have been pushed, otherwise 0; does not wait.",
    [KBuffer<"cb">, KPages<"numPages">], [KIntResult<"available">]>;

def TTKernel_CBPagesReservableAtBackOp
    : TTKernel_AnyThreadOp<"cb_pages_reservable_at_back",
    "Whether a buffer has room",
    "1 if `numPages` pages of `cb` are free, otherwise 0; does not wait.",
    [KBuffer<"cb", "cb_out0">, KPages<"numPages">],
    [KIntResult<"reservable">]>;

def TTKernel_GetWritePtrOp : TTKernel_AnyThreadOp<"get_write_ptr",
    "Where the next page of a buffer is written",
    "The address in L1 of the first page that `ttkernel.cb_reserve_back` gave.",
    [KBuffer<"cb", "cb_out0">], [KIntResult<"address">]>;

def TTKernel_GetReadPtrOp : TTKernel_AnyThreadOp<"get_read_ptr",
    "Where the next page of a buffer is read",
    "The address in L1 of the first page that `ttkernel.cb_wait_front` gave.",
    [KBuffer<"cb">], [KIntResult<"address">]>;

def TTKernel_GetTileSizeOp : TTKernel_AnyThreadOp<"get_tile_size",
    "The bytes of a tile", "The bytes of a tile of the format of `cb`.",
    [KBuffer<"cb">], [KIntResult<"bytes">], [Pure]>;

def TTKernel_GetDataFormatOp : TTKernel_AnyThreadOp<"get_dataformat",
    "The number format of a buffer",
    "The number format of `cb`, a number of the enumeration `DataType`.",
    [KBuffer<"cb">], [KIntResult<"data_type">], [Pure]>;

//===----------------------------------------------------------------------===//
// The core's own memory
//===----------------------------------------------------------------------===//

/// An op on numbers of `bytes` bytes.
class TTKernel_BytesOp<string mnemonic, string summary, string semantics,
                       list<TTKernel_Arg> args,
                       list<TTKernel_Result> gives = []>
    : TTKernel_NocOp<mnemonic, summary, semantics,
                     !listconcat(args, [KBytes<>]<TTKernel_Arg>), gives> {
  let moreConstraints = ["`bytes` is 1, 2 or 4."];
  let verifyMore = [{
    return ::mlir::tt::ttkernel::verifyBytes(*this, getBytes());
  }];
}

def TTKernel_LoadFromL1Op : TTKernel_BytesOp<"load_from_l1",
    "A number in L1", [{The number of `bytes` bytes at `address`, without a
    sign.}],
    [KInt<"address">], [KIntResult<"value">]>;

def TTKernel_StoreToL1Op : TTKernel_BytesOp<"store_to_l1",
    "A number to L1", "Writes the low `bytes` bytes of `value` to `address`.",
    [KInt<"value">, KInt<"address">]>;

def TTKernel_FillWithValOp : TTKernel_BytesOp<"fill_with_val",
    "One number many times to L1", [{Writes the low `bytes` bytes of `value`
    `count` times, from `address` on.}],
    [KInt<"address">, KInt<"count">, KInt<"value">]>;

def TTKernel_TTMemmoveOp : TTKernel_NocOp<"tt_memmove",
    "A copy within L1", [{Copies `size` bytes from `source` to `destination`. Both
    may have any alignment and may overlap.}],
    [KInt<"destination">, KInt<"source">, KInt<"size">]>;

def TTKernel_MemZerosBaseOp : TTKernel_NocOp<"mem_zeros_base",
    "Where zeros are in L1",
    "The address of a range of L1 that holds zeros.", [],
    [KIntResult<"address">], [Pure]>;

def TTKernel_MemZerosSizeOp : TTKernel_NocOp<"mem_zeros_size",
    "How many zeros are in L1",
    "The bytes of the range at `ttkernel.mem_zeros_base`.", [],
    [KIntResult<"bytes">], [Pure]>;

//===----------------------------------------------------------------------===//
// The network on chip
//===----------------------------------------------------------------------===//

def TTKernel_GetNocAddrOp : TTKernel_NocOp<"get_noc_addr",
    "An address of the network on chip",
    "The address `l1Address` in the memory of the core at column `x` and row `y`.",
    [KInt<"x">, KInt<"y">, KInt<"l1Address">], [KNocAddrResult<"nocAddr">]>;

def TTKernel_GetNocAddrFromBankIdOp : TTKernel_NocOp<"get_noc_addr_from_bank_id",
    "An address in a bank", [{The address `offset` in bank `bank_id` of L1, or with
    `dram` of DRAM.}],
    [KInt<"bank_id">, KInt<"offset">, KOptional<"dram">],
    [KNocAddrResult<"noc_addr">], [NoMemoryEffect]>;

def TTKernel_GetNocMulticastAddrOp : TTKernel_NocOp<"get_noc_multicast_addr",
    "An address in a rectangle of cores", [{The address `l1_address` in the memory
    of all cores from column `x_start` and row `y_start` to column `x_end` and row
    `y_end`.}],
    [KInt<"x_start">, KInt<"y_start">, KInt<"x_end">, KInt<"y_end">,
     KInt<"l1_address">],
    [KNocAddrResult<"noc_addr">], [NoMemoryEffect]>;

def TTKernel_NocAsyncReadOp : TTKernel_NocOp<"noc_async_read",
    "Begins to read from another core", [{Begins to copy `size` bytes at
    `srcNocAddr` to the address `dstLocalL1Addr` of this core.}],
    [KNocAddr<"srcNocAddr">, KInt<"dstLocalL1Addr">, KInt<"size">]>;

def TTKernel_NocAsyncWriteOp : TTKernel_NocOp<"noc_async_write",
    "Begins to write to another core", [{Begins to copy `size` bytes at the address
    `srcLocalL1Addr` of this core to `dstNocAddr`.}],
    [KInt<"srcLocalL1Addr">, KNocAddr<"dstNocAddr">, KInt<"size">]>;

foreach loopback = [false, true] in
def "TTKernel_NocAsyncWriteMulticast" # !if(loopback, "LoopbackSrc", "") # "Op"
    : TTKernel_NocOp<"noc_async_write_multicast"
                     # !if(loopback, "_loopback_src", ""),
    "Begins to write to many cores" # !if(loopback, ", the own one too", ""),
    "Begins to copy `size` bytes at the address `src_l1_address` of this core to\n"
    "    the `num_dests` cores of `multicast_addr`, of which this core is "
        # !if(loopback, "one", "none") # ".",
    [KInt<"src_l1_address">, KNocAddr<"multicast_addr">, KInt<"size">,
     KInt<"num_dests">]>;

/// The name, mnemonic, summary and meaning of an op that waits.
foreach row = [
  ["NocAsyncReadBarrier", "noc_async_read_barrier", "Waits for reads",
   "Waits until all reads that this kernel began have ended."],
  ["NocAsyncWriteBarrier", "noc_async_write_barrier", "Waits for writes",
   "Waits until all writes that this kernel began have ended."],
  ["NocAsyncWritesFlushed", "noc_async_writes_flushed",
   "Waits until writes have left",
   "Waits until the bytes of all writes that this kernel began have left the "
   "core."],
  ["NocAsyncAtomicBarrier", "noc_async_atomic_barrier",
   "Waits for increments of semaphores",
   "Waits until all increments of semaphores that this kernel began have ended."],
  ["NocAsyncFullBarrier", "noc_async_full_barrier",
   "Waits for everything on the network",
   "Waits until all reads, writes and increments that this kernel began have\n"
   "    ended."]
] in
def "TTKernel_" # row[0] # "Op" : TTKernel_NocOp<row[1], row[2], row[3]>;

def TTKernel_NocInlineDWWriteOp : TTKernel_NocOp<"noc_inline_dw_write",
    "Begins to write a number to another core",
    "Begins to write the 4 bytes of `value` to `noc_addr`.",
    [KNocAddr<"noc_addr">, KInt<"value">]>;

//===----------------------------------------------------------------------===//
// Tensors by pages
//===----------------------------------------------------------------------===//

def TTKernel_TensorAccessorOp : TTKernel_NocOp<"tensor_accessor",
    "A tensor by pages", [{The tensor at `base_address`, whose pages lie as `args`
    says.}],
    [KInt<"base_address">,
     KAttr<"args", TTKernel_TensorAccessorArgsAttr,
           "#ttkernel.tensor_accessor_args<dram, interleaved, 4096, 4096, tensor = 4x8>">],
    [TTKernel_Result<"accessor", TTKernel_TensorAccessor,
                     "!ttkernel.tensor_accessor">], [Pure]>;

def TTKernel_TensorAccessorGetNocAddrOp
    : TTKernel_NocOp<"tensor_accessor_get_noc_addr",
    "Where a page of a tensor is",
    "The address of the byte `offset` of page `page` of `accessor`.",
    [KAccessor<"accessor">, KInt<"page">, KInt<"offset">],
    [KNocAddrResult<"noc_addr">], [NoMemoryEffect]>;

def TTKernel_NocAsyncReadPageOp : TTKernel_NocOp<"noc_async_read_page",
    "Begins to read a page of a tensor", [{Begins to copy page `page` of `accessor`
    to the address `dst_l1_address` of this core.}],
    [KInt<"page">, KAccessor<"accessor">, KInt<"dst_l1_address">]>;

def TTKernel_NocAsyncWritePageOp : TTKernel_NocOp<"noc_async_write_page",
    "Begins to write a page of a tensor", [{Begins to copy the bytes of a page at
    the address `src_l1_address` of this core to page `page` of `accessor`.}],
    [KInt<"page">, KAccessor<"accessor">, KInt<"src_l1_address">]>;

//===----------------------------------------------------------------------===//
// Semaphores
//===----------------------------------------------------------------------===//

def TTKernel_GetSemaphoreOp : TTKernel_NocOp<"get_semaphore",
    "A semaphore of the program", [{The address of semaphore `id` of the program, a
    word that is at one address in L1 of every core.}],
    [KInt<"id">], [KIntResult<"address">], [NoMemoryEffect]>;

def TTKernel_NocSemaphoreWaitOp : TTKernel_NocOp<"noc_semaphore_wait",
    "Waits for a value of a semaphore",
    "Waits until the semaphore at `address` of this core is `value`.",
    [KInt<"address">, KInt<"value">]>;

def TTKernel_NocSemaphoreWaitMinOp : TTKernel_NocOp<"noc_semaphore_wait_min",
    "Waits for a least value of a semaphore",
    "Waits until the semaphore at `address` of this core is at least `value`.",
    [KInt<"address">, KInt<"value">]>;

def TTKernel_NocSemaphoreSetOp : TTKernel_NocOp<"noc_semaphore_set",
    "Sets a semaphore of the own core",
    "Sets the semaphore at `address` of this core to `value`.",
    [KInt<"address">, KInt<"value">]>;

def TTKernel_NocSemaphoreIncOp : TTKernel_NocOp<"noc_semaphore_inc",
    "Begins to increment a semaphore of another core",
    "Begins to add `increment` to the semaphore at `noc_addr`.",
    [KNocAddr<"noc_addr">, KInt<"increment">]>;

def TTKernel_NocSemaphoreSetRemoteOp
    : TTKernel_NocOp<"noc_semaphore_set_remote",
    "Begins to set a semaphore of another core",
    "Begins to copy the word at `src_l1_address` of this core to the semaphore at\n"
    "    `noc_addr`.",
    [KInt<"src_l1_address">, KNocAddr<"noc_addr">]>;

foreach loopback = [false, true] in
def "TTKernel_NocSemaphoreSetMulticast" # !if(loopback, "LoopbackSrc", "")
    # "Op"
    : TTKernel_NocOp<"noc_semaphore_set_multicast"
                     # !if(loopback, "_loopback_src", ""),
    "Begins to set a semaphore of many cores"
        # !if(loopback, ", the own one too", ""),
    "Begins to copy the word at `src_l1_address` of this core to the semaphore of\n"
    "    the `num_dests` cores of `multicast_addr`, of which this core is "
        # !if(loopback, "one", "none") # ".",
    [KInt<"src_l1_address">, KNocAddr<"multicast_addr">, KInt<"num_dests">]>;

def TTKernel_NocSemaphoreIncMulticastOp
    : TTKernel_NocOp<"noc_semaphore_inc_multicast",
    "Begins to increment a semaphore of many cores",
    "Begins to add `increment` to the semaphore of the `num_dests` cores of\n"
    "    `multicast_addr`.",
    [KNocAddr<"multicast_addr">, KInt<"increment">, KInt<"num_dests">]>;

//===----------------------------------------------------------------------===//
// Other chips
//===----------------------------------------------------------------------===//

def TTKernel_GetMyDeviceIdOp : TTKernel_AnyThreadOp<"get_my_device_id",
    "The position of this chip",
    "The position of this chip in the mesh, its row-major index: 0 on one chip.",
    [], [KIntResult<"device">], [Pure]>;

def TTKernel_FabricAsyncWriteOp : TTKernel_NocOp<"fabric_async_write",
    "Begins to write to another chip",
    "Begins to copy `size` bytes at the address `src_l1_address` of this core to\n"
    "    `noc_addr` of the chip at position `device` of the mesh, which may be the own\n"
    "    one.",
    [KInt<"src_l1_address">, KInt<"device">, KNocAddr<"noc_addr">,
     KInt<"size">]>;

def TTKernel_FabricSemaphoreIncOp : TTKernel_NocOp<"fabric_semaphore_inc",
    "Begins to increment a semaphore of another chip",
    "Begins to add `increment` to the semaphore at `noc_addr` of the chip at\n"
    "    position `device` of the mesh. Who sees the sum also sees what this core wrote\n"
    "    to that chip before.",
    [KInt<"device">, KNocAddr<"noc_addr">, KInt<"increment">]>;

def TTKernel_FabricAsyncWriteBarrierOp
    : TTKernel_NocOp<"fabric_async_write_barrier",
    "Waits for what goes to other chips",
    "Waits until all writes and increments that this kernel began on other chips\n"
    "    have ended.">;

#endif
