// Rules of the operations that place, create and move elements, and of the
// elementwise ones.
#include "common/step_checker.h"

#include <algorithm>
#include <stdexcept>

namespace tt::runtime {

namespace {

using Shape = std::vector<std::int64_t>;

void expectCount(const char *field, std::size_t expected, const Shape &found) {
  if (found.size() != expected)
    malformed("expected ", expected, " elements in field ", field, ", found ",
              found.size());
}

} // namespace

void checkStep(const Program &program, const Step &step) {
  std::visit(StepChecker(program), step);
}

void StepChecker::expectFloats(std::initializer_list<ValueIndex> values) const {
  for (ValueIndex value : values)
    if (kernels::isInteger(layout(value).type))
      raise(ErrorCategory::Unsupported,
            "expected floating-point tensors, found ",
            kernels::dtypeName(layout(value).type));
}

void StepChecker::expectIntegers(
    std::initializer_list<ValueIndex> values) const {
  for (ValueIndex value : values)
    if (!kernels::isInteger(layout(value).type))
      raise(ErrorCategory::Unsupported, "expected integer tensors, found ",
            kernels::dtypeName(layout(value).type));
}

//===-- Placement and creation --------------------------------------------===//

void StepChecker::operator()(const MoveStep &s) const {
  expectShape("out", shape(s.in), shape(s.out));
}

void StepChecker::operator()(const ConstantStep &s) const {
  const std::int64_t size = kernels::elementSize(s.type);
  if (size == 0)
    malformed("expected a dtype with a size per element, found ",
              kernels::dtypeName(s.type));
  const std::int64_t expected = layout(s.out).volume() * size;
  if (std::int64_t(s.data.size()) != expected)
    malformed("expected ", expected, " bytes of ", kernels::dtypeName(s.type),
              " in field data for ", shapeString(shape(s.out)), ", found ",
              s.data.size());
}

void StepChecker::operator()(const ArangeStep &s) const {
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

//===-- Elementwise -------------------------------------------------------===//

void StepChecker::operator()(const UnaryStep &s) const {
  if (functionOf(s.op).integersOnly)
    expectIntegers({s.in, s.out});
  expectShape("out", shape(s.in), shape(s.out));
}

void StepChecker::operator()(const BinaryStep &s) const {
  if (functionOf(s.op).integersOnly)
    expectIntegers({s.a, s.b, s.out});
  expectShape("out", broadcastShapes(shape(s.a), shape(s.b)), shape(s.out));
}

void StepChecker::operator()(const WhereStep &s) const {
  expectShape("out",
              broadcastShapes(shape(s.condition),
                              broadcastShapes(shape(s.a), shape(s.b))),
              shape(s.out));
}

void StepChecker::operator()(const TypecastStep &s) const {
  expectShape("out", shape(s.in), shape(s.out));
}

//===-- Movement ----------------------------------------------------------===//

void StepChecker::operator()(const TransposeStep &s) const {
  Shape expected = shape(s.in);
  std::swap(expected[std::size_t(s.dim0)], expected[std::size_t(s.dim1)]);
  expectShape("out", expected, shape(s.out));
}

void StepChecker::operator()(const PermuteStep &s) const {
  const Shape &in = shape(s.in);
  Shape expected, seen(in.size(), 0);
  expectCount("permutation", in.size(), s.permutation);
  for (std::int64_t dim : s.permutation) {
    if (dim < 0 || dim >= std::int64_t(in.size()) || seen[std::size_t(dim)]++)
      malformed("expected a permutation of 0 to ", std::int64_t(in.size()) - 1,
                " in field permutation, found ", dim,
                dim < 0 || dim >= std::int64_t(in.size()) ? "" : " twice");
    expected.push_back(in[std::size_t(dim)]);
  }
  expectShape("out", expected, shape(s.out));
}

void StepChecker::operator()(const ConcatStep &s) const {
  Shape expected = shape(s.ins.front());
  const auto dim = std::size_t(s.dim);
  for (std::size_t i = 1; i < s.ins.size(); ++i) {
    Shape other = shape(s.ins[i]);
    if (other.size() != expected.size())
      malformed("expected inputs of rank ", expected.size(), ", found ",
                shapeString(other));
    expected[dim] += other[dim];
    other[dim] = expected[dim];
    expectShape("inputs", expected, other);
  }
  expectShape("out", expected, shape(s.out));
}

void StepChecker::operator()(const ReshapeStep &s) const {
  if (layout(s.in).volume() != layout(s.out).volume())
    malformed("expected a result of ", layout(s.in).volume(),
              " elements, found ", shapeString(shape(s.out)));
}

void StepChecker::operator()(const SliceStep &s) const {
  const Shape &in = shape(s.in);
  expectCount("begins", in.size(), s.begins);
  expectCount("ends", in.size(), s.ends);
  expectCount("step", in.size(), s.step);
  Shape expected;
  for (std::size_t d = 0; d < in.size(); ++d) {
    const std::int64_t begin = s.begins[d], end = s.ends[d], step = s.step[d];
    if (begin < 0 || begin > end || end > in[d] || step < 1)
      malformed("expected 0 <= begin <= end <= ", in[d],
                " and a step >= 1 in dimension ", d, ", found begin ", begin,
                ", end ", end, ", step ", step);
    expected.push_back(begin == end ? 0 : (end - begin - 1) / step + 1);
  }
  expectShape("out", expected, shape(s.out));
}

void StepChecker::operator()(const PadStep &s) const {
  const Shape &in = shape(s.in);
  expectCount("padding", in.size(), s.low);
  expectCount("padding", in.size(), s.high);
  Shape expected;
  for (std::size_t d = 0; d < in.size(); ++d) {
    if (s.low[d] < 0 || s.high[d] < 0)
      malformed("expected a padding of at least 0 in dimension ", d, ", found ",
                s.low[d], " and ", s.high[d]);
    expected.push_back(s.low[d] + in[d] + s.high[d]);
  }
  expectShape("out", expected, shape(s.out));
}

void StepChecker::operator()(const RepeatStep &s) const {
  const Shape &in = shape(s.in), &out = shape(s.out);
  expectCount("repeat_dims", in.size(), s.repeats);
  for (std::size_t d = 0; d < in.size(); ++d)
    // A quotient cannot overflow, a product could.
    if (out.size() != in.size() || out[d] % in[d] ||
        out[d] / in[d] != s.repeats[d])
      malformed("expected ", shapeString(in), " repeated ",
                shapeString(s.repeats), " times in field out, found ",
                shapeString(out));
  if (in.empty())
    expectShape("out", in, out);
}

//===-- Indices -----------------------------------------------------------===//

void StepChecker::operator()(const EmbeddingStep &s) const {
  const Shape &table = shape(s.weight);
  if (table.size() < 2 || withoutLeadingOnes(table).size() > 2)
    malformed("expected a weight of rank 2, found ", shapeString(table));
  Shape expected = shape(s.indices);
  expected.push_back(table.back());
  // Leading ones of the result are a matter of taste of the lowering.
  const Shape &found = shape(s.out);
  if (withoutLeadingOnes(expected) != withoutLeadingOnes(found))
    expectShape("output", expected, found);
}

void StepChecker::operator()(const EmbeddingBackwardStep &s) const {
  const Shape &table = shape(s.weight);
  if (table.size() < 2 || withoutLeadingOnes(table).size() > 2)
    malformed("expected a weight of rank 2, found ", shapeString(table));
  const Layout &gradient = layout(s.gradient);
  if (gradient.rank() < 1 || gradient.cols != table.back() ||
      gradient.logicalRows() != layout(s.indices).volume())
    malformed("expected ", layout(s.indices).volume(), " rows of ",
              table.back(), " in field in_gradient, found ",
              shapeString(gradient.shape));
  if (withoutLeadingOnes(table) != withoutLeadingOnes(shape(s.out)))
    expectShape("out", table, shape(s.out));
}

void StepChecker::operator()(const GatherStep &s) const {
  Shape expected;
  try {
    expected = kernels::gatherShape(shape(s.in), shape(s.indices), s.dims);
  } catch (const std::invalid_argument &error) {
    malformed(error.what());
  }
  expectShape("out", expected, shape(s.out));
}

} // namespace tt::runtime
