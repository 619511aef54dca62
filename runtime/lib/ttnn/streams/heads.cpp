#include "ttnn/streams/heads.h"

#include "numerics/tiles.h"

#include <algorithm>

namespace tt::runtime::ttnn::streams {

namespace {

/// Most pages of a core that a stream has, of all results together.
constexpr std::int64_t kMostPages = 48;

// Circular buffers: of pages as they are read, and of transposed ones.
constexpr int kRead = 0, kTurned = 16;

/// The pages of one result.
class Move {
public:
  Move(Builder &builder, const Heads &heads)
      : builder_(builder), heads_(heads), in_(builder.pages(*heads.in)),
        out_(builder.pages(*heads.out)) {
    const Layout &behind = heads.joins ? *heads.in : *heads.out;
    const std::size_t places = heads.transposed ? 3 : 2;
    count_ = behind.shape[1];
    width_ = numerics::tilesFor(behind.shape[5 - places]);
    places_ = numerics::tilesFor(behind.shape[places]);
    isWhole_ = alignsRows(*heads.in) && alignsRows(*heads.out) &&
               behind.shape[5 - places] % numerics::kTileDim == 0;
  }

  Deal dealt(std::int64_t most) const {
    return deal(out_, 1, most, coresOf(*heads_.out, builder_.chip()),
                builder_.chip());
  }

  void page(std::int32_t core, std::int64_t page) {
    Thread reader = builder_.thread(core, 0, "reader");
    reader.reserve(kRead, 1);
    if (in_.onDevice())
      read(reader, page);
    reader.readBarrier();
    reader.push(kRead, 1);
    const bool turns = heads_.transposed && heads_.out->tiled;
    if (turns)
      turn(builder_.thread(core, Builder::kCompute, "transpose"));
    const int port = turns ? kTurned : kRead;
    Thread writer = builder_.thread(core, 1, "writer");
    writer.wait(port, 1);
    // Into its own shard the reader has brought it.
    if (out_.onDevice() && !out_.local())
      writer.write(out_.at(page), out_.bytes());
    writer.writeBarrier();
    writer.pop(port, 1);
  }

private:
  void read(Thread &thread, std::int64_t page) const {
    if (isWhole_) {
      thread.read(in_.at(source(page) % in_.count()), in_.bytes());
      return;
    }
    // Rows of tiles have two pieces each, in the left and the right faces.
    const std::int64_t parts =
        heads_.in->tiled ? 2 * std::int64_t(numerics::kTileDim) : 1;
    const std::int64_t each =
        heads_.in->tiled
            ? 1
            : std::max<std::int64_t>(1, ceilDiv(out_.bytes(), in_.bytes()));
    const std::int64_t bytes =
        heads_.in->tiled ? in_.bytes() : std::min(in_.bytes(), out_.bytes());
    for (std::int64_t i = 0; i < each; ++i)
      thread.read(in_.at((page * each + i) % in_.count()), bytes, parts);
  }

  /// The page of the input that becomes one of the result.
  std::int64_t source(std::int64_t page) const {
    std::int64_t row = page / out_.cols(), col = page % out_.cols();
    if (heads_.joins) {
      const std::int64_t batch = row / places_, place = row % places_;
      const std::int64_t head = heads_.first + col / width_;
      return ((batch * count_ + head) * places_ + place) * width_ +
             col % width_;
    }
    const std::int64_t rows = heads_.transposed ? width_ : places_;
    const std::int64_t head = row / rows;
    row %= rows;
    if (heads_.transposed)
      std::swap(row, col);
    return (head / count_ * places_ + row) * in_.cols() +
           (heads_.first + head % count_) * width_ + col;
  }

  void turn(Thread thread) const {
    thread.wait(kRead, 1);
    thread.reserve(kTurned, 1);
    thread.compute({Opcode::transpose_wh_tile, 1, heads_.in->type});
    thread.compute({Opcode::pack_tile, 1, heads_.out->type});
    thread.pop(kRead, 1);
    thread.push(kTurned, 1);
  }

  Builder &builder_;
  const Heads &heads_;
  const Pages in_, out_;
  std::int64_t count_, width_, places_; // heads; of one, in tiles
  bool isWhole_;
};

} // namespace

void stream(Builder &builder, const std::vector<Heads> &moves) {
  builder.buffer(kRead, 2);
  builder.buffer(kTurned, 2);
  const std::int64_t most =
      std::max<std::int64_t>(1, kMostPages / std::int64_t(moves.size()) *
                                    builder.most() / kMostBlocks);
  std::int64_t whole = 0, some = 0, all = 0, listed = 0;
  for (const Heads &heads : moves) {
    Move move(builder, heads);
    const Deal deal = move.dealt(most);
    for (const Share &share : deal.shares)
      for (std::int64_t page : share.pages)
        move.page(share.core, page);
    whole += deal.busiest;
    some += std::min(deal.busiest, most);
    all += deal.all;
    listed += deal.listed;
  }
  builder.count(whole, some, double(all), double(listed));
}

} // namespace tt::runtime::ttnn::streams
