#include "ttnn/streams/product.h"

#include "numerics/tiles.h"

#include <algorithm>

namespace tt::runtime::ttnn::streams {

namespace {

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The largest divisor of `number` up to `most`.
std::int64_t divisor(std::int64_t number, std::int64_t most) {
  for (std::int64_t d = std::min(number, most); d > 1; --d)
    if (number % d == 0)
      return d;
  return 1;
}

/// Most tiles of an inner block.
constexpr std::int64_t kMostInner = 8;

enum Port { kA, kB, kRows, kResult = 16, kPartial = 24 };

/// How a product is cut: a core makes m x n tiles at a time from blocks of k.
/// Rows of cores share blocks of a, columns those of b.
struct Cut {
  std::int64_t gridM = 1, gridN = 1; // cores that have something to do
  std::int64_t m = 1, n = 1;         // of a core
  std::int64_t rounds = 1;           // parts of m x n that fit in L1
  std::int64_t inner = 1;            // tiles of k in a block
  bool apart = false;                // cores read their operands themselves
  std::vector<std::int32_t> cores;   // gridM x gridN
};

class Multiply {
public:
  Multiply(Builder &builder, const Product &product)
      : builder_(builder), p_(product), a_(builder.pages(*product.a)),
        b_(builder.pages(*product.b)), result_(builder.pages(*product.result)) {
  }

  void run() {
    chooseCut();
    const std::int64_t steps = p_.k / cut_.inner;
    const std::int64_t blocks = cut_.rounds * steps;
    const std::int64_t some = std::min(blocks, builder_.most());
    setBuffers();
    for (std::int64_t y = 0; y < cut_.gridM; ++y)
      for (std::int64_t x = 0; x < cut_.gridN; ++x)
        core(y, x, some, steps);
    builder_.setPhases(p_.phases);
    builder_.count(blocks, some, double(blocks), double(some));
  }

private:
  double roomFor(std::int64_t m, std::int64_t n, std::int64_t inner) const {
    const double a = numerics::tileBytes(a_.layout().type);
    const double b = numerics::tileBytes(b_.layout().type);
    const double out = numerics::tileBytes(result_.layout().type);
    return 2.0 * double(inner) * (double(m) * a + double(n) * b) +
           double(m * n) * (out + (p_.fp32Dest ? 4096.0 : 2048.0));
  }

  void chooseCut() {
    const ChipGeometry &chip = builder_.chip();
    cut_.cores = coresOf(result_.layout(), chip);
    const auto count = std::int64_t(cut_.cores.size());
    if (p_.batch > 1)
      return cutBatch(count);
    // The rectangle of the cores; a line if they are none.
    std::int64_t width = 1;
    while (width < count &&
           cut_.cores[std::size_t(width)] ==
               cut_.cores[std::size_t(width - 1)] + 1 &&
           cut_.cores[std::size_t(width)] % chip.gridX != 0)
      ++width;
    const std::int64_t height = count % width ? 1 : count / width;
    if (count % width)
      width = count;
    struct Option {
      std::int64_t rows, cols;
    };
    double best = 0;
    for (const Option &o :
         {Option{height, width}, Option{1, count}, Option{count, 1}}) {
      const std::int64_t m = ceilDiv(p_.m, o.rows), n = ceilDiv(p_.n, o.cols);
      // Tiles of the busiest core, and a little for what it receives.
      const double work = double(m * n) + 0.01 * double(m + n);
      if (best > 0 && work >= best)
        continue;
      best = work;
      cut_.m = m;
      cut_.n = n;
      cut_.gridM = ceilDiv(p_.m, m);
      cut_.gridN = ceilDiv(p_.n, n);
      stride_ = o.cols;
    }
    fit();
  }

  /// Products of their own: each core reads what it needs for some of them.
  void cutBatch(std::int64_t count) {
    cut_.apart = true;
    const std::int64_t parts =
        std::min(p_.m, std::max<std::int64_t>(1, count / p_.batch));
    cut_.m = ceilDiv(p_.m, parts);
    cut_.n = p_.n;
    const std::int64_t all = p_.batch * ceilDiv(p_.m, cut_.m);
    cut_.gridM = std::min(count, all);
    stride_ = 1;
    fit();
    cut_.rounds *= ceilDiv(all, cut_.gridM);
  }

