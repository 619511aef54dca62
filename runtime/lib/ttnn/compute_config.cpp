#include "ttnn/compute_config.h"

#include "common/fields.h"

namespace tt::runtime::ttnn {

using numerics::DType;
using ::tt::target::MathFidelity;

namespace {

/// Of products of matrices: LoFi for block floats on both sides; for f32 HiFi4,
/// which is wrong now and then on Wormhole, where it is HiFi3; else HiFi2.
MathFidelity productFidelity(DType a, DType b, ::tt::target::Arch arch) {
  if (a == DType::F32 || b == DType::F32)
    return arch == ::tt::target::Arch::Wormhole_b0 ? MathFidelity::HiFi3
                                                   : MathFidelity::HiFi4;
  return numerics::isBlockFloat(a) && numerics::isBlockFloat(b)
             ? MathFidelity::LoFi
             : MathFidelity::HiFi2;
}

} // namespace

ComputeConfig defaultConfig(const Program &program, const Step &step,
                            ::tt::target::Arch arch) {
  const auto type = [&](ValueIndex value) {
    return program.values[value].layout.type;
  };
  ComputeConfig config;
  const OptionalValue out = resultOf(step);
  config.fp32DestAcc =
      out && (type(*out) == DType::F32 || numerics::isInteger(type(*out)));
  std::visit(
      [&](auto const &s) {
        if constexpr (requires { s.transposeA; }) {
          config.fidelity = productFidelity(type(s.in0), type(s.in1), arch);
          config.packerL1Acc = type(*out) != DType::F32;
        } else if constexpr (requires { s.groups; })
          config.fidelity =
              productFidelity(type(s.input), type(s.weight), arch);
      },
      step);
  if (std::holds_alternative<ScaledDotProductAttentionStep>(step)) {
    config.fidelity = MathFidelity::HiFi2;
    config.approx = true;
  }
  // Sums of many elements would stop to grow in 16 bits.
  if (std::holds_alternative<ReductionStep>(step))
    config.fp32DestAcc = true;
  return config;
}

ComputeConfig
readConfig(::tt::target::ttnn::DeviceComputeKernelConfig const *table,
           const ComputeConfig &defaults) {
  if (!table)
    return defaults;
  ComputeConfig config = defaults;
  if (const auto fidelity = table->math_fidelity()) {
    if (!*::tt::target::EnumNameMathFidelity(*fidelity))
      malformed("expected a math fidelity in field compute_config, found ",
                unsigned(*fidelity));
    config.fidelity = *fidelity;
  }
  config.approx = table->math_approx_mode().value_or(config.approx);
  config.fp32DestAcc = table->fp32_dest_acc_en().value_or(config.fp32DestAcc);
  config.packerL1Acc = table->packer_l1_acc().value_or(config.packerL1Acc);
  return config;
}

bool isForMatrixEngine(numerics::BinaryOp op, DType a, DType b) {
  using numerics::BinaryOp;
  return (op == BinaryOp::Add || op == BinaryOp::Subtract ||
          op == BinaryOp::Multiply) &&
         numerics::isFloat(a) && numerics::isFloat(b) &&
         (a != DType::F32 || b != DType::F32);
}

std::int64_t innerTiles(std::int64_t k) {
  std::int64_t inner = 8;
  while (k % inner != 0)
    --inner;
  return inner;
}

bool addsInL1(const ComputeConfig &config, std::int64_t k) {
  return config.packerL1Acc && k / innerTiles(k) > 2;
}

} // namespace tt::runtime::ttnn
