// What the compute instructions of a kernel do with tiles: unpacker, matrix
// engine, vector engine and packer of one core, without the waiting between
// them, which the kernel thread does.
//
// Numbers. A tile in a destination register has 1024 words of 32 bits in face
// order: f32, or 32-bit integers, as its kind says. With fp32DestAcc the
// floats are f32; without it every instruction that writes a tile rounds it to
// bf16, or to f16 where its operands are f16. Narrow integers are widened, and
// narrowed again when they are packed; integers need fp32DestAcc.
//
// Fast numerics: operands have the values of their format, products and sums
// are f32 in a fixed order, and results round as Rounding::Fast. The fidelity
// of products (matmul, mul, sum and average) limits the significant bits, the
// leading one included, that the multiplier sees: LoFi 5 of source A and 7 of
// source B, HiFi2 10 and 7, HiFi3 and HiFi4 all of both (what HiFi3 omits is
// below 2^-11 of a product). Source A has the second operand of a matmul, and
// the first operand of everything else.
//
// Exact numerics: f32 operands are truncated to tf32, or to bf16 without
// fp32DestAcc (copy_tile keeps them with preserveFp32), products and sums are
// those of the matrix engine (numerics/matrix_unit.h), the vector engine runs
// the programs of the chip (numerics/vector_engine.h) and truncates what it
// stores in 16 bits, and the packer rounds as Rounding::Packer. In
// registers, the exponent 31 of f16 is an ordinary one, and f16 has no
// denormals. Sums, differences and products of tiles are added to a destination
// tile that was written since the registers were acquired, as products of
// matrices always are.
#ifndef TT_RUNTIME_TENSIX_COMPUTE_H
#define TT_RUNTIME_TENSIX_COMPUTE_H

#include "numerics/eltwise.h"
#include "numerics/formats.h"
#include "ttmlir/Target/TTMetal/instructions.inc"
#include "ttmlir/Target/TTMetal/kernel_generated.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tt::runtime::tensix {

using numerics::DType;
using ::tt::target::MathFidelity;
using Opcode = ::tt::target::metal::Opcode;

/// Circular buffers of a core.
inline constexpr std::uint32_t kPorts = 32;
/// Tiles of 16 bits in all destination registers.
inline constexpr std::uint32_t kDstTiles = 16;

/// How a compute kernel was configured.
struct MathConfig {
  MathFidelity fidelity = MathFidelity::HiFi4;
  bool fp32DestAcc = false;
  bool preserveFp32 = false; // copy_tile keeps all bits of f32
  bool approx = false;       // exact: VectorMode::approx
  bool exact = false;        // numerics="exact"
  bool wormhole = false;     // exact: else Blackhole
};

/// The pages of a circular buffer. A tiled page is a 32x32 tile.
struct CbFormat {
  DType type = DType::BF16;
  bool tiled = true;
  bool bound = false; // the kernel has this circular buffer
  std::uint32_t pageBytes = 0;
};

enum class ComputeFault : std::uint8_t {
  DstIndex,     // a destination tile beyond the capacity
  DstUnwritten, // a tile read that nothing has written since it was acquired
  Format,       // a format that the instruction does not take
  Operand,      // any other operand out of its range
};

/// What a compute thread provides. Offsets count bytes from the read or the
/// write pointer of the circular buffer; implementations report a range that
/// was not waited for, not reserved or not contiguous and do not return then.
class TileAccess {
public:
  virtual ~TileAccess() = default;
  virtual const std::byte *front(std::uint32_t port, std::uint64_t offset,
                                 std::uint64_t bytes) = 0;
  /// With `adds` the packer adds to the bytes that the page has.
  virtual std::byte *back(std::uint32_t port, std::uint64_t offset,
                          std::uint64_t bytes, bool adds) = 0;
  /// Where the packer writes the next `tiles` tiles in order: after those that
  /// it has written since the last cb_reserve_back or cb_push_back.
  virtual std::byte *nextBack(std::uint32_t port, std::uint64_t tiles,
                              bool adds) = 0;
  [[noreturn]] virtual void fault(ComputeFault kind,
                                  const std::string &message) = 0;
};

/// What the words of a destination tile are.
enum class Kind : std::uint8_t { F32, I32, U32 };

/// How a destination tile has its numbers. What comes from tiles of bf16 and
/// goes to one need not be f32 in between; whoever asks for words gets f32.
enum class Held : std::uint8_t {
  Words,
  Bf16,     // as bf16, in the first half of the words
  Pair,     // not computed yet: `of` the numbers of bf16 `from` two places
  Function, // not computed yet: `function` of the numbers as with Bf16
};

/// One destination tile: its words are in DstRegisters.
struct DstTile {
  Kind kind = Kind::F32;
  /// The 16-bit format that floats round to without fp32DestAcc.
  bool half = false; // f16 instead of bf16
  bool written = false;
  Held held = Held::Words;
  numerics::BinaryOp of = numerics::BinaryOp::Add;
  numerics::UnaryOp function = numerics::UnaryOp::Copy; // without parameters
  /// The pages of circular buffers, or both halves of the words.
  std::array<const std::byte *, 2> from{};
};

