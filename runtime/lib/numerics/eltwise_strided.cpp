// Elementwise work with broadcast and strided operands: dimensions that all
// operands walk alike are merged, then contiguous kernels run along the
// innermost one.
#include "numerics/check.h"
#include "numerics/eltwise.h"
#include "numerics/eltwise_span.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tt::runtime::numerics {
namespace {

constexpr int64_t kGrainElements = 1 << 15;
constexpr int64_t kChunk = 1024;

/// The merged iteration space of up to three operands.
template <int Operands> struct Nest {
  std::vector<int64_t> shape; // outermost first; never empty
  std::vector<int64_t> strides[Operands];
  const void *data[Operands];

  Nest(const char *what, std::span<const int64_t> extents,
       const StridedIn (&inputs)[Operands]) {
    for (int o = 0; o < Operands; ++o) {
      data[o] = inputs[o].data;
      if (inputs[o].strides.size() != extents.size())
        fail(std::string(what) + ": expected " +
             std::to_string(extents.size()) + " strides, found " +
             std::to_string(inputs[o].strides.size()));
    }
    for (size_t d = 0; d < extents.size(); ++d) {
      if (extents[d] == 1)
        continue;
      bool merges = !shape.empty();
      for (int o = 0; merges && o < Operands; ++o)
        merges = strides[o].back() == inputs[o].strides[d] * extents[d];
      if (merges)
        shape.back() *= extents[d];
      else
        shape.push_back(extents[d]);
      for (int o = 0; o < Operands; ++o) {
        if (merges)
          strides[o].back() = inputs[o].strides[d];
        else
          strides[o].push_back(inputs[o].strides[d]);
      }
    }
    if (shape.empty()) {
      shape.push_back(1);
      for (auto &list : strides)
        list.push_back(0);
    }
  }

  int64_t inner() const { return shape.back(); }

  /// Element offset of an operand at outer index `index`.
  int64_t offset(int operand, int64_t index) const {
    int64_t result = 0;
    for (size_t d = shape.size() - 1; d-- > 0;) {
      result += index % shape[d] * strides[operand][d];
      index /= shape[d];
    }
    return result;
  }
};

void gather(int64_t size, const char *source, int64_t stride, char *target,
            int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(target + i * size, source + i * stride * size, size_t(size));
}

/// Runs body(pointers, strides 0 or 1, output, count) over the whole nest.
template <int Operands, typename Body>
void walk(const Nest<Operands> &nest, int64_t size, void *output,
          const Body &body) {
  int64_t outer = 1;
  for (size_t d = 0; d + 1 < nest.shape.size(); ++d)
    outer *= nest.shape[d];
  int64_t inner = nest.inner();
  if (outer * inner == 0)
    return;
  // Long inner lines are cut so that a single line still feeds all threads.
  int64_t piece = std::min(inner, kGrainElements);
  int64_t pieces = (inner + piece - 1) / piece;
  int64_t grain = std::max<int64_t>(1, kGrainElements / piece);
  parallelFor(0, outer * pieces, grain, [&](int64_t begin, int64_t end) {
    alignas(64) char buffers[Operands][kChunk * 4];
    for (int64_t i = begin; i < end; ++i) {
      int64_t line = i / pieces, first = i % pieces * piece;
      int64_t count = std::min(piece, inner - first);
      const char *from[Operands];
      int64_t strides[Operands];
      bool gathers = false;
      for (int o = 0; o < Operands; ++o) {
        strides[o] = nest.strides[o].back();
        from[o] = static_cast<const char *>(nest.data[o]) +
                  (nest.offset(o, line) + first * strides[o]) * size;
        gathers |= strides[o] != 0 && strides[o] != 1;
      }
      char *to = static_cast<char *>(output) + (line * inner + first) * size;
      int64_t step = gathers ? kChunk : count;
      for (int64_t done = 0; done < count; done += step) {
        int64_t n = std::min(step, count - done);
        const void *operands[Operands];
        bool repeats[Operands];
        for (int o = 0; o < Operands; ++o) {
          const char *start = from[o] + done * strides[o] * size;
          repeats[o] = strides[o] == 0;
          operands[o] = start;
          if (strides[o] != 0 && strides[o] != 1) {
            gather(size, start, strides[o], buffers[o], n);
            operands[o] = buffers[o];
          }
        }
        body(operands, repeats, to + done * size, n);
      }
    }
  });
}

SpanContext makeContext(DType type, Rounding rounding) {
  return {kernelTable(), type, rounding, false};
}

/// `count` copies of an element.
void spreadElement(int64_t size, const void *element, char *target,
                   int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(target + i * size, element, size_t(size));
}

} // namespace

