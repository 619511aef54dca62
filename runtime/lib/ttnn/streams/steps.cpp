// The stream of each kind of step. A step without one does not compile.
#include "ttnn/streams/steps.h"

#include "ttnn/caches.h"
#include "ttnn/streams/attention.h"
#include "ttnn/streams/heads.h"
#include "ttnn/streams/step_kernels.h"
#include "ttnn/vector_opcodes.h"

#include <algorithm>

namespace tt::runtime::ttnn::streams {

using numerics::BinaryOp;
using numerics::UnaryOp;

namespace {

/// What the vector engine does for the activation of an operation; the packer
/// has the linear unit.
std::optional<Instruction> activationOf(const Operation &operation) {
  if (!operation.activation || *operation.activation == UnaryOp::Relu)
    return std::nullopt;
  return Instruction{vectorOpcode(*operation.activation)};
}

/// Makes the stream of a step, and says what work it is.
class Steps : StepKernels {
public:
  Steps(const Program &program, const Operation &operation,
        std::span<const std::int64_t> positions, Builder &builder, Work &work)
      : StepKernels(program, operation, activationOf(operation), builder, work),
        positions_(positions) {}

  //===-- Nothing on the device, and the host
  //------------------------------===//

  void operator()(const GetDeviceStep &) { work_.dispatched = false; }
  void operator()(const EmptyStep &) { work_.dispatched = false; }
  void operator()(const DeallocStep &) { work_.dispatched = false; }
  void operator()(const MeshShardStep &) { work_.dispatched = false; }
  // The read of a condition; the operations of the parts have times of their
  // own.
  void operator()(const ControlFlowStep &s) {
    using emulator::ControlFlowType;
    work_.dispatched = s.type != ControlFlowType::For;
    if (s.type == ControlFlowType::If)
      host(layout(*s.condition), "download");
    else if (work_.dispatched) {
      const Program &before = *program_.parts[s.parts[0]];
      host(before.values[before.outputs[0]].layout, "download");
    }
  }
  // The links are timed while it runs, see collectives::addCost().
  void operator()(const CollectiveStep &s) {
    work_.joins = s.product.has_value();
  }
  void operator()(const ToMemoryConfigStep &s) { moves(s.in0, s.out); }
  void operator()(const ToLayoutStep &s) { moves(s.in, s.out); }
  void operator()(const ToDeviceStep &s) { moves(s.in, s.out); }
  void operator()(const FromDeviceStep &s) { moves(s.in, s.out); }
  void operator()(const ConstantStep &s) {
    // The data comes from the file by way of the host.
    work_.dispatched = layout(s.out).onDevice();
    if (work_.dispatched)
      host(layout(s.out), "upload");
  }
  void operator()(const FullStep &s) {
    Pipeline pipeline = over(s.out, "fill");
    pipeline.compute = {{Opcode::fill_tile}, pack(s.out)};
    run(pipeline);
  }
  void operator()(const ArangeStep &s) {
    Pipeline pipeline = over(s.out, "fill");
    pipeline.fills = double(builder_.pages(layout(s.out)).bytes());
    run(pipeline);
  }

  //===-- Elementwise
  //------------------------------------------------------===//

  void operator()(const UnaryStep &s) {
    std::vector<Instruction> compute = {copy(s.ins[0])};
    if (s.op != UnaryOp::Copy)
      compute.push_back({vectorOpcode(s.op)});
    compute.push_back(pack(s.out));
    passes({s.ins[0]}, s.out, "eltwise", std::move(compute));
  }
  void operator()(const BinaryStep &s) {
    const DType a = type(s.ins[0]), b = type(s.ins[1]);
    const bool fpu = isForMatrixEngine(s.op, a, b);
    const bool product = s.op == BinaryOp::Multiply;
    std::vector<Instruction> compute;
    if (fpu)
      compute = {{product                      ? Opcode::mul_tiles
                  : s.op == BinaryOp::Subtract ? Opcode::sub_tiles
                                               : Opcode::add_tiles,
                  1, a, b, 1, 0, false}};
    else
      compute = {copy(s.ins[0]), copy(s.ins[1]), {vectorOpcode(s.op)}};
    if (activation_)
      compute.push_back(*activation_);
    compute.push_back(pack(s.out));
    setMode(fpu && product);
    passes({s.ins[0], s.ins[1]}, s.out, "eltwise", std::move(compute));
  }
  void operator()(const WhereStep &s) {
    passes({s.ins[0], s.ins[1], s.ins[2]}, s.out, "eltwise",
           {copy(s.ins[0]),
            copy(s.ins[1]),
            copy(s.ins[2]),
            {Opcode::where_tile},
            pack(s.out)});
  }
  void operator()(const TypecastStep &s) { cast(s.ins[0], s.out); }

