#include "ttnn/cost.h"

#include "emulator/recorder.h"
#include "numerics/tiles.h"

#include <algorithm>
#include <cmath>

namespace tt::runtime::ttnn {

using numerics::DType;
using numerics::UnaryOp;

namespace {

double tilesOf(const Layout &l) {
  return double(numerics::tilesFor(l.rows)) *
         double(numerics::tilesFor(l.cols));
}

/// Adds up the compute cycles of an operation over all cores, and what it moves
/// beside its operands and its result.
class Model {
public:
  Model(const Program &program, const ComputeConfig &compute, OpCost &cost,
        const ChipGeometry &chip)
      : program_(program), compute_(compute), cost_(cost), chip_(chip),
        data_(archData(chip.arch).cost) {}

  double totalCycles = 0; // summed over cores
  double units = 0;       // pieces of work that cores share, tiles as a rule

  void operator()(const GetDeviceStep &) { dispatched = false; }
  void operator()(const EmptyStep &) { dispatched = false; }
  void operator()(const DeallocStep &) { dispatched = false; }
  void operator()(const MeshShardStep &) { dispatched = false; }
  // The links are counted while it runs; see collectives::addCost().
  void operator()(const CollectiveStep &) {}
  void operator()(const ToMemoryConfigStep &s) { moves(s.in0, s.out); }
  void operator()(const ToLayoutStep &s) { moves(s.in, s.out); }
  void operator()(const ToDeviceStep &s) { moves(s.in, s.out); }
  void operator()(const FromDeviceStep &s) { moves(s.in, s.out); }
  void operator()(const FullStep &s) { streams({}, s.out, 0); }
  void operator()(const ConstantStep &s) {
    // The data comes from the file by way of the host.
    cost_.hostBytes += s.data.size();
  }
  void operator()(const ArangeStep &s) { streams({}, s.out, 0); }
  void operator()(const UnaryStep &s) {
    streams({s.ins[0]}, s.out, vectorCycles(s.op));
  }
  void operator()(const TypecastStep &s) { streams({s.ins[0]}, s.out, 0); }
  void operator()(const WhereStep &s) {
    streams({s.ins[0], s.ins[1], s.ins[2]}, s.out,
            data_.sfpuDefaultCyclesPerTile);
  }
  void operator()(const BinaryStep &s) {
    // The FPU adds, subtracts and multiplies; everything else runs on the SFPU.
    const bool fpu = s.op == numerics::BinaryOp::Add ||
                     s.op == numerics::BinaryOp::Subtract ||
                     s.op == numerics::BinaryOp::Multiply;
    streams({s.ins[0], s.ins[1]}, s.out,
            fpu ? data_.eltwiseCyclesPerTile : vectorCycles(s.op));
  }
  void operator()(const MatmulStep &s) { product(s); }
  void operator()(const LinearStep &s) {
    product(s);
    // The packer adds a bias on the way.
    if (s.bias)
      totalCycles += units * data_.eltwiseCyclesPerTile;
  }
  void operator()(const ReductionStep &s) {
    streams({s.in}, s.out, data_.reduceCyclesPerTile);
  }
  void operator()(const ArgMaxStep &s) {
    // A comparison and two selections.
    streams({s.in}, s.out, 3 * data_.sfpuDefaultCyclesPerTile);
  }
  void operator()(const CumSumStep &s) {
    streams({s.in}, s.out, data_.sfpuDefaultCyclesPerTile);
  }
  void operator()(const SoftmaxStep &s) {
    // Maximum, subtraction, exponential, sum, product with the reciprocal.
    streams({s.in}, s.out,
            2 * data_.reduceCyclesPerTile + 2 * data_.eltwiseCyclesPerTile +
                data_.expCyclesPerTile);
  }
  // Mean and difference where there is one, square and its mean, product with
  // the root's reciprocal, then weight and bias.
  void operator()(const LayerNormStep &s) { norm(s, 2, 3); }
  void operator()(const RMSNormStep &s) { norm(s, 1, 2); }
  void operator()(const EmbeddingStep &s) {
    units = double(layout(s.output).logicalRows());
  }
  void operator()(const EmbeddingBackwardStep &s) {
    streams({s.inGradient}, s.out, data_.eltwiseCyclesPerTile);
  }
  void operator()(const GatherStep &s) { copies(s.out); }
  void operator()(const TransposeStep &s) { copies(s.out); }
  void operator()(const PermuteStep &s) { copies(s.out); }
  void operator()(const ReshapeStep &s) { copies(s.out); }
  void operator()(const PadStep &s) { copies(s.out); }
  void operator()(const RepeatStep &s) { copies(s.out); }
  void operator()(const SliceStep &s) { copies(s.out); }
  void operator()(const ConcatStep &s) { copies(s.out); }
  void operator()(const Conv2dStep &s) {
    multiplies(layout(s.out),
               s.inChannels / s.groups * s.kernelHeight * s.kernelWidth);
  }
  void operator()(const ConvTranspose2dStep &s) {
    // Each tap of the window meets one in strideH * strideW outputs.
    multiplies(layout(s.out),
               std::max<std::int64_t>(1, s.inChannels / s.groups *
                                             s.kernelSize[0] * s.kernelSize[1] /
                                             (s.stride[0] * s.stride[1])));
  }
  void operator()(const MaxPool2dStep &s) { pool(s); }
  void operator()(const AvgPool2dStep &s) { pool(s); }
  void operator()(const UpsampleStep &s) {
    if (s.mode == ::tt::target::ttnn::UpsampleMode::Bilinear)
      // Three interpolations of a subtraction, a product and a sum.
      streams({s.in}, s.out, 9 * data_.eltwiseCyclesPerTile);
    else
      copies(s.out);
  }