  void fit() {
    const double room = 0.9 * double(builder_.chip().l1Size);
    while (roomFor(cut_.m, cut_.n, 1) > room) {
      std::int64_t &side = cut_.m >= cut_.n ? cut_.m : cut_.n;
      const std::int64_t half = ceilDiv(side, 2);
      if (half == side)
        break;
      cut_.rounds *= ceilDiv(side, half);
      side = half;
    }
    cut_.inner = divisor(p_.k, kMostInner);
    while (cut_.inner > 1 && roomFor(cut_.m, cut_.n, cut_.inner) > room)
      cut_.inner = divisor(p_.k, cut_.inner - 1);
  }

  void setBuffers() {
    builder_.buffer(kA, 2 * cut_.m * cut_.inner);
    builder_.buffer(kB, 2 * cut_.n * cut_.inner);
    builder_.buffer(kRows, 2 * cut_.m * cut_.inner);
    builder_.buffer(kResult, 2 * cut_.m * cut_.n);
  }

  std::int32_t coreAt(std::int64_t y, std::int64_t x) const {
    return cut_.cores[std::size_t(y * stride_ + x)];
  }

  void core(std::int64_t y, std::int64_t x, std::int64_t some,
            std::int64_t steps) {
    for (std::int64_t block = 0; block < some; ++block) {
      const bool last = block + 1 == some || (block + 1) % steps == 0;
      side(y, x, block, true);
      side(y, x, block, false);
      multiply(coreAt(y, x), last && block + 1 == some, last);
      if (last)
        write(y, x, block / steps);
    }
  }

  /// Brings a block of a along a row of cores, or of b along a column.
  void side(std::int64_t y, std::int64_t x, std::int64_t block, bool isA) {
    const Pages &pages = isA ? a_ : b_;
    const int port = isA ? p_.pieceBytes ? kRows : kA : kB;
    // Responses to readers in a row come along the columns, and the other way.
    const int noc = isA ? 1 : 0;
    const std::int64_t count = (isA ? cut_.m : cut_.n) * cut_.inner;
    const std::int64_t line = isA ? cut_.gridN : cut_.gridM;
    const std::int64_t at = isA ? x : y;
    const bool gathers = isA && p_.pieceBytes > 0;
    const std::int32_t self = coreAt(y, x);
    Thread thread =
        builder_.thread(self, noc, isA ? "in0 reader" : "in1 reader, writer");
    thread.reserve(port, count);
    if (gathers) {
      if (block == 0)
        fetch(thread, y * cut_.gridN + x);
      gather(thread, self, count);
      thread.push(port, count);
      return;
    }
    const bool shares = line > 1 && !cut_.apart;
    const std::uint32_t ready = isA ? 0 : 8, valid = ready + 4;
    const auto turn = std::uint32_t(block + 1);
    if (!shares || at == 0) {
      const std::int64_t first =
          ((isA ? y : x) + block * (isA ? cut_.gridM : cut_.gridN)) * count;
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t page = (first + i) % pages.count();
        if (!pages.local() || pages.coreOf(page) != self)
          thread.read(pages.at(page), pages.bytes());
      }
      thread.readBarrier();
    }
    if (shares && at == 0) {
      const auto [from, to] = boxOf(y, x, line, isA);
      thread.waitFor(ready, turn * std::uint32_t(line - 1));
      thread.multicast(from, to, line - 1, count * pages.bytes());
      thread.setAll(from, to, line - 1, valid, turn);
    } else if (shares) {
      thread.increment(builder_.place(isA ? coreAt(y, 0) : coreAt(0, x)),
                       ready);
      thread.waitFor(valid, turn);
    }
    thread.push(port, count);
  }

  /// The corners of the cores of a row, or a column, of the product's grid.
  std::pair<NocPoint, NocPoint> boxOf(std::int64_t y, std::int64_t x,
                                      std::int64_t line, bool isRow) const {
    const std::int64_t width = builder_.chip().gridX;
    std::int64_t y0 = builder_.chip().gridY, x0 = width, y1 = 0, x1 = 0;
    for (std::int64_t i = 0; i < line; ++i) {
      const std::int64_t core = isRow ? coreAt(y, i) : coreAt(i, x);
      y0 = std::min(y0, core / width);
      x0 = std::min(x0, core % width);
      y1 = std::max(y1, core / width);
      x1 = std::max(x1, core % width);
    }
    return {builder_.place(std::int32_t(y0 * width + x0)),
            builder_.place(std::int32_t(y1 * width + x1))};
  }

