// Unpacker and packer: tiles from circular buffers to source and destination
// registers, and from these to circular buffers.
#include "numerics/eltwise_span.h"
#include "tensix/engine.h"

namespace tt::runtime::tensix {

using numerics::dtypeName;
using numerics::kernelTable;
using numerics::Rounding;

namespace {

/// Words to bytes of `type`, both floats or both integers; floats round as the
/// packer does.
void convertWords(ComputeContext &context, DType type, Kind kind,
                  const std::uint32_t *words, void *out) {
  const Rounding rounding = packRounding(context);
  if (kind != Kind::F32)
    return numerics::convert(typeOf(kind), words, type, out, kElements,
                             rounding);
  if (!numerics::isBlockFloat(type))
    return kernelTable().fromF32[int(type)](
        reinterpret_cast<const float *>(words), out, kElements, rounding);
  kernelTable().quantize(type, reinterpret_cast<const float *>(words), out, 1,
                         rounding);
}

/// Zeros of their sign instead of denormals, and one NaN.
void canonicalize(TileBuffer &tile) {
  for (std::uint32_t &word : tile.words) {
    const std::uint32_t magnitude = word & 0x7fffffffu;
    word = magnitude < 0x00800000u   ? word & 0x80000000u
           : magnitude > 0x7f800000u ? 0x7fc00000u
                                     : word;
  }
}

/// out += the tile, in the format of `out`: the sum of f32 values, rounded to
/// nearest even. In exact numerics f32 has no denormals there.
void accumulate(ComputeContext &context, DType type, Kind kind,
                const std::uint32_t *words, void *out) {
  alignas(64) std::byte packed[sizeof(TileBuffer)];
  TileBuffer first, second;
  convertWords(context, type, kind, words, packed);
  const TileView added = toWords(type, packed, first);
  const TileView old = toWords(type, out, second);
  TileBuffer sum;
  if (numerics::isInteger(type)) {
    for (std::int64_t i = 0; i < kElements; ++i)
      sum.words[i] = old.words[i] + added.words[i];
    numerics::convert(typeOf(old.kind), sum.words, type, out, kElements);
    return;
  }
  std::memcpy(sum.words, old.words, sizeof(sum.words));
  const bool canonical = context.config.exact && type == DType::F32;
  if (canonical)
    canonicalize(sum);
  kernelTable().addRows(sum.floats(), added.floats(), kElements);
  if (canonical)
    canonicalize(sum);
  if (numerics::isBlockFloat(type))
    kernelTable().quantize(type, sum.floats(), out, 1, packRounding(context));
  else
    numerics::fromF32(type, sum.floats(), out, kElements, Rounding::Host);
}

/// Tiles of bf16 to bf16, rounded as Rounding::Fast: a NaN is a quiet one.
void packBf16(const DstTile &tile, std::uint32_t *words, void *out) {
  if (tile.held == Held::Pair)
    return kernelTable().binaryBf16[int(tile.of)][0](tile.from[0], tile.from[1],
                                                     out, kElements, false);
  if (tile.held == Held::Function)
    return numerics::unarySpan({kernelTable(), DType::BF16, Rounding::Fast},
                               tile.function, words, out, kElements, {});
  std::uint16_t numbers[kElements];
  std::memcpy(numbers, words, sizeof(numbers));
  for (std::uint16_t &number : numbers)
    number |= std::uint16_t((number & 0x7fff) > 0x7f80 ? 0x40 : 0);
  std::memcpy(out, numbers, sizeof(numbers));
}

} // namespace

void packTo(ComputeContext &context, std::uint64_t index, std::uint64_t port,
            std::byte *out) {
  const std::uint32_t slot = dstIndex(context, index);
  const DType type = context.cbs[port].type;
  if (context.packTypeSet && context.packType != type)
    faultFormat(context, "pack", dtypeName(type),
                std::string("a packer that was set to ") +
                    dtypeName(context.packType));
  DstTile &tile = context.dst.packTile(slot);
  std::uint32_t *words = context.dst.packWords(slot);
  if (!tile.written) {
    if (context.checks)
      context.access.fault(ComputeFault::DstUnwritten,
                           "expected to pack a destination tile that was "
                           "written since the registers were acquired, found "
                           "tile " +
                               std::to_string(index));
    std::memset(words, 0, sizeof(TileBuffer));
    tile = {.kind = kindOf(type), .written = true};
  }
  if ((tile.kind == Kind::F32) != numerics::isFloat(type))
    faultFormat(context, "pack",
                numerics::isFloat(type)
                    ? "floats for a circular buffer of floats"
                    : "integers for a circular buffer of integers",
                std::string("a destination tile of ") +
                    dtypeName(typeOf(tile.kind)) + " for " + dtypeName(type));
  if (tile.held != Held::Words) {
    if (type == DType::BF16 && !context.packAccumulates)
      return packBf16(tile, words, out);
    makeWords(context, tile, words);
  }
  if (context.packAccumulates)
    accumulate(context, type, tile.kind, words, out);
  else
    convertWords(context, type, tile.kind, words, out);
}

namespace {

std::byte *backTile(ComputeContext &context, std::uint64_t port,
                    std::uint64_t index) {
  const CbFormat &cb = tiledFormat(context, port);
  return context.access.back(std::uint32_t(port), index * cb.pageBytes,
                             std::uint64_t(numerics::tileBytes(cb.type)),
                             context.packAccumulates);
}

/// Where the packer writes the next tile in order.
std::byte *nextTile(ComputeContext &context, std::uint64_t port) {
  return context.access.nextBack(std::uint32_t(port), 1,
                                 context.packAccumulates);
}

void packTile(ComputeContext &context, const std::uint64_t *operands) {
  const auto [index, port, tile, outOfOrder] =
      std::array{operands[0], operands[1], operands[2], operands[3]};
  tiledFormat(context, port);
  dstIndex(context, index);
  packTo(context, index, port,
         outOfOrder ? backTile(context, port, tile) : nextTile(context, port));
}

void packTileBlock(ComputeContext &context, const std::uint64_t *operands) {
  const auto [first, port, tiles] =
      std::array{operands[0], operands[1], operands[2]};
  tiledFormat(context, port);
  if (tiles)
    dstIndex(context, first + tiles - 1);
  for (std::uint64_t i = 0; i < tiles; ++i)
    packTo(context, first + i, port, nextTile(context, port));
}

void packAt(ComputeContext &context, const std::uint64_t *operands) {
  packTo(context, operands[0], operands[1],
         backTile(context, operands[1], operands[2]));
}

void packSetDataType(ComputeContext &context, const std::uint64_t *operands) {
  context.packType = DType(operands[0]);
  context.packTypeSet = true;
}

void packReconfigL1Acc(ComputeContext &context, const std::uint64_t *operands) {
  context.packAccumulates = operands[0] != 0;
}

void copyTile(ComputeContext &context, const std::uint64_t *operands) {
  const auto [port, tile, index] =
      std::array{operands[0], operands[1], operands[2]};
  Dst dst = rawDst(context, index);
  if (!context.config.exact && isBf16(context, port)) {
    std::memcpy(dst.words, frontTile(context, port, tile),
                kElements * sizeof(std::uint16_t));
    dst.tile = {.written = true, .held = Held::Bf16};
    return;
  }
  TileBuffer buffer;
  const TileView view =
      readTile(context, port, tile, buffer, context.config.preserveFp32);
  std::memcpy(dst.words, view.words, sizeof(buffer.words));
  if (view.type == DType::F32)
    finish(context, dst, view.kind, false);
  else // has no more than 16 bits
    mark(context, dst, view.kind, isHalf(view.type));
}

void unpackInto(ComputeContext &context, SrcTile &source, std::uint64_t port,
                std::uint64_t tile, int side) {
  const DType type = tiledFormat(context, port).type;
  if (context.unpackTypesSet && context.unpackTypes[std::size_t(side)] != type)
    faultFormat(context, "unpack", dtypeName(type),
                std::string("an unpacker that was set to ") +
                    dtypeName(context.unpackTypes[std::size_t(side)]));
  TileBuffer buffer;
  const TileView view = readTile(context, port, tile, buffer);
  std::memcpy(source.words, view.words, sizeof(source.words));
  source.kind = view.kind;
  source.type = view.type;
  source.valid = true;
}

void unpackA(ComputeContext &context, const std::uint64_t *operands) {
  unpackInto(context, *context.srcA, operands[0], operands[1], 0);
}

void unpackAb(ComputeContext &context, const std::uint64_t *operands) {
  unpackInto(context, *context.srcA, operands[0], operands[1], 0);
  unpackInto(context, *context.srcB, operands[2], operands[3], 1);
}

void unpackSetDataType(ComputeContext &context, const std::uint64_t *operands) {
  context.unpackTypes = {DType(operands[0]), DType(operands[1])};
  context.unpackTypesSet = true;
}

} // namespace

Handler dataHandler(Opcode opcode) {
  constexpr Handler copy_tile = copyTile;
  constexpr Handler pack = packAt;
  constexpr Handler pack_tile = packTile;
  constexpr Handler pack_tile_block = packTileBlock;
  constexpr Handler pack_set_data_type = packSetDataType;
  constexpr Handler pack_reconfig_l1_acc = packReconfigL1Acc;
  constexpr Handler unpack_a = unpackA;
  constexpr Handler unpack_ab = unpackAb;
  constexpr Handler unpack_set_data_type = unpackSetDataType;
  switch (opcode) {
    TTMLIR_DATA_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::tensix
