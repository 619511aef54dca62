#include "ttnn/streams/product.h"

#include "common/arch.h"
#include "numerics/tiles.h"
#include "ttnn/compute_config.h"
#include "ttnn/streams/bank_readers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace tt::runtime::ttnn::streams {

namespace {

/// The largest divisor of `number` up to `most`.
std::int64_t divisor(std::int64_t number, std::int64_t most) {
  for (std::int64_t d = std::min(number, most); d > 1; --d)
    if (number % d == 0)
      return d;
  return 1;
}

/// For weights in DRAM shards: the minimum bytes of a block, and the number of
/// blocks in flight, each with its own transaction id. These hide the latency
/// of a bank; more would only queue there and delay other readers.
constexpr std::int64_t kBlockBytes = 32 << 10;
constexpr std::int64_t kMostInFlight = 3;
/// The maximum number of these blocks for which a is sent at once; it must
/// divide the blocks of a round.
constexpr std::int64_t kAhead = 4;
static_assert(kMostBlocks % kAhead == 0);
/// The maximum number of tile rows for which cores near the banks multiply.
/// With more rows, all cores have enough work.
constexpr std::int64_t kMostRowsAtBanks = 8;
/// The maximum number of cores that share a bank.
constexpr std::int64_t kMostReaders = 4;

enum Port { kA, kB, kRows, kResult = 16, kPartial = 24 };

/// How a product is cut: a core makes m x n tiles at a time from blocks of k.
/// Rows of cores share blocks of a, columns those of b.
struct Cut {
  std::int64_t gridM = 1, gridN = 1;     // cores that have something to do
  std::int64_t m = 1, n = 1;             // of a core
  std::int64_t parts = 1;                // of a batch: along m
  std::int64_t roundsM = 1, roundsN = 1; // parts of m x n that fit in L1
  std::int64_t inner = 1;                // tiles of k in a block
  bool apart = false;                    // cores read their operands themselves
  bool moves = false;                    // shards are not on their cores
  bool banks = false;                    // b is sharded over DRAM banks
  std::int64_t readers = 1;              // cores of each bank
  std::int64_t ahead = 1;                // blocks of b for each block of a
  std::int64_t inFlight = 1;             // blocks of b in flight
  std::int64_t together = 1;             // products that share a block of a
  std::vector<std::int32_t> cores;       // gridM x gridN
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
    const std::int64_t rounds = cut_.roundsM * cut_.roundsN;
    const std::int64_t some = std::min(steps, builder_.most());
    const std::int64_t turns = std::min(rounds, builder_.mostRounds());
    setBuffers();
    for (std::int64_t y = 0; y < cut_.gridM; ++y)
      for (std::int64_t x = 0; x < cut_.gridN; ++x)
        core(y, x, turns, some);
    builder_.count(steps, some, double(rounds * steps), double(turns * some),
                   rounds);
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
    if (isInBanks())
      return cutBanks();
    leaveSenders();
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
    cutSlices();
  }

  /// The cores that send slices to other chips need a row of the grid.
  void leaveSenders() {
    const ChipGeometry &chip = builder_.chip();
    const auto used = std::int64_t(cut_.cores.size());
    const std::int64_t rest = chip.cores() - chip.gridX;
    if (!isSliced() || used <= rest || rest == 0)
      return;
    cut_.cores.resize(std::size_t(rest));
    cut_.moves = true;
  }

  bool isSliced() const { return p_.slices > 1 && p_.batch == 1; }

  /// A core makes its columns in more rounds.
  void cutSlices() {
    if (!isSliced())
      return;
    const std::int64_t wanted =
        std::min(cut_.n, ceilDiv(p_.slices, cut_.roundsM * cut_.roundsN));
    cut_.n = ceilDiv(cut_.n, wanted);
    cut_.roundsN *= wanted;
  }

  /// Products of their own: each core reads what it needs for some of them.
  void cutBatch(std::int64_t count) {
    cut_.apart = true;
    cut_.m = ceilDiv(
        p_.m, std::min(p_.m, std::max<std::int64_t>(1, count / p_.batch)));
    cut_.n = p_.n;
    cut_.parts = ceilDiv(p_.m, cut_.m);
    const std::int64_t all = p_.batch * cut_.parts;
    cut_.gridM = std::min(count, all);
    stride_ = 1;
    cut_.roundsM = ceilDiv(all, cut_.gridM);
    fit();
  }

