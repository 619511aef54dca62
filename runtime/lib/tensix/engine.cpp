#include "tensix/engine.h"

#include "numerics/eltwise_span.h"

#include <algorithm>
#include <bit>

namespace tt::runtime::tensix {

using numerics::dtypeName;
using numerics::kernelTable;
using numerics::Rounding;

namespace {

std::string portText(std::uint64_t port) {
  return "circular buffer " + std::to_string(port);
}

void zero(Dst dst) { std::memset(dst.words, 0, sizeof(TileBuffer)); }

/// The least and the greatest f16 of the engine as f32 bits: exponent 31 is an
/// ordinary one, and there are no denormals.
constexpr std::uint32_t kHalfLeast = 113u << 23;
constexpr std::uint32_t kHalfMost = 143u << 23 | 0x7fe000u;

/// f16 of the engine to f32.
void widenHalves(const void *raw, TileBuffer &buffer) {
  std::uint16_t halves[kElements];
  std::memcpy(halves, raw, sizeof(halves));
  for (std::int64_t i = 0; i < kElements; ++i) {
    const std::uint32_t half = halves[i];
    const std::uint32_t sign = (half & 0x8000u) << 16;
    const std::uint32_t magnitude = ((half & 0x7fffu) << 13) + (112u << 23);
    buffer.words[i] = sign | (magnitude < kHalfLeast ? 0 : magnitude);
  }
}

/// Rounds floats to bf16 or f16 and back.
void roundTo16(float *values, bool half) {
  const numerics::KernelTable &table = kernelTable();
  const int type = int(half ? DType::F16 : DType::BF16);
  alignas(64) std::uint16_t narrow[kElements];
  table.fromF32[type](values, narrow, kElements, Rounding::Fast);
  table.toF32[type](narrow, values, kElements);
}

} // namespace

void faultFormat(ComputeContext &context, const char *what,
                 const char *expected, const std::string &found) {
  context.access.fault(ComputeFault::Format, std::string(what) + ": expected " +
                                                 expected + ", found " + found);
  __builtin_unreachable(); // GCC 12 can forget that fault() does not return.
}

const CbFormat &format(ComputeContext &context, std::uint64_t port) {
  if (port >= kPorts || !context.cbs[port].bound)
    context.access.fault(ComputeFault::Operand,
                         "expected a circular buffer of the kernel, found " +
                             portText(port));
  return context.cbs[port];
}

const CbFormat &tiledFormat(ComputeContext &context, std::uint64_t port) {
  const CbFormat &cb = format(context, port);
  if (!cb.tiled)
    faultFormat(context, "operand", "a circular buffer of tiles",
                portText(port) + " with rows of " + dtypeName(cb.type));
  return cb;
}

const std::byte *frontTile(ComputeContext &context, std::uint64_t port,
                           std::uint64_t index) {
  const CbFormat &cb = tiledFormat(context, port);
  const auto bytes = std::uint64_t(numerics::tileBytes(cb.type));
  return context.access.front(std::uint32_t(port), index * cb.pageBytes, bytes);
}

TileView toWords(DType type, const void *raw, TileBuffer &buffer) {
  const numerics::KernelTable &table = kernelTable();
  switch (type) {
  case DType::F32:
  case DType::I32:
  case DType::U32:
    return {static_cast<const std::uint32_t *>(raw), kindOf(type), type};
  case DType::U16:
  case DType::U8:
    numerics::convert(type, raw, DType::U32, buffer.words, kElements);
    break;
  case DType::I16:
  case DType::I8:
    numerics::convert(type, raw, DType::I32, buffer.words, kElements);
    break;
  case DType::F16:
  case DType::BF16:
    table.toF32[int(type)](raw, buffer.floats(), kElements);
    break;
  default:
    table.dequantize(type, raw, buffer.floats(), 1, Rounding::Host);
  }
  return {buffer.words, kindOf(type), type};
}

DType sourceType(const ComputeContext &context, DType type) {
  return isHalf(type)                                       ? DType::F16
         : type == DType::F32 && context.config.fp32DestAcc ? DType::F32
                                                            : DType::BF16;
}

void truncateTo(DType type, const float *from, float *to, std::int64_t count) {
  const numerics::KernelTable &table = kernelTable();
  if (type == DType::F32)
    return table.roundTf32(from, to, count, Rounding::Unpacker);
  if (type == DType::BF16) {
    alignas(64) std::uint16_t narrow[kElements];
    table.fromF32[int(type)](from, narrow, count, Rounding::Unpacker);
    return table.toF32[int(type)](narrow, to, count);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const auto word = std::bit_cast<std::uint32_t>(from[i]);
    const std::uint32_t sign = word & 0x80000000u;
    std::uint32_t magnitude = word & 0x7fffe000u;
    if (magnitude < kHalfLeast)
      magnitude = 0;
    to[i] = std::bit_cast<float>(sign | std::min(magnitude, kHalfMost));
  }
}

TileView readTile(ComputeContext &context, std::uint64_t port,
                  std::uint64_t index, TileBuffer &buffer, bool keep) {
  const std::byte *raw = frontTile(context, port, index);
  const DType type = context.cbs[port].type;
  if (!context.config.exact || !numerics::isFloat(type))
    return toWords(type, raw, buffer);
  if (type == DType::F16) {
    widenHalves(raw, buffer);
    return {buffer.words, Kind::F32, type};
  }
  if (numerics::isBlockFloat(type)) {
    kernelTable().dequantize(type, raw, buffer.floats(), 1, Rounding::Unpacker);
    if (isHalf(type))
      truncateTo(DType::F16, buffer.floats(), buffer.floats());
    return {buffer.words, Kind::F32, type};
  }
  TileView view = toWords(type, raw, buffer);
  if (type == DType::F32 && !keep) {
    truncateTo(sourceType(context, type), view.floats(), buffer.floats());
    view.words = buffer.words;
  }
  return view;
}

std::uint32_t dstIndex(ComputeContext &context, std::uint64_t index) {
  if (index >= context.dst.capacity())
    context.access.fault(ComputeFault::DstIndex,
                         "expected a destination tile below " +
                             std::to_string(context.dst.capacity()) + " (" +
                             (context.config.fp32DestAcc ? "32" : "16") +
                             "-bit registers in two sections), found " +
                             std::to_string(index));
  return std::uint32_t(index);
}

void makeWords(const ComputeContext &context, DstTile &tile,
               std::uint32_t *words) {
  const numerics::KernelTable &table = kernelTable();
  const auto toF32 = table.toF32[int(DType::BF16)];
  auto *floats = reinterpret_cast<float *>(words);
  alignas(64) std::uint16_t numbers[2 * kElements];
  if (tile.held == Held::Bf16 || tile.held == Held::Function) {
    std::memcpy(numbers, words, sizeof(numbers) / 2);
    toF32(numbers, floats, kElements);
    if (tile.held == Held::Function)
      numerics::unarySpan({table, DType::F32, Rounding::Fast}, tile.function,
                          words, words, kElements, {});
  } else if (tile.held == Held::Pair) {
    TileBuffer second;
    std::memcpy(numbers, tile.from[0], sizeof(numbers) / 2);
    std::memcpy(numbers + kElements, tile.from[1], sizeof(numbers) / 2);
    toF32(numbers, floats, kElements);
    toF32(numbers + kElements, second.floats(), kElements);
    table.binaryF32[int(tile.of)][0](floats, second.words, floats, kElements,
                                     false);
    if (!context.config.fp32DestAcc)
      roundTo16(floats, false);
  }
  tile.held = Held::Words;
}

std::uint16_t *bf16Numbers(Dst dst) {
  std::uint16_t *numbers = bf16Half(dst.words, 0);
  if (dst.tile.held == Held::Pair)
    kernelTable().binaryBf16[int(dst.tile.of)][0](
        dst.tile.from[0], dst.tile.from[1], numbers, kElements, false);
  dst.tile.held = Held::Bf16;
  return numbers;
}

Dst rawDst(ComputeContext &context, std::uint64_t index) {
  const std::uint32_t slot = dstIndex(context, index);
  return {context.dst.mathTile(slot), context.dst.mathWords(slot)};
}

Dst writeDst(ComputeContext &context, std::uint64_t index) {
  Dst dst = rawDst(context, index);
  if (dst.tile.held != Held::Words)
    makeWords(context, dst.tile, dst.words);
  return dst;
}

Dst readDst(ComputeContext &context, std::uint64_t index) {
  Dst dst = writeDst(context, index);
  if (dst.tile.written)
    return dst;
  if (context.checks)
    context.access.fault(ComputeFault::DstUnwritten,
                         "expected a destination tile that was written since "
                         "the registers were acquired, found tile " +
                             std::to_string(index));
  zero(dst);
  dst.tile = {.kind = Kind::F32, .written = true};
  return dst;
}

Dst readFloats(ComputeContext &context, const char *what, std::uint64_t index) {
  Dst dst = readDst(context, index);
  if (dst.tile.kind != Kind::F32)
    faultFormat(context, what, "floats", "integers");
  return dst;
}

Dst readIntegers(ComputeContext &context, const char *what,
                 std::uint64_t index) {
  Dst dst = readDst(context, index);
  if (dst.tile.kind == Kind::F32)
    faultFormat(context, what, "integers", "floats");
  return dst;
}

void mark(ComputeContext &context, Dst dst, Kind kind, bool half) {
  if (kind != Kind::F32 && !context.config.fp32DestAcc)
    faultFormat(context, "destination registers",
                "fp32_dest_acc_en for 32-bit integers", "16-bit registers");
  dst.tile = {.kind = kind, .half = half, .written = true};
}

void finish(ComputeContext &context, Dst dst, Kind kind, bool half) {
  mark(context, dst, kind, half);
  if (kind != Kind::F32 || context.config.fp32DestAcc)
    return;
  if (context.config.exact)
    truncateTo(half ? DType::F16 : DType::BF16, dst.floats(), dst.floats());
  else
    roundTo16(dst.floats(), half);
}

bool accumulates(ComputeContext &context, const Dst &dst, Kind kind) {
  if (!dst.tile.written)
    return false;
  if (dst.tile.kind != kind)
    faultFormat(context, "accumulation",
                kind == Kind::F32 ? "a destination tile of floats"
                                  : "a destination tile of integers",
                numerics::dtypeName(typeOf(dst.tile.kind)));
  return true;
}

FidelityMask fidelityMask(MathFidelity fidelity) {
  // Kept below the leading bit: 4 and 6 of the first phase, 9 with the second.
  constexpr std::uint32_t kAll = ~0u;
  switch (fidelity) {
  case MathFidelity::LoFi:
    return {kAll << (23 - 4), kAll << (23 - 6)};
  case MathFidelity::HiFi2:
    return {kAll << (23 - 9), kAll << (23 - 6)};
  default:
    return {kAll, kAll};
  }
}

numerics::MatrixUnitMode matrixUnitMode(const ComputeContext &context,
                                        bool half) {
  using numerics::Accumulator;
  const MathConfig &config = context.config;
  return {config.fp32DestAcc ? (half ? Accumulator::F32OfF16 : Accumulator::F32)
                             : (half ? Accumulator::F16 : Accumulator::BF16),
          config.fidelity == MathFidelity::LoFi ? 1 : int(config.fidelity),
          config.wormhole};
}

TileView masked(TileView view, std::uint32_t mask, TileBuffer &buffer) {
  if (mask == ~0u || view.kind != Kind::F32)
    return view;
  for (std::int64_t i = 0; i < kElements; ++i)
    buffer.words[i] = view.words[i] & mask;
  return {buffer.words, view.kind, view.type};
}

void transposeTile(const std::uint32_t *from, std::uint32_t *to) {
  const numerics::KernelTable &table = kernelTable();
  constexpr std::int64_t kFace = numerics::kFaceElements;
  constexpr std::int64_t kSource[] = {0, 2, 1, 3};
  for (std::int64_t face = 0; face < 4; ++face)
    table.transpose4(from + kSource[face] * kFace, numerics::kFaceDim,
                     numerics::kFaceDim, numerics::kFaceDim, to + face * kFace,
                     numerics::kFaceDim);
}

} // namespace tt::runtime::tensix
