#include "ttnn/cost.h"

#include "emulator/recorder.h"
#include "kernels/tiles.h"

#include <algorithm>
#include <cmath>

namespace tt::runtime::ttnn {

using kernels::DType;
using kernels::UnaryOp;

namespace {

double tilesOf(const Layout &l) {
  return double(kernels::tilesFor(l.rows)) * double(kernels::tilesFor(l.cols));
}

/// Phases of the matrix unit that the library takes by default: HiFi3 for f32
/// on Wormhole and HiFi4 elsewhere, LoFi for block floats on both sides, else
/// HiFi2.
double fidelityPhases(DType a, DType b, ::tt::target::Arch arch) {
  if (a == DType::F32 || b == DType::F32)
    return arch == ::tt::target::Arch::Wormhole_b0 ? 3 : 4;
  return kernels::isBlockFloat(a) && kernels::isBlockFloat(b) ? 1 : 2;
}

/// Adds up the operands of an operation and its compute cycles over all cores.
class Model {
public:
  Model(const Program &program, OpCost &cost, const ChipGeometry &chip)
      : program_(program), cost_(cost), chip_(chip),
        data_(archData(chip.arch).cost) {}

  double totalCycles = 0; // summed over cores
  double units = 0;       // pieces of work that cores share, tiles as a rule

