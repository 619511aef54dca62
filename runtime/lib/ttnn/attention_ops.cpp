// Scaled dot product attention: for each head of the keys the scores of all
// queries that read it, their softmax and its product with the values, in f32.
#include "numerics/parallel.h"
#include "numerics/softmax.h"
#include "ttnn/caches.h"
#include "ttnn/engine_rows.h"
#include "ttnn/executor.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

namespace tt::runtime::ttnn {

using numerics::DType;

namespace {

/// A mask of rank 4 as f32, in which an extent of 1 broadcasts.
class Mask {
public:
  Mask(const RowMajor &data, const std::vector<std::int64_t> &shape)
      : values_(static_cast<const float *>(data.data)) {
    std::int64_t stride = 1;
    for (std::size_t dim = 4; dim-- > 0;) {
      stride_[dim] = shape[dim] == 1 ? 0 : stride;
      stride *= shape[dim];
    }
  }
  float at(std::int64_t batch, std::int64_t head, std::int64_t query,
           std::int64_t key) const {
    return values_[batch * stride_[0] + head * stride_[1] + query * stride_[2] +
                   key * stride_[3]];
  }

private:
  const float *values_;
  std::int64_t stride_[4];
};

/// Row-major keys or values, contiguous for each batch or in blocks of a page
/// table.
class Cache {
public:
  Cache(const RowMajor &data, const std::vector<std::int64_t> &shape,
        std::span<const std::int64_t> table)
      : data_(static_cast<const std::byte *>(data.data)), heads_(shape[1]),
        places_(shape[2]),
        rowBytes_(shape[3] * numerics::elementSize(data.type)), table_(table) {}

  /// The first `count` rows of a head, for a batch with `blocks` in the table;
  /// blocks are concatenated in `scratch`.
  const std::byte *rows(std::int64_t batch, std::int64_t head,
                        std::int64_t count, std::int64_t blocks,
                        std::vector<std::byte> &scratch) const {
    if (table_.empty())
      return at(batch, head);
    scratch.resize(std::size_t(count * rowBytes_));
    for (std::int64_t row = 0; row < count; row += places_)
      std::memcpy(scratch.data() + row * rowBytes_,
                  at(table_[std::size_t(batch * blocks + row / places_)], head),
                  std::size_t(std::min(places_, count - row) * rowBytes_));
    return scratch.data();
  }

private:
  const std::byte *at(std::int64_t block, std::int64_t head) const {
    return data_ + (block * heads_ + head) * places_ * rowBytes_;
  }

  const std::byte *data_;
  std::int64_t heads_, places_, rowBytes_;
  std::span<const std::int64_t> table_;
};

} // namespace

/// The block numbers of all batches; none without a page table.
std::vector<std::int64_t>
Executor::blocksOf(const ScaledDotProductAttentionStep &step) const {
  if (!step.pageTable)
    return {};
  const std::int64_t blocks = layoutOf(step.key).shape[0];
  const RowMajor data = read(*step.pageTable, DType::I32);
  const auto *const first = static_cast<const std::int32_t *>(data.data);
  std::vector<std::int64_t> found(first,
                                  first + layoutOf(*step.pageTable).volume());
  for (std::size_t i = 0; i < found.size(); ++i) {
    // A missing block.
    found[i] = std::max<std::int64_t>(found[i], 0);
    if (found[i] >= blocks)
      throw std::out_of_range(
          "scaled_dot_product_attention: expected a block in [0, " +
          std::to_string(blocks) + ") in the page table, found " +
          std::to_string(found[i]) + " at position " + std::to_string(i));
  }
  return found;
}

std::vector<std::int64_t>
Executor::positionsOf(const ScaledDotProductAttentionStep &step) const {
  const std::int64_t users = layoutOf(step.query).shape[0],
                     queries = layoutOf(step.query).shape[2];
  std::vector<std::int64_t> positions(std::size_t(users * queries));
  if (!step.positions) {
    for (std::size_t i = 0; i < positions.size(); ++i)
      positions[i] = std::int64_t(i) % queries;
    return positions;
  }
  const std::vector<std::int64_t> &shape = layoutOf(*step.positions).shape;
  const RowMajor data = read(*step.positions, DType::I32);
  const auto *const given = static_cast<const std::int32_t *>(data.data);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int64_t user = shape[0] == 1 ? 0 : std::int64_t(i) / queries;
    const std::int64_t query = shape[1] == 1 ? 0 : std::int64_t(i) % queries;
    positions[i] = given[user * shape[1] + query];
  }
  return positions;
}

