// Rules of the operations that move elements, with and without indices.
#include "ttnn/gathers.h"
#include "ttnn/verifier/verifier.h"

#include <algorithm>
#include <stdexcept>

namespace tt::runtime::ttnn {

void Verifier::operator()(TransposeStep &s) const {
  normalize(s.dim0, s.in, "dim0");
  normalize(s.dim1, s.in, "dim1");
  Shape expected = shape(s.in);
  std::swap(expected[std::size_t(s.dim0)], expected[std::size_t(s.dim1)]);
  expectShape("out", expected, shape(s.out));
}

void Verifier::operator()(PermuteStep &s) const {
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

void Verifier::operator()(SplitQueryKeyValueAndSplitHeadsStep &s) const {
  const Shape &in = shape(s.inputTensor);
  const Shape &rest = shape(s.kvInputTensor.value_or(s.inputTensor));
  if (in.size() != 3 || rest.size() != 3 || in[0] != rest[0])
    malformed("expected inputs of rank 3 and of one batch, found ",
              shapeString(in), " and ", shapeString(rest));
  const std::int64_t heads = s.numHeads, kvHeads = s.numKvHeads.value_or(heads);
  if (heads < 1 || kvHeads < 1)
    malformed("expected positive numbers of heads, found ", heads, " and ",
              kvHeads);
  const std::int64_t parts = s.kvInputTensor ? heads : heads + 2 * kvHeads;
  const std::int64_t width = in[2] / parts;
  if (in[2] % parts != 0 || (s.kvInputTensor && rest[2] != 2 * kvHeads * width))
    malformed("expected heads of one width in the last dimension, found ",
              shapeString(in), " and ", shapeString(rest), " for ", heads,
              " heads of queries and ", kvHeads, " of keys");
  expectShape("query", {in[0], heads, in[1], width}, shape(s.query));
  const Shape value = {in[0], kvHeads, rest[1], width};
  expectShape("key",
              s.transposeKey ? Shape{in[0], kvHeads, width, rest[1]} : value,
              shape(s.key));
  expectShape("value", value, shape(s.value));
  if (s.query == s.key || s.query == s.value || s.key == s.value)
    malformed("expected three tensors in fields query, key and value");
}

void Verifier::operator()(ConcatenateHeadsStep &s) const {
  const Shape &in = shape(s.in);
  if (in.size() != 4)
    malformed("expected a tensor of rank 4 in field in, found ",
              shapeString(in));
  expectShape("out", {in[0], in[2], in[1] * in[3]}, shape(s.out));
}

void Verifier::operator()(RotaryEmbeddingStep &s) const {
  expectFloats({s.in, s.cosCache, s.sinCache, s.out});
  const Shape &in = shape(s.in), &cos = shape(s.cosCache);
  if (in.size() != 4 || in[3] % 2 != 0)
    malformed("expected a tensor of rank 4 with an even number of columns in "
              "field in, found ",
              shapeString(in));
  if (cos.size() != 4 || (cos[0] != 1 && cos[0] != in[0]) || cos[1] != 1 ||
      (cos[2] != 1 && cos[2] != in[2]) || cos[3] != in[3])
    malformed("expected a row for each position of ", shapeString(in),
              " in field cos_cache, found ", shapeString(cos));
  expectShape("sin_cache", cos, shape(s.sinCache));
  expectShape("out", in, shape(s.out));
}

void Verifier::operator()(ConcatStep &s) const {
  normalize(s.dim, s.inputs.front(), "dim");
  Shape expected = shape(s.inputs.front());
  const auto dim = std::size_t(s.dim);
  for (std::size_t i = 1; i < s.inputs.size(); ++i) {
    Shape other = shape(s.inputs[i]);
    if (other.size() != expected.size())
      malformed("expected inputs of rank ", expected.size(), ", found ",
                shapeString(other));
    expected[dim] += other[dim];
    other[dim] = expected[dim];
    expectShape("inputs", expected, other);
  }
  expectShape("out", expected, shape(s.out));
}

void Verifier::operator()(ReshapeStep &s) const {
  if (!s.shape.empty()) {
    // One extent may be left to the others.
    const auto open = std::find(s.shape.begin(), s.shape.end(), -1);
    if (open != s.shape.end() && s.shape.size() == shape(s.out).size())
      *open = shape(s.out)[std::size_t(open - s.shape.begin())];
    expectShape("shape", shape(s.out), s.shape);
  }
  if (layout(s.in).volume() != layout(s.out).volume())
    malformed("expected a result of ", layout(s.in).volume(),
              " elements, found ", shapeString(shape(s.out)));
}

void Verifier::operator()(SliceStep &s) const {
  const Shape &in = shape(s.in);
  expectCount("begins", in.size(), s.begins);
  expectCount("ends", in.size(), s.ends);
  expectCount("step", in.size(), s.step);
  Shape expected;
  for (std::size_t d = 0; d < in.size(); ++d) {
    // A step beyond the extent takes one element, as the extent itself does.
    s.step[d] = std::min(s.step[d], in[d]);
    const std::int64_t begin = s.begins[d], end = s.ends[d], step = s.step[d];
    if (begin < 0 || begin > end || end > in[d] || step < 1)
      malformed("expected 0 <= begin <= end <= ", in[d],
                " and a step >= 1 in dimension ", d, ", found begin ", begin,
                ", end ", end, ", step ", step);
    expected.push_back(begin == end ? 0 : (end - begin - 1) / step + 1);
  }
  expectShape("out", expected, shape(s.out));
}

void Verifier::operator()(PadStep &s) const {
  const Shape &in = shape(s.in);
  expectCount("padding", 2 * in.size(), s.padding);
  Shape expected;
  for (std::size_t d = 0; d < in.size(); ++d) {
    const std::int64_t low = s.padding[2 * d], high = s.padding[2 * d + 1];
    if (low < 0 || high < 0)
      malformed("expected a padding of at least 0 in dimension ", d, ", found ",
                low, " and ", high);
    expected.push_back(low + in[d] + high);
  }
  expectShape("out", expected, shape(s.out));
}

void Verifier::operator()(RepeatStep &s) const {
  const Shape &in = shape(s.in), &out = shape(s.out);
  expectCount("repeat_dims", in.size(), s.repeatDims);
  for (std::size_t d = 0; d < in.size(); ++d)
    // A quotient cannot overflow, a product could.
    if (out.size() != in.size() || out[d] % in[d] ||
        out[d] / in[d] != s.repeatDims[d])
      malformed("expected ", shapeString(in), " repeated ",
                shapeString(s.repeatDims), " times in field out, found ",
                shapeString(out));
  if (in.empty())
    expectShape("out", in, out);
}

//===-- Indices -----------------------------------------------------------===//

void Verifier::operator()(EmbeddingStep &s) const {
  const Shape &table = shape(s.weight);
  if (table.size() < 2 || withoutLeadingOnes(table).size() > 2)
    malformed("expected a weight of rank 2, found ", shapeString(table));
  Shape expected = shape(s.input);
  expected.push_back(table.back());
  // Leading ones of the result are a matter of taste of the lowering.
  const Shape &found = shape(s.output);
  if (withoutLeadingOnes(expected) != withoutLeadingOnes(found))
    expectShape("output", expected, found);
}

void Verifier::operator()(EmbeddingBackwardStep &s) const {
  const Shape &table = shape(s.weight);
  if (table.size() < 2 || withoutLeadingOnes(table).size() > 2)
    malformed("expected a weight of rank 2, found ", shapeString(table));
  const Layout &gradient = layout(s.inGradient);
  if (gradient.rank() < 1 || gradient.cols != table.back() ||
      gradient.logicalRows() != layout(s.input).volume())
    malformed("expected ", layout(s.input).volume(), " rows of ", table.back(),
              " in field in_gradient, found ", shapeString(gradient.shape));
  if (withoutLeadingOnes(table) != withoutLeadingOnes(shape(s.out)))
    expectShape("out", table, shape(s.out));
}

void Verifier::operator()(GatherStep &s) const {
  Shape expected;
  try {
    expected = numerics::gatherShape(shape(s.input), shape(s.startIndices),
                                     gatherDims(s));
  } catch (const std::invalid_argument &error) {
    malformed(error.what());
  }
  expectShape("out", expected, shape(s.out));
}

} // namespace tt::runtime::ttnn