void unaryStrided(UnaryOp op, DType type, std::span<const int64_t> shape,
                  StridedIn input, void *output, Rounding rounding,
                  UnaryParams params) {
  checkOp(op, type);
  requirePlain(functionOf(op).name, type);
  volume(functionOf(op).name, shape);
  int64_t size = elementSize(type);
  SpanContext context = makeContext(type, rounding);
  Nest<1> nest(functionOf(op).name, shape, {input});
  walk<1>(nest, size, output,
          [&](const void *const(&in)[1], const bool(&repeats)[1], char *to,
              int64_t n) {
            if (repeats[0]) {
              char element[4];
              unarySpan(context, op, in[0], element, 1, params);
              spreadElement(size, element, to, n);
            } else {
              unarySpan(context, op, in[0], to, n, params);
            }
          });
}

void binaryStrided(BinaryOp op, DType type, std::span<const int64_t> shape,
                   StridedIn a, StridedIn b, void *output, Rounding rounding) {
  checkOp(op, type);
  requirePlain(functionOf(op).name, type);
  volume(functionOf(op).name, shape);
  int64_t size = elementSize(type);
  SpanContext context = makeContext(type, rounding);
  Nest<2> nest(functionOf(op).name, shape, {a, b});
  walk<2>(nest, size, output,
          [&](const void *const(&in)[2], const bool(&repeats)[2], char *to,
              int64_t n) {
            if (repeats[0] && repeats[1]) {
              char element[4];
              binarySpan(context, op, Spread::None, in[0], in[1], element, 1);
              spreadElement(size, element, to, n);
              return;
            }
            Spread spread = repeats[0]   ? Spread::First
                            : repeats[1] ? Spread::Second
                                         : Spread::None;
            binarySpan(context, op, spread, in[0], in[1], to, n);
          });
}

void whereStrided(DType type, std::span<const int64_t> shape,
                  StridedIn condition, StridedIn a, StridedIn b, void *output) {
  requirePlain("where", type);
  volume("where", shape);
  int64_t size = elementSize(type);
  Nest<3> nest("where", shape, {condition, a, b});
  walk<3>(nest, size, output,
          [&](const void *const(&in)[3], const bool(&repeats)[3], char *to,
              int64_t count) {
            alignas(64) char lines[3][kChunk * 4];
            for (int64_t done = 0; done < count; done += kChunk) {
              int64_t n = std::min(kChunk, count - done);
              const void *line[3];
              for (int o = 0; o < 3; ++o) {
                line[o] = static_cast<const char *>(in[o]) + done * size;
                if (repeats[o]) {
                  if (done == 0)
                    spreadElement(size, in[o], lines[o],
                                  std::min(kChunk, count));
                  line[o] = lines[o];
                }
              }
              where(type, line[0], line[1], line[2], to + done * size, n);
            }
          });
}

bool broadcastStrides(std::span<const int64_t> shape,
                      std::span<const int64_t> resultShape,
                      std::span<int64_t> strides) {
  if (shape.size() > resultShape.size() || strides.size() != resultShape.size())
    return false;
  int64_t stride = 1;
  size_t lead = resultShape.size() - shape.size();
  for (size_t d = resultShape.size(); d-- > 0;) {
    if (d < lead) {
      strides[d] = 0;
      continue;
    }
    int64_t extent = shape[d - lead];
    if (extent != resultShape[d] && extent != 1)
      return false;
    strides[d] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
  return true;
}

} // namespace tt::runtime::numerics
