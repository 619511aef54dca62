#include "ttnn/streams/pipeline.h"

#include "numerics/tiles.h"
#include "ttnn/streams/exchange.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tt::runtime::ttnn::streams {

namespace {

/// Most pages of a block that a core keeps: two blocks, their results and what
/// is between them fit into L1.
constexpr std::int64_t kMostKept = 64;

/// Transfers of a core that a stream has, at least six blocks of them and at
/// most half as many as these: multiples of the channels of every chip, so that
/// all have the same.
constexpr double kMostTransfers = 96;

/// Pages of a block that are finished together.
constexpr std::int64_t kFinished = 8;

/// Most transfers from an operand for a page.
constexpr std::int64_t kMostReads = 64;

constexpr int kResultPort = 16;
/// Between the engines and the reader, of an exchange.
constexpr int kPartPort = 24, kWholePort = 25, kOthersPort = 26,
              kCombinedPort = 27;
/// Operands that the writer reads once.
constexpr int kOncePort = 28;

/// Counts the cores that have written their parts.
constexpr std::uint32_t kPartsWritten = 0;

/// Those of a sequence with `rate` for each page that belong to a page.
struct Run {
  std::int64_t first, count;
};
Run runOf(double rate, std::int64_t page) {
  const auto upTo = [&](std::int64_t pages) {
    return std::int64_t(std::ceil(double(pages) * rate - 1e-9));
  };
  return {upTo(page), upTo(page + 1) - upTo(page)};
}

/// The threads of one core.
class Core {
public:
  /// `most` are the pages of a block.
  Core(Builder &builder, const Pipeline &pipeline, const Pages &dealt,
       const Share &share, std::int64_t most)
      : builder_(builder), pipeline_(pipeline), dealt_(dealt), share_(share) {
    // Cores with shards of all rows that are one block.
    const std::int64_t rows = dealt.count() / dealt.cols();
    if (exchanges() && rows * dealt.shardCols() <= most &&
        dealt.coreOf(0) == dealt.coreOf((rows - 1) * dealt.cols()))
      staged_.emplace(builder, coresOfRow(0), share.core, rows,
                      Exchange::Ports{kPartPort, kOthersPort, kCombinedPort});
  }

  void block(std::int64_t begin, std::int64_t end) {
    if (begin == 0)
      start();
    if (!pipeline_.feeds.empty() || pipeline_.fills > 0)
      read(begin, end);
    if (exchanges())
      exchange(rowsOf(begin, end));
    if (!pipeline_.compute.empty())
      compute(begin, end);
    const std::int64_t step =
        pipeline_.finish.empty() ? end - begin : kFinished;
    for (std::int64_t at = begin; at < end; at += step)
      write(at, std::min(end, at + step));
  }

private:
  std::int64_t page(std::int64_t at) const {
    return share_.pages[std::size_t(at)];
  }
  /// The shard of the core is what it works on; the host is timed apart.
  bool inPlace(const Pages &pages) const {
    return !pages.onDevice() ||
           (pages.local() && dealt_.local() &&
            pages.count() == dealt_.count() && pages.cols() == dealt_.cols() &&
            pages.shardCols() == dealt_.shardCols() &&
            pages.layout().shardBank == dealt_.layout().shardBank);
  }
  /// Nothing is read of it.
  bool isThere(const Pages &pages) const {
    return inPlace(pages) && !(pages.onDevice() && pipeline_.rearranges);
  }
  void start() {
    if (pipeline_.begins > 0)
      reader().fill(std::int64_t(pipeline_.begins));
    // The writer of an exchange reads them in the meantime, and of tiles with
    // one row of weights only that row, which is in two faces.
    Thread thread = exchanges() ? writer() : reader();
    for (const Layout *layout : pipeline_.once) {
      const Pages pages = builder_.pages(*layout);
      const bool isRow = exchanges() && layout->tiled &&
                         layout->logicalRows() == 1 &&
                         !numerics::isBlockFloat(layout->type);
      const std::int64_t bytes =
          isRow ? numerics::kTileDim * numerics::elementSize(layout->type)
                : pages.bytes();
      const bool shared = splitsRows() && pages.cols() == dealt_.cols();
      const std::int64_t first =
          shared ? share_.pages.front() % dealt_.cols() : 0;
      const std::int64_t count = shared ? dealt_.shardCols() : pages.cols();
      for (std::int64_t row = 0; row < pages.count(); row += pages.cols())
        for (std::int64_t i = first; i < std::min(first + count, pages.cols());
             ++i)
          thread.read(pages.at(row + i), bytes, isRow ? 2 : 1);
    }
    if (!pipeline_.once.empty())
      thread.readBarrier();
    if (keepsOnce()) {
      thread.reserve(kOncePort, 1);
      thread.push(kOncePort, 1);
    }
    if (pipeline_.halo > 0) {
      readHalo();
      reader().readBarrier();
    }
  }