  /// Whether each DRAM bank has some columns of b, for few rows of a.
  bool isInBanks() const {
    const Layout &layout = b_.layout();
    return layout.space == Space::Dram &&
           layout.placement == Placement::Sharded && layout.tiled &&
           layout.shardsY == 1 && !p_.pieceBytes && p_.m <= kMostRowsAtBanks;
  }

  /// Cores near each bank multiply its columns: as many as it takes to keep up
  /// with the bank.
  void cutBanks() {
    const ChipGeometry &chip = builder_.chip();
    const std::vector<std::int32_t> &banks = b_.layout().shardBank;
    const ArchData &arch = archData(chip.arch);
    const double multiply = double(p_.m) * (arch.cost.mvmulCyclesPerTilePhase *
                                                builder_.compute().phases() +
                                            arch.cost.matmulFixedCyclesPerTile);
    const double read = double(b_.bytes()) / arch.timing.dramReadBytesPerCycle;
    const std::int64_t most = std::max<std::int64_t>(
        1, std::min(kMostReaders, chip.cores() / std::int64_t(banks.size())));
    std::int64_t wanted = std::clamp<std::int64_t>(
        std::int64_t(std::ceil(multiply / read)), 1, most);
    // The activation follows the last block, so nothing hides it.
    if (p_.activation)
      wanted = most;
    cut_.banks = true;
    cut_.n = ceilDiv(b_.shardCols(), wanted);
    cut_.readers = ceilDiv(b_.shardCols(), cut_.n);
    cut_.cores = bankReaders(chip, banks, cut_.readers);
    cut_.gridM = 1;
    cut_.gridN = std::int64_t(cut_.cores.size());
    cut_.m = p_.m;
    stride_ = cut_.gridN;
    const std::int64_t whole = cut_.n;
    fit();
    cutSlices();
    columnsOfCore_ = whole;
    cut_.parts = cut_.roundsM;
    if (sharesA())
      cut_.together = p_.batch;
    else
      cut_.roundsM *= p_.batch;
    // Blocks have the minimum bytes, and enough rows that their sums are packed
    // while the next block arrives, as far as L1 has room.
    const double pack = double(p_.m) * (arch.timing.packFixedCyclesPerTile +
                                        (p_.fp32Dest ? 4096 : 2048) /
                                            arch.cost.packBytesPerCycle);
    const auto rows =
        std::int64_t(std::ceil(pack / (0.7 * read * double(cut_.readers))));
    const std::int64_t row = cut_.n * b_.bytes();
    cut_.inner = divisor(p_.k, std::max(rows, kBlockBytes / row));
    cut_.inFlight = kMostInFlight;
    const double sums =
        cut_.together > 1 ? sumsOfBatch() + resultsOfBatch() : 0;
    const auto isTooBig = [&] {
      return double((cut_.inFlight + 1) * cut_.inner * row) + sums >
             0.6 * double(chip.l1Size);
    };
    while (isTooBig() && cut_.inFlight > 2)
      --cut_.inFlight;
    while (isTooBig() && cut_.inner > 1)
      cut_.inner = divisor(p_.k, cut_.inner - 1);
    cut_.ahead = std::gcd(p_.k / cut_.inner, kAhead);
  }

  /// Whether all products of a batch have the same a, and their partial sums
  /// fit in L1: then each block of a is sent once.
  bool sharesA() const {
    return a_.count() == p_.m * p_.k && cut_.parts == 1 &&
           sumsOfBatch() < 0.3 * double(builder_.chip().l1Size);
  }

  /// The bytes of the partial sums of all products of a batch in a core.
  double sumsOfBatch() const {
    return double(p_.batch * cut_.m * cut_.n) * (p_.fp32Dest ? 4096.0 : 2048.0);
  }

  /// The bytes of the results of all products of a batch in a core.
  double resultsOfBatch() const {
    return double(p_.batch * cut_.m * cut_.n * result_.bytes());
  }

