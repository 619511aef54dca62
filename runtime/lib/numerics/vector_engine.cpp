#include "numerics/vector_engine.h"

#include "numerics/isa/table.h"

#include <memory>
#include <mutex>
#include <vector>

namespace tt::runtime::numerics {

namespace {

/// Functions without a program whose results are rounded: all that are not
/// exact.
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
  case UnaryOp::Erfc:
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

} // namespace

bool hasProgram(UnaryOp op) { return kernelTable().vectorUnary[int(op)]; }
bool hasProgram(BinaryOp op) { return kernelTable().vectorBinary[int(op)]; }

void vectorUnary(VectorMode mode, UnaryOp op, const float *in, float *out,
                 int64_t count, UnaryParams params) {
  const KernelTable &table = kernelTable();
  if (const VectorUnaryFn program = table.vectorUnary[int(op)])
    return program(mode, in, out, count, params);
  table.unaryF32[int(op)](in, out, count, params, false);
  if (!mode.wide && !mode.half && !isExact(op))
    table.round16(out, count);
}

const std::uint16_t *bf16Results(VectorMode mode, UnaryOp op) {
  const Function &function = functionOf(op);
  const VectorWork &work = function.work;
  const bool slow =
      work.passes > 1 ||
      work.exps + work.sigmoids + work.reciprocals + work.tanhs + work.gelus;
  if (mode.wide || function.parameters || function.integersOnly || !slow)
    return nullptr;
  struct Results {
    std::once_flag made;
    std::unique_ptr<std::uint16_t[]> values;
  };
  static Results results[kUnaryOps][2][2];
  Results &entry = results[int(op)][mode.wormhole][mode.approx];
  std::call_once(entry.made, [&] {
    constexpr int64_t kCount = 1 << 16;
    std::vector<float> values(kCount);
    entry.values.reset(new std::uint16_t[size_t(kCount)]);
    for (int64_t i = 0; i < kCount; ++i)
      entry.values[size_t(i)] = std::uint16_t(i);
    toF32(DType::BF16, entry.values.get(), values.data(), kCount);
    vectorUnary(mode, op, values.data(), values.data(), kCount);
    fromF32(DType::BF16, values.data(), entry.values.get(), kCount,
            Rounding::Unpacker);
  });
  return entry.values.get();
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