void Executor::execute(const ScaledDotProductAttentionStep &step) {
  const auto &query = layoutOf(step.query).shape,
             &key = layoutOf(step.key).shape;
  const std::int64_t queries = query[2], width = query[3],
                     keys = keysOf(program_, step);
  const std::int64_t groups = query[1] / key[1];
  const std::int64_t valueWidth = layoutOf(step.value).cols;
  // The sink is a key of its own, whose value is 0.
  const std::int64_t sinks = step.attentionSink ? 1 : 0;
  const std::int64_t rows = groups * queries;

  const auto productType = [](DType type) {
    return type == DType::BF16 || type == DType::F16 ? type : DType::F32;
  };
  const DType queryType = productType(computeType(step.query));
  const DType keyType = productType(computeType(step.key));
  const RowMajor q = read(step.query, queryType), k = read(step.key, keyType);
  const RowMajor v = read(step.value, DType::F32);
  const RowMajor maskData = readOptional(step.attentionMask);
  const RowMajor sink = readOptional(step.attentionSink);
  std::optional<Mask> mask;
  if (step.attentionMask)
    mask.emplace(maskData, layoutOf(*step.attentionMask).shape);
  const std::vector<std::int64_t> positions = positionsOf(step);
  const std::vector<std::int64_t> table = blocksOf(step);
  const Cache keyRows(k, key, table),
      valueRows(v, layoutOf(step.value).shape, table);
  std::vector<std::byte> keyScratch, valueScratch;
  const std::int64_t blocks = keys / std::max<std::int64_t>(key[2], 1);
  const bool adds =
      mask && numerics::isFloat(layoutOf(*step.attentionMask).type);

  const DType outType = computeType(step.out);
  auto out = scratch(outType, layoutOf(step.out).volume());
  const auto scoresData = scratch(DType::F32, rows * (keys + sinks));
  auto *scores = static_cast<float *>(scoresData.get());
  const auto at = [](const void *data, DType type, std::int64_t element) {
    return static_cast<const std::byte *>(data) +
           element * numerics::elementSize(type);
  };

  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  for (std::int64_t item = 0; item < query[0] * key[1]; ++item) {
    const std::int64_t batch = item / key[1],
                       firstHead = item % key[1] * groups;
    // The part of a cache that the queries can see.
    const auto *const first = positions.data() + batch * queries;
    const std::int64_t read =
        step.positions && queries > 0
            ? std::clamp<std::int64_t>(
                  *std::max_element(first, first + queries) + 1, 0, keys)
            : keys;
    const std::int64_t columns = read + sinks;
    std::byte *const result =
        static_cast<std::byte *>(out.get()) +
        item * rows * valueWidth * numerics::elementSize(outType);
    if (read == 0 && step.positions) {
      std::memset(
          result, 0,
          std::size_t(rows * valueWidth * numerics::elementSize(outType)));
      continue;
    }
    numerics::MatmulArgs product;
    product.m = rows;
    product.n = read;
    product.k = width;
    product.a = {at(q.data, queryType, item * rows * width), queryType, width};
    product.b = {keyRows.rows(batch, item % key[1], read, blocks, keyScratch),
                 keyType, width};
    product.b.transposed = true;
    product.c = scores;
    product.cRowStride = columns;
    multiply(product);
    numerics::parallelFor(
        0, rows, 16, [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t row = first; row < last; ++row) {
            const std::int64_t head = firstHead + row / queries;
            const std::int64_t place = row % queries;
            const std::int64_t position =
                positions[std::size_t(batch * queries + place)];
            float *line = scores + row * columns;
            const std::int64_t end = step.isCausal ? position + 1 : keys;
            const std::int64_t begin =
                step.slidingWindowSize
                    ? position - std::int64_t(*step.slidingWindowSize) + 1
                    : 0;
            for (std::int64_t i = 0; i < read; ++i) {
              float score = line[i] * step.scale;
              if (adds)
                score += mask->at(batch, head, place, i);
              const bool hidden =
                  i >= end || i < begin ||
                  (mask && !adds && mask->at(batch, head, place, i) == 0);
              line[i] = hidden ? kHidden : score;
            }
            if (step.attentionSink) {
              const Layout &layout = layoutOf(*step.attentionSink);
              const std::int64_t stride = layout.rank() == 2 ? layout.cols : 1;
              line[read] = static_cast<const float *>(sink.data)[head * stride];
            }
          }
        });
    const std::int64_t shape[] = {rows, columns};
    if (isExact({step.query, step.out}))
      engineSoftmax({compute_, chips_.front()->geometry().arch, DType::F32,
                     scores, DType::F32, scores},
                    shape, 1);
    else
      numerics::softmax(DType::F32, scores, shape, 1, scores);
    // The softmax over no keys would not be 0.
    for (std::int64_t row = 0; step.positions && row < rows; ++row) {
      const std::int64_t position = first[row % queries];
      const bool seesNone =
          position < 0 ||
          (step.slidingWindowSize &&
           position - std::int64_t(*step.slidingWindowSize) + 1 >= read);
      if (seesNone)
        std::fill_n(scores + row * columns, columns, 0.0F);
    }
    numerics::MatmulArgs mix;
    mix.m = rows;
    mix.n = valueWidth;
    mix.k = read;
    mix.a = {scores, DType::F32, columns};
    mix.b = {valueRows.rows(batch, item % key[1], read, blocks, valueScratch),
             DType::F32, valueWidth};
    mix.c = result;
    mix.cType = outType;
    mix.cRowStride = valueWidth;
    multiply(mix);
  }
  write(step.out, {}, outType, out);
}