  /// What the operation reads and writes.
  void addTraffic(const Step &step) {
    const OptionalValue out = resultOf(step);
    for (const auto &[value, reads] : operandsOf(step)) {
      if (reads == Reads::Shape)
        continue;
      const Layout &whole = layout(value);
      const Layout &part = reads == Reads::Part ? layout(*out) : whole;
      add(whole, part.payloadBytes(), cost_.dramReadBytes, cost_.l1ReadBytes);
    }
    if (out)
      add(layout(*out), layout(*out).payloadBytes(), cost_.dramWriteBytes,
          cost_.l1WriteBytes);
  }

  bool dispatched = true;
  double blockSteps = 0; // per core

  std::int64_t coresFor(double work) const {
    return std::int64_t(std::clamp(work, 1.0, double(chip_.cores())));
  }

private:
  const Layout &layout(ValueIndex value) const {
    return program_.values[value].layout;
  }

  void add(const Layout &l, std::int64_t bytes, std::uint64_t &dram,
           std::uint64_t &l1) {
    const auto count = std::uint64_t(bytes);
    if (l.space == Space::Host) {
      cost_.hostBytes += count;
      return;
    }
    (l.space == Space::Dram ? dram : l1) += count;
    // A shard is used by the core that holds it; everything else travels.
    if (l.space == Space::Dram || l.placement != Placement::Sharded)
      cost_.nocBytes += count;
  }
  void moves(ValueIndex from, ValueIndex to) {
    const Layout &in = layout(from), &out = layout(to);
    dispatched = !in.samePages(out);
    // Between host and device only PCIe works.
    if (in.onDevice() && out.onDevice() &&
        (in.type != out.type || in.tiled != out.tiled))
      streams({from}, to, 0);
  }
  void copies(ValueIndex out) { units = tilesOf(layout(out)); }

  template <typename Step> void product(const Step &s) {
    const Layout &a = layout(s.in0), &b = layout(s.in1);
    multiplies(layout(s.out),
               s.transposeA ? a.shape[a.shape.size() - 2] : a.cols);
    // Operands travel to every core of their row or column once.
    const double cores = double(coresFor(units));
    const double side = std::max(1.0, std::floor(std::sqrt(cores)));
    cost_.nocBytes += std::uint64_t(
        (double(a.payloadBytes()) + double(b.payloadBytes())) * (side - 1));
  }

  template <typename Step>
  void norm(const Step &s, int reductions, int passes) {
    passes += bool(s.weight) + bool(s.bias);
    streams({s.input}, s.out,
            reductions * data_.reduceCyclesPerTile +
                passes * data_.eltwiseCyclesPerTile);
  }

  template <typename Step> void pool(const Step &s) {
    streams({s.in}, s.out,
            data_.reduceCyclesPerTile * double(s.kernelHeight * s.kernelWidth));
  }

  /// Tiles of a product over `depth` elements; inner blocks of eight tiles, one
  /// step per core and block.
  void multiplies(const Layout &out, std::int64_t depth) {
    const double tiles = double(numerics::tilesFor(depth));
    units = tilesOf(out);
    totalCycles = units * tiles *
                  (data_.mvmulCyclesPerTilePhase * compute_.phases() +
                   data_.matmulFixedCyclesPerTile);
    blockSteps = std::ceil(tiles / 8);
  }

  /// A kernel that brings every tile through unpacker, math and packer: the
  /// slowest of the three counts.
  void streams(std::initializer_list<ValueIndex> ins, ValueIndex out,
               double mathPerTile) {
    double unpack = 0, tiles = tilesOf(layout(out));
    for (ValueIndex value : ins) {
      unpack += double(numerics::tileBytes(layout(value).type)) /
                data_.unpackBytesPerCycle;
      tiles = std::max(tiles, tilesOf(layout(value)));
    }
    const double pack =
        double(numerics::tileBytes(layout(out).type)) / data_.packBytesPerCycle;
    units = tiles;
    totalCycles = tiles * std::max({unpack, mathPerTile, pack});
  }

  /// An operation of the SFPU.
  double vectorCycles(auto op) const {
    return runtime::vectorCycles(archData(chip_.arch), functionOf(op).work);
  }

  const Program &program_;
  const ComputeConfig &compute_;
  OpCost &cost_;
  const ChipGeometry &chip_;
  const ArchCost &data_;
};

} // namespace

OpCost modelCost(const Program &program, const Operation &operation,
                 const ChipGeometry &chip) {
  OpCost cost;
  cost.name = operation.name;
  cost.location = operation.location;
  Model model(program, operation.compute, cost, chip);
  std::visit(model, operation.step);
  if (!model.dispatched)
    return cost;
  model.addTraffic(operation.step);
  const ArchCost &data = archData(chip.arch).cost;
  if (model.units > 0) {
    cost.cores = std::uint32_t(model.coresFor(model.units));
    // The busiest core has the most tiles.
    const double share = std::ceil(model.units / cost.cores) / model.units;
    cost.computeCycles = model.totalCycles * share +
                         model.blockSteps * data.matmulCyclesPerBlock;
  }
  emulator::modelTime(cost, data);
  return cost;
}

} // namespace tt::runtime::ttnn