  /// The first column of b of a core near a bank in a round, and the number of
  /// its columns.
  std::int64_t bankColumn(std::int64_t x, std::int64_t right) const {
    return x / cut_.readers * b_.shardCols() + firstOfCore(x, right);
  }
  std::int64_t bankColumns(std::int64_t x, std::int64_t right) const {
    const std::int64_t own = columnsOfCore_ - right * cut_.n;
    const std::int64_t shard = b_.shardCols() - firstOfCore(x, right);
    return std::max<std::int64_t>(
        0, std::min({cut_.n, own, shard, b_.cols() - bankColumn(x, right)}));
  }
  std::int64_t firstOfCore(std::int64_t x, std::int64_t right) const {
    return x % cut_.readers * columnsOfCore_ + right * cut_.n;
  }

  void fit() {
    // Beside the core's own shards.
    double room = 0.9 * double(builder_.chip().l1Size);
    for (const Pages *pages : {&a_, &b_, &result_})
      if (pages->local())
        room -= double(pages->layout().bankBytes);
    while (roomFor(cut_.m, cut_.n, 1) > room) {
      const bool tall = cut_.banks || cut_.m >= cut_.n;
      std::int64_t &side = tall ? cut_.m : cut_.n;
      const std::int64_t half = ceilDiv(side, 2);
      if (half == side)
        break;
      (tall ? cut_.roundsM : cut_.roundsN) *= ceilDiv(side, half);
      side = half;
    }
    // A block of a sharded operand is in one shard.
    const std::int64_t whole =
        a_.local() ? std::gcd(p_.k, a_.shardCols()) : p_.k;
    cut_.inner = innerTiles(whole);
    while (cut_.inner > 1 && roomFor(cut_.m, cut_.n, cut_.inner) > room)
      cut_.inner = divisor(whole, cut_.inner - 1);
  }

  void setBuffers() {
    builder_.buffer(kA, 2 * cut_.m * cut_.inner * cut_.ahead);
    builder_.buffer(kB,
                    (cut_.banks ? cut_.inFlight + 1 : 2) * cut_.n * cut_.inner);
    builder_.buffer(kRows, 2 * cut_.m * cut_.inner);
    builder_.buffer(kResult,
                    std::max<std::int64_t>(2, cut_.together) * cut_.m * cut_.n);
  }

  std::int32_t coreAt(std::int64_t y, std::int64_t x) const {
    return cut_.cores[std::size_t(y * stride_ + x)];
  }

  void core(std::int64_t y, std::int64_t x, std::int64_t rounds,
            std::int64_t steps) {
    std::vector<Part> made; // not written yet
    const auto writeMade = [&] {
      for (const Part &part : made)
        write(y, x, part);
      made.clear();
    };
    for (std::int64_t block = 0; block < rounds * steps; ++block) {
      const std::int64_t round = block / steps, step = block % steps;
      Part part = partOf(y, x, round, step);
      const bool last = step + 1 == steps;
      if (step % cut_.ahead == 0)
        side(y, x, block / cut_.ahead, part, true);
      for (std::int64_t i = 0; i < cut_.together; ++i) {
        if (cut_.banks)
          readBank(x, block * cut_.together + i, rounds * steps * cut_.together,
                   part);
        else
          side(y, x, block, part, false);
        const bool isFinal = i + 1 == cut_.together;
        multiply(coreAt(y, x), last && isFinal && round + 1 == rounds,
                 step == 0, last, isFinal);
        if (last)
          made.push_back(part);
        part.row += p_.m;
        ++part.batch;
      }
      // One thread reads and writes: it writes a slice when the first blocks of
      // the next one are in flight, and the products of a batch after all
      // reads.
      if (!isSliced() || step + 1 == std::min(steps, kMostInFlight))
        writeMade();
    }
    writeMade();
  }

