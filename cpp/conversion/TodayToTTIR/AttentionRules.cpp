//===- AttentionRules.cpp - attention to caches and their updates
//----------===//

#include "conversion/TodayToTTIR/Call.h"
#include "conversion/TodayToTTIR/Rules.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::today;
using graph::typeOf;

/// The values of the operand `name`.
static SmallVector<Value> &valuesOf(Call &call, StringRef name) {
  for (auto [slot, values] : llvm::zip_equal(call.row.operands, call.operands))
    if (slot.name == name)
      return values;
  llvm_unreachable("an operand of the table");
}

/// Today's op has neither positions nor a page table.
LogicalResult rules::attention(Call &call) {
  call.absentOperands = 2;
  return call.carry();
}

/// All keys are seen where nothing is causal: a position says nothing then.
LogicalResult rules::decodingAttention(Call &call) {
  if (!call.flag("is_causal"))
    valuesOf(call, "cur_pos_tensor").clear();
  return call.carry();
}

/// Without a page table the cache has the positions of each user side by side.
LogicalResult rules::pagedUpdateCache(Call &call) {
  if (call.flag("share_cache"))
    return call.refuse("share_cache: expected a cache for each user");
  if (call.has("page_table"))
    return call.carry();
  Value &input = valuesOf(call, "input").front();
  if (typeOf(input).getRank() != 4)
    return call.refuse("expected an input of rank 4");
  input = call.builder.permute(input, {0, 2, 1, 3});
  OpBuilder &ops = call.builder.getBuilder();
  return call.carry(call.builder.attr("batch_offset", ops.getI32IntegerAttr(0)),
                    "update_cache");
}
