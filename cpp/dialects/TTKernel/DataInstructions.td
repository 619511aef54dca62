//===- Instructions on circular buffers, memory and the network ----------===//

#ifndef TTMLIR_TTKERNEL_DATA_INSTRUCTIONS_TD
#define TTMLIR_TTKERNEL_DATA_INSTRUCTIONS_TD

include "dialects/TTKernel/InstructionBase.td"

//===----------------------------------------------------------------------===//
// Circular buffers
//===----------------------------------------------------------------------===//

let group = "buffer" in {

let engine = "Unpack" in {
def Kernel_CBWaitFront : AnyThreadInstruction<38, "cb_wait_front",
    "Waits for pages of a buffer",
    "Waits until `numPages` pages of `cb` have been pushed.",
    [KBuffer<"cb">, KPages<"numPages">]>;

def Kernel_CBPopFront : AnyThreadInstruction<39, "cb_pop_front",
    "Frees pages of a buffer",
    "Removes the first `numPages` pages from `cb`.",
    [KBuffer<"cb">, KPages<"numPages">]>;
} // engine

let engine = "Pack" in {
def Kernel_CBReserveBack : AnyThreadInstruction<36, "cb_reserve_back",
    "Waits until a buffer has free pages",
    "Waits until `numPages` pages of `cb` are free.",
    [KBuffer<"cb", "cb_out0">, KPages<"numPages">]>;

def Kernel_CBPushBack : AnyThreadInstruction<37, "cb_push_back",
    "Passes on pages of a buffer",
    "Adds `numPages` written pages to `cb`.",
    [KBuffer<"cb", "cb_out0">, KPages<"numPages">]>;
} // engine

def Kernel_CBPagesAvailableAtFront
    : AnyThreadInstruction<40, "cb_pages_available_at_front",
    "Whether a buffer has pages",
    "1 if `numPages` pages of `cb` have been pushed, otherwise 0; does not wait.",
    [KBuffer<"cb">, KPages<"numPages">], [KTruthResult<"available">]>;

def Kernel_CBPagesReservableAtBack
    : AnyThreadInstruction<41, "cb_pages_reservable_at_back",
    "Whether a buffer has free pages",
    "1 if `numPages` pages of `cb` are free, otherwise 0; does not wait.",
    [KBuffer<"cb", "cb_out0">, KPages<"numPages">],
    [KTruthResult<"reservable">]>;

def Kernel_GetWritePtr : AnyThreadInstruction<42, "get_write_ptr",
    "Write address of the next page of a buffer",
    "The L1 address of the first page reserved by `ttkernel.cb_reserve_back`.",
    [KBuffer<"cb", "cb_out0">], [KL1Result<"address">]>;

def Kernel_GetReadPtr : AnyThreadInstruction<43, "get_read_ptr",
    "Read address of the next page of a buffer",
    "The L1 address of the first page waited for by `ttkernel.cb_wait_front`.",
    [KBuffer<"cb">], [KL1Result<"address">]>;

def Kernel_GetTileSize : AnyThreadInstruction<44, "get_tile_size",
    "The bytes of a tile", "The bytes of a tile in the format of `cb`.",
    [KBuffer<"cb">], [KIntResult<"bytes">], ["Pure"]>;

def Kernel_GetDataFormat : AnyThreadInstruction<45, "get_dataformat",
    "The number format of a buffer",
    "The number format of `cb`, as a value of the enumeration `DataType`.",
    [KBuffer<"cb">], [KIntResult<"data_type">], ["Pure"]>;

} // group

//===----------------------------------------------------------------------===//
// The core's own memory
//===----------------------------------------------------------------------===//

/// An op on numbers of `bytes` bytes.
class BytesInstruction<int number, string mnemonic, string summary,
                       string semantics, list<KernelArg> args,
                       list<KernelResult> gives = []>
    : NocInstruction<number, mnemonic, summary, semantics,
                     !listconcat(args, [KBytes<>]<KernelArg>), gives> {
  let moreConstraints = ["`bytes` is 1, 2 or 4."];
  let verifyMore = [{
    return ::mlir::tt::ttkernel::verifyBytes(*this, getBytes());
  }];
}

