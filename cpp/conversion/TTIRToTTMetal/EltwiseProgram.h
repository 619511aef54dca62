#ifndef CONVERSION_TTIRTOTTMETAL_ELTWISEPROGRAM_H
#define CONVERSION_TTIRTOTTMETAL_ELTWISEPROGRAM_H

#include "conversion/TTIRToTTMetal/KernelBuilder.h"

#include "mlir/IR/Block.h"
#include "mlir/Support/LLVM.h"

namespace mlir::tt {

/// An input of elementwise work, as the compute threads read it.
struct EltwiseInput {
  DataType type;
  /// The part of its tiles that is broadcast to a whole tile.
  ttkernel::BroadcastType broadcast = ttkernel::BroadcastType::None;
};

/// Elementwise work on one tile of each input as instructions on destination
/// registers.
class EltwiseProgram {
public:
  /// Tiles that the destination registers hold, with 32 bits an element.
  static constexpr unsigned kRegisters = 4;

  /// One instruction: what it reads and the register that it writes.
  struct Step {
    enum class Kind {
      Load,      // a tile of input `from[0]`
      Reload,    // the tile of intermediate `from[0]`
      Broadcast, // a row, column or element of a tile of input `from[0]`
      Matrix,    // the matrix engine on tiles of inputs `from`
      Fill,      // a number
      Vector,    // the vector engine on registers `from`
    };
    Kind kind;
    StringRef mnemonic;
    SmallVector<unsigned, 3> from;
    unsigned to = 0;
    /// Operands after the registers.
    SmallVector<int64_t, 2> numbers;
    SmallVector<NamedAttribute, 2> attributes;
  };

  /// Steps between acquiring and releasing the registers; the tile of register
  /// `result` is then packed, into intermediate `intermediate` if it has one.
  struct Phase {
    SmallVector<Step> steps;
    unsigned registers = 1;
    unsigned result = 0;
    std::optional<unsigned> intermediate;
  };

  /// The work of a region: block arguments are the inputs and, last, the output
  /// of type `outputType`. With `masks` there is one more input, and the output
  /// is 0 where that is 0. Emits an error at the op that has no instructions.
  static FailureOr<EltwiseProgram> get(Block &body,
                                       ArrayRef<EltwiseInput> inputs,
                                       DataType outputType, bool masks);

  /// The change of a number format.
  static EltwiseProgram getTypecast(MLIRContext *context, DataType from,
                                    DataType to, bool masks = false);
  /// Whether there are instructions for the op of that name, as `ttir.exp`.
  static bool isSupported(StringRef op);

  /// All phases; the last one computes the output. If one phase has too few
  /// registers for all steps, earlier phases compute intermediates, tiles of
  /// 32-bit elements in their own buffers.
  SmallVector<Phase> phases;
  SmallVector<DataType> intermediates;

  /// Tiles of each input that are worked on at a time.
  unsigned getGroup() const {
    return phases.size() > 1 ? 1 : kRegisters / phases.front().registers;
  }
  /// The inputs of the first step on the matrix engine, if there is one.
  std::optional<std::pair<unsigned, unsigned>> getMatrixInputs() const;
};

/// What a region computes, its functions in their order: "eltwise.add+relu".
std::string describeEltwise(Block &body);

/// Writes a program into a compute kernel.
class EltwiseWriter {
public:
  EltwiseWriter(KernelBuilder &kernel, const EltwiseProgram &program,
                ArrayRef<Buffer> inputs, ArrayRef<Buffer> intermediates,
                const Buffer &output);

  /// Sets the engines up, once.
  void start();
  /// Works on `count` tiles (at most a group): tile `tiles(input, i)` of every
  /// input, to tile `output` + i of the output buffer.
  void write(unsigned count, function_ref<I32(unsigned, unsigned)> tiles,
             I32 output);

private:
  void writeStep(const EltwiseProgram::Step &step, unsigned registers,
                 unsigned count, function_ref<I32(unsigned, unsigned)> tiles);
  void initialize(const EltwiseProgram::Step &step);

  KernelBuilder &kernel;
  const EltwiseProgram &program;
  ArrayRef<Buffer> inputs, intermediates;
  const Buffer &output;
  /// Inputs have formats of several kinds, between which the unpacker switches.
  bool hasMixedInputs;
  /// The only step is set up by `start`.
  bool isLone;
};

/// The tiles of the element type of a circular buffer that holds numbers of
/// `type` as the destination registers do.
TileType getRegisterTile(MLIRContext *context, DataType type);

} // namespace mlir::tt

#endif
