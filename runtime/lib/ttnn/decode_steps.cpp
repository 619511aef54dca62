// Makes steps of tables: reads the fields and names the tensors. What the
// fields say is checked by the verifier.
#include "ttnn/decoder.h"

#include <algorithm>
#include <variant>

namespace tt::runtime::ttnn {

namespace target = ::tt::target;
namespace fb = ::tt::target::ttnn;

using numerics::BinaryOp;
using numerics::UnaryOp;

namespace {

#include "ttmlir/Target/TTNN/decoding.inc"

//===-- Devices and memory ------------------------------------------------===//

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

Step decode(Decoder &d, fb::GetDeviceOp const *op) {
  MeshDevice device;
  device.chipIds = unsignedOf(readVector(op->chip_ids(), "chip_ids"));
  device.meshShape = readMesh(op, device.chipIds.size());
  return GetDeviceStep{d.defineDevice(std::move(device), op->out())};
}

Step decode(Decoder &d, fb::EmptyOp const *op) {
  d.checkMemoryConfig(op->memcfg());
  const std::uint32_t device = d.device(op->device());
  const ValueIndex out = d.defineEmpty(op->out(), "out");
  if (op->shape())
    expectShape("shape", d.shape(out), readVector(op->shape(), "shape"));
  const numerics::DType type = d.layout(out).type;
  if (op->dtype() != ::tt::target::DataType(type))
    malformed("expected dtype ", numerics::dtypeName(type),
              " as in the result, found data type ", unsigned(op->dtype()));
  return EmptyStep{out, device};
}

Step decode(Decoder &d, fb::DeallocOp const *op) {
  return DeallocStep{d.kill(op->in())};
}

//===-- Meshes ------------------------------------------------------------===//

Step decode(Decoder &d, target::MeshShardOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  Sharding sharding =
      readSharding(op, d.shape(in).size(), d.meshShape().size());
  return MeshShardStep{
      op->shard_direction() == target::MeshShardDirection::ShardToFull, in,
      d.result(op->out(), "out"), std::move(sharding), d.meshShape()};
}

Step decode(Decoder &d, target::CollectiveOp const *op) {
  d.name = collectiveName(kindOf(op->type()));
  const ValueIndex in = d.use(op->in(), "in");
  Collective collective = readCollective(op, d.meshShape(), d.shape(in).size());
  return CollectiveStep{std::move(collective), in, d.result(op->out(), "out")};
}

//===-- Control flow ------------------------------------------------------===//

Step decode(Decoder &d, target::ControlFlowOp const *op) {
  ControlFlowStep step;
  step.type = emulator::readControlFlowType(op);
  d.name = emulator::controlFlowName(step.type);
  step.parts = emulator::readParts(op, d.numParts());
  step.count = op->count();
  if (step.type == emulator::ControlFlowType::If)
    step.condition = d.use(op->condition(), "condition");
  step.carried = d.useEach(op->carried(), "carried");
  step.captured = d.useEach(op->captured(), "captured");
  step.outputs = d.defineEach(op->out(), "out");
  return step;
}

//===-- Elementwise -------------------------------------------------------===//

struct Where {};
struct Typecast {};
using EltwiseEntry = std::variant<UnaryOp, BinaryOp, Where, Typecast>;

/// By EltwiseOpType.
#define TTMLIR_ENTRY(entry) entry,
constexpr EltwiseEntry kEltwise[] = {TTMLIR_ELTWISE_TYPES(TTMLIR_ENTRY)};
#undef TTMLIR_ENTRY

struct EltwiseVisitor {
  Decoder &d;
  fb::EltwiseOp const *op;

  const char *name(auto kind) const { return functionOf(kind).name; }
  const char *name(Where) const { return "where"; }
  const char *name(Typecast) const { return "typecast"; }

  /// The inputs and the result.
  template <std::size_t Count> EltwiseStep<Count> tensors() const {
    static constexpr const char *fields[] = {"ins[0]", "ins[1]", "ins[2]"};
    const std::size_t found = op->ins() ? op->ins()->size() : 0;
    if (found != Count)
      malformed("expected ", Count, " inputs, found ", found);
    EltwiseStep<Count> step;
    for (std::size_t i = 0; i < Count; ++i)
      step.ins[i] = d.use(op->ins()->Get(unsigned(i)), fields[i]);
    step.out = d.result(op->out(), "out");
    return step;
  }

  numerics::UnaryParams parameters(std::size_t count) const {
    auto const *found = op->parameters();
    if ((found ? found->size() : 0) != count)
      malformed("expected ", count, " parameters, found ",
                found ? found->size() : 0);
    return {count > 0 ? found->Get(0) : 0, count > 1 ? found->Get(1) : 0};
  }

  Step operator()(UnaryOp kind) const {
    const auto params = parameters(std::size_t(functionOf(kind).parameters));
    return UnaryStep{tensors<1>(), kind, params};
  }
  Step operator()(BinaryOp kind) const {
    parameters(0);
    return BinaryStep{tensors<2>(), kind};
  }
  Step operator()(Where) const {
    parameters(0);
    return WhereStep{tensors<3>()};
  }
  Step operator()(Typecast) const {
    parameters(0);
    return TypecastStep{tensors<1>()};
  }
};

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

} // namespace

std::optional<UnaryOp> decodeActivation(fb::Operation const *operation,
                                        const Program &program,
                                        OptionalValue result) {
  const auto type = operation->activation();
  if (!type)
    return std::nullopt;
  checkEnumerator("an elementwise type", *type);
  auto const *op = std::get_if<UnaryOp>(&kEltwise[unsigned(*type)]);
  if (!op || functionOf(*op).parameters != 0)
    malformed("expected a function of one input in field activation, found ",
              fb::EnumNameEltwiseOpType(*type));
  if (!result || !numerics::isFloat(program.values[*result].layout.type))
    malformed("expected a result of floats with an activation");
  return *op;
}

Step decodeStep(Decoder &d, fb::Operation const *operation) {
  if (operation->control_flow())
    return decode(d, operation->control_flow());
  switch (operation->type_type()) {
#define TTMLIR_CASE(Table, Name)                                               \
  case fb::OpType::Table:                                                      \
    d.name = Name;                                                             \
    return decode(d, operation->type_as_##Table());
    TTMLIR_TTNN_TABLES(TTMLIR_CASE)
#undef TTMLIR_CASE
  case fb::OpType::NONE:
    break;
  }
  malformed("expected an operation type from 1 to ", unsigned(fb::OpType::MAX),
            ", found ", unsigned(operation->type_type()));
}

} // namespace tt::runtime::ttnn