  //===-- Products
  //---------------------------------------------------------===//

  void operator()(const MatmulStep &s) { product(s, std::nullopt); }
  void operator()(const LinearStep &s) { product(s, s.bias); }
  void operator()(const Conv2dStep &s) {
    // Each pixel by itself: the tiles of the image are those of the product.
    if (s.kernelHeight == 1 && s.kernelWidth == 1 && s.strideHeight == 1 &&
        s.strideWidth == 1 && layout(s.input).tiled && s.groups == 1 &&
        layout(s.input).rows == layout(s.out).rows)
      return convolution(s, s.inChannels, 0);
    if (s.groups > 1 && layout(s.out).tiled)
      return grouped(s);
    const std::int64_t row = s.dilationWidth == 1 ? s.kernelWidth : 1;
    convolution(s, s.inChannels / s.groups * s.kernelHeight * s.kernelWidth,
                s.inChannels / s.groups * row,
                (s.kernelHeight - 1) * s.dilationHeight * s.inputWidth);
  }
  void operator()(const ConvTranspose2dStep &s) {
    // Each phase of the stride is a convolution with the taps that hit pixels,
    // and its results are interleaved with those of the other phases. With one
    // tap, the tiles of the image are the operand of the product.
    const auto along = [](std::int64_t taps, std::int64_t stride,
                          std::int64_t dilation) {
      return dilation == 1 ? ceilDiv(taps, stride) : taps;
    };
    const std::int64_t taps =
        along(s.kernelSize[0], s.stride[0], s.dilation[0]) *
        along(s.kernelSize[1], s.stride[1], s.dilation[1]);
    const std::int64_t depth = s.inChannels / s.groups;
    const bool tiles = taps == 1 && layout(s.input).tiled && s.groups == 1;
    spread_ = s.stride[0] * s.stride[1] > 1;
    convolution(s, depth * taps, tiles ? 0 : depth);
  }

  //===-- Rows
  //-------------------------------------------------------------===//