void Executor::execute(const RotaryEmbeddingStep &step) {
  if (rotateExact(step))
    return;
  const Layout &out = layoutOf(step.out);
  const auto &angles = operand(step.cosCache)->layout.shape;
  const RowMajor in = read(step.in, DType::F32),
                 cosines = read(step.cosCache, DType::F32),
                 sines = read(step.sinCache, DType::F32);
  auto data = scratch(DType::F32, out.volume());
  const std::int64_t places = out.shape[2], n = out.shape[3], half = n / 2;
  const std::int64_t ofBatch = out.shape[1] * places;
  const auto *from = static_cast<const float *>(in.data),
             *cosOf = static_cast<const float *>(cosines.data),
             *sinOf = static_cast<const float *>(sines.data);
  auto *to = static_cast<float *>(data.get());
  constexpr std::int64_t kGrain = 1 << 13;
  numerics::parallelFor(
      0, n == 0 ? 0 : out.volume() / n,
      std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(n, 1)),
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row) {
          const std::int64_t batch = angles[0] == 1 ? 0 : row / ofBatch;
          const std::int64_t place = angles[2] == 1 ? 0 : row % places;
          const std::int64_t angle = (batch * angles[2] + place) * n;
          const float *x = from + row * n, *c = cosOf + angle,
                      *s = sinOf + angle;
          float *y = to + row * n;
          for (std::int64_t i = 0; i < half; ++i)
            y[i] = x[i] * c[i] - x[i + half] * s[i];
          for (std::int64_t i = half; i < n; ++i)
            y[i] = x[i] * c[i] + x[i - half] * s[i];
        }
      });
  write(step.out, {}, DType::F32, data);
}

} // namespace tt::runtime::ttnn
