// Kernels shared by several kinds of steps: pipelines over pages, rows,
// reductions, windows and products.
#ifndef TT_RUNTIME_TTNN_STREAMS_STEP_KERNELS_H
#define TT_RUNTIME_TTNN_STREAMS_STEP_KERNELS_H

#include "numerics/tiles.h"
#include "ttnn/compute_config.h"
#include "ttnn/streams/steps.h"

#include <initializer_list>
#include <optional>
#include <vector>

namespace tt::runtime::ttnn::streams {

using ::tt::target::metal::PoolType;
using ::tt::target::metal::ReduceDim;

constexpr std::int64_t kTile = numerics::kTileDim;

inline bool aligned(std::int64_t number) { return number % kTile == 0; }

inline std::int64_t extent(const Layout &layout, std::int64_t fromBack) {
  const std::int64_t dim = layout.rank() - 1 - fromBack;
  return dim < 0 ? 1 : layout.shape[std::size_t(dim)];
}

/// Transfers of a page that is assembled from rows: a tile has two pieces of
/// each row, in its left and right faces.
inline double rowPieces(const Layout &layout) {
  return layout.tiled ? 2.0 * kTile : 1;
}

/// Builds the streams of one step, and records their work.
class StepKernels {
public:
  /// `activation` is the vector engine instruction for the operation's
  /// activation.
  StepKernels(const Program &program, const Operation &operation,
              std::optional<Instruction> activation, Builder &builder,
              Work &work)
      : program_(program), compute_(operation.compute), activation_(activation),
        slices_(operation.slices), builder_(builder), work_(work) {
    builder_.setCompute(compute_);
  }

protected:
  const Layout &layout(ValueIndex value) const {
    return program_.values[value].layout;
  }

  DType type(ValueIndex value) const { return layout(value).type; }

  /// The format of intermediate results in L1 between the stages of a kernel.
  DType between() const {
    return compute_.fp32DestAcc ? DType::F32 : DType::BF16;
  }

  static Instruction unpack(DType type) { return {Opcode::copy_tile, 1, type}; }

  Instruction copy(ValueIndex value) const { return unpack(type(value)); }

  static Instruction pack(DType type) { return {Opcode::pack_tile, 1, type}; }

  Instruction pack(ValueIndex value) const { return pack(type(value)); }

  static Instruction two(Opcode opcode, DType first, DType second) {
    return {opcode, 1, first, second, 1, 0, false};
  }

  /// A reduction, which also reads the tile of the scale.
  static Instruction reduce(DType type, PoolType pool, ReduceDim dim) {
    return {Opcode::reduce_tile,
            1,
            type,
            DType::BF16,
            1,
            std::uint32_t(pool) << 8 | std::uint32_t(dim),
            false};
  }

  double ratio(const Layout &in, const Layout &out) const {
    return double(builder_.pages(in).count()) /
           double(builder_.pages(out).count());
  }

  Feed feed(ValueIndex in, ValueIndex out) const {
    return {&layout(in), ratio(layout(in), layout(out))};
  }

  Pipeline over(ValueIndex out, const char *name) const {
    Pipeline pipeline{};
    pipeline.name = name;
    pipeline.result = &layout(out);
    return pipeline;
  }

  /// Adjusts tile counts for row-major pages, and runs the pipeline.
  void run(Pipeline &pipeline);

  void setMode(bool shown) { work_.phases = shown ? compute_.phases() : 0; }

  void host(const Layout &device, const char *phase) {
    work_.phase = phase;
    work_.host = &device;
  }

  void moves(ValueIndex from, ValueIndex to);

  /// Unpacker and packer convert floats; the SFPU converts integers.
  void cast(ValueIndex in, ValueIndex out);

  /// Scans along a dimension. Intermediate results go through L1.
  void scans(ValueIndex in, ValueIndex out, const char *name, Opcode opcode);

  /// Rotates heads by angles with the given cosines and sines.
  void rotates(ValueIndex in, ValueIndex cos, ValueIndex sin, ValueIndex out);

  void passes(std::initializer_list<ValueIndex> ins, ValueIndex out,
              const char *name, std::vector<Instruction> compute);

  /// The same for rows of tiles, which stay in L1 until they are done: `each`
  /// runs once per row, `finish` after all other instructions of the row, and
  /// each core reads `once` one time. Rows are reduced `reductions` times.
  void rows(std::initializer_list<ValueIndex> ins, ValueIndex out,
            const char *name, std::int64_t reductions,
            std::vector<Instruction> compute, std::vector<Instruction> each,
            std::vector<Instruction> finish,
            std::vector<const Layout *> once = {});

  /// Distributes rows if they are reduced, else results; `each` runs once for a
  /// result. If few results would leave most cores idle, as for means of whole
  /// images, all cores reduce their parts of the operand and send them to the
  /// cores of the results.
  void reduces(ValueIndex in, ValueIndex out, bool rows, const char *name,
               std::vector<Instruction> compute,
               std::vector<Instruction> each = {});

  /// The cores with shards, or all cores.
  std::int64_t coresWith(const Pages &pages) const;

  bool reducesApart(ValueIndex in, ValueIndex out) const;

  /// A convolution with groups: a result tile depends only on the image
  /// channels of its groups, so cores share no gathered data. The pixels of
  /// each tap are tilized and multiplied by a row of the weight if each channel
  /// is a group, else by tiles with zeros between the groups. The destination
  /// accumulates the taps.
  void grouped(const Conv2dStep &s);

  void multiply(const Layout &a, const Layout &b, const Layout &out,
                OptionalValue bias, std::int64_t batch, std::int64_t m,
                std::int64_t n, std::int64_t depth, std::int64_t pieceBytes,
                std::int64_t halo = 0);

  /// Copies pages unchanged, or assembled from rows; for a part of the operand,
  /// as many as the result has.
  void copies(ValueIndex in, ValueIndex out, bool whole, bool part = false);
  /// Reads pages in pieces of rows, without padding rows.
  static void gather(Feed &feed);

  /// Permutes dimensions: tiles are copied, transposed, or assembled from rows
  /// if one of their dimensions changes. `last` and `rows` are the dimensions,
  /// from the back, that become the last one and the one before.
  void exchange(ValueIndex in, ValueIndex out, std::int64_t last,
                std::int64_t rows);

  /// Stacks the rows of a window and reduces them pixel by pixel; the SFPU
  /// divides an average. A piece has the channels of a pixel, up to
  /// kMostChannels tiles, and `together` adjacent pixels.
  void window(ValueIndex in, ValueIndex out, std::int64_t taps, PoolType pool,
              std::int64_t together = 1);

  const Program &program_;
  const ComputeConfig &compute_;
  std::optional<Instruction> activation_;
  const std::uint32_t slices_; // of the result of a product
  bool spread_ = false; // rows of the product's result change their places
  Builder &builder_;
  Work &work_;
};

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_STEP_KERNELS_H