  /// Where a block begins, in tiles; rows of `a` and of the result go on from
  /// one product of a batch to the next.
  struct Part {
    std::int64_t row, column, batch, inner;
    std::int64_t right; // of the rounds along n
  };
  Part partOf(std::int64_t y, std::int64_t x, std::int64_t round,
              std::int64_t step) const {
    const std::int64_t down = round / cut_.roundsN,
                       right = round % cut_.roundsN;
    const std::int64_t column =
        cut_.banks ? bankColumn(x, right) : (x * cut_.roundsN + right) * cut_.n;
    if (cut_.banks) {
      const std::int64_t batch = down / cut_.parts;
      return {batch * p_.m + down % cut_.parts * cut_.m, column, batch,
              step * cut_.inner, right};
    }
    if (!cut_.apart)
      return {(y * cut_.roundsM + down) * cut_.m, column, 0, step * cut_.inner,
              right};
    const std::int64_t item = y + down * cut_.gridM;
    const std::int64_t batch = item / cut_.parts % p_.batch;
    return {batch * p_.m + item % cut_.parts * cut_.m, column, batch,
            step * cut_.inner, right};
  }

  /// Of a block of `a` or `b`: rows and columns of its pages.
  struct Block {
    std::int64_t row, column, rows, columns;
  };
  Block blockOf(const Part &part, bool isA) const {
    return isA ? Block{part.row, part.inner, cut_.m, cut_.inner * cut_.ahead}
               : Block{part.batch * p_.k + part.inner, part.column, cut_.inner,
                       cut_.n};
  }

  template <typename Action>
  static void forPages(const Pages &pages, const Block &block, Action action) {
    for (std::int64_t row = 0; row < block.rows; ++row)
      for (std::int64_t column = 0; column < block.columns; ++column)
        action(((block.row + row) * pages.cols() + block.column + column) %
               pages.count());
  }

  /// Which of the cores that share a block sends it: the one that has it in its
  /// shard, else the first, which reads it.
  std::int64_t senderOf(std::int64_t y, std::int64_t x, const Pages &pages,
                        const Block &block, bool isA) const {
    // With bank readers, the first core gathers operand a, which may have
    // several shards.
    if (!pages.local() || cut_.banks)
      return 0;
    const std::int32_t owner =
        pages.coreOf((block.row * pages.cols() + block.column) % pages.count());
    const std::int64_t line = isA ? cut_.gridN : cut_.gridM;
    for (std::int64_t i = 0; i < line; ++i)
      if ((isA ? coreAt(y, i) : coreAt(i, x)) == owner)
        return i;
    return 0;
  }

  /// Brings a block of a along a row of cores, or of b along a column.
  void side(std::int64_t y, std::int64_t x, std::int64_t turn, const Part &part,
            bool isA) {
    const Pages &pages = isA ? a_ : b_;
    const int port = isA ? p_.pieceBytes ? kRows : kA : kB;
    // Responses to readers in a row come along the columns, and the other way.
    const int noc = isA ? 1 : 0;
    const Block block = blockOf(part, isA);
    const std::int64_t count = block.rows * block.columns;
    const std::int64_t line = isA ? cut_.gridN : cut_.gridM;
    const std::int32_t self = coreAt(y, x);
    Thread thread =
        builder_.thread(self, noc, isA ? "in0 reader" : "in1 reader, writer");
    thread.reserve(port, count);
    if (isA && p_.pieceBytes > 0) {
      if (turn == 0)
        fetch(thread, y * cut_.gridN + x, self);
      gather(thread, self, count);
      thread.push(port, count);
      return;
    }
    const bool shares = line > 1 && !cut_.apart;
    const std::int64_t sender = senderOf(y, x, pages, block, isA);
    const bool sends = (isA ? x : y) == sender;
    if (!shares || sends) {
      forPages(pages, block, [&](std::int64_t page) {
        if (!pages.local() || pages.coreOf(page) != self)
          thread.read(pages.at(page), pages.bytes());
      });
      thread.readBarrier();
    }
    if (shares) {
      // Who sends has room when as many have said so as he has sent to, `line`
      // - 1 for each block.
      const std::uint32_t ready = isA ? 0 : 8, valid = ready + 4;
      const auto number = std::uint32_t(turn + 1);
      if (sends) {
        std::uint32_t &asked = asked_[{self, isA}];
        asked += std::uint32_t(line - 1);
        const auto [from, to] = boxOf(y, x, line, isA);
        thread.waitFor(ready, asked);
        thread.multicast(from, to, line - 1, count * pages.bytes());
        thread.setAll(from, to, line - 1, valid, number);
      } else {
        thread.increment(
            builder_.place(isA ? coreAt(y, sender) : coreAt(sender, x)), ready);
        thread.waitFor(valid, number);
      }
    }
    thread.push(port, count);
  }