  /// The halo before the inputs of the core's first pages and an equal one
  /// after them: here, all of it comes before.
  void readHalo() {
    const Feed &feed = pipeline_.feeds.front();
    const Pages pages = builder_.pages(*feed.layout);
    const std::int64_t columns = std::min(
        pages.cols(), splitsRows() ? dealt_.shardCols() : dealt_.cols());
    const std::int64_t column = share_.pages.front() % dealt_.cols();
    const std::int64_t row =
        runOf(feed.perPage, share_.pages.front()).first / pages.cols();
    const std::int64_t rows = pages.count() / pages.cols();
    for (std::int64_t i = 1; i <= std::min(pipeline_.halo, rows); ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        const std::int64_t page = ((row - i + rows) % rows) * pages.cols() +
                                  (column + j) % pages.cols();
        if (!pages.local() || pages.coreOf(page) != share_.core)
          reader().read(pages.at(page), pages.bytes());
      }
  }

  /// Whether a row of pages is in the shards of several cores.
  bool splitsRows() const {
    return dealt_.local() && dealt_.shardCols() < dealt_.cols();
  }
  bool exchanges() const { return pipeline_.exchanges > 0 && splitsRows(); }
  bool keepsOnce() const { return exchanges() && !pipeline_.once.empty(); }
  std::int64_t rowsOf(std::int64_t begin, std::int64_t end) const {
    return ceilDiv(end - begin, dealt_.shardCols());
  }

  /// Those with shards of the row that begins with a page.
  std::vector<std::int32_t> coresOfRow(std::int64_t page) const {
    std::vector<std::int32_t> cores;
    for (std::int64_t x = 0; x < dealt_.cols(); x += dealt_.shardCols())
      cores.push_back(dealt_.coreOf(page + x));
    return cores;
  }

  /// Each core combines an equal share of the rows, of which it reads the parts
  /// of all others, and then reads from them the rows that they have combined.
  void exchange(std::int64_t rows) {
    if (staged_) {
      Thread thread = reader();
      for (std::int64_t i = 1; i <= pipeline_.exchanges; ++i) {
        staged_->read(thread, i);
        thread.reserve(kWholePort, rows);
        thread.push(kWholePort, rows);
      }
      return;
    }
    std::vector<NocPoint> others;
    for (std::int32_t core :
         coresOfRow(share_.pages.front() / dealt_.cols() * dealt_.cols()))
      if (core != share_.core)
        others.push_back(builder_.place(core));
    const std::int64_t own = ceilDiv(rows, std::int64_t(others.size()) + 1);
    const std::int64_t bytes = numerics::tileBytes(DType::BF16);
    Thread thread = reader();
    for (std::int64_t i = 0; i < pipeline_.exchanges; ++i) {
      thread.wait(kPartPort, rows);
      for (int step = 0; step < 2; ++step) {
        for (const NocPoint &other : others)
          thread.read(other, own * bytes, own);
        thread.readBarrier();
      }
      thread.pop(kPartPort, rows);
      thread.reserve(kWholePort, rows);
      thread.push(kWholePort, rows);
    }
  }

  Thread reader() { return builder_.thread(share_.core, 0, "reader"); }
  Thread writer() { return builder_.thread(share_.core, 1, "writer"); }

