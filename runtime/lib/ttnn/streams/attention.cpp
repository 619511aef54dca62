#include "ttnn/streams/attention.h"

#include "numerics/tiles.h"

#include <algorithm>

namespace tt::runtime::ttnn::streams {

namespace {

using ::tt::target::metal::PoolType;
using ::tt::target::metal::ReduceDim;

/// Most tiles of queries, and of keys, of a block: 128 positions.
constexpr std::int64_t kMostTiles = 4;

/// The semaphore that cores with other pieces of the keys increment.
constexpr std::uint32_t kPartialsSent = 0;

class Attend {
  enum Port { kQuery, kKey, kValue, kMask, kOther, kResult = 16, kPartial };

public:
  Attend(Builder &builder, const Attention &attention)
      : builder_(builder), p_(attention), query_(builder.pages(*p_.query)),
        key_(builder.pages(*p_.key)), value_(builder.pages(*p_.value)),
        result_(builder.pages(*p_.result)),
        cores_(coresOf(*p_.result, builder.chip())) {
    const auto tiles = [](const Layout &layout, std::size_t dim) {
      return numerics::tilesFor(layout.shape[dim]);
    };
    batch_ = p_.query->shape[0];
    heads_ = p_.query->shape[1];
    groups_ = heads_ / p_.key->shape[1];
    queries_ = tiles(*p_.query, 2);
    perBlock_ = tiles(*p_.key, 2);
    blocks_ = p_.table ? p_.table->shape[1] : 1;
    keys_ = blocks_ * perBlock_;
    width_ = tiles(*p_.query, 3);
    valueWidth_ = tiles(*p_.value, 3);
    // Small enough that all cores have something to do.
    const auto count = std::int64_t(cores_.size());
    rows_ = std::clamp<std::int64_t>(ceilDiv(batch_ * heads_ * queries_, count),
                                     1, std::min(kMostTiles, queries_));
    columns_ = std::min(kMostTiles, keys_);
    perHead_ = ceilDiv(queries_, rows_);
    items_ = batch_ * heads_ * perHead_;
    // Cores that would be idle take a piece of the keys.
    mostPieces_ =
        std::max<std::int64_t>(1, count / std::max<std::int64_t>(1, items_));
  }

  void run() {
    const auto count = std::int64_t(cores_.size());
    for (const auto &[port, pages] : {std::pair{kQuery, rows_ * width_},
                                      {kKey, columns_ * width_},
                                      {kValue, columns_ * valueWidth_},
                                      {kMask, rows_ * columns_},
                                      {kResult, rows_ * valueWidth_}})
      builder_.buffer(port, 2 * pages);
    if (mostPieces_ > 1)
      for (const Port port : {kOther, kPartial})
        builder_.buffer(port, partialPages());
    std::int64_t busiest = 0, most = 0;
    double all = 0, some = 0;
    const std::int64_t each = ceilDiv(items_ * mostPieces_, count);
    for (std::int64_t core = 0; core * each < items_ * mostPieces_; ++core) {
      std::int64_t blocks = 0, modelled = 0;
      for (std::int64_t number = core * each;
           number < std::min(items_ * mostPieces_, (core + 1) * each);
           ++number) {
        const std::int64_t item = number / mostPieces_;
        const auto [firstOfAll, endOfAll] = keysOf(item);
        const std::int64_t pieces =
            std::min(mostPieces_, endOfAll - firstOfAll);
        const std::int64_t piece = number % mostPieces_;
        if (piece >= pieces)
          continue;
        const auto placeOf = [&](std::int64_t of) {
          return firstOfAll + (endOfAll - firstOfAll) * of / pieces;
        };
        const std::int64_t first = placeOf(piece), end = placeOf(piece + 1);
        blocks += end - first;
        for (std::int64_t block = first;
             block < end && modelled < builder_.most(); ++block, ++modelled) {
          step(cores_[std::size_t(core)], item, block, block == first);
          // A bounded stream combines all pieces or none.
          const bool isCut = pieces > 1 && modelled + 1 == builder_.most();
          if (block + 1 == end || isCut)
            finish(core, item, piece, pieces);
        }
      }
      busiest = std::max(busiest, blocks);
      most = std::max(most, modelled);
      all += double(blocks);
      some += double(modelled);
    }
    builder_.count(busiest, most, all, some);
  }

private:
  /// The blocks of keys that a block of queries sees.
  std::pair<std::int64_t, std::int64_t> keysOf(std::int64_t item) const {
    const std::int64_t row = item % perHead_ * rows_;
    std::int64_t from = row, to = row + rows_;
    if (!p_.positions.empty()) {
      const std::int64_t batch = item / perHead_ / heads_;
      const std::int64_t queries = p_.query->shape[2];
      const auto *const first = p_.positions.data() + batch * queries;
      const auto [least, most] = std::minmax_element(
          first + row * 32, first + std::min(queries, (row + rows_) * 32));
      from = tileOf(std::max<std::int64_t>(*least, 0));
      to = *most < 0 ? 0 : tileOf(*most) + 1;
    }
    const std::int64_t end = p_.isCausal ? std::min(keys_, to) : keys_;
    const std::int64_t first =
        p_.window ? std::max<std::int64_t>(
                        0, from - ceilDiv(p_.window, placesPerTile()))
                  : 0;
    return {first / columns_,
            std::max(first / columns_ + 1, ceilDiv(end, columns_))};
  }