  void operator()(const GetDeviceStep &) { dispatched = false; }
  void operator()(const EmptyStep &) { dispatched = false; }
  void operator()(const DeallocStep &) { dispatched = false; }
  void operator()(const MeshShardStep &) { dispatched = false; }
  void operator()(const CollectiveStep &s) {
    // The links are counted while it runs; see collectives::addCost().
    reads(s.in);
    writes(s.out);
  }
  void operator()(const MoveStep &s) {
    const Layout &in = layout(s.in), &out = layout(s.out);
    if (in.samePages(out)) {
      dispatched = false;
      return;
    }
    reads(s.in);
    writes(s.out);
    // Between host and device only PCIe works.
    if (in.onDevice() && out.onDevice() &&
        (in.type != out.type || in.tiled != out.tiled))
      streams({s.in}, s.out, 0);
  }
  void operator()(const FullStep &s) {
    writes(s.out);
    streams({}, s.out, 0);
  }
  void operator()(const ConstantStep &s) {
    // The data comes from the file by way of the host.
    cost_.hostBytes += s.data.size();
    writes(s.out);
  }
  void operator()(const ArangeStep &s) {
    writes(s.out);
    streams({}, s.out, 0);
  }
  void operator()(const UnaryStep &s) {
    computes({s.in}, s.out, vectorCycles(s.op));
  }
  void operator()(const TypecastStep &s) { computes({s.in}, s.out, 0); }
  void operator()(const WhereStep &s) {
    computes({s.condition, s.a, s.b}, s.out, data_.sfpuDefaultCyclesPerTile);
  }
  void operator()(const BinaryStep &s) {
    // The FPU adds, subtracts and multiplies; everything else runs on the SFPU.
    const bool fpu = s.op == kernels::BinaryOp::Add ||
                     s.op == kernels::BinaryOp::Subtract ||
                     s.op == kernels::BinaryOp::Multiply;
    computes({s.a, s.b}, s.out,
             fpu ? data_.eltwiseCyclesPerTile : vectorCycles(s.op));
  }
  void operator()(const MatmulStep &s) {
    const Layout &a = layout(s.a), &b = layout(s.b), &out = layout(s.out);
    reads(s.a);
    reads(s.b);
    writes(s.out);
    if (s.bias)
      reads(*s.bias);
    const std::int64_t depth =
        s.transposeA ? a.shape[a.shape.size() - 2] : a.cols;
    multiplies(a, b, out, depth);
    // The packer adds a bias on the way.
    if (s.bias)
      totalCycles += units * data_.eltwiseCyclesPerTile;
    // Operands travel to every core of their row or column once.
    const double cores = double(coresFor(units));
    const double side = std::max(1.0, std::floor(std::sqrt(cores)));
    cost_.nocBytes += std::uint64_t(
        (double(a.payloadBytes()) + double(b.payloadBytes())) * (side - 1));
  }
  void operator()(const ReduceStep &s) {
    computes({s.in}, s.out, data_.reduceCyclesPerTile);
  }
  void operator()(const ArgmaxStep &s) {
    // A comparison and two selections.
    computes({s.in}, s.out, 3 * data_.sfpuDefaultCyclesPerTile);
  }
  void operator()(const CumsumStep &s) {
    computes({s.in}, s.out, data_.sfpuDefaultCyclesPerTile);
  }
  void operator()(const SoftmaxStep &s) {
    // Maximum, subtraction, exponential, sum, product with the reciprocal.
    computes({s.in}, s.out,
             2 * data_.reduceCyclesPerTile + 2 * data_.eltwiseCyclesPerTile +
                 data_.expCyclesPerTile);
  }
  void operator()(const NormStep &s) {
    // Mean and difference where there is one, square and its mean, product with
    // the root's reciprocal, then weight and bias.
    const int passes = (s.rms ? 2 : 3) + bool(s.weight) + bool(s.bias);
    computes({s.in}, s.out,
             (s.rms ? 1 : 2) * data_.reduceCyclesPerTile +
                 passes * data_.eltwiseCyclesPerTile);
    if (s.weight)
      reads(*s.weight);
    if (s.bias)
      reads(*s.bias);
  }
  void operator()(const EmbeddingStep &s) {
    reads(s.indices);
    // Only the rows that are looked up.
    addRead(layout(s.weight), layout(s.out).payloadBytes());
    writes(s.out);
    units = double(layout(s.out).logicalRows());
  }
  void operator()(const EmbeddingBackwardStep &s) {
    reads(s.indices);
    computes({s.gradient}, s.out, data_.eltwiseCyclesPerTile);
  }
  void operator()(const GatherStep &s) {
    reads(s.indices);
    addRead(layout(s.in), layout(s.out).payloadBytes());
    writes(s.out);
    units = tilesOf(layout(s.out));
  }
  void operator()(const TransposeStep &s) { copies(s.in, s.out); }
  void operator()(const PermuteStep &s) { copies(s.in, s.out); }
  void operator()(const ReshapeStep &s) { copies(s.in, s.out); }
  void operator()(const PadStep &s) { copies(s.in, s.out); }
  void operator()(const RepeatStep &s) { copies(s.in, s.out); }
  void operator()(const SliceStep &s) {
    // Only what the slice has.
    addRead(layout(s.in), layout(s.out).payloadBytes());
    writes(s.out);
    units = tilesOf(layout(s.out));
  }
  void operator()(const ConcatStep &s) {
    for (ValueIndex value : s.ins)
      reads(value);
    writes(s.out);
    units = tilesOf(layout(s.out));
  }
  void operator()(const Conv2dStep &s) {
    readsConvolution(s);
    multiplies(layout(s.in), layout(s.weight), layout(s.out),
               s.inChannels / s.groups * s.window.kernelH * s.window.kernelW);
  }
  void operator()(const ConvTranspose2dStep &s) {
    const Conv2dStep &c = s.conv;
    readsConvolution(c);
    // Each tap of the window meets one in strideH * strideW outputs.
    multiplies(
        layout(c.in), layout(c.weight), layout(c.out),
        std::max<std::int64_t>(1, c.inChannels / c.groups * c.window.kernelH *
                                      c.window.kernelW /
                                      (c.window.strideH * c.window.strideW)));
  }
  void operator()(const Pool2dStep &s) {
    computes({s.in}, s.out,
             data_.reduceCyclesPerTile *
                 double(s.window.kernelH * s.window.kernelW));
  }
  void operator()(const UpsampleStep &s) {
    if (s.bilinear)
      // Three interpolations of a subtraction, a product and a sum.
      computes({s.in}, s.out, 9 * data_.eltwiseCyclesPerTile);
    else
      copies(s.in, s.out);
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

  void addRead(const Layout &l, std::int64_t bytes) {
    add(l, bytes, cost_.dramReadBytes, cost_.l1ReadBytes);
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
  void reads(ValueIndex value) {
    addRead(layout(value), layout(value).payloadBytes());
  }
  void writes(ValueIndex value) {
    const Layout &l = layout(value);
    add(l, l.payloadBytes(), cost_.dramWriteBytes, cost_.l1WriteBytes);
  }
  void copies(ValueIndex in, ValueIndex out) {
    reads(in);
    writes(out);
    units = tilesOf(layout(out));
  }

  void readsConvolution(const Conv2dStep &s) {
    reads(s.in);
    reads(s.weight);
    if (s.bias)
      reads(*s.bias);
    writes(s.out);
  }

  /// Tiles of a product over `depth` elements; inner blocks of eight tiles, one
  /// step per core and block.
  void multiplies(const Layout &a, const Layout &b, const Layout &out,
                  std::int64_t depth) {
    const double tiles = double(kernels::tilesFor(depth));
    units = tilesOf(out);
    totalCycles = units * tiles *
                  (data_.mvmulCyclesPerTilePhase *
                       fidelityPhases(a.type, b.type, chip_.arch) +
                   data_.matmulFixedCyclesPerTile);
    blockSteps = std::ceil(tiles / 8);
  }

  /// Reads, computes tile by tile and writes.
  void computes(std::initializer_list<ValueIndex> ins, ValueIndex out,
                double mathPerTile) {
    for (ValueIndex value : ins)
      reads(value);
    writes(out);
    streams(ins, out, mathPerTile);
  }

  /// A kernel that brings every tile through unpacker, math and packer: the
  /// slowest of the three counts.
  void streams(std::initializer_list<ValueIndex> ins, ValueIndex out,
               double mathPerTile) {
    double unpack = 0, tiles = tilesOf(layout(out));
    for (ValueIndex value : ins) {
      unpack += double(kernels::tileBytes(layout(value).type)) /
                data_.unpackBytesPerCycle;
      tiles = std::max(tiles, tilesOf(layout(value)));
    }
    const double pack =
        double(kernels::tileBytes(layout(out).type)) / data_.packBytesPerCycle;
    units = tiles;
    totalCycles = tiles * std::max({unpack, mathPerTile, pack});
  }

  /// An operation of the SFPU.
  double vectorCycles(auto op) const {
    return runtime::vectorCycles(archData(chip_.arch), functionOf(op).work);
  }

  const Program &program_;
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
  Model model(program, cost, chip);
  std::visit(model, operation.step);
  if (!model.dispatched)
    return cost;
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
