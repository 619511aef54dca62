// Rules of the operations that compute along dimensions.
#include "ttnn/caches.h"
#include "ttnn/reductions.h"
#include "ttnn/verifier/verifier.h"

#include <algorithm>

namespace tt::runtime::ttnn {

namespace {

using Shape = std::vector<std::int64_t>;

/// True if the result has whole tiles in the place of reduced inner dimensions.
bool keepsTiles(const Shape &in, const ReductionStep &step, const Shape &kept,
                const Shape &found) {
  if (found.size() != in.size() || kept.size() != in.size())
    return false;
  for (std::size_t d = 0; d < in.size(); ++d) {
    const bool reduced =
        step.dimArg.empty() ||
        std::count(step.dimArg.begin(), step.dimArg.end(), std::int64_t(d));
    const bool tile = reduced && d + 2 >= in.size() && found[d] == 32;
    if (found[d] != kept[d] && !tile)
      return false;
  }
  return true;
}

} // namespace

template <typename Step>
void Verifier::checkProduct(const Step &s, OptionalValue bias) const {
  const Shape expected = matmulShape(
      s.transposeA ? transposedShape("in0", shape(s.in0)) : shape(s.in0),
      s.transposeB ? transposedShape("in1", shape(s.in1)) : shape(s.in1));
  expectShape("out", expected, shape(s.out));
  // All floats or all integers.
  const auto expectKind = numerics::isInteger(layout(s.out).type)
                              ? &Verifier::expectIntegers
                              : &Verifier::expectFloats;
  (this->*expectKind)({s.in0, s.in1});
  if (!bias)
    return;
  (this->*expectKind)({*bias});
  if (broadcastShapes(shape(*bias), expected) != expected)
    malformed("expected a bias that broadcasts to ", shapeString(expected),
              ", found ", shapeString(shape(*bias)));
}

void Verifier::operator()(MatmulStep &s) const {
  checkProduct(s, std::nullopt);
}

void Verifier::operator()(LinearStep &s) const { checkProduct(s, s.bias); }

void Verifier::operator()(ReductionStep &s) const {
  for (std::int64_t &dim : s.dimArg)
    normalize(dim, s.in, "dim_arg");
  std::sort(s.dimArg.begin(), s.dimArg.end());
  if (std::adjacent_find(s.dimArg.begin(), s.dimArg.end()) != s.dimArg.end())
    malformed("expected each dimension once in dim_arg");
  const Shape reduced = reducedShape(s, layout(s.in), layout(s.out));
  if (!keepsTiles(shape(s.in), s, reduced, shape(s.out)))
    expectShape("out", reduced, shape(s.out));
}

void Verifier::operator()(ArgMaxStep &s) const {
  Shape dims;
  if (s.dim) {
    normalize(*s.dim, s.in, "dim");
    dims.push_back(*s.dim);
  }
  expectIntegers({s.out});
  const Shape expected = runtime::reducedShape(shape(s.in), dims, s.keepDim);
  // The index of a whole tensor may be a scalar or keep one dimension.
  if (!expected.empty() || shape(s.out) != Shape{1})
    expectShape("out", expected, shape(s.out));
}

void Verifier::operator()(CumSumStep &s) const {
  normalize(s.dim, s.in, "dim");
  expectShape("out", shape(s.in), shape(s.out));
}

void Verifier::operator()(SoftmaxStep &s) const {
  normalize(s.dimension, s.in, "dimension");
  expectShape("out", shape(s.in), shape(s.out));
}

void Verifier::operator()(ScaledDotProductAttentionStep &s) const {
  expectFloats({s.query, s.key, s.value, s.out});
  const Shape &q = shape(s.query), &k = shape(s.key), &v = shape(s.value);
  if (q.size() != 4 || k.size() != 4 || v.size() != 4 ||
      (!s.pageTable && q[0] != k[0]) || k[0] != v[0] || k[1] != v[1] ||
      k[2] != v[2] || q[3] != k[3] || k[1] == 0 || q[1] % k[1] != 0)
    malformed("expected a query BxHxSxD, a key BxGxTxD and a value BxGxTxE, "
              "found ",
              shapeString(q), ", ", shapeString(k), " and ", shapeString(v));
  if (s.pageTable) {
    expectIntegers({*s.pageTable});
    const Shape &table = shape(*s.pageTable);
    if (table.size() != 2 || table[0] != q[0])
      malformed("expected a page table with ", q[0], " rows, found ",
                shapeString(table));
  }
  const Shape scores = {q[0], q[1], q[2], keysOf(program_, s)};
  if (s.attentionMask &&
      (shape(*s.attentionMask).size() != 4 || (s.isCausal && !s.positions) ||
       broadcastShapes(shape(*s.attentionMask), scores) != scores))
    malformed("expected a mask that broadcasts to ", shapeString(scores),
              " without is_causal, found ",
              shapeString(shape(*s.attentionMask)));
  if (s.attentionSink) {
    const Shape &sink = shape(*s.attentionSink);
    if (sink.empty() || sink.size() > 2 || sink[0] != q[1])
      malformed("expected a sink of ", q[1], " rows, found ",
                shapeString(sink));
    expectFloats({*s.attentionSink});
  }
  if (s.positions) {
    const Shape queries = {q[0], q[2]}, &found = shape(*s.positions);
    if (!s.isCausal || !numerics::isInteger(layout(*s.positions).type) ||
        found.size() != 2 || broadcastShapes(found, queries) != queries)
      malformed("expected is_causal and integer positions that broadcast to ",
                shapeString(queries), ", found ", shapeString(found));
  }
  expectShape("out", {q[0], q[1], q[2], v[3]}, shape(s.out));
}

template <typename Step> void Verifier::checkNorm(const Step &s) const {
  const Shape &in = shape(s.input), &norm = s.normalizedShape;
  if (norm.empty() || norm.size() > in.size() ||
      !std::equal(norm.rbegin(), norm.rend(), in.rbegin()))
    malformed("expected the innermost extents of ", shapeString(in),
              " in field normalized_shape, found ", shapeString(norm));
  const auto expectNormalized = [&](const char *field, OptionalValue value) {
    if (value && withoutLeadingOnes(shape(*value)) != withoutLeadingOnes(norm))
      expectShape(field, norm, shape(*value));
  };
  expectNormalized("weight", s.weight);
  expectNormalized("bias", s.bias);
  expectShape("out", in, shape(s.out));
}

void Verifier::operator()(LayerNormStep &s) const { checkNorm(s); }

void Verifier::operator()(RMSNormStep &s) const { checkNorm(s); }

} // namespace tt::runtime::ttnn