  /// Tiles of blocks that are shorter than a tile are not full.
  std::int64_t placesPerTile() const {
    return p_.table ? std::clamp<std::int64_t>(p_.key->shape[2], 1, 32) : 32;
  }
  std::int64_t tileOf(std::int64_t place) const {
    if (!p_.table)
      return place / 32;
    const std::int64_t size = std::max<std::int64_t>(p_.key->shape[2], 1);
    return place / size * perBlock_ + place % size / 32;
  }

  /// The tile row of the keys that contains tile `tile` of a head (and batch).
  std::int64_t rowOfKeys(std::int64_t head, std::int64_t tile) const {
    if (!p_.table)
      return head * keys_ + tile;
    const std::int64_t all = p_.key->shape[0], heads = p_.key->shape[1];
    const std::int64_t block = (head / heads * blocks_ + tile / perBlock_) %
                               std::max<std::int64_t>(all, 1);
    return (block * heads + head % heads) * perBlock_ + tile % perBlock_;
  }

  void step(std::int32_t core, std::int64_t item, std::int64_t block,
            bool isFirst) {
    const std::int64_t head = item / perHead_, row = item % perHead_ * rows_;
    const std::int64_t keyHead =
        head / heads_ * (heads_ / groups_) + head % heads_ / groups_;
    Thread reader = builder_.thread(core, 0, "reader");
    if (isFirst) {
      if (p_.table) {
        const Pages table = builder_.pages(*p_.table);
        reader.read(table.at(head / heads_ % table.count()), table.bytes());
      }
      fetch(reader, core, kQuery, query_, rows_, width_,
            [&](std::int64_t i) { return head * queries_ + row + i; });
    }
    const auto rowOf = [&](std::int64_t i) {
      return rowOfKeys(keyHead, block * columns_ + i);
    };
    fetch(reader, core, kKey, key_, columns_, width_, rowOf);
    fetch(reader, core, kValue, value_, columns_, valueWidth_, rowOf);
    if (p_.mask)
      readMask(reader, head, row, block);
    compute(builder_.thread(core, Builder::kCompute, "attention"), isFirst);
  }

  /// Products, maxima and sums of a block of queries.
  std::int64_t partialPages() const { return rows_ * (valueWidth_ + 2); }

  /// Combines the pieces of the keys in a tree; the first core writes the
  /// result.
  void finish(std::int64_t core, std::int64_t item, std::int64_t piece,
              std::int64_t pieces) {
    const std::int32_t own = cores_[std::size_t(core)];
    const auto computeThread = [&] {
      return builder_.thread(own, Builder::kCompute, "attention");
    };
    computeThread().pop(kQuery, rows_ * width_);
    std::uint32_t received = 0;
    for (std::int64_t stride = 1; stride < pieces; stride *= 2) {
      if ((piece & stride) != 0) {
        send(own, cores_[std::size_t(core - stride)]);
        return;
      }
      if (piece + stride < pieces) {
        Thread reader = builder_.thread(own, 0, "reader");
        reader.reserve(kOther, partialPages());
        reader.waitFor(kPartialsSent, ++received);
        reader.push(kOther, partialPages());
        Thread thread = computeThread();
        thread.wait(kOther, partialPages());
        combine(thread);
        thread.pop(kOther, partialPages());
      }
    }
    normalize(computeThread());
    const std::int64_t head = item / perHead_, row = item % perHead_ * rows_;
    write(own, head * queries_ + row);
  }