  void operator()(const ReductionStep &s) {
    using Type = ::tt::target::ttnn::ReductionOpType;
    const std::int64_t rank = layout(s.in).rank();
    const auto drops = [&](std::int64_t fromBack) {
      return s.dimArg.empty() ||
             std::find(s.dimArg.begin(), s.dimArg.end(), rank - 1 - fromBack) !=
                 s.dimArg.end();
    };
    const bool rows = drops(0), cols = drops(1);
    const bool extreme = s.type == Type::Max || s.type == Type::Min;
    // Across tiles, and of products, the SFPU joins what the pooling unit does
    // not see.
    std::vector<Instruction> compute, each;
    if ((rows || cols) && s.type != Type::Prod)
      compute = {reduce(type(s.in), extreme ? PoolType::Max : PoolType::Sum,
                        rows && cols ? ReduceDim::Scalar
                        : rows       ? ReduceDim::Row
                                     : ReduceDim::Col)};
    else
      compute = {copy(s.in),
                 {s.type == Type::Prod ? Opcode::mul_binary_tile
                  : extreme            ? Opcode::binary_max_tile
                                       : Opcode::add_binary_tile}};
    if (s.type == Type::Mean)
      each = {{Opcode::div_binary_tile}};
    setMode(!extreme);
    reduces(s.in, s.out, rows, "reduce", std::move(compute), std::move(each));
  }
  void operator()(const ArgMaxStep &s) {
    // A comparison and two selections.
    reduces(s.in, s.out, true, "argmax",
            {copy(s.in), {Opcode::binary_max_tile}, {Opcode::where_tile, 2}});
  }
  void operator()(const CumSumStep &s) {
    // The sum so far comes from L1 and goes there.
    passes({s.in}, s.out, "cumsum",
           {copy(s.in),
            unpack(between()),
            {Opcode::add_binary_tile},
            pack(between()),
            pack(type(s.out))});
  }
  void operator()(const CumProdStep &s) {
    scans(s.in, s.out, "cumprod", Opcode::mul_binary_tile);
  }
  void operator()(const CumMaxStep &s) {
    scans(s.in, s.out, "cummax", Opcode::binary_max_tile);
  }
  void operator()(const CumMinStep &s) {
    scans(s.in, s.out, "cummin", Opcode::binary_min_tile);
  }
  void operator()(const ArgSortStep &s) {
    // A network: in each of its steps a comparison and a choice of both halves,
    // and of both places.
    const std::int64_t dim = s.dim;
    const std::int64_t n = layout(s.in).shape[std::size_t(dim)];
    double rounds = 0;
    while ((std::int64_t(1) << std::int64_t(rounds)) < n)
      ++rounds;
    const double steps = std::max(1.0, rounds * (rounds + 1) / 2);
    passes({s.in}, s.out, "argsort",
           {copy(s.in),
            {Opcode::lt_binary_tile, steps},
            {Opcode::where_tile, 4 * steps},
            pack(s.out)});
    work_.flops *= steps;
  }
  void operator()(const SoftmaxStep &s) {
    // Maximum, difference, exponential, sum; product with the reciprocal.
    setMode(true);
    rows({s.in}, s.out, "softmax", 2,
         {reduce(type(s.in), PoolType::Max, ReduceDim::Row),
          two(Opcode::sub_tiles_bcast, type(s.in), between()),
          {Opcode::exp_tile},
          pack(between()),
          reduce(between(), PoolType::Sum, ReduceDim::Row)},
         {pack(between()), {Opcode::recip_tile}, pack(between())},
         {two(Opcode::mul_tiles_bcast, between(), between()),
          pack(type(s.out))});
    work_.flops *= 5;
  }
  void operator()(const ScaledDotProductAttentionStep &s) {
    Attention attention{&layout(s.query), &layout(s.key), &layout(s.value),
                        &layout(s.out)};
    attention.mask = s.attentionMask ? &layout(*s.attentionMask) : nullptr;
    attention.table = s.pageTable ? &layout(*s.pageTable) : nullptr;
    attention.isCausal = s.isCausal && (!s.positions || !positions_.empty());
    attention.positions = positions_;
    attention.window = s.slidingWindowSize.value_or(0);
    attention.between = between();
    setMode(true);
    stream(builder_, attention);
    // Both products and what the vector engine does with the scores.
    const double pairs = double(layout(s.query).volume()) /
                         double(layout(s.query).cols) *
                         double(keysOf(program_, s));
    work_.flops = 2.0 * pairs * shareOfKeys(program_, s, positions_) *
                  double(layout(s.query).cols + layout(s.value).cols);
  }
  void operator()(const LayerNormStep &s) { norm(s, true); }
  void operator()(const RMSNormStep &s) { norm(s, false); }

  //===-- Data movement
  //----------------------------------------------------===//

