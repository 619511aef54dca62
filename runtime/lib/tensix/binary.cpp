// Sums, differences and products of tiles on the matrix engine.
#include "tensix/engine.h"

#include <algorithm>

namespace tt::runtime::tensix {

using numerics::BinaryOp;
using numerics::kernelTable;
using ::tt::target::metal::BroadcastType;
using ::tt::target::metal::EltwiseBinaryType;

namespace {

constexpr BinaryOp binaryOp(EltwiseBinaryType type) {
  return type == EltwiseBinaryType::Add   ? BinaryOp::Add
         : type == EltwiseBinaryType::Sub ? BinaryOp::Subtract
                                          : BinaryOp::Multiply;
}

/// dst = a op b, or dst += a op b where `accumulate` and the destination was
/// written; without `accumulate` the destination may be one of the operands.
void combine(ComputeContext &context, EltwiseBinaryType type, TileView a,
             TileView b, Dst dst, bool accumulate) {
  if (a.kind != b.kind && (a.kind == Kind::F32 || b.kind == Kind::F32))
    faultFormat(context, "operands", "both floats or both integers",
                std::string(numerics::dtypeName(a.type)) + " and " +
                    numerics::dtypeName(b.type));
  const numerics::KernelTable &table = kernelTable();
  const int op = int(binaryOp(type));
  constexpr int kSum = int(BinaryOp::Add);
  TileBuffer sum;
  if (a.kind != Kind::F32) {
    const Kind kind =
        a.kind == Kind::U32 || b.kind == Kind::U32 ? Kind::U32 : Kind::I32;
    const bool add = accumulate && accumulates(context, dst, kind);
    const int index = numerics::integerIndex(typeOf(kind));
    table.binaryInt[op][index][0](a.words, b.words, add ? sum.words : dst.words,
                                  kElements, false);
    if (add)
      table.binaryInt[kSum][index][0](dst.words, sum.words, dst.words,
                                      kElements, false);
    return finish(context, dst, kind, false);
  }
  const bool half = isHalf(a.type);
  const bool add = accumulate && accumulates(context, dst, Kind::F32);
  if (context.config.exact) {
    const numerics::MatrixUnitMode mode = matrixUnitMode(context, half);
    if (type == EltwiseBinaryType::Mul)
      numerics::matrixUnitMultiply(a.floats(), b.floats(), dst.floats(),
                                   kElements, add, mode);
    else
      numerics::matrixUnitAdd(a.floats(), b.floats(), dst.floats(), kElements,
                              type == EltwiseBinaryType::Sub, add, mode);
    return mark(context, dst, Kind::F32, half);
  }
  TileBuffer first, second;
  if (type == EltwiseBinaryType::Mul) {
    const FidelityMask mask = fidelityMask(context.config.fidelity);
    a = masked(a, mask.a, first);
    b = masked(b, mask.b, second);
  }
  table.binaryF32[op][0](a.words, b.words, add ? sum.words : dst.words,
                         kElements, false);
  if (add)
    table.binaryF32[kSum][0](dst.words, sum.words, dst.words, kElements, false);
  finish(context, dst, Kind::F32, half);
}

/// Repeats the first row, column or element of a tile.
TileView broadcast(ComputeContext &context, TileView view, std::uint64_t type,
                   TileBuffer &buffer) {
  if (type > std::uint64_t(BroadcastType::MAX))
    context.access.fault(ComputeFault::Operand,
                         "expected a broadcast type below 4, found " +
                             std::to_string(type));
  if (BroadcastType(type) == BroadcastType::None)
    return view;
  constexpr std::int64_t kFaceDim = numerics::kFaceDim;
  // By row of a face: 16 words that are those of its first row, or one word.
  for (std::int64_t row = 0; row < numerics::kTileDim; ++row)
    for (std::int64_t col = 0; col < numerics::kTileDim; col += kFaceDim) {
      std::uint32_t *line = buffer.words + faceIndex(row, col);
      if (BroadcastType(type) == BroadcastType::Row)
        std::memcpy(line, view.words + faceIndex(0, col),
                    kFaceDim * sizeof(*line));
      else
        std::fill_n(line, kFaceDim,
                    view.words[BroadcastType(type) == BroadcastType::Col
                                   ? faceIndex(row, 0)
                                   : 0]);
    }
  return {buffer.words, view.kind, view.type};
}

/// True if nothing goes into the result but two tiles of bf16 as they are.
template <EltwiseBinaryType Type>
bool isOfBf16(const ComputeContext &context, const std::uint64_t *operands,
              const DstTile &tile) {
  return !context.config.exact && !tile.written &&
         isBf16(context, operands[0]) && isBf16(context, operands[1]) &&
         (Type != EltwiseBinaryType::Mul ||
          context.config.fidelity >= MathFidelity::HiFi3);
}

template <EltwiseBinaryType Type, bool Broadcast>
void tiles(ComputeContext &context, const std::uint64_t *operands) {
  if constexpr (!Broadcast)
    if (Dst dst = rawDst(context, operands[4]);
        isOfBf16<Type>(context, operands, dst.tile)) {
      const std::byte *first = frontTile(context, operands[0], operands[2]);
      const std::byte *second = frontTile(context, operands[1], operands[3]);
      return context.dst.setPair(dst.tile, binaryOp(Type), first, second);
    }
  TileBuffer first, second, repeated;
  Dst dst = writeDst(context, operands[4]);
  const TileView a = readTile(context, operands[0], operands[2], first);
  TileView b = readTile(context, operands[1], operands[3], second);
  if constexpr (Broadcast)
    b = broadcast(context, b, operands[5], repeated);
  combine(context, Type, a, b, dst, true);
}

void unaryBcast(ComputeContext &context, const std::uint64_t *operands) {
  TileBuffer first, repeated;
  Dst dst = writeDst(context, operands[2]);
  const TileView view =
      broadcast(context, readTile(context, operands[0], operands[1], first),
                operands[3], repeated);
  std::memcpy(dst.words, view.words, sizeof(first.words));
  finish(context, dst, view.kind, isHalf(view.type));
}

/// Moves the tile of a destination register to the source register beside that
/// of an operand of type `other`. In exact numerics it gets the format of
/// `other`.
TileView moveToSource(ComputeContext &context, Dst dst, DType other,
                      TileBuffer &buffer) {
  const DType type = dst.tile.kind != Kind::F32 ? typeOf(dst.tile.kind)
                     : dst.tile.half            ? DType::F16
                                                : DType::F32;
  if (!context.config.exact || dst.tile.kind != Kind::F32 ||
      !numerics::isFloat(other))
    return {dst.words, dst.tile.kind, type};
  const DType source = sourceType(context, other);
  truncateTo(source, dst.floats(), buffer.floats());
  return {buffer.words, Kind::F32, source};
}

void destReuse(ComputeContext &context, const std::uint64_t *operands) {
  const auto [port, tile, index, type, second] = std::array{
      operands[0], operands[1], operands[2], operands[3], operands[4]};
  if (type > std::uint64_t(EltwiseBinaryType::MAX))
    context.access.fault(ComputeFault::Operand,
                         "expected a binary type below 3, found " +
                             std::to_string(type));
  TileBuffer moved, buffer;
  Dst dst = readDst(context, index);
  const TileView other = readTile(context, port, tile, buffer);
  const TileView own = moveToSource(context, dst, other.type, moved);
  combine(context, EltwiseBinaryType(type), second ? other : own,
          second ? own : other, dst, false);
}

TileView source(ComputeContext &context, const SrcTile &tile) {
  if (!tile.valid)
    context.access.fault(ComputeFault::Operand,
                         "expected unpacked source registers, found that "
                         "nothing was unpacked");
  return {tile.words, tile.kind, tile.type};
}

template <EltwiseBinaryType Type>
void sources(ComputeContext &context, const std::uint64_t *operands) {
  combine(context, Type, source(context, *context.srcA),
          source(context, *context.srcB), writeDst(context, operands[0]), true);
}

} // namespace

Handler binaryHandler(Opcode opcode) {
  constexpr auto kAdd = EltwiseBinaryType::Add, kSub = EltwiseBinaryType::Sub,
                 kMul = EltwiseBinaryType::Mul;
  constexpr Handler add_tiles = tiles<kAdd, false>;
  constexpr Handler sub_tiles = tiles<kSub, false>;
  constexpr Handler mul_tiles = tiles<kMul, false>;
  constexpr Handler add_tiles_bcast = tiles<kAdd, true>;
  constexpr Handler sub_tiles_bcast = tiles<kSub, true>;
  constexpr Handler mul_tiles_bcast = tiles<kMul, true>;
  constexpr Handler unary_bcast = unaryBcast;
  constexpr Handler binary_dest_reuse_tiles = destReuse;
  constexpr Handler add = sources<kAdd>;
  constexpr Handler sub = sources<kSub>;
  constexpr Handler mul = sources<kMul>;
  switch (opcode) {
    TTMLIR_BINARY_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::tensix