/// Destination registers in two sections: the matrix engine fills one while the
/// packer empties the other.
class DstRegisters {
public:
  explicit DstRegisters(bool fp32);
  /// As if they were new.
  void restart(bool fp32);

  std::uint32_t capacity() const { return capacity_; }
  DstTile &mathTile(std::uint32_t index) {
    return tiles_[math_ * capacity_ + index];
  }
  DstTile &packTile(std::uint32_t index) {
    return tiles_[pack_ * capacity_ + index];
  }
  /// 1024 words, aligned to 64 bytes.
  std::uint32_t *mathWords(std::uint32_t index) {
    return words(math_ * capacity_ + index);
  }
  std::uint32_t *packWords(std::uint32_t index) {
    return words(pack_ * capacity_ + index);
  }

  /// tile_regs_acquire: the tiles of the section become unwritten.
  void acquire();
  /// tile_regs_commit: the matrix engine continues with the other section.
  void commit() { math_ ^= 1; }
  /// tile_regs_release: the packer continues with the other section.
  void release();

  /// A tile becomes a pair of tiles of bf16 in L1.
  void setPair(DstTile &tile, numerics::BinaryOp of, const std::byte *first,
               const std::byte *second);
  /// Whether tiles are pairs in L1.
  bool hasPairs() const { return low_ < high_; }
  /// Before these bytes of L1 change: copies pairs that may have them.
  void settle(const std::byte *begin, std::size_t bytes) {
    if (begin < high_ && low_ < begin + bytes)
      settle();
  }
  /// Before others may change L1: copies all pairs.
  void settle();

private:
  void forgetPairs() { low_ = high_ = nullptr; }
  std::uint32_t *words(std::uint32_t tile) {
    return storage_->words + tile * numerics::kTileElements;
  }
  struct Storage {
    alignas(64) std::uint32_t words[kDstTiles * numerics::kTileElements];
  };
  std::unique_ptr<Storage> storage_;
  std::array<DstTile, kDstTiles> tiles_;
  /// All pairs in L1 are within.
  const std::byte *low_ = nullptr, *high_ = nullptr;
  std::uint32_t capacity_; // of a section
  std::uint32_t math_ = 0, pack_ = 0;
};

/// A tile in a source register: f32, or integers as the kind says.
struct SrcTile {
  alignas(64) std::uint32_t words[numerics::kTileElements];
  Kind kind = Kind::F32;
  DType type = DType::F32; // as it was in the circular buffer
  bool valid = false;
};

/// The state of the compute engines of one core while a kernel runs. The thread
/// fills `cbs`, calls dst.acquire(), commit() and release() for its
/// instructions, and all other instructions through handlerFor().
class ComputeContext {
public:
  ComputeContext(const MathConfig &config, TileAccess &access);
  /// As if it were new, with the same access.
  void restart(const MathConfig &config);

  MathConfig config;
  TileAccess &access;
  std::array<CbFormat, kPorts> cbs;
  DstRegisters dst;
  /// Reading an unwritten destination tile is a fault; else it reads 0.
  bool checks = true;

  /// Source registers, for instructions that unpack and compute in two steps.
  std::unique_ptr<SrcTile> srcA, srcB;
  /// What instructions have set: formats that the circular buffers must have.
  std::array<DType, 2> unpackTypes{};
  DType packType = DType::F32;
  bool unpackTypesSet = false, packTypeSet = false;
  bool packAccumulates = false;  // pack_reconfig_l1_acc
  bool matmulTransposes = false; // mm_init: transposes the second tile
  std::uint64_t random = 0;      // the state of rand_tile
};

/// Executes a compute instruction; `operands` are the values of its operands in
/// the order of the schema. Faults are reported through the access.
using Handler = void (*)(ComputeContext &, const std::uint64_t *operands);

/// A case of a switch over opcodes: the function with the instruction's name,
/// without which it does not compile.
#define TTMLIR_HANDLER_CASE(name)                                              \
  case Opcode::name:                                                           \
    return name;

/// Null for instructions that are not compute, or that only set up what the
/// emulator takes from the circular buffers; see isCompute.
Handler handlerFor(Opcode opcode);

/// True for instructions of unpacker, matrix engine, vector engine and packer,
/// those without a handler (most `_init`s) included; tile_regs_* and
/// acquire_dst, release_dst are not.
bool isCompute(Opcode opcode);

/// What a compute instruction does with the destination registers: a compute
/// thread has to have acquired the ones that it writes, and waited for those
/// that it reads.
enum class Destination : std::uint8_t { None, Writes, Reads };
Destination destinationOf(Opcode opcode);

} // namespace tt::runtime::tensix

#endif // TT_RUNTIME_TENSIX_COMPUTE_H
