// The form of every instruction, as the comments of the schema say.
#include "emulator/program.h"
#include "ttmlir/Target/Common/functions.inc"

#include <array>

namespace tt::runtime::emulator {
namespace {

constexpr std::size_t kOpcodes = std::size_t(Opcode::MAX) + 1;

/// The opcodes from `first` to `last` have one form.
struct Row {
  Opcode first, last;
  Signature signature;
};

constexpr Signature any(std::string_view operands, bool result = false) {
  return {operands, result, Threads::Any};
}
constexpr Signature mover(std::string_view operands, bool result = false) {
  return {operands, result, Threads::DataMovement};
}
constexpr Signature compute(std::string_view operands) {
  return {operands, false, Threads::Compute};
}
constexpr Row one(Opcode opcode, Signature signature) {
  return {opcode, opcode, signature};
}

using enum Opcode;

constexpr Row kRows[] = {
    one(br, any("t")),
    one(cond_br, any("rtt")),
    one(move, any("r", true)),
    one(ret, any("")),
    one(unreachable, any("")),
    {addi, maxui, any("rr", true)},
    one(cmpi, any("prr", true)),
    one(select, any("rrr", true)),
    {extsi, trunci, any("wr", true)},

    {get_arg_val, get_common_arg_val, any("r", true)},
    one(get_compile_time_arg_val, any("i", true)),
    {my_x, core_index, any("", true)},
    {convert_logical_x_to_translated, convert_logical_y_to_translated,
     any("r", true)},

    {cb_reserve_back, cb_pop_front, any("cr")},
    {cb_pages_available_at_front, cb_pages_reservable_at_back, any("cr", true)},
    {get_write_ptr, get_dataformat, any("c", true)},

    one(load_from_l1, mover("rb", true)),
    one(store_to_l1, mover("rrb")),
    one(tt_memmove, mover("rrr")),
    one(fill_with_val, mover("rrrb")),
    {mem_zeros_base, mem_zeros_size, mover("", true)},

    one(get_noc_addr, mover("rrr", true)),
    one(get_noc_addr_from_bank_id, mover("rrf", true)),
    one(get_noc_multicast_addr, mover("rrrrr", true)),
    {noc_async_read, noc_async_write, mover("rrr")},
    {noc_async_write_multicast, noc_async_write_multicast_loopback_src,
     mover("rrrr")},
    {noc_async_read_barrier, noc_async_full_barrier, mover("")},
    one(noc_inline_dw_write, mover("rr")),

    one(tensor_accessor, mover("rx", true)),
    one(tensor_accessor_get_noc_addr, mover("rrr", true)),
    {noc_async_read_page, noc_async_write_page, mover("rrr")},

    one(get_semaphore, mover("r", true)),
    {noc_semaphore_wait, noc_semaphore_set_remote, mover("rr")},
    {noc_semaphore_set_multicast, noc_semaphore_inc_multicast, mover("rrr")},

    one(get_my_device_id, any("", true)),
    one(fabric_async_write, mover("rrrr")),
    one(fabric_semaphore_inc, mover("rrr")),
    one(fabric_async_write_barrier, mover("")),

    {acquire_dst, tile_regs_release, compute("")},

    one(unpack_a, compute("cr")),
    one(unpack_ab, compute("crcr")),
    one(unpack_set_data_type, compute("dd")),
    {add, matmul, compute("r")},
    one(pack, compute("rcr")),
    one(pack_set_data_type, compute("d")),
    one(pack_tile, compute("rcrf")),
    one(pack_tile_block, compute("rcr")),
    one(pack_reconfig_data_format, compute("c")),
    one(pack_reconfig_l1_acc, compute("r")),
    one(reconfig_data_format, compute("cc")),
    {reconfig_data_format_srca, copy_tile_init, compute("c")},
    one(copy_tile, compute("crr")),

    {compute_kernel_hw_startup, binary_op_init_common, compute("ccc")},
    {unary_op_init_common, mul_tiles_init, compute("cc")},
    {add_tiles, mul_tiles, compute("ccrrr")},
    one(init_bcast, compute("cccek")),
    {add_tiles_bcast, mul_tiles_bcast, compute("ccrrrk")},
    one(unary_bcast_init, compute("cck")),
    one(unary_bcast, compute("crrk")),
    one(binary_dest_reuse_tiles_init, compute("cef")),
    one(binary_dest_reuse_tiles, compute("crref")),
    one(mm_init, compute("cccr")),
    one(mm_init_short, compute("ccr")),
    one(matmul_tiles, compute("ccrrr")),
    one(mm_block_init, compute("cccrrrr")),
    one(mm_block_init_short, compute("ccrrrr")),
    one(matmul_block, compute("ccrrrrrrr")),
    one(reduce_init, compute("cccom")),
    one(reduce_uninit, compute("")),
    one(reduce_tile, compute("ccrrrom")),
    one(transpose_wh_init, compute("cc")),
    one(transpose_wh_tile, compute("crr")),
    {tilize_init, tilize_block, compute("crc")},
    {tilize_uninit, untilize_init, compute("cc")},
    one(untilize_block, compute("crc")),
    one(untilize_uninit, compute("c")),

    one(init_sfpu, compute("cc")),
#define TTMLIR_ROWS(instruction, operands, work)                               \
  one(instruction##_tile_init, compute("")),                                   \
      one(instruction##_tile, compute(operands)),
    TTMLIR_VECTOR_INSTRUCTIONS(TTMLIR_ROWS)
#undef TTMLIR_ROWS
        one(fill_tile_int, compute("rr")),

    one(dprint, any("s*")),
    one(assert_that, any("rs")),
};

/// Every opcode has exactly one row; a schema that grows fails to compile here.
constexpr std::array<Signature, kOpcodes> table() {
  std::array<Signature, kOpcodes> result{};
  std::array<bool, kOpcodes> known{};
  for (const Row &row : kRows)
    for (std::size_t i = std::size_t(row.first); i <= std::size_t(row.last);
         ++i) {
      if (known[i])
        throw "two signatures for one opcode";
      known[i] = true;
      result[i] = row.signature;
    }
  for (bool k : known)
    if (!k)
      throw "an opcode without a signature";
  return result;
}

constexpr std::array<Signature, kOpcodes> kTable = table();

} // namespace

const Signature &signatureOf(Opcode opcode) {
  return kTable[std::size_t(opcode)];
}

} // namespace tt::runtime::emulator
