//===- What an op's definition says about the places it travels to --------===//
//
// The fields below are read by tools/tablegen/op_tables.py, which generates
// the one-to-one lowerings and the serialization from them.

#ifndef TTMLIR_OP_TABLES_TD
#define TTMLIR_OP_TABLES_TD

/// Mixed into TTIR ops.
class LoweringTable {
  /// The C++ class of the TTNN op that this op becomes with the same operands
  /// and attributes (its operand constraints excepted). Empty when the
  /// lowering needs code of its own.
  string loweredTo = "";
}

/// Mixed into TTNN ops.
class SchemaTable {
  /// The flatbuffer table of the schema's namespace `ttnn`, `::Table` of the one
  /// around it. The name is also that of the member of the union `OpType`.
  string schemaTable = "";

  /// One `field=source` for each field of the table. A source is
  /// - the name of an operand, a result or an attribute of the op; of a
  ///   variadic one it is the first value;
  /// - `[name]`, all values of a variadic operand;
  /// - `function(attribute)`, one of the conversions of op_tables.py;
  /// - `Enum::Case` of the schema's namespace `ttnn`, `::Enum::Case` of the one
  ///   around it.
  list<string> schemaFields = [];

  /// Set when the serialization writes this table with code of its own.
  bit schemaByHand = 0;

  /// Number of values of the variadic operand `inputs` where it is always the
  /// same: the C++ function then has a parameter for each.
  int arity = -1;

  /// `attribute` and table of another form of the op: `Table` with the fields
  /// is written instead when the op carries the unit attribute.
  string variantAttr = "";
  string variantTable = "";
  list<string> variantFields = [];
}

#endif