  /// Reads a block of b, which is contiguous in a bank, while earlier ones are
  /// in flight.
  void readBank(std::int64_t x, std::int64_t turn, std::int64_t turns,
                const Part &part) {
    const auto idOf = [this](std::int64_t t) {
      return std::uint32_t(t % cut_.inFlight + 1);
    };
    Thread thread =
        builder_.thread(coreAt(0, x), 0, "in1 DRAM-sharded reader, writer");
    const std::int64_t count = cut_.inner * cut_.n;
    // The rows of a shard follow each other without gaps.
    const std::int64_t row = bankColumns(x, part.right) * b_.bytes();
    const std::int64_t pieces =
        cut_.readers > 1 || cut_.roundsN > 1 ? cut_.inner : 1;
    const std::int64_t each = row * cut_.inner / pieces;
    thread.reserve(kB, count * std::min(turn + 1, cut_.inFlight));
    if (row > 0)
      thread.read(
          b_.at((part.batch * p_.k + part.inner) * b_.cols() + part.column),
          row * cut_.inner,
          pieces * ceilDiv(each, builder_.mostTransferBytes()), idOf(turn));
    const auto finish = [&](std::int64_t t) {
      if (row > 0)
        thread.readBarrier(idOf(t));
      thread.push(kB, count);
    };
    const std::int64_t oldest = turn + 1 - cut_.inFlight;
    if (turn + 1 < turns) {
      if (oldest >= 0)
        finish(oldest);
      return;
    }
    for (std::int64_t t = std::max<std::int64_t>(0, oldest); t < turns; ++t)
      finish(t);
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

  /// The rows of a that a core needs, with a halo, come to its L1 first; those
  /// of its own shard are there.
  void fetch(Thread &thread, std::int64_t core, std::int32_t self) {
    constexpr std::int64_t kReads = 64;
    const std::int64_t all = cut_.gridM * cut_.gridN;
    const std::int64_t share = ceilDiv(a_.count(), all);
    const std::int64_t halo = p_.halo * a_.cols();
    // A halo may be longer than the image.
    const std::int64_t count = std::min(share + halo, a_.count());
    const std::int64_t first = std::max(core * share - halo / 2, -a_.count());
    std::vector<std::int64_t> missing;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t page = (first + i + a_.count()) % a_.count();
      if (!a_.local() || a_.coreOf(page) != self)
        missing.push_back(page);
    }
    const auto fetched = std::int64_t(missing.size());
    const std::int64_t each =
        std::max<std::int64_t>(1, ceilDiv(fetched, kReads));
    for (std::int64_t i = 0; i < fetched; i += each) {
      const std::int64_t some = std::min(each, fetched - i);
      thread.read(a_.at(missing[std::size_t(i)]), some * a_.bytes(), some);
    }
    thread.readBarrier();
  }

  /// Pieces of rows that lie in the core's own L1.
  void gather(Thread &thread, std::int32_t core, std::int64_t tiles) {
    const std::int64_t bytes = tiles * 1024 * numerics::elementSize(rowsOf(a_));
    const std::int64_t pieces = std::max<std::int64_t>(
        1, bytes / std::max<std::int64_t>(1, p_.pieceBytes));
    thread.gather(builder_.place(core), bytes, pieces);
    thread.readBarrier();
  }

  /// The format of data that is gathered or scattered row by row.
  static DType rowsOf(const Pages &pages) {
    const DType type = pages.layout().type;
    return numerics::isBlockFloat(type) ? DType::BF16 : type;
  }

