#include "tensix/engine.h"

namespace tt::runtime::tensix {

using kernels::dtypeName;
using kernels::kernelTable;
using kernels::Rounding;

namespace {

std::string portText(std::uint64_t port) {
  return "circular buffer " + std::to_string(port);
}

void zero(Dst dst) { std::memset(dst.words, 0, sizeof(TileBuffer)); }

} // namespace

void faultFormat(ComputeContext &context, const char *what,
                 const char *expected, const std::string &found) {
  context.access.fault(ComputeFault::Format, std::string(what) + ": expected " +
                                                 expected + ", found " + found);
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
  const auto bytes = std::uint64_t(kernels::tileBytes(cb.type));
  return context.access.front(std::uint32_t(port), index * cb.pageBytes, bytes);
}

TileView toWords(DType type, const void *raw, TileBuffer &buffer) {
  const kernels::KernelTable &table = kernelTable();
  switch (type) {
  case DType::F32:
  case DType::I32:
  case DType::U32:
    return {static_cast<const std::uint32_t *>(raw), kindOf(type), type};
  case DType::U16:
  case DType::U8:
    kernels::convert(type, raw, DType::U32, buffer.words, kElements);
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

TileView readTile(ComputeContext &context, std::uint64_t port,
                  std::uint64_t index, TileBuffer &buffer, bool keep) {
  const std::byte *raw = frontTile(context, port, index);
  TileView view = toWords(context.cbs[port].type, raw, buffer);
  if (!context.config.exact || keep || view.kind != Kind::F32)
    return view;
  if (view.type == DType::F32) {
    if (context.config.fp32DestAcc) {
      kernelTable().roundTf32(view.floats(), buffer.floats(), kElements,
                              Rounding::Unpacker);
    } else {
      std::memcpy(buffer.words, view.words, sizeof(buffer.words));
      roundTo16(buffer.floats(), kElements, false, Rounding::Unpacker);
    }
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

Dst writeDst(ComputeContext &context, std::uint64_t index) {
  const std::uint32_t slot = dstIndex(context, index);
  return {context.dst.mathTile(slot), context.dst.mathWords(slot)};
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
  dst.tile = {Kind::F32, false, true};
  return dst;
}

void mark(ComputeContext &context, Dst dst, Kind kind, bool half) {
  if (kind != Kind::F32 && !context.config.fp32DestAcc)
    faultFormat(context, "destination registers",
                "fp32_dest_acc_en for 32-bit integers", "16-bit registers");
  dst.tile = {kind, half, true};
}

void finish(ComputeContext &context, Dst dst, Kind kind, bool half) {
  mark(context, dst, kind, half);
  if (kind == Kind::F32 && !context.config.fp32DestAcc)
    roundTo16(dst.floats(), kElements, half, storeRounding(context));
}

void roundTo16(float *values, std::int64_t count, bool half,
               Rounding rounding) {
  const kernels::KernelTable &table = kernelTable();
  const int type = int(half ? DType::F16 : DType::BF16);
  alignas(64) std::uint16_t narrow[kElements];
  table.fromF32[type](values, narrow, count, rounding);
  table.toF32[type](narrow, values, count);
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

int phasesOf(MathFidelity fidelity) {
  return fidelity == MathFidelity::LoFi ? 1 : int(fidelity);
}

kernels::Accumulator accumulatorOf(const ComputeContext &context, bool half) {
  return context.config.fp32DestAcc ? kernels::Accumulator::F32
         : half                     ? kernels::Accumulator::F16
                                    : kernels::Accumulator::BF16;
}

TileView masked(TileView view, std::uint32_t mask, TileBuffer &buffer) {
  if (mask == ~0u || view.kind != Kind::F32)
    return view;
  for (std::int64_t i = 0; i < kElements; ++i)
    buffer.words[i] = view.words[i] & mask;
  return {buffer.words, view.kind, view.type};
}

void transposeTile(const std::uint32_t *from, std::uint32_t *to) {
  const kernels::KernelTable &table = kernelTable();
  constexpr std::int64_t kFace = kernels::kFaceElements;
  constexpr std::int64_t kSource[] = {0, 2, 1, 3};
  for (std::int64_t face = 0; face < 4; ++face)
    table.transpose4(from + kSource[face] * kFace, kernels::kFaceDim,
                     kernels::kFaceDim, kernels::kFaceDim, to + face * kFace,
                     kernels::kFaceDim);
}

} // namespace tt::runtime::tensix
