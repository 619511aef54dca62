#include "ttnn/streams/step_kernels.h"

#include <algorithm>

namespace tt::runtime::ttnn::streams {

namespace {

/// Tiles of channels that are gathered as one piece of a pixel.
constexpr std::int64_t kMostChannels = 8;

/// The bytes that a core writes to the scaler tile of a reduction: the first
/// row of each face, in bf16.
constexpr double kScaler = 4 * 16 * 2;

} // namespace

void StepKernels::run(Pipeline &pipeline) {
  const Layout &dealt = pipeline.dealt ? *pipeline.dealt : *pipeline.result;
  if (!dealt.tiled)
    for (auto *instructions : {&pipeline.compute, &pipeline.finish})
      for (Instruction &instruction : *instructions)
        instruction.repeats *= double(dealt.cols) / (kTile * kTile);
  stream(builder_, pipeline);
}

void StepKernels::moves(ValueIndex from, ValueIndex to) {
  const Layout &in = layout(from), &out = layout(to);
  if (!in.onDevice() && !out.onDevice()) {
    work_.dispatched = false;
  } else if (!in.onDevice()) {
    host(out, "upload");
  } else if (!out.onDevice()) {
    host(in, "download");
  } else if (in.samePages(out)) {
    work_.dispatched = false;
  } else if (in.tiled && !out.tiled) {
    Pipeline pipeline = over(to, "untilize");
    pipeline.dealt = &in;
    pipeline.together = builder_.pages(in).cols();
    pipeline.keeps = true;
    pipeline.feeds = {{&in}};
    pipeline.results = ratio(out, in);
    pipeline.compute = {
        {Opcode::untilize_block, 1, in.type, out.type, 1, 0, false}};
    run(pipeline);
  } else if (!in.tiled && out.tiled) {
    Pipeline pipeline = over(to, "tilize");
    pipeline.together = builder_.pages(out).cols();
    pipeline.keeps = true;
    pipeline.feeds = {feed(from, to)};
    pipeline.compute = {
        {Opcode::tilize_block, 1, in.type, out.type, 1, 0, false}};
    run(pipeline);
  } else if (in.type != out.type) {
    cast(from, to);
  } else {
    copies(from, to, true);
  }
}

void StepKernels::cast(ValueIndex in, ValueIndex out) {
  std::vector<Instruction> compute = {copy(in)};
  if (numerics::isInteger(type(in)) || numerics::isInteger(type(out)))
    compute.push_back({Opcode::typecast_tile});
  compute.push_back(pack(out));
  passes({in}, out, "typecast", std::move(compute));
}

void StepKernels::scans(ValueIndex in, ValueIndex out, const char *name,
                        Opcode opcode) {
  passes({in}, out, name,
         {copy(in),
          unpack(between()),
          {opcode},
          pack(between()),
          pack(type(out))});
}

void StepKernels::rotates(ValueIndex in, ValueIndex cos, ValueIndex sin,
                          ValueIndex out) {
  const Layout &heads = layout(in), &angles = layout(cos);
  const Pages from = builder_.pages(heads), to = builder_.pages(layout(out));
  const auto splitsRows = [](const Pages &pages) {
    return pages.local() && pages.shardCols() < pages.cols();
  };
  // Rows of tiles, if all cores have some: both halves are there. Else tiles,
  // for each of which the one of the other half is read, too.
  const auto cores = std::int64_t(coresOf(layout(out), builder_.chip()).size());
  const bool byRows = !splitsRows(from) && !splitsRows(to) &&
                      (to.local() || to.count() >= to.cols() * cores);
  Pipeline pipeline = over(out, "rotary_embedding");
  pipeline.together = byRows ? to.cols() : 1;
  pipeline.keeps = byRows;
  pipeline.rearranges = !byRows;
  pipeline.begins = kScaler;
  Feed own = feed(in, out);
  if (!byRows)
    own.perPage *= 2;
  pipeline.feeds = {own, {&angles}, {&layout(sin)}};

  Instruction product = two(Opcode::mul_tiles, heads.type, angles.type);
  std::vector<Instruction> placed;
  const auto forTables = [&](const auto &change) {
    change(pipeline.feeds[1]);
    change(pipeline.feeds[2]);
  };
  if (angles.shape[2] == 1) {
    const bool isOne = angles.shape[0] == 1 || alignsRows(heads) ||
                       aligned(heads.shape[1] * heads.shape[2]);
    if (isOne) {
      // All rows of a tile meet one row, of which a tile has two pieces.
      product.opcode = Opcode::mul_tiles_bcast;
      forTables([](Feed &table) {
        table.bytes = double(table.layout->pageBytes);
        if (table.layout->tiled) {
          table.bytes /= double(kTile);
          table.parts = 2;
        }
      });
    } else {
      // A product with ones at the right places repeats rows for the heads.
      pipeline.begins += double(numerics::tileBytes(DType::BF16));
      for (DType table : {angles.type, type(sin)}) {
        placed.push_back(
            {Opcode::matmul_block, 1, DType::BF16, table, 1, 1, false});
        placed.push_back(pack(between()));
      }
    }
  } else if (!(alignsRows(heads) && alignsRows(angles)) &&
             (heads.shape[1] != 1 || heads.shape[0] != angles.shape[0])) {
    // Rows of several heads, or batches, are in a tile.
    forTables([](Feed &table) { gather(table); });
  }
  if (!aligned(extent(heads, 0) / 2))
    gather(pipeline.feeds[0]);

  // The half that comes to the front is multiplied by -1.
  Instruction negated = two(Opcode::mul_tiles_bcast, heads.type, DType::BF16),
              moved = pack(between());
  negated.repeats = moved.repeats = 0.5;
  pipeline.compute = {negated, moved};
  pipeline.compute.insert(pipeline.compute.end(), placed.begin(), placed.end());
  for (int i = 0; i < 2; ++i) {
    pipeline.compute.push_back(product);
    pipeline.compute.push_back(pack(between()));
  }
  pipeline.compute.push_back(two(Opcode::add_tiles, between(), between()));
  pipeline.compute.push_back(pack(out));
  setMode(true);
  work_.flops = 3.0 * double(layout(out).volume());
  run(pipeline);
}

void StepKernels::passes(std::initializer_list<ValueIndex> ins, ValueIndex out,
                         const char *name, std::vector<Instruction> compute) {
  Pipeline pipeline = over(out, name);
  for (ValueIndex in : ins)
    pipeline.feeds.push_back(feed(in, out));
  pipeline.compute = std::move(compute);
  work_.flops = double(layout(out).volume());
  run(pipeline);
}

void StepKernels::rows(std::initializer_list<ValueIndex> ins, ValueIndex out,
                       const char *name, std::int64_t reductions,
                       std::vector<Instruction> compute,
                       std::vector<Instruction> each,
                       std::vector<Instruction> finish,
                       std::vector<const Layout *> once) {
  Pipeline pipeline = over(out, name);
  for (ValueIndex in : ins)
    pipeline.feeds.push_back(feed(in, out));
  pipeline.together = builder_.pages(layout(out)).cols();
  pipeline.keeps = true;
  pipeline.begins = kScaler;
  pipeline.exchanges = reductions;
  pipeline.once = std::move(once);
  for (Instruction &instruction : each) {
    instruction.repeats /= double(pipeline.together);
    compute.push_back(instruction);
  }
  pipeline.compute = std::move(compute);
  pipeline.finish = std::move(finish);
  work_.flops = double(layout(out).volume());
  run(pipeline);
}

void StepKernels::reduces(ValueIndex in, ValueIndex out, bool rows,
                          const char *name, std::vector<Instruction> compute,
                          std::vector<Instruction> each) {
  Pipeline pipeline = over(out, name);
  pipeline.begins = kScaler;
  const double share = ratio(layout(out), layout(in));
  each.push_back(pack(out));
  if (!rows && reducesApart(in, out)) {
    const Pages pages = builder_.pages(layout(in));
    const auto cores = double(coresWith(pages));
    const double parts =
        cores * double(pages.local() ? pages.shardCols() : pages.cols());
    pipeline.dealt = &layout(in);
    pipeline.feeds = {{&layout(in)}};
    pipeline.results = std::min(1.0, parts / double(pages.count()));
    pipeline.partials = parts / double(builder_.pages(layout(out)).count());
    const Instruction packed{Opcode::pack_tile, pipeline.results, between()};
    // The vector engine combines partial results other than sums.
    std::vector<Instruction> joins = {
        two(Opcode::add_tiles, between(), between())};
    if (compute.back().opcode != Opcode::reduce_tile)
      joins = {unpack(between()), compute.back()};
    else if (compute.back().cols >> 8 == std::uint32_t(PoolType::Max))
      joins = {unpack(between()), {Opcode::binary_max_tile}};
    for (Instruction &instruction : joins)
      instruction.repeats = pipeline.partials;
    pipeline.joins = std::move(joins);
    pipeline.joins.insert(pipeline.joins.end(), each.begin(), each.end());
    each = {packed};
  } else if (rows) {
    pipeline.dealt = &layout(in);
    pipeline.together = builder_.pages(layout(in)).cols();
    pipeline.feeds = {{&layout(in)}};
    pipeline.results = share;
    for (Instruction &instruction : each)
      instruction.repeats = share;
  } else {
    pipeline.feeds = {feed(in, out)};
    for (Instruction &instruction : compute)
      instruction.repeats /= share;
  }
  compute.insert(compute.end(), each.begin(), each.end());
  pipeline.compute = std::move(compute);
  work_.flops = double(layout(in).volume());
  run(pipeline);
}

std::int64_t StepKernels::coresWith(const Pages &pages) const {
  const std::int64_t all = builder_.chip().cores();
  return pages.local()
             ? std::min(all, std::int64_t(pages.layout().shardBank.size()))
             : all;
}

bool StepKernels::reducesApart(ValueIndex in, ValueIndex out) const {
  const Pages from = builder_.pages(layout(in)),
              to = builder_.pages(layout(out));
  const std::int64_t cores = coresWith(from);
  const auto makers =
      std::int64_t(coresOf(layout(out), builder_.chip()).size());
  const std::int64_t width = from.local() ? from.shardCols() : from.cols();
  const std::int64_t results = ceilDiv(to.count(), makers);
  // Pages that the busiest core processes sequentially.
  const std::int64_t alone = results * ceilDiv(from.count(), to.count());
  const std::int64_t together = ceilDiv(from.count(), cores) +
                                results * ceilDiv(cores * width, to.count());
  return layout(in).tiled && layout(out).tiled && together < alone;
}

void StepKernels::grouped(const Conv2dStep &s) {
  const Layout &in = layout(s.input), &out = layout(s.out);
  const std::int64_t filters = s.outChannels / s.groups;
  const std::int64_t depth = s.inChannels / s.groups;
  const bool depthwise = filters == 1 && depth == 1;
  const std::int64_t met = std::min<std::int64_t>(
      s.inChannels,
      ceilDiv(std::min<std::int64_t>(kTile, s.outChannels), filters) * depth);
  const auto source = double(depthwise ? 1 : numerics::tilesFor(met));
  const auto taps = double(s.kernelHeight * s.kernelWidth);
  const DType rows = numerics::isBlockFloat(in.type) ? DType::BF16 : in.type;

  Pipeline pipeline = over(s.out, "depthwise");
  // The halo, the image rows above and below those of a core, comes first.
  pipeline.rearranges = true;
  pipeline.feeds = {feed(s.input, s.out)};
  const std::int64_t halo =
      (s.kernelHeight - 1) * s.dilationHeight * s.inputWidth;
  pipeline.halo = in.tiled ? numerics::tilesFor(halo) : halo;
  // Contiguous pieces are the pixels of a window row, or those of one tap for a
  // row of the result, which ends within a tile.
  double pieces = double(kTile * s.kernelHeight *
                         (s.dilationWidth == 1 ? 1 : s.kernelWidth));
  if (s.strideWidth == 1)
    pieces = std::min(
        pieces, taps * (1 + double(kTile) / double(layout(s.out).shape[2])));
  const Pages pages = builder_.pages(out);
  const auto channels = double(std::min(
      kMostChannels, pages.local() ? pages.shardCols() : pages.cols()));
  pipeline.pieces = pieces / channels;
  pipeline.pieceBytes = taps * source *
                        double(kTile * kTile * numerics::elementSize(rows)) /
                        pipeline.pieces;
  pipeline.once = {&layout(s.weight)};
  Instruction tiles = two(Opcode::tilize_block, rows, in.type);
  // Unpacking tilizes rows along with the tiles of the weight; products read
  // tiles.
  Instruction products =
      depthwise
          ? Instruction{Opcode::mul_tiles_bcast, 1, type(s.weight)}
          : Instruction{
                Opcode::matmul_block, 1, in.type, type(s.weight), 1, 1, false};
  for (Instruction *instruction : {&tiles, &products})
    instruction->repeats = taps * source;
  pipeline.compute = {tiles, products};
  if (s.bias) {
    pipeline.once.push_back(&layout(*s.bias));
    pipeline.compute.push_back(
        two(Opcode::add_tiles_bcast, out.type, type(*s.bias)));
  }
  if (activation_)
    pipeline.compute.push_back(*activation_);
  pipeline.compute.push_back(pack(s.out));
  setMode(true);
  work_.flops = 2.0 * double(out.volume()) * double(depth) * taps;
  run(pipeline);
}

void StepKernels::multiply(const Layout &a, const Layout &b, const Layout &out,
                           OptionalValue bias, std::int64_t batch,
                           std::int64_t m, std::int64_t n, std::int64_t depth,
                           std::int64_t pieceBytes, std::int64_t halo) {
  Product product{&a, &b, &out};
  product.activation = activation_;
  product.halo = a.tiled ? numerics::tilesFor(halo) : halo;
  product.bias = bias ? &layout(*bias) : nullptr;
  product.batch = batch;
  product.m = numerics::tilesFor(m);
  product.n = numerics::tilesFor(n);
  product.k = numerics::tilesFor(depth);
  product.fp32Dest = compute_.fp32DestAcc;
  product.packerL1Acc = addsInL1(compute_, product.k);
  product.pieceBytes = pieceBytes;
  product.slices = slices_;
  if (spread_)
    product.spreadBytes = n * (numerics::isBlockFloat(out.type)
                                   ? 2
                                   : numerics::elementSize(out.type));
  setMode(true);
  work_.flops = 2.0 * double(out.volume()) * double(depth);
  stream(builder_, product);
}

void StepKernels::copies(ValueIndex in, ValueIndex out, bool whole, bool part) {
  Pipeline pipeline = over(out, "writer");
  pipeline.rearranges = true;
  pipeline.feeds = {feed(in, out)};
  Feed &feed = pipeline.feeds.front();
  if (part)
    feed.perPage = std::min(feed.perPage, 1.0);
  if (!whole)
    gather(feed);
  run(pipeline);
}

void StepKernels::gather(Feed &feed) {
  const Layout &in = *feed.layout;
  const double share =
      in.tiled ? double(in.logicalRows()) / double(in.tileRows * kTile) : 1;
  feed.parts = rowPieces(in) * share;
  feed.bytes = double(in.pageBytes) * share;
}

void StepKernels::exchange(ValueIndex in, ValueIndex out, std::int64_t last,
                           std::int64_t rows) {
  const bool whole = std::max(last, rows) == 1;
  if (last == 0 || !layout(in).tiled || !layout(out).tiled) {
    copies(in, out, whole && last == 0);
    return;
  }
  Pipeline pipeline = over(out, "transpose");
  pipeline.rearranges = true;
  pipeline.feeds = {feed(in, out)};
  if (!whole)
    gather(pipeline.feeds.front());
  pipeline.compute = {{Opcode::transpose_wh_tile, 1, type(in)}, pack(out)};
  run(pipeline);
}

void StepKernels::window(ValueIndex in, ValueIndex out, std::int64_t taps,
                         PoolType pool, std::int64_t together) {
  const Layout &from = layout(in), &to = layout(out);
  Pipeline pipeline = over(out, "pool");
  pipeline.feeds = {feed(in, out)};
  const double pixels = to.tiled ? kTile : 1;
  const double width = to.tiled ? kTile : double(to.cols);
  const std::int64_t size =
      numerics::isBlockFloat(from.type) ? 2 : numerics::elementSize(from.type);
  const std::int64_t channels =
      to.tiled ? std::min(kMostChannels, to.tileCols) : 1;
  pipeline.pieces = pixels * double(taps) / double(channels * together);
  pipeline.pieceBytes = width * double(size * channels * together);
  // run() counts the tiles of a row.
  const double each = to.tiled ? pixels
                               : double(numerics::tilesFor(to.cols)) /
                                     (double(to.cols) / (kTile * kTile));
  Instruction reduction = reduce(from.type, pool, ReduceDim::Col);
  reduction.repeats = each * double(numerics::tilesFor(taps));
  pipeline.compute = {reduction};
  if (pool == PoolType::Avg)
    pipeline.compute.push_back({Opcode::div_binary_tile, each});
  pipeline.compute.push_back(pack(out));
  setMode(pool != PoolType::Max);
  work_.flops = double(to.volume()) * double(taps);
  run(pipeline);
}

} // namespace tt::runtime::ttnn::streams