  void send(std::int32_t core, std::int32_t to) {
    Thread thread = builder_.thread(core, Builder::kCompute, "attention");
    thread.reserve(kPartial, partialPages());
    thread.compute({.opcode = Opcode::pack_tile,
                    .repeats = double(partialPages()),
                    .first = p_.between});
    thread.push(kPartial, partialPages());
    const NocPoint place = builder_.place(to);
    Thread writer = builder_.thread(core, 1, "writer");
    writer.wait(kPartial, partialPages());
    writer.write(place, numerics::tileBytes(p_.between), partialPages());
    writer.writeBarrier();
    writer.increment(place, kPartialsSent);
    writer.pop(kPartial, partialPages());
  }

  /// Fetches pages that the core does not have; `rowOf` maps to their rows.
  template <typename RowOf>
  static void fetch(Thread &thread, std::int32_t core, int port,
                    const Pages &pages, std::int64_t rows, std::int64_t cols,
                    const RowOf &rowOf) {
    thread.reserve(port, rows * cols);
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t col = 0; col < pages.cols(); ++col) {
        const std::int64_t at =
            (rowOf(row) * pages.cols() + col) % pages.count();
        if (!pages.local() || pages.coreOf(at) != core)
          thread.read(pages.at(at), pages.bytes());
      }
    thread.readBarrier();
    thread.push(port, rows * cols);
  }

  /// Of a mask that broadcasts, the tiles that it has.
  void readMask(Thread &thread, std::int64_t head, std::int64_t row,
                std::int64_t block) {
    const Pages pages = builder_.pages(*p_.mask);
    const auto &shape = p_.mask->shape;
    const std::int64_t rows = shape[2] == 1 ? 1 : rows_;
    const std::int64_t cols = shape[3] == 1 ? 1 : columns_;
    const std::int64_t matrix = (shape[0] == 1 ? 0 : head / heads_ * shape[1]) +
                                (shape[1] == 1 ? 0 : head % heads_);
    const std::int64_t first =
        matrix * numerics::tilesFor(shape[2]) + (shape[2] == 1 ? 0 : row);
    thread.reserve(kMask, rows_ * columns_);
    for (std::int64_t y = 0; y < rows; ++y)
      for (std::int64_t x = 0; x < cols; ++x) {
        const std::int64_t page =
            (first + y) * pages.cols() + (shape[3] == 1 ? 0 : block * cols + x);
        thread.read(pages.at(page % pages.count()), pages.bytes());
      }
    thread.readBarrier();
    thread.push(kMask, rows_ * columns_);
  }

  static void one(Thread &thread, Opcode opcode, double repeats, DType type) {
    thread.compute({.opcode = opcode, .repeats = repeats, .first = type});
  }
  static void two(Thread &thread, Opcode opcode, double repeats, DType a,
                  DType b) {
    thread.compute({.opcode = opcode,
                    .repeats = repeats,
                    .first = a,
                    .second = b,
                    .alone = false});
  }

  /// Rescales the previous sums to the new maximum, and adds the new ones.
  void combine(Thread &thread) const {
    const double rows = double(rows_), all = double(rows_ * (valueWidth_ + 1));
    two(thread, Opcode::sub_tiles, rows, p_.between, p_.between);
    one(thread, Opcode::exp_tile, rows, p_.between);
    one(thread, Opcode::pack_tile, rows, p_.between);
    two(thread, Opcode::mul_tiles_bcast, all, p_.between, p_.between);
    one(thread, Opcode::pack_tile, all, p_.between);
    two(thread, Opcode::add_tiles, all, p_.between, p_.between);
    one(thread, Opcode::pack_tile, all, p_.between);
  }