  void operator()(const TransposeStep &s) {
    const std::int64_t rank = layout(s.in).rank();
    const auto back = [&](std::int64_t dim) {
      return rank - 1 - (dim < 0 ? dim + rank : dim);
    };
    const std::int64_t a = back(s.dim0), b = back(s.dim1);
    const auto from = [&](std::int64_t dim) {
      return dim == a ? b : dim == b ? a : dim;
    };
    exchange(s.in, s.out, from(0), from(1));
  }
  void operator()(const PermuteStep &s) {
    const auto rank = std::int64_t(s.permutation.size());
    const auto from = [&](std::int64_t fromBack) {
      const std::int64_t dim = rank - 1 - fromBack;
      return dim < 0 ? fromBack : rank - 1 - s.permutation[std::size_t(dim)];
    };
    exchange(s.in, s.out, from(0), from(1));
  }
  void operator()(const ReshapeStep &s) {
    const Layout &in = layout(s.in), &out = layout(s.out);
    // The same pages: a view.
    if (in.sameMatrix(out)) {
      work_.dispatched = false;
      return;
    }
    const std::int64_t rowsIn = extent(in, 1), rowsOut = extent(out, 1);
    copies(s.in, s.out,
           in.cols == out.cols &&
               (rowsIn == rowsOut || (aligned(rowsIn) && aligned(rowsOut))));
  }
  void operator()(const SplitQueryKeyValueAndSplitHeadsStep &s) {
    const ValueIndex rest = s.kvInputTensor.value_or(s.inputTensor);
    const std::int64_t heads = s.numHeads;
    const std::int64_t kvHeads = s.numKvHeads.value_or(heads);
    const std::int64_t first = s.kvInputTensor ? 0 : heads;
    stream(builder_, {{&layout(s.inputTensor), &layout(s.query)},
                      {.in = &layout(rest),
                       .out = &layout(s.key),
                       .first = first,
                       .transposed = s.transposeKey},
                      {.in = &layout(rest),
                       .out = &layout(s.value),
                       .first = first + kvHeads}});
  }
  void operator()(const ConcatenateHeadsStep &s) {
    stream(builder_,
           {{.in = &layout(s.in), .out = &layout(s.out), .joins = true}});
  }
  void operator()(const RotaryEmbeddingStep &s) {
    rotates(s.in, s.cosCache, s.sinCache, s.out);
  }
  void operator()(const PadStep &s) {
    const std::size_t size = s.padding.size();
    copies(s.in, s.out,
           size < 4 ||
               (aligned(s.padding[size - 2]) && aligned(s.padding[size - 4]) &&
                aligned(extent(layout(s.in), 0)) &&
                aligned(extent(layout(s.in), 1))));
  }
  void operator()(const RepeatStep &s) {
    const Layout &in = layout(s.in);
    copies(s.in, s.out, aligned(extent(in, 0)) && aligned(extent(in, 1)));
  }
  void operator()(const SliceStep &s) {
    const std::size_t rank = s.begins.size();
    bool whole = true;
    for (std::size_t i = rank - std::min<std::size_t>(rank, 2); i < rank; ++i)
      whole &= s.step[i] == 1 && aligned(s.begins[i]);
    copies(s.in, s.out, whole, true);
  }
  void operator()(const ConcatStep &s) {
    const Layout &out = layout(s.out);
    const std::int64_t dim = s.dim < 0 ? s.dim + out.rank() : s.dim;
    Pipeline pipeline = over(s.out, "writer");
    pipeline.rearranges = true;
    for (ValueIndex value : s.inputs) {
      const Layout &in = layout(value);
      const bool whole =
          dim < out.rank() - 2 || aligned(in.shape[std::size_t(dim)]);
      pipeline.feeds.push_back(
          {&in, ratio(in, out), whole ? 1 : rowPieces(in)});
    }
    run(pipeline);
  }
  void operator()(const EmbeddingStep &s) {
    const Layout &out = layout(s.output), &table = layout(s.weight);
    Pipeline pipeline = over(s.output, "tilize");
    pipeline.feeds = {feed(s.input, s.output), {&table, 1, 1, 0}};
    Feed &rows = pipeline.feeds.back();
    rows.perPage =
        double(out.logicalRows()) / double(builder_.pages(out).count());
    rows.bytes = double(table.cols * table.elementSize());
    rows.parts = table.tiled ? 2.0 * double(numerics::tilesFor(table.cols)) : 1;
    if (out.tiled)
      pipeline.compute = {
          {Opcode::tilize_block, 1, type(s.weight), out.type, 1, 0, false}};
    run(pipeline);
  }
  void operator()(const EmbeddingBackwardStep &s) {
    passes({s.inGradient}, s.out, "embedding_bw",
           {two(Opcode::add_tiles, type(s.inGradient), type(s.inGradient)),
            pack(s.out)});
  }
  void operator()(const GatherStep &s) { copies(s.input, s.out, false, true); }
  void operator()(const ScatterRowsStep &s) {
    // The table, page by page, and the rows that are combined with it.
    const bool sets = s.reduceType == ::tt::target::ReduceType::Invalid;
    Pipeline pipeline = over(s.out, sets ? "writer" : "scatter");
    pipeline.feeds = {feed(s.input, s.out), feed(s.indices, s.out),
                      feed(s.updates, s.out)};
    pipeline.feeds.back().parts = rowPieces(layout(s.updates));
    if (!sets)
      pipeline.compute = {
          two(Opcode::add_tiles, type(s.input), type(s.updates)), pack(s.out)};
    work_.flops = sets ? 0 : double(layout(s.updates).volume());
    run(pipeline);
  }
  void operator()(const UpdateSliceStep &s) {
    // The input, unless the rows are written where it is, and the tiles with
    // rows of the update, which are read, changed and written.
    const Layout &update = layout(s.update);
    Pipeline pipeline = over(s.out, "writer");
    const double changed =
        double(pagesOfUpdate(layout(s.input), update, updatesOf(program_, s)));
    const double updates = double(builder_.pages(update).count());
    double dealt = updates;
    if (s.out == s.input) {
      pipeline.dealt = &update;
      pipeline.results = changed / updates;
    } else {
      dealt = double(builder_.pages(layout(s.out)).count());
      pipeline.feeds.push_back(feed(s.input, s.out));
    }
    pipeline.feeds.push_back({&layout(s.input), changed / dealt});
    pipeline.feeds.push_back({&update, updates / dealt, rowPieces(update)});
    if (s.index)
      pipeline.once.push_back(&layout(*s.index));
    run(pipeline);
  }
  void operator()(const PreviousEqualStep &s) { copies(s.in, s.out, false); }
  void operator()(const BitcastConvertStep &s) {
    copies(s.in, s.out, layout(s.in).shape == layout(s.out).shape);
  }

