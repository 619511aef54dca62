#include "numerics/vector_engine.h"

#include "numerics/isa/table.h"

#include <atomic>
#include <bit>
#include <memory>
#include <mutex>

namespace tt::runtime::numerics {

namespace {

/// Whether a function without a program has exact results; others are rounded.
bool isExact(UnaryOp op) {
  switch (op) {
  case UnaryOp::Tan:
  case UnaryOp::Asin:
  case UnaryOp::Acos:
  case UnaryOp::Atan:
  case UnaryOp::Sinh:
  case UnaryOp::Cosh:
  case UnaryOp::Asinh:
  case UnaryOp::Acosh:
  case UnaryOp::Atanh:
  case UnaryOp::Erfinv:
  case UnaryOp::Lgamma:
  case UnaryOp::Digamma:
  case UnaryOp::SoftSign:
  case UnaryOp::Selu:
    return false;
  default:
    return true;
  }
}
bool isExact(BinaryOp op) {
  return op != BinaryOp::Div && op != BinaryOp::Atan2;
}

void compute(VectorMode mode, UnaryOp op, const float *in, float *out,
             int64_t count, UnaryParams params) {
  const KernelTable &table = kernelTable();
  if (const VectorUnaryFn program = table.vectorUnary[int(op)])
    return program(mode, in, out, count, params);
  table.unaryF32[int(op)](in, out, count, params, false);
  if (!mode.wide && !mode.half && !isExact(op))
    table.round16(out, count);
}

/// The number of bf16 values.
constexpr int64_t kNumbers = 1 << 16;

/// The results of a function for all bf16 values, computed once that many
/// results have been requested.
struct Results {
  std::atomic<int64_t> asked{0};
  std::once_flag made;
  std::unique_ptr<float[]> values;
};

/// Null if it is better to compute the results.
const float *bf16Results(VectorMode mode, UnaryOp op, const float *in,
                         int64_t count) {
  const Function &function = functionOf(op);
  const VectorWork &work = function.work;
  const bool slow =
      work.passes > 1 ||
      work.exps + work.sigmoids + work.reciprocals + work.tanhs + work.gelus;
  if (!slow || function.parameters || function.integersOnly)
    return nullptr;
  uint32_t lowHalves = 0;
  for (int64_t i = 0; i < count; ++i)
    lowHalves |= std::bit_cast<uint32_t>(in[i]);
  if (lowHalves & 0xffffu)
    return nullptr;
  static Results results[kUnaryOps][2][2][2][2];
  Results &entry =
      results[int(op)][mode.wormhole][mode.wide][mode.approx][mode.half];
  if (entry.asked.load(std::memory_order_relaxed) < kNumbers) {
    entry.asked.fetch_add(count, std::memory_order_relaxed);
    return nullptr;
  }
  std::call_once(entry.made, [&] {
    entry.values.reset(new float[size_t(kNumbers)]);
    for (int64_t i = 0; i < kNumbers; ++i)
      entry.values[size_t(i)] = std::bit_cast<float>(uint32_t(i) << 16);
    compute(mode, op, entry.values.get(), entry.values.get(), kNumbers, {});
  });
  return entry.values.get();
}

} // namespace

bool hasProgram(UnaryOp op) { return kernelTable().vectorUnary[int(op)]; }
bool hasProgram(BinaryOp op) { return kernelTable().vectorBinary[int(op)]; }

void vectorUnary(VectorMode mode, UnaryOp op, const float *in, float *out,
                 int64_t count, UnaryParams params) {
  const float *results = bf16Results(mode, op, in, count);
  if (!results)
    return compute(mode, op, in, out, count, params);
  for (int64_t i = 0; i < count; ++i)
    out[i] = results[std::bit_cast<uint32_t>(in[i]) >> 16];
}

void vectorBinary(VectorMode mode, BinaryOp op, const float *a, const float *b,
                  float *out, int64_t count) {
  const KernelTable &table = kernelTable();
  if (const VectorBinaryFn program = table.vectorBinary[int(op)])
    return program(mode, a, b, out, count);
  table.binaryF32[int(op)][int(Spread::None)](a, b, out, count, false);
  if (!mode.wide && !mode.half && !isExact(op))
    table.round16(out, count);
}

} // namespace tt::runtime::numerics