let group = "local" in {

def Kernel_LoadFromL1 : BytesInstruction<46, "load_from_l1",
    "Loads a number from L1", [{The unsigned number of `bytes` bytes at
    `address`.}],
    [KL1<"address">], [KIntResult<"value">]> {
  let declared = 0;
}

def Kernel_StoreToL1 : BytesInstruction<47, "store_to_l1",
    "Stores a number to L1",
    "Writes the low `bytes` bytes of `value` to `address`.",
    [KInt<"value">, KL1<"address">]> {
  let declared = 0;
}

def Kernel_FillWithVal : BytesInstruction<49, "fill_with_val",
    "Fills L1 with one number", [{Writes the low `bytes` bytes of `value`
    `count` times, starting at `address`.}],
    [KL1<"address">, KInt<"count">, KInt<"value">]>;

def Kernel_TTMemmove : NocInstruction<48, "tt_memmove",
    "Copies within L1",
    [{Copies `size` bytes from `source` to `destination`. Both
    may have any alignment and may overlap.}],
    [KL1<"destination">, KL1<"source">, KInt<"size">]>;

def Kernel_MemZerosBase : NocInstruction<50, "mem_zeros_base",
    "Address of zeros in L1",
    "The address of a range of L1 that holds zeros.", [],
    [KL1Result<"address">], ["Pure"]> {
  let literal = "MEM_ZEROS_BASE";
}

def Kernel_MemZerosSize : NocInstruction<51, "mem_zeros_size",
    "Size of the zeros in L1",
    "The bytes of the range at `ttkernel.mem_zeros_base`.", [],
    [KIntResult<"bytes">], ["Pure"]> {
  let literal = "MEM_ZEROS_SIZE";
}

} // group

//===----------------------------------------------------------------------===//
// The network on chip
//===----------------------------------------------------------------------===//

let group = "noc" in {

def Kernel_GetNocAddr : NocInstruction<52, "get_noc_addr",
    "An address of the network on chip",
    "The address `l1Address` in the memory of the core at column `x` and row `y`.",
    [KInt<"x">, KInt<"y">, KL1<"l1Address">], [KNocAddrResult<"nocAddr">]>;

def Kernel_GetNocAddrFromBankId
    : NocInstruction<53, "get_noc_addr_from_bank_id",
    "An address in a bank",
    [{The address `offset` in bank `bank_id` of L1, or with
    `dram` of DRAM.}],
    [KInt<"bank_id">, KInt<"offset">, KFlag<"dram">],
    [KNocAddrResult<"noc_addr">], ["NoMemoryEffect"]>;

def Kernel_GetNocMulticastAddr : NocInstruction<54, "get_noc_multicast_addr",
    "An address in a rectangle of cores",
    [{The address `l1_address` in the memory
    of all cores from column `x_start` and row `y_start` to column `x_end` and row
    `y_end`.}],
    [KInt<"x_start">, KInt<"y_start">, KInt<"x_end">, KInt<"y_end">,
     KL1<"l1_address">],
    [KNocAddrResult<"noc_addr">], ["NoMemoryEffect"]>;

def Kernel_NocAsyncRead : NocInstruction<55, "noc_async_read",
    "Starts to read from another core", [{Starts to copy `size` bytes at
    `srcNocAddr` to the address `dstLocalL1Addr` of this core.}],
    [KNocAddr<"srcNocAddr">, KL1<"dstLocalL1Addr">, KInt<"size">]>;

def Kernel_NocAsyncWrite : NocInstruction<56, "noc_async_write",
    "Starts to write to another core",
    [{Starts to copy `size` bytes at the address
    `srcLocalL1Addr` of this core to `dstNocAddr`.}],
    [KL1<"srcLocalL1Addr">, KNocAddr<"dstNocAddr">, KInt<"size">]>;

class WriteMulticast<int number, bit loopback>
    : NocInstruction<number, "noc_async_write_multicast"
                             # !if(loopback, "_loopback_src", ""),
    "Starts to write to many cores" # !if(loopback, ", including this one", ""),
    "Starts to copy `size` bytes at the address `src_l1_address` of this core\n"
    "    to the `num_dests` cores of `multicast_addr`, "
        # !if(loopback, "including", "not including") # " this core.",
    [KL1<"src_l1_address">, KNocAddr<"multicast_addr">, KInt<"size">,
     KInt<"num_dests">]>;

def Kernel_NocAsyncWriteMulticast
    : WriteMulticast<57, /*loopback=*/0>;
def Kernel_NocAsyncWriteMulticastLoopbackSrc
    : WriteMulticast<58, /*loopback=*/1>;

def Kernel_NocAsyncReadBarrier : NocInstruction<59, "noc_async_read_barrier",
    "Waits for reads",
    "Waits until all reads that this kernel started are complete.">;

def Kernel_NocAsyncWriteBarrier : NocInstruction<60, "noc_async_write_barrier",
    "Waits for writes",
    "Waits until all writes that this kernel started are complete.">;

def Kernel_NocAsyncWritesFlushed
    : NocInstruction<61, "noc_async_writes_flushed",
    "Waits until writes have been sent",
    "Waits until the bytes of all writes that this kernel started have left "
    "the core.">;

def Kernel_NocAsyncAtomicBarrier
    : NocInstruction<62, "noc_async_atomic_barrier",
    "Waits for semaphore increments",
    "Waits until all semaphore increments that this kernel started are "
    "complete.">;

def Kernel_NocAsyncFullBarrier : NocInstruction<63, "noc_async_full_barrier",
    "Waits for everything on the network",
    "Waits until all reads, writes and increments that this kernel started\n"
    "    are complete.">;

/// A read or write may have a transaction id, whose barrier waits for those
/// with it alone.
class SetTransactionId<int number, string transfer>
    : NocInstruction<number, "noc_async_" # transfer # "_set_trid",
    "The transaction id of later " # transfer # "s",
    "Gives the " # transfer # "s that this kernel starts from now on the\n"
    "    transaction id `trid`, 0 to 15. It is 0 when the kernel starts.",
    [KInt<"trid">]>;

class BarrierOfTransactionId<int number, string transfer>
    : NocInstruction<number, "noc_async_" # transfer # "_barrier_with_trid",
    "Waits for " # transfer # "s with a transaction id",
    "Waits until all " # transfer # "s with the transaction id `trid` that this\n"
    "    kernel started are complete.",
    [KInt<"trid">]>;

def Kernel_NocAsyncReadSetTrid : SetTransactionId<354, "read">;
def Kernel_NocAsyncWriteSetTrid : SetTransactionId<355, "write">;
def Kernel_NocAsyncReadBarrierWithTrid : BarrierOfTransactionId<356, "read">;
def Kernel_NocAsyncWriteBarrierWithTrid : BarrierOfTransactionId<357, "write">;

def Kernel_NocAsyncWriteOnePacketWithTrid
    : NocInstruction<358, "noc_async_write_one_packet_with_trid",
    "Starts to write to another core with a transaction id",
    [{Starts to copy `size` bytes at the address `srcLocalL1Addr` of this core to
    `dstNocAddr`, with the transaction id `trid`, which later writes have, too.}],
    [KL1<"srcLocalL1Addr">, KNocAddr<"dstNocAddr">, KInt<"size">,
     KInt<"trid">]>;

def Kernel_ResetNocTridBarrierCounter
    : NocInstruction<359, "reset_noc_trid_barrier_counter",
    "Resets the counters of transaction ids",
    [{Forgets the transfers with the transaction ids whose bits are set in
    `id_mask`. None of them may be under way.}],
    [KInt<"id_mask">]>;

def Kernel_NocInlineDWWrite : NocInstruction<64, "noc_inline_dw_write",
    "Starts to write a number to another core",
    "Starts to write the 4 bytes of `value` to `noc_addr`.",
    [KNocAddr<"noc_addr">, KInt<"value">]>;

} // group