  //===-- Windows
  //----------------------------------------------------------===//

  void operator()(const MaxPool2dStep &s) {
    window(s.in, s.out, s.kernelHeight * s.kernelWidth, PoolType::Max,
           s.dilationWidth == 1 ? s.kernelWidth : 1);
  }
  void operator()(const AvgPool2dStep &s) {
    window(s.in, s.out, s.kernelHeight * s.kernelWidth, PoolType::Avg,
           s.dilationWidth == 1 ? s.kernelWidth : 1);
  }
  void operator()(const UnfoldStep &s) { copies(s.in, s.out, false); }
  void operator()(const PrepareConv2dWeightsStep &s) {
    // The host rearranges what it has.
    if (layout(s.in).onDevice() && layout(s.out).onDevice())
      copies(s.in, s.out, false);
    else
      moves(s.in, s.out);
  }
  void operator()(const UpsampleStep &s) {
    if (s.mode == ::tt::target::ttnn::UpsampleMode::Bilinear)
      window(s.in, s.out, 4, PoolType::Sum);
    else
      copies(s.in, s.out, false);
  }

private:
  template <typename Step> void norm(const Step &s, bool mean) {
    const Instruction divide = {Opcode::div_binary_tile};
    std::vector<Instruction> compute, each;
    DType numbers = type(s.input);
    if (mean) {
      compute = {reduce(numbers, PoolType::Sum, ReduceDim::Row),
                 two(Opcode::sub_tiles_bcast, numbers, between()),
                 pack(between())};
      each = {divide, pack(between())};
      numbers = between();
    }
    for (const Instruction &instruction : {divide,
                                           {Opcode::add_binary_tile},
                                           {Opcode::rsqrt_tile},
                                           pack(between())})
      each.push_back(instruction);
    const bool ends = !s.weight && !s.bias;
    for (const Instruction &instruction :
         {two(Opcode::mul_tiles, numbers, numbers), pack(between()),
          reduce(between(), PoolType::Sum, ReduceDim::Row)})
      compute.push_back(instruction);
    std::vector<Instruction> finish = {
        two(Opcode::mul_tiles_bcast, numbers, between()),
        pack(ends ? type(s.out) : between())};
    std::vector<const Layout *> once;
    if (s.weight) {
      once.push_back(&layout(*s.weight));
      finish.push_back(
          two(Opcode::mul_tiles_bcast, between(), type(*s.weight)));
      finish.push_back(pack(s.bias ? between() : type(s.out)));
    }
    if (s.bias) {
      once.push_back(&layout(*s.bias));
      finish.push_back(two(Opcode::add_tiles_bcast, between(), type(*s.bias)));
      finish.push_back(pack(s.out));
    }
    setMode(true);
    rows({s.input}, s.out, "norm", mean ? 2 : 1, std::move(compute),
         std::move(each), std::move(finish), std::move(once));
    work_.flops *= mean ? 8 : 5;
  }