  void multiply(std::int32_t core, bool final, bool first, bool last,
                bool popsA) {
    Thread thread = builder_.thread(core, Builder::kCompute, "matmul");
    const std::int64_t a = cut_.m * cut_.inner, b = cut_.n * cut_.inner;
    const DType typeA = a_.layout().type, typeB = b_.layout().type;
    const DType out = result_.layout().type;
    if (p_.pieceBytes) {
      thread.wait(kRows, a);
      thread.compute({.opcode = Opcode::tilize_block,
                      .first = rowsOf(a_),
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
    // Shards in DRAM banks are padded to equal parts, others must divide
    // evenly.
    const std::int64_t cols = cut_.banks
                                  ? ceilDiv(cut_.n, ceilDiv(cut_.n, registers))
                                  : divisor(cut_.n, registers);
    const std::int64_t rows = divisor(cut_.m, registers / cols);
    const std::int64_t tiles = cut_.m / rows * ceilDiv(cut_.n, cols);
    const std::int64_t groups = std::min<std::int64_t>(tiles, final ? 8 : 2);
    const double each = double(tiles) / double(groups);
    // Partial sums are in L1 between blocks: the packer adds to them, or they
    // are copied back first.
    const bool isPartial = tiles > 1 || cut_.together > 1;
    const bool packs = last || isPartial;
    const bool reloads = isPartial && !first && !p_.packerL1Acc;
    const DType partial = p_.fp32Dest ? DType::F32 : DType::BF16;
    if (last)
      thread.reserve(kResult, cut_.m * cut_.n);
    for (std::int64_t i = 0; i < groups; ++i) {
      if (reloads)
        thread.compute({.opcode = Opcode::copy_tile,
                        .repeats = each * double(rows * cols),
                        .first = partial});
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
      if (last && p_.activation) {
        Instruction activation = *p_.activation;
        activation.repeats *= each * double(rows * cols);
        thread.compute(activation);
      }
      if (packs)
        thread.compute({.opcode = Opcode::pack_tile,
                        .repeats = each * double(rows * cols),
                        .first = last ? out : partial});
    }
    if (!p_.pieceBytes && popsA)
      thread.pop(kA, a);
    thread.pop(kB, b);
    if (last && p_.spreadBytes)
      spread(thread, cut_.m * cut_.n);
    if (last)
      thread.push(kResult, cut_.m * cut_.n);
  }

  /// Untilizes the tiles; the writer scatters the rows, which are tilized
  /// again.
  void spread(Thread &thread, std::int64_t count) {
    const DType rows = rowsOf(result_);
    const auto tiles = std::uint32_t(count);
    thread.compute({.opcode = Opcode::untilize_block,
                    .first = rows,
                    .second = rows,
                    .tiles = tiles,
                    .alone = false});
    thread.compute({.opcode = Opcode::tilize_block,
                    .first = rows,
                    .second = result_.layout().type,
                    .tiles = tiles,
                    .alone = false});
  }

  void write(std::int64_t y, std::int64_t x, const Part &part) {
    const bool isLocal = result_.local() && !cut_.banks && !cut_.moves;
    if (isLocal && !p_.spreadBytes)
      return;
    Thread thread = builder_.thread(
        coreAt(y, x), 0,
        cut_.banks ? "in1 DRAM-sharded reader, writer" : "in1 reader, writer");
    Block block{part.row, part.column, cut_.m, cut_.n};
    if (cut_.banks)
      block.columns = bankColumns(x, part.right);
    thread.wait(kResult, cut_.m * cut_.n);
    if (p_.spreadBytes) {
      const std::int64_t bytes =
          cut_.m * cut_.n * 1024 * numerics::elementSize(rowsOf(result_));
      thread.write(builder_.place(coreAt(y, x)), bytes,
                   std::max<std::int64_t>(1, bytes / p_.spreadBytes));
      thread.writeBarrier();
    }
    if (isLocal) {
      thread.pop(kResult, cut_.m * cut_.n);
      return;
    }
    forPages(result_, block, [&](std::int64_t page) {
      if (!result_.local() || result_.coreOf(page) != coreAt(y, x))
        thread.write(result_.at(page), result_.bytes());
    });
    thread.writeBarrier();
    thread.pop(kResult, cut_.m * cut_.n);
  }

  Builder &builder_;
  const Product &p_;
  const Pages a_, b_, result_;
  Cut cut_;
  std::int64_t stride_ = 1;
  std::int64_t columnsOfCore_ = 0; // near a bank: of all rounds
  /// What a sender of `a` or `b` has waited for.
  std::map<std::pair<std::int32_t, bool>, std::uint32_t> asked_;
};

} // namespace

void stream(Builder &builder, const Product &product) {
  Multiply(builder, product).run();
}

} // namespace tt::runtime::ttnn::streams