  void read(std::int64_t begin, std::int64_t end) {
    Thread thread = reader();
    int port = 0;
    for (const Feed &feed : pipeline_.feeds) {
      const Pages pages = builder_.pages(*feed.layout);
      const int own = port++;
      if (isThere(pages))
        continue;
      thread.reserve(own, end - begin);
      for (std::int64_t at = begin; at < end; ++at) {
        const Run run = runOf(feed.perPage, page(at));
        const double bytes =
            feed.bytes > 0 ? feed.bytes : double(pages.bytes());
        // Of very many pages, several are one transfer.
        const std::int64_t each = (run.count + kMostReads - 1) / kMostReads;
        for (std::int64_t i = 0; i < run.count; i += each) {
          const auto some = double(std::min(each, run.count - i));
          // Windows are gathered from where the shard is.
          if (pipeline_.pieces > 0 && pages.local() &&
              pages.coreOf((run.first + i) % pages.count()) == share_.core)
            continue;
          thread.read(pages.at((run.first + i) % pages.count()),
                      std::int64_t(bytes * some),
                      std::int64_t(std::ceil(feed.parts * some)));
        }
      }
    }
    if (pipeline_.pieces > 0)
      thread.gather(builder_.place(share_.core),
                    std::int64_t(pipeline_.pieceBytes * pipeline_.pieces *
                                 double(end - begin)),
                    std::int64_t(pipeline_.pieces * double(end - begin)));
    if (pipeline_.fills > 0) {
      if (pipeline_.feeds.empty())
        thread.reserve(0, end - begin);
      thread.fill(std::int64_t(pipeline_.fills * double(end - begin)));
    }
    thread.readBarrier();
    for (int own = 0; own < std::max(port, 1); ++own)
      if (feeds(own))
        thread.push(own, end - begin);
  }

  /// Whether the reader fills a circular buffer.
  bool feeds(int port) const {
    if (pipeline_.feeds.empty())
      return pipeline_.fills > 0;
    return !isThere(builder_.pages(*pipeline_.feeds[std::size_t(port)].layout));
  }
  int ports() const {
    return std::max(pipeline_.fills > 0 ? 1 : 0, int(pipeline_.feeds.size()));
  }

  void compute(std::int64_t begin, std::int64_t end) {
    Thread thread =
        builder_.thread(share_.core, Builder::kCompute, pipeline_.name);
    const std::int64_t count = end - begin;
    const std::int64_t results = made(begin, end);
    for (int port = 0; port < ports(); ++port)
      if (feeds(port))
        thread.wait(port, count);
    const std::int64_t first = pipeline_.finish.empty() ? results : 0;
    if (first)
      thread.reserve(kResultPort, first);
    repeat(thread, pipeline_.compute, count);
    if (exchanges())
      for (std::int64_t i = 0; i < pipeline_.exchanges; ++i) {
        const std::int64_t rows = rowsOf(begin, end);
        thread.reserve(kPartPort, rows);
        thread.push(kPartPort, rows);
        if (staged_)
          staged_->compute(thread);
        thread.wait(kWholePort, rows);
        thread.pop(kWholePort, rows);
      }
    if (begin == 0 && keepsOnce())
      thread.wait(kOncePort, 1);
    for (std::int64_t at = first; at < results; at += kFinished) {
      const std::int64_t some = std::min(kFinished, results - at);
      thread.reserve(kResultPort, some);
      repeat(thread, pipeline_.finish, some);
      thread.push(kResultPort, some);
    }
    for (int port = 0; port < ports(); ++port)
      if (feeds(port))
        thread.pop(port, count);
    if (first)
      thread.push(kResultPort, first);
  }

  static void repeat(Thread &thread,
                     const std::vector<Instruction> &instructions,
                     std::int64_t times) {
    for (Instruction instruction : instructions) {
      instruction.repeats *= double(times);
      thread.compute(instruction);
    }
  }

  /// Results of the pages that are dealt.
  std::int64_t made(std::int64_t begin, std::int64_t end) const {
    std::int64_t count = 0;
    for (std::int64_t at = begin; at < end; ++at)
      count += runOf(pipeline_.results, page(at)).count;
    return count;
  }