  template <typename Step> void product(const Step &s, OptionalValue bias) {
    const Layout &a = layout(s.in0), &b = layout(s.in1), &out = layout(s.out);
    const std::int64_t depth = s.transposeA ? extent(a, 1) : extent(a, 0);
    const std::int64_t m = extent(out, 1), n = extent(out, 0);
    const std::int64_t batch = out.volume() / (m * n);
    // One b for all: its products are one of many rows.
    const bool apart = b.volume() > depth * n;
    multiply(a, b, out, bias, apart ? batch : 1, apart ? m : out.rows, n, depth,
             0);
  }

  /// `halo` are the rows of the input beside its own that a core needs.
  template <typename Step>
  void convolution(const Step &s, std::int64_t depth, std::int64_t piece,
                   std::int64_t halo = 0) {
    const Layout &in = layout(s.input), &out = layout(s.out);
    const std::int64_t size =
        numerics::isBlockFloat(in.type) ? 2 : numerics::elementSize(in.type);
    multiply(in, layout(s.weight), out, s.bias, 1, out.logicalRows(),
             extent(out, 0), depth, piece * size, halo);
  }

  std::span<const std::int64_t> positions_;
};

} // namespace

std::int64_t pagesOfUpdate(const Layout &whole, const Layout &update,
                           std::int64_t updates) {
  const std::size_t rank = update.shape.size();
  std::int64_t height = update.shape[rank - 2];
  std::int64_t matrices = 1;
  for (std::size_t d = 0; d + 2 < rank; ++d)
    matrices *= update.shape[d];
  if (rank == 2) {
    matrices = updates;
    height /= updates;
  }
  if (!whole.tiled)
    return matrices * height;
  return std::min(matrices * numerics::tilesFor(height), whole.tileRows) *
         std::min(numerics::tilesFor(update.shape[rank - 1]), whole.tileCols);
}

void streamOf(const Program &program, const Operation &operation,
              std::span<const std::int64_t> positions, Builder &builder,
              Work &work) {
  std::visit(Steps(program, operation, positions, builder, work),
             operation.step);
}

double shareOfKeys(const Program &program,
                   const ScaledDotProductAttentionStep &step,
                   std::span<const std::int64_t> positions) {
  const std::int64_t users = program.values[step.query].layout.shape[0],
                     tiles = numerics::tilesFor(keysOf(program, step));
  if (positions.empty() || users * tiles == 0)
    return 1;
  const auto queries = std::int64_t(positions.size()) / users;
  std::int64_t read = 0;
  for (std::int64_t user = 0; user < users; ++user) {
    const auto own =
        positions.subspan(std::size_t(user * queries), std::size_t(queries));
    const std::int64_t last = *std::max_element(own.begin(), own.end());
    read += std::clamp<std::int64_t>(last / kTile + 1, 1, tiles);
  }
  return double(read) / double(users * tiles);
}

} // namespace tt::runtime::ttnn::streams
