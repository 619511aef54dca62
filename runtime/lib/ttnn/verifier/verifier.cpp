// What all rules share, and those of the operations that place and create
// tensors and of the elementwise ones.
#include "ttnn/verifier/verifier.h"

namespace tt::runtime::ttnn {

void verify(const Program &program, Step &step) {
  std::visit(Verifier(program), step);
}

void expectCount(const char *field, std::size_t expected,
                 const std::vector<std::int64_t> &found) {
  if (found.size() != expected)
    malformed("expected ", expected, " elements in field ", field, ", found ",
              found.size());
}

void Verifier::normalize(std::int64_t &dim, ValueIndex value,
                         const char *field) const {
  dim = normalizeDim(dim, shape(value).size(), field);
}

void Verifier::expectFloats(std::initializer_list<ValueIndex> values) const {
  for (ValueIndex value : values)
    if (numerics::isInteger(layout(value).type))
      raise(ErrorCategory::Unsupported,
            "expected floating-point tensors, found ",
            numerics::dtypeName(layout(value).type));
}

void Verifier::expectIntegers(std::initializer_list<ValueIndex> values) const {
  for (ValueIndex value : values)
    if (!numerics::isInteger(layout(value).type))
      raise(ErrorCategory::Unsupported, "expected integer tensors, found ",
            numerics::dtypeName(layout(value).type));
}

//===-- Placement and creation --------------------------------------------===//

void Verifier::checkMove(ValueIndex in, ValueIndex out) const {
  expectShape("out", shape(in), shape(out));
}

void Verifier::operator()(ToMemoryConfigStep &s) const {
  checkMove(s.in0, s.out);
}

void Verifier::operator()(ToLayoutStep &s) const { checkMove(s.in, s.out); }

void Verifier::operator()(ToDeviceStep &s) const { checkMove(s.in, s.out); }

void Verifier::operator()(FromDeviceStep &s) const {
  if (layout(s.out).onDevice())
    malformed("expected a tensor on the host in field out, found ",
              layout(s.out).describe());
  checkMove(s.in, s.out);
}

void Verifier::operator()(FullStep &) const {}

void Verifier::operator()(ConstantStep &s) const {
  const auto type = numerics::DType(s.dtype);
  const std::int64_t size = numerics::elementSize(type);
  if (size == 0)
    malformed("expected a dtype with a size per element, found ",
              numerics::dtypeName(type));
  const std::int64_t expected = layout(s.out).volume() * size;
  if (std::int64_t(s.data.size()) != expected)
    malformed("expected ", expected, " bytes of ", numerics::dtypeName(type),
              " in field data for ", shapeString(shape(s.out)), ", found ",
              s.data.size());
}

void Verifier::operator()(ArangeStep &s) const {
  if (s.step == 0)
    malformed("expected a step other than 0");
  // Unsigned, so that no difference overflows.
  const bool up = s.step > 0;
  const std::uint64_t first = std::uint64_t(s.start),
                      last = std::uint64_t(s.end);
  const std::uint64_t distance = up ? last - first : first - last;
  const std::uint64_t step =
      up ? std::uint64_t(s.step) : -std::uint64_t(s.step);
  const bool empty = up ? s.end <= s.start : s.end >= s.start;
  const std::uint64_t count = empty ? 0 : (distance - 1) / step + 1;
  const Layout &out = layout(s.out);
  if (std::uint64_t(out.volume()) != count || out.cols != out.volume())
    malformed("expected ", count, " elements in one row in field out, found ",
              shapeString(out.shape));
}

//===-- Meshes ------------------------------------------------------------===//

void Verifier::operator()(const MeshShardStep &s) const {
  for (ValueIndex value : {s.in, s.out})
    if (layout(value).onDevice())
      malformed("expected tensors on the host, found ",
                layout(value).describe());
  try {
    const Shape &full = shape(s.toFull ? s.out : s.in);
    expectShape(s.toFull ? "in" : "out",
                shardShape(s.sharding, full, s.meshShape),
                shape(s.toFull ? s.in : s.out));
  } catch (const Error &error) {
    raise(ErrorCategory::Format, error.what());
  }
}

void Verifier::operator()(const CollectiveStep &s) const {
  checkCollective(s.collective, layout(s.in), layout(s.out));
}

//===-- Elementwise -------------------------------------------------------===//

void Verifier::operator()(const UnaryStep &s) const {
  if (functionOf(s.op).integersOnly)
    expectIntegers({s.ins[0], s.out});
  expectShape("out", shape(s.ins[0]), shape(s.out));
}

void Verifier::operator()(const BinaryStep &s) const {
  if (functionOf(s.op).integersOnly)
    expectIntegers({s.ins[0], s.ins[1], s.out});
  expectShape("out", broadcastShapes(shape(s.ins[0]), shape(s.ins[1])),
              shape(s.out));
}

void Verifier::operator()(const WhereStep &s) const {
  expectShape(
      "out",
      broadcastShapes(shape(s.ins[0]),
                      broadcastShapes(shape(s.ins[1]), shape(s.ins[2]))),
      shape(s.out));
}

void Verifier::operator()(const TypecastStep &s) const {
  expectShape("out", shape(s.ins[0]), shape(s.out));
}

} // namespace tt::runtime::ttnn
