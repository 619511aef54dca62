#ifndef CONVERSION_TTIRTOTTMETAL_ELTWISEGRAPH_H
#define CONVERSION_TTIRTOTTMETAL_ELTWISEGRAPH_H

#include "conversion/TTIRToTTMetal/EltwiseProgram.h"

/// Elementwise regions as graphs of instructions; internal to EltwiseProgram.
namespace mlir::tt::eltwise {

/// How an element is stored in a destination register.
enum class Kind { Float, Unsigned, Signed };

Kind kindOf(DataType type);
/// The type of 32 bits of the same kind.
DataType wide(DataType type);

/// The attributes of `ttkernel.typecast_tile`.
SmallVector<NamedAttribute, 2>
getTypecastAttributes(MLIRContext *context, DataType from, DataType to);

/// Whether the table has instructions for the op of that name.
bool isInTable(StringRef op);

/// A value: an input, a number, or the result of an instruction of the vector
/// engine on other nodes.
struct Node {
  enum class Form { Input, Fill, Vector } form;
  DataType type;
  /// The number of the input.
  unsigned input = 0;
  StringRef mnemonic;
  StringRef matrix;
  SmallVector<unsigned, 3> operands;
  SmallVector<int64_t, 2> numbers;
  SmallVector<NamedAttribute, 2> attributes;

  bool isLeaf() const { return form != Form::Vector; }
};

/// Nodes, operands before what they are used for, and the one of the output.
struct Graph {
  SmallVector<Node> nodes;
  unsigned root;
};

/// The graph of a region; see EltwiseProgram::get.
FailureOr<Graph> buildGraph(Block &body, ArrayRef<EltwiseInput> inputs,
                            DataType outputType, bool masks);

} // namespace mlir::tt::eltwise

#endif
