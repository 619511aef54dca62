// Rules of the operations on places: orders, scatters, running extremes; and
// bits.
#include "ttnn/caches.h"
#include "ttnn/scatters.h"
#include "ttnn/verifier/verifier.h"

#include <algorithm>

namespace tt::runtime::ttnn {

void Verifier::expectPlaces(ValueIndex value) const {
  expectIntegers({value});
  if (numerics::elementSize(layout(value).type) < 2)
    raise(ErrorCategory::Unsupported,
          "expected places of an integer of 16 bits at least, found ",
          numerics::dtypeName(layout(value).type));
}

void Verifier::operator()(ArgSortStep &s) const {
  normalize(s.dim, s.in, "dim");
  expectPlaces(s.out);
  expectShape("out", shape(s.in), shape(s.out));
}

void Verifier::operator()(ScatterRowsStep &s) const {
  const Shape &table = shape(s.input), &updates = shape(s.updates);
  if (table.size() != 2)
    malformed("expected an input of rank 2, found ", shapeString(table));
  expectIntegers({s.indices});
  const Shape &places = shape(s.indices);
  if (places.size() != 1)
    malformed("expected indices of rank 1, found ", shapeString(places));
  expectShape("updates", {places[0], table[1]}, updates);
  expectShape("out", table, shape(s.out));
  scatterOf(s.reduceType);
}

void Verifier::operator()(UpdateSliceStep &s) const {
  const Shape &whole = shape(s.input), &update = shape(s.update);
  const auto rank = std::int64_t(whole.size());
  if (rank < 2)
    malformed("expected an input of rank 2 at least, found ",
              shapeString(whole));
  const std::int64_t count = updatesOf(program_, s);
  bool fits = update.size() == whole.size() && count > 0 &&
              update[0] % count == 0 &&
              update[0] / (movesFirst(s) ? count : 1) <= whole[0];
  for (std::size_t d = 1; fits && d < whole.size(); ++d)
    fits = update[d] <= whole[d];
  if (!fits)
    malformed("expected an update inside of ", shapeString(whole), ", found ",
              shapeString(update));
  expectCount("starts", whole.size(), s.starts);
  constexpr std::int64_t kMaxStart = std::int64_t(1) << 40;
  for (std::int64_t start : s.starts)
    if (start < -kMaxStart || start > kMaxStart)
      malformed("expected starts of at most 2^40, found ", start);
  for (std::size_t i = 0; i < s.dims.size(); ++i)
    if (s.dims[i] < 0 || s.dims[i] >= rank ||
        std::count(s.dims.begin(), s.dims.end(), s.dims[i]) != 1)
      malformed("expected distinct dimensions below ", rank,
                " in field dims, found ", s.dims[i]);
  if (s.index) {
    expectIntegers({*s.index});
    const auto each = std::int64_t(s.dims.size());
    expectShape("index",
                shape(*s.index).size() == 2 ? Shape{count, each} : Shape{each},
                shape(*s.index));
  }
  if (s.dims.empty() == s.index.has_value())
    malformed("expected an index for each of ", s.dims.size(), " dims");
  expectShape("out", whole, shape(s.out));
}

void Verifier::operator()(PreviousEqualStep &s) const {
  expectIntegers({s.in});
  expectPlaces(s.out);
  if (shape(s.in).size() != 1)
    malformed("expected an input of rank 1, found ", shapeString(shape(s.in)));
  if (s.limit <= 0)
    malformed("expected a limit of at least 1, found ", s.limit);
  expectShape("out", shape(s.in), shape(s.out));
}

template <typename Step> void Verifier::checkScan(Step &s) const {
  normalize(s.dim, s.in, "dim");
  expectShape("out", shape(s.in), shape(s.out));
}

void Verifier::operator()(CumProdStep &s) const { checkScan(s); }

void Verifier::operator()(CumMaxStep &s) const { checkScan(s); }

void Verifier::operator()(CumMinStep &s) const { checkScan(s); }

void Verifier::operator()(BitcastConvertStep &s) const {
  const std::int64_t from = numerics::elementSize(layout(s.in).type);
  const std::int64_t to = numerics::elementSize(layout(s.out).type);
  if (from == 0 || to == 0)
    raise(ErrorCategory::Unsupported,
          "expected elements with bits of their own, found block floats");
  Shape expected = shape(s.in);
  if (to < from) {
    expected.push_back(from / to);
  } else if (from < to) {
    if (expected.empty() || expected.back() != to / from)
      malformed("expected an innermost dimension of ", to / from,
                " elements in field in, found ", shapeString(expected));
    expected.pop_back();
  }
  expectShape("out", expected, shape(s.out));
}

} // namespace tt::runtime::ttnn