  /// Divides the products by the sums.
  void normalize(Thread thread) const {
    const double rows = double(rows_), values = double(rows_ * valueWidth_);
    one(thread, Opcode::copy_tile, rows, p_.between);
    one(thread, Opcode::recip_tile, rows, p_.between);
    one(thread, Opcode::pack_tile, rows, p_.between);
    thread.reserve(kResult, rows_ * valueWidth_);
    two(thread, Opcode::mul_tiles_bcast, values, p_.between, p_.between);
    one(thread, Opcode::pack_tile, values, p_.result->type);
    thread.push(kResult, rows_ * valueWidth_);
  }

  void compute(Thread thread, bool isFirst) const {
    const double scores = double(rows_ * columns_);
    const double values = double(rows_ * valueWidth_);
    const auto reduce = [&](PoolType pool) {
      thread.compute(
          {.opcode = Opcode::reduce_tile,
           .repeats = scores,
           .first = p_.between,
           .second = DType::BF16,
           .cols = std::uint32_t(pool) << 8 | std::uint32_t(ReduceDim::Row),
           .alone = false});
      one(thread, Opcode::pack_tile, double(rows_), p_.between);
    };
    // A row of tiles of the destination at a time.
    const auto multiply = [&](std::int64_t cols, std::int64_t inner, DType a,
                              DType b) {
      const std::int64_t most = p_.between == DType::F32 ? 4 : 8;
      const std::int64_t tiles = std::min(cols, most);
      thread.compute({.opcode = Opcode::matmul_block,
                      .repeats = double(rows_) * double(cols) / double(tiles) *
                                 double(inner),
                      .first = a,
                      .second = b,
                      .tiles = std::uint32_t(tiles),
                      .cols = std::uint32_t(tiles),
                      .alone = false});
    };

    if (isFirst)
      thread.wait(kQuery, rows_ * width_);
    thread.wait(kKey, columns_ * width_);
    multiply(columns_, width_, p_.query->type, p_.key->type);
    one(thread, Opcode::pack_tile, scores, p_.between);
    thread.pop(kKey, columns_ * width_);
    if (p_.mask) {
      thread.wait(kMask, rows_ * columns_);
      two(thread, Opcode::add_tiles, scores, p_.between, p_.mask->type);
      one(thread, Opcode::pack_tile, scores, p_.between);
      thread.pop(kMask, rows_ * columns_);
    }
    reduce(PoolType::Max);
    // The scale is in the exponential.
    two(thread, Opcode::sub_tiles_bcast, scores, p_.between, p_.between);
    one(thread, Opcode::exp_tile, scores, p_.between);
    one(thread, Opcode::pack_tile, scores, p_.between);
    reduce(PoolType::Sum);
    thread.wait(kValue, columns_ * valueWidth_);
    multiply(valueWidth_, columns_, p_.between, p_.value->type);
    one(thread, Opcode::pack_tile, values, p_.between);
    thread.pop(kValue, columns_ * valueWidth_);
    if (!isFirst)
      combine(thread);
  }

  void write(std::int32_t core, std::int64_t row) {
    Thread thread = builder_.thread(core, 1, "writer");
    thread.wait(kResult, rows_ * valueWidth_);
    for (std::int64_t page = row * result_.cols();
         page < (row + rows_) * result_.cols(); ++page) {
      const std::int64_t at = page % result_.count();
      if (!result_.local() || result_.coreOf(at) != core)
        thread.write(result_.at(at), result_.bytes());
    }
    thread.writeBarrier();
    thread.pop(kResult, rows_ * valueWidth_);
  }

  Builder &builder_;
  const Attention &p_;
  const Pages query_, key_, value_, result_;
  std::vector<std::int32_t> cores_;
  // In tiles, but for the first three.
  std::int64_t batch_, heads_, groups_;
  std::int64_t queries_, keys_, width_, valueWidth_;
  std::int64_t perBlock_, blocks_; // of keys, and how many a batch has
  std::int64_t rows_, columns_;    // of a block
  std::int64_t perHead_, items_, mostPieces_;
};

} // namespace

void stream(Builder &builder, const Attention &attention) {
  Attend(builder, attention).run();
}

} // namespace tt::runtime::ttnn::streams
