//===- What an op's definition says about the places it travels to --------===//
//
// The fields below are read by the generators of tools/tablegen, which make from
// them the one-to-one lowerings, the flatbuffer's tables, the serialization, the
// functions of the C++ library, and in the runtime the steps with their decoding.

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

  /// The number of the table in the union, by which files know it: from 1, and
  /// never used again for another table.
  int schemaMember = 0;

  /// One `field=source` or `field: type=source` for each field of the table, in
  /// its order, which files depend on: a new field comes last. A source is
  /// - the name of an operand, a result or an attribute of the op; of a
  ///   variadic one it is the first value;
  /// - `[name]`, all values of a variadic operand;
  /// - `function(attribute)`, one of the conversions of op_tables.py;
  /// - `Enum::Case` of the schema's namespace `ttnn`, `::Enum::Case` of the one
  ///   around it.
  /// The source gives the type where none is written, and the field's name is
  /// the source where that is not written.
  list<string> schemaFields = [];

  /// Set when the serialization writes this table with code of its own.
  bit schemaByHand = 0;

  /// Set when the runtime has a step and a decoding of its own for this table.
  bit stepByHand = 0;

  /// Operands of which no more is read than the result has, and operands that
  /// give their shape alone; all others are read as a whole.
  list<string> readsPart = [];
  list<string> readsShape = [];

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