  /// The rows of a that a core needs, with a halo, come to its L1 first.
  void fetch(Thread &thread, std::int64_t core) {
    constexpr std::int64_t kReads = 64;
    const std::int64_t all = cut_.gridM * cut_.gridN;
    const std::int64_t count = ceilDiv(a_.count(), all);
    const std::int64_t each = ceilDiv(count, kReads);
    for (std::int64_t i = 0; i < count; i += each)
      thread.read(a_.at((core * count + i) % a_.count()), each * a_.bytes(),
                  each);
    thread.readBarrier();
  }

  /// Pieces of rows that lie in the core's own L1.
  void gather(Thread &thread, std::int32_t core, std::int64_t tiles) {
    const std::int64_t bytes = tiles * 1024 * numerics::elementSize(rowType());
    const std::int64_t pieces = std::max<std::int64_t>(
        1, bytes / std::max<std::int64_t>(1, p_.pieceBytes));
    thread.read(builder_.place(core), bytes, pieces);
    thread.readBarrier();
  }

  DType rowType() const {
    const DType type = a_.layout().type;
    return numerics::isBlockFloat(type) ? DType::BF16 : type;
  }

  void multiply(std::int32_t core, bool final, bool last) {
    Thread thread = builder_.thread(core, Builder::kCompute, "matmul");
    const std::int64_t a = cut_.m * cut_.inner, b = cut_.n * cut_.inner;
    const DType typeA = a_.layout().type, typeB = b_.layout().type;
    const DType out = result_.layout().type;
    if (p_.pieceBytes) {
      thread.wait(kRows, a);
      thread.compute({.opcode = Opcode::tilize_block,
                      .first = rowType(),
                      .second = typeA,
                      .tiles = std::uint32_t(a),
                      .alone = false});
      thread.pop(kRows, a);
    } else {
      thread.wait(kA, a);
    }
    thread.wait(kB, b);
    // As many tiles as the destination registers hold; few groups of them are
    // told apart, but at the end, where the packer has nothing to hide behind.
    const std::int64_t registers = p_.fp32Dest ? 4 : 8;
    const std::int64_t cols = divisor(cut_.n, registers);
    const std::int64_t rows = divisor(cut_.m, registers / cols);
    const std::int64_t tiles = cut_.m * cut_.n / (rows * cols);
    const std::int64_t groups = std::min<std::int64_t>(tiles, final ? 8 : 2);
    const double each = double(tiles) / double(groups);
    // Partial sums are added up in L1 by the packer.
    const bool packs = last || tiles > 1;
    if (last)
      thread.reserve(kResult, cut_.m * cut_.n);
    for (std::int64_t i = 0; i < groups; ++i) {
      thread.compute({.opcode = Opcode::matmul_block,
                      .repeats = each * double(cut_.inner),
                      .first = typeA,
                      .second = typeB,
                      .tiles = std::uint32_t(rows * cols),
                      .cols = std::uint32_t(cols),
                      .alone = false});
      if (last && p_.bias)
        thread.compute({.opcode = Opcode::add_tiles_bcast,
                        .repeats = each * double(rows * cols),
                        .first = out,
                        .second = p_.bias->type,
                        .alone = false});
      if (packs)
        thread.compute({.opcode = Opcode::pack_tile,
                        .repeats = each * double(rows * cols),
                        .first = out});
    }
    if (!p_.pieceBytes)
      thread.pop(kA, a);
    thread.pop(kB, b);
    if (last)
      thread.push(kResult, cut_.m * cut_.n);
  }

  void write(std::int64_t y, std::int64_t x, std::int64_t round) {
    if (result_.local())
      return;
    Thread thread = builder_.thread(coreAt(y, x), 0, "in1 reader, writer");
    const std::int64_t count = cut_.m * cut_.n;
    thread.wait(kResult, count);
    const std::int64_t first =
        ((round * cut_.gridM + y) * cut_.gridN + x) * count;
    for (std::int64_t i = 0; i < count; ++i)
      thread.write(result_.at((first + i) % result_.count()), result_.bytes());
    thread.writeBarrier();
    thread.pop(kResult, count);
  }

  Builder &builder_;
  const Product &p_;
  const Pages a_, b_, result_;
  Cut cut_;
  std::int64_t stride_ = 1;
};

} // namespace

void stream(Builder &builder, const Product &product) {
  Multiply(builder, product).run();
}

} // namespace tt::runtime::ttnn::streams