  void write(std::int64_t begin, std::int64_t end) {
    const Pages pages = builder_.pages(*pipeline_.result);
    const std::int64_t results = made(begin, end);
    const bool computes = !pipeline_.compute.empty();
    // What no engine changes is written from where it was read.
    const int port = computes ? kResultPort : 0;
    if (inPlace(pages) || results == 0) {
      if (!computes)
        for (int own = 0; own < ports(); ++own)
          if (feeds(own)) {
            Thread thread = writer();
            thread.wait(own, end - begin);
            thread.pop(own, end - begin);
          }
      return;
    }
    Thread thread = writer();
    for (int own = 0; own < (computes ? 1 : ports()); ++own)
      if (computes || feeds(own))
        thread.wait(computes ? port : own, computes ? results : end - begin);
    for (std::int64_t at = begin; at < end; ++at) {
      const Run run = runOf(pipeline_.results, page(at));
      for (std::int64_t i = 0; i < run.count; ++i)
        thread.write(pages.at((run.first + i) % pages.count()), pages.bytes(),
                     std::int64_t(std::ceil(pipeline_.resultParts)));
    }
    thread.writeBarrier();
    for (int own = 0; own < (computes ? 1 : ports()); ++own)
      if (computes || feeds(own))
        thread.pop(computes ? port : own, computes ? results : end - begin);
  }

  Builder &builder_;
  const Pipeline &pipeline_;
  const Pages &dealt_;
  const Share &share_;
  std::optional<Exchange> staged_;
};

/// Cores signal that their partial results are ready; the cores of the result
/// combine them.
void join(Builder &builder, const Pipeline &pipeline, const Deal &dealing) {
  const Pages result = builder.pages(*pipeline.result);
  const Deal owned = deal(
      result, 1, 1, coresOf(*pipeline.result, builder.chip()), builder.chip());
  for (const Share &share : dealing.shares) {
    Thread writer = builder.thread(share.core, 1, "writer");
    for (const Share &owner : owned.shares)
      writer.increment(builder.place(owner.core), kPartsWritten);
  }
  for (const Share &owner : owned.shares) {
    Thread reader = builder.thread(owner.core, 0, "reader");
    reader.reserve(kPartPort, 1);
    reader.waitFor(kPartsWritten, std::uint32_t(dealing.shares.size()));
    reader.push(kPartPort, 1);
    Thread compute =
        builder.thread(owner.core, Builder::kCompute, pipeline.name);
    compute.wait(kPartPort, 1);
    const double pages = double(owned.busiest);
    for (Instruction instruction : pipeline.joins) {
      instruction.repeats *= pages;
      compute.compute(instruction);
    }
    compute.pop(kPartPort, 1);
  }
}

} // namespace

void stream(Builder &builder, const Pipeline &pipeline) {
  const Pages dealt =
      builder.pages(pipeline.dealt ? *pipeline.dealt : *pipeline.result);
  // The library's kernels take one page after the other, or a row of them.
  double transfers = pipeline.results;
  for (const Feed &feed : pipeline.feeds)
    transfers = std::max(transfers, std::min(feed.perPage, double(kMostReads)));
  const std::int64_t block =
      pipeline.keeps ? std::clamp<std::int64_t>(pipeline.together, 1, kMostKept)
                     : 1;
  const double share = double(builder.most()) / kMostBlocks;
  const auto most =
      block * std::int64_t(share * std::clamp(kMostTransfers /
                                                  (double(block) *
                                                   std::max(1.0, transfers)),
                                              6.0, kMostTransfers / 2));
  const Deal dealing =
      deal(dealt, pipeline.together, most,
           pipeline.partials > 0 ? coresOf(builder.chip())
                                 : coresOf(*pipeline.result, builder.chip()),
           builder.chip());
  for (std::size_t port = 0; port < pipeline.feeds.size(); ++port)
    builder.buffer(int(port), 2 * block);
  if (pipeline.feeds.empty())
    builder.buffer(0, 2 * block);
  for (int port : {kPartPort, kWholePort, kCombinedPort})
    builder.buffer(port, block);
  builder.buffer(kOncePort, 1);
  builder.buffer(kOthersPort, Exchange::mostOthers(builder.chip(), block));
  builder.buffer(
      kResultPort,
      std::max<std::int64_t>(
          1, std::int64_t(2 * std::ceil(double(block) * pipeline.results))));
  for (const Share &share : dealing.shares) {
    Core core(builder, pipeline, dealt, share, block);
    const auto count = std::int64_t(share.pages.size());
    for (std::int64_t at = 0; at < count; at += block)
      core.block(at, std::min(count, at + block));
  }
  if (pipeline.partials > 0)
    join(builder, pipeline, dealing);
  builder.count((dealing.busiest + block - 1) / block,
                (std::min(dealing.busiest, most) + block - 1) / block,
                double(dealing.all), double(dealing.listed));
}

} // namespace tt::runtime::ttnn::streams
