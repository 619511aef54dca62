// Tables that place and create tensors, and elementwise operations.
#include "common/operations.h"

#include <algorithm>
#include <variant>

namespace tt::runtime {

namespace fb = ::tt::target::ttnn;

using kernels::BinaryOp;
using kernels::UnaryOp;

//===-- Placement and creation --------------------------------------------===//

namespace {

std::vector<std::uint32_t> unsignedOf(const std::vector<std::int64_t> &values) {
  return {values.begin(), values.end()};
}

/// All extents of the mesh of a device of `count` chips.
std::vector<std::uint32_t> readMesh(fb::GetDeviceOp const *op,
                                    std::size_t count) {
  auto shape = readVector(op->mesh_shape(), "mesh_shape");
  // Files of one chip need not say more than that.
  if (shape.empty() && op->mesh())
    shape = {op->mesh()->y(), op->mesh()->x()};
  if (shape.empty())
    shape = {1, std::int64_t(count)};
  std::int64_t volume = 1;
  for (std::int64_t extent : shape)
    // No product of more chips than a file may have overflows.
    volume = std::clamp<std::int64_t>(extent, 0, 1 << 16) *
             std::min<std::int64_t>(volume, 1 << 16);
  if (count == 0 || volume != std::int64_t(count))
    malformed("expected a chip id for each position of mesh ",
              shapeString(shape), " in field chip_ids, found ", count);
  return unsignedOf(shape);
}

} // namespace

Step decode(Decoder &d, fb::GetDeviceOp const *op) {
  MeshDevice device;
  device.chipIds = unsignedOf(readVector(op->chip_ids(), "chip_ids"));
  device.meshShape = readMesh(op, device.chipIds.size());
  return GetDeviceStep{d.defineDevice(std::move(device), op->out())};
}

Step decode(Decoder &d, fb::ToMemoryConfigOp const *op) {
  const ValueIndex in = d.use(op->in0(), "in0");
  return d.move(in, op->device(), op->out());
}

Step decode(Decoder &d, fb::ToLayoutOp const *op) {
  checkEnumerator("a tensor layout", op->layout());
  const ValueIndex in = d.use(op->in(), "in");
  return d.move(in, op->device(), op->out());
}

Step decode(Decoder &d, fb::ToDeviceOp const *op) {
  d.checkMemoryConfig(op->memcfg());
  const ValueIndex in = d.use(op->in(), "in");
  return d.move(in, op->device(), op->out());
}

Step decode(Decoder &d, fb::FromDeviceOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  const MoveStep step = d.move(in, nullptr, op->out());
  if (d.layout(step.out).onDevice())
    malformed("expected a tensor on the host in field out, found ",
              d.layout(step.out).describe());
  return step;
}

Step decode(Decoder &d, fb::EmptyOp const *op) {
  d.checkMemoryConfig(op->memcfg());
  const std::uint32_t device = d.device(op->device());
  const ValueIndex out = d.defineEmpty(op->out(), "out");
  if (op->shape())
    expectShape("shape", d.shape(out), readVector(op->shape(), "shape"));
  const kernels::DType type = d.layout(out).type;
  if (op->dtype() != ::tt::target::DataType(type))
    malformed("expected dtype ", kernels::dtypeName(type),
              " as in the result, found data type ", unsigned(op->dtype()));
  return EmptyStep{out, device};
}

Step decode(Decoder &d, fb::FullOp const *op) {
  const std::uint32_t device = d.device(op->device());
  return FullStep{d.result(op->out()), device, op->fill_value()};
}

Step decode(Decoder &d, fb::ConstantOp const *op) {
  checkEnumerator("a data type", op->dtype());
  d.checkMemoryConfig(op->memcfg());
  const std::uint32_t device = d.device(op->device());
  const ValueIndex out = d.result(op->out());
  std::span<const std::uint8_t> data;
  if (op->data())
    data = {op->data()->data(), op->data()->size()};
  return ConstantStep{out, device, kernels::DType(op->dtype()), data};
}

Step decode(Decoder &d, fb::ArangeOp const *op) {
  d.checkMemoryConfig(op->memcfg());
  const std::uint32_t device = d.device(op->device());
  return ArangeStep{d.result(op->out()), device, op->start(), op->end(),
                    op->step()};
}

Step decode(Decoder &d, fb::DeallocOp const *op) {
  return DeallocStep{d.kill(op->in())};
}

//===-- Elementwise -------------------------------------------------------===//

namespace {

struct Where {};
struct Typecast {};
using EltwiseEntry = std::variant<UnaryOp, BinaryOp, Where, Typecast>;

/// By EltwiseOpType.
#define TTMLIR_ENTRY(entry) entry,
constexpr EltwiseEntry kEltwise[] = {TTMLIR_ELTWISE_TYPES(TTMLIR_ENTRY)};
#undef TTMLIR_ENTRY

/// The inputs and the result of an elementwise table, `count` inputs.
struct EltwiseOperands {
  ValueIndex ins[3] = {}, out = 0;

  EltwiseOperands(Decoder &d, fb::EltwiseOp const *op, std::size_t count) {
    static constexpr const char *fields[] = {"ins[0]", "ins[1]", "ins[2]"};
    const std::size_t found = op->ins() ? op->ins()->size() : 0;
    if (found != count)
      malformed("expected ", count, " inputs, found ", found);
    for (std::size_t i = 0; i < count; ++i)
      ins[i] = d.use(op->ins()->Get(unsigned(i)), fields[i]);
    out = d.result(op->out());
  }
};

struct EltwiseVisitor {
  Decoder &d;
  fb::EltwiseOp const *op;

  const char *name(auto kind) const { return functionOf(kind).name; }
  const char *name(Where) const { return "where"; }
  const char *name(Typecast) const { return "typecast"; }

  kernels::UnaryParams parameters(std::size_t count) const {
    auto const *found = op->parameters();
    if ((found ? found->size() : 0) != count)
      malformed("expected ", count, " parameters, found ",
                found ? found->size() : 0);
    return {count > 0 ? found->Get(0) : 0, count > 1 ? found->Get(1) : 0};
  }

  Step operator()(UnaryOp kind) const {
    const auto params = parameters(std::size_t(functionOf(kind).parameters));
    const EltwiseOperands operands(d, op, 1);
    return UnaryStep{kind, operands.ins[0], operands.out, params};
  }
  Step operator()(BinaryOp kind) const {
    parameters(0);
    const EltwiseOperands operands(d, op, 2);
    return BinaryStep{kind, operands.ins[0], operands.ins[1], operands.out};
  }
  Step operator()(Where) const {
    parameters(0);
    const EltwiseOperands operands(d, op, 3);
    return WhereStep{operands.ins[0], operands.ins[1], operands.ins[2],
                     operands.out};
  }
  Step operator()(Typecast) const {
    parameters(0);
    const EltwiseOperands operands(d, op, 1);
    return TypecastStep{operands.ins[0], operands.out};
  }
};

} // namespace

Step decode(Decoder &d, fb::EltwiseOp const *op) {
  checkEnumerator("an elementwise type", op->type());
  const EltwiseVisitor visitor{d, op};
  return std::visit(
      [&](auto kind) -> Step {
        d.name = std::string("eltwise.") + visitor.name(kind);
        return visitor(kind);
      },
      kEltwise[unsigned(op->type())]);
}

} // namespace tt::runtime