//===----------------------------------------------------------------------===//
// Tensors by pages
//===----------------------------------------------------------------------===//

let group = "noc" in {

def Kernel_TensorAccessor : NocInstruction<65, "tensor_accessor",
    "Access to a tensor by pages", [{The tensor at `base_address`, whose pages
    are stored as `args` describes.}],
    [KInt<"base_address">,
     KAccessorArgs<"args",
           "#ttkernel.tensor_accessor_args<dram, interleaved, 4096, 4096, tensor = 4x8>">],
    [KernelResult<"accessor", "TTKernel_TensorAccessor",
                  "!ttkernel.tensor_accessor", "TensorAccessor">],
    ["Pure"]> {
  let callee = "TensorAccessor";
  let call = ["accessor args", "base_address", "page_size args",
              "aligned_page_size args"];
  let declared = 0;
}

def Kernel_TensorAccessorGetNocAddr
    : NocInstruction<66, "tensor_accessor_get_noc_addr",
    "Address of a page of a tensor",
    "The address of the byte `offset` of page `page` of `accessor`.",
    [KAccessor<"accessor">, KInt<"page">, KInt<"offset">],
    [KNocAddrResult<"noc_addr">], ["NoMemoryEffect"]> {
  let callee = "get_noc_addr";
  let call = ["page", "accessor", "offset"];
}

def Kernel_NocAsyncReadPage : NocInstruction<67, "noc_async_read_page",
    "Starts to read a page of a tensor",
    [{Starts to copy page `page` of `accessor`
    to the address `dst_l1_address` of this core.}],
    [KInt<"page">, KAccessor<"accessor">, KL1<"dst_l1_address">]>;

def Kernel_NocAsyncWritePage : NocInstruction<68, "noc_async_write_page",
    "Starts to write a page of a tensor",
    [{Starts to copy the bytes of a page at
    the address `src_l1_address` of this core to page `page` of `accessor`.}],
    [KInt<"page">, KAccessor<"accessor">, KL1<"src_l1_address">]>;

} // group

