// What the instructions of all engines share: operands of circular buffers and
// destination tiles, checked. Internal to runtime/lib/tensix.
#ifndef TT_RUNTIME_TENSIX_ENGINE_H
#define TT_RUNTIME_TENSIX_ENGINE_H

#include "numerics/isa/table.h"
#include "numerics/matrix_unit.h"
#include "tensix/compute.h"

#include <cstring>

namespace tt::runtime::tensix {

inline constexpr std::int64_t kElements = numerics::kTileElements;

/// The functions of a group of instructions; null for those that have none.
Handler dataHandler(Opcode opcode);   // unpack, copy, pack
Handler binaryHandler(Opcode opcode); // add, sub, mul of tiles
Handler matmulHandler(Opcode opcode);
Handler reduceHandler(Opcode opcode); // and transposition
Handler tilizeHandler(Opcode opcode);
Handler vectorHandler(Opcode opcode);      // the vector engine
Handler destinationHandler(Opcode opcode); // vector engine, without TTIR ops

/// A tile of an operand: words in face order, in a TileBuffer or in the
/// circular buffer itself.
struct TileView {
  const std::uint32_t *words;
  Kind kind;
  DType type;
  const float *floats() const { return reinterpret_cast<const float *>(words); }
};

/// Memory for a tile that has to be converted.
struct TileBuffer {
  alignas(64) std::uint32_t words[kElements];
  float *floats() { return reinterpret_cast<float *>(words); }
};

constexpr Kind kindOf(DType type) {
  return numerics::isFloat(type)    ? Kind::F32
         : numerics::isSigned(type) ? Kind::I32
                                    : Kind::U32;
}
constexpr DType typeOf(Kind kind) {
  return kind == Kind::F32   ? DType::F32
         : kind == Kind::I32 ? DType::I32
                             : DType::U32;
}
/// Formats with 5 exponent bits live in 16-bit registers as f16.
constexpr bool isHalf(DType type) { return numerics::hasShortExponent(type); }

/// The circular buffer of a port; a fault if the kernel has none there.
const CbFormat &format(ComputeContext &context, std::uint64_t port);
/// The same, and a fault unless it holds tiles.
const CbFormat &tiledFormat(ComputeContext &context, std::uint64_t port);

/// True if the kernel has tiles of bf16 there.
inline bool isBf16(const ComputeContext &context, std::uint64_t port) {
  return port < kPorts && context.cbs[port].bound && context.cbs[port].tiled &&
         context.cbs[port].type == DType::BF16;
}

/// Raw bytes of tile `index` from the front.
const std::byte *frontTile(ComputeContext &context, std::uint64_t port,
                           std::uint64_t index);

/// Tile `index` as a source register has it: converted to words, in exact
/// numerics as the unpacker does unless `keep`. Valid while the buffers are.
TileView readTile(ComputeContext &context, std::uint64_t port,
                  std::uint64_t index, TileBuffer &buffer, bool keep = false);

/// What a source register makes of floats of a circular buffer: F32 (in fact
/// tf32), BF16 or F16.
DType sourceType(const ComputeContext &context, DType type);
/// At most 1024 floats truncated to such a register; `to` may be `from`.
void truncateTo(DType type, const float *from, float *to,
                std::int64_t count = kElements);

/// `raw` tile of `type` as words.
TileView toWords(DType type, const void *raw, TileBuffer &buffer);

/// A destination index that has been checked against the capacity.
std::uint32_t dstIndex(ComputeContext &context, std::uint64_t index);

/// A destination tile of the matrix engine's section.
struct Dst {
  DstTile &tile;
  std::uint32_t *words;
  float *floats() const { return reinterpret_cast<float *>(words); }
};

/// A tile to write, which has its numbers as it has them.
Dst rawDst(ComputeContext &context, std::uint64_t index);
/// A tile to write; its words are what they were.
Dst writeDst(ComputeContext &context, std::uint64_t index);
/// A tile to read: a fault if nothing has written it (zeros without checks).
Dst readDst(ComputeContext &context, std::uint64_t index);

/// The numbers of bf16 in a half of the words of a tile.
inline std::uint16_t *bf16Half(std::uint32_t *words, int half) {
  return reinterpret_cast<std::uint16_t *>(words) + half * kElements;
}
/// Makes words of a tile that has its numbers in another way.
void makeWords(const ComputeContext &context, DstTile &tile,
               std::uint32_t *words);
/// True if results are rounded to bf16 as soon as they are there, so that they
/// may be computed in it.
inline bool roundsToBf16(const ComputeContext &context, const DstTile &tile) {
  return tile.held != Held::Words && !context.config.fp32DestAcc;
}
/// A tile for which roundsToBf16(): its numbers, computed.
std::uint16_t *bf16Numbers(Dst dst);

/// True if an instruction that accumulates words of `kind` adds to what is in
/// the tile; a fault if that is of another kind.
bool accumulates(ComputeContext &context, const Dst &dst, Kind kind);

/// Ends an instruction that wrote floats or integers of `kind`: rounds floats
/// to 16 bits where the registers have no more.
void finish(ComputeContext &context, Dst dst, Kind kind, bool half);
/// The same without rounding, for results that are rounded already.
void mark(ComputeContext &context, Dst dst, Kind kind, bool half);

/// A tile of floats op a number, which the vector engine does not round; or
/// with Spread::First a number op a tile.
void combine(ComputeContext &context, numerics::BinaryOp op, Dst dst,
             float number, numerics::Spread side = numerics::Spread::Second);

/// Packs destination tile `index` to `out`, a tile in the format of a port.
void packTo(ComputeContext &context, std::uint64_t index, std::uint64_t port,
            std::byte *out);

/// How the packer rounds.
inline numerics::Rounding packRounding(const ComputeContext &context) {
  return context.config.exact ? numerics::Rounding::Packer
                              : numerics::Rounding::Fast;
}

/// The tile to read, or a fault unless it has floats, or integers.
Dst readFloats(ComputeContext &context, const char *what, std::uint64_t index);
Dst readIntegers(ComputeContext &context, const char *what,
                 std::uint64_t index);

[[noreturn]] void faultFormat(ComputeContext &context, const char *what,
                              const char *expected, const std::string &found);

/// Significant bits, the leading one included, of the sources of a product.
struct FidelityMask {
  std::uint32_t a, b; // masks of f32 bits
};
FidelityMask fidelityMask(MathFidelity fidelity);
/// How the matrix engine computes in exact numerics, with f16 operands if
/// `half`.
numerics::MatrixUnitMode matrixUnitMode(const ComputeContext &context,
                                        bool half);
/// Clears bits of f32 words into the buffer unless the mask keeps all.
TileView masked(TileView view, std::uint32_t mask, TileBuffer &buffer);

/// Index of element (row, col) in face order.
constexpr std::int64_t faceIndex(std::int64_t row, std::int64_t col) {
  return ((row >> 4) * 2 + (col >> 4)) * numerics::kFaceElements +
         (row & 15) * numerics::kFaceDim + (col & 15);
}

/// The transpose of a tile of 32-bit words.
void transposeTile(const std::uint32_t *from, std::uint32_t *to);

} // namespace tt::runtime::tensix

#endif // TT_RUNTIME_TENSIX_ENGINE_H