//===----------------------------------------------------------------------===//
// Semaphores
//===----------------------------------------------------------------------===//

let group = "semaphore" in {

def Kernel_GetSemaphore : NocInstruction<69, "get_semaphore",
    "A semaphore of the program",
    [{The address of semaphore `id` of the program, a
    word at the same L1 address on every core.}],
    [KInt<"id">], [KL1Result<"address">], ["NoMemoryEffect"]>;

def Kernel_NocSemaphoreWait : NocInstruction<70, "noc_semaphore_wait",
    "Waits for a value of a semaphore",
    "Waits until the semaphore at `address` of this core is `value`.",
    [KSemaphore<"address">, KInt<"value">]>;

def Kernel_NocSemaphoreWaitMin : NocInstruction<71, "noc_semaphore_wait_min",
    "Waits for a minimum value of a semaphore",
    "Waits until the semaphore at `address` of this core is at least `value`.",
    [KSemaphore<"address">, KInt<"value">]>;

def Kernel_NocSemaphoreSet : NocInstruction<72, "noc_semaphore_set",
    "Sets a semaphore of this core",
    "Sets the semaphore at `address` of this core to `value`.",
    [KSemaphore<"address">, KInt<"value">]>;

def Kernel_NocSemaphoreInc : NocInstruction<73, "noc_semaphore_inc",
    "Starts to increment a semaphore of another core",
    "Starts to add `increment` to the semaphore at `noc_addr`.",
    [KNocAddr<"noc_addr">, KInt<"increment">]>;

def Kernel_NocSemaphoreSetRemote
    : NocInstruction<74, "noc_semaphore_set_remote",
    "Starts to set a semaphore of another core",
    "Starts to copy the word at `src_l1_address` of this core to the\n"
    "    semaphore at `noc_addr`.",
    [KL1<"src_l1_address">, KNocAddr<"noc_addr">]>;

class SemaphoreSetMulticast<int number, bit loopback>
    : NocInstruction<number, "noc_semaphore_set_multicast"
                             # !if(loopback, "_loopback_src", ""),
    "Starts to set a semaphore of many cores"
        # !if(loopback, ", including this one", ""),
    "Starts to copy the word at `src_l1_address` of this core to the\n"
    "    semaphore of the `num_dests` cores of `multicast_addr`, "
        # !if(loopback, "including", "not including") # " this core.",
    [KL1<"src_l1_address">, KNocAddr<"multicast_addr">, KInt<"num_dests">]>;

def Kernel_NocSemaphoreSetMulticast
    : SemaphoreSetMulticast<75, /*loopback=*/0>;
def Kernel_NocSemaphoreSetMulticastLoopbackSrc
    : SemaphoreSetMulticast<76, /*loopback=*/1>;

def Kernel_NocSemaphoreIncMulticast
    : NocInstruction<77, "noc_semaphore_inc_multicast",
    "Starts to increment a semaphore of many cores",
    "Starts to add `increment` to the semaphore of the `num_dests` cores of\n"
    "    `multicast_addr`.",
    [KNocAddr<"multicast_addr">, KInt<"increment">, KInt<"num_dests">]>;

} // group

//===----------------------------------------------------------------------===//
// Other chips
//===----------------------------------------------------------------------===//

let group = "fabric" in {

def Kernel_GetMyDeviceId : AnyThreadInstruction<78, "get_my_device_id",
    "The position of this chip",
    "The position of this chip in the mesh, its row-major index: 0 on one chip.",
    [], [KIntResult<"device">], ["Pure"]>;

def Kernel_FabricAsyncWrite : NocInstruction<79, "fabric_async_write",
    "Starts to write to another chip",
    "Starts to copy `size` bytes at the address `src_l1_address` of this core\n"
    "    to `noc_addr` of the chip at position `device` of the mesh, which\n"
    "    may be this one.",
    [KL1<"src_l1_address">, KInt<"device">, KNocAddr<"noc_addr">,
     KInt<"size">]>;

def Kernel_FabricSemaphoreInc : NocInstruction<80, "fabric_semaphore_inc",
    "Starts to increment a semaphore of another chip",
    "Starts to add `increment` to the semaphore at `noc_addr` of the chip at\n"
    "    position `device` of the mesh. A core that sees the sum also sees\n"
    "    all earlier writes of this core to that chip.",
    [KInt<"device">, KNocAddr<"noc_addr">, KInt<"increment">]>;

def Kernel_FabricAsyncWriteBarrier
    : NocInstruction<81, "fabric_async_write_barrier",
    "Waits for writes and increments on other chips",
    "Waits until all writes and increments that this kernel started on other\n"
    "    chips are complete.">;

} // group

#endif
