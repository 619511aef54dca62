#include "conversion/SCFToTT/SCFToTT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::tt {

#define GEN_PASS_DEF_CHECKCALLS
#include "conversion/SCFToTT/Passes.h.inc"

/// Ops that a function may have with those that it calls in their places.
static constexpr uint64_t kMaxOps = 1 << 20;

namespace {

/// A function of the call graph.
struct Node {
  SmallVector<std::pair<func::CallOp, func::FuncOp>> calls;
  /// Of ops, with those of callees once they are known.
  uint64_t size = 0;
  enum { New, Open, Done } state = New;
};

} // namespace

LogicalResult checkCalls(ModuleOp module) {
  SymbolTable symbols(module);
  DenseMap<Operation *, Node> nodes;
  for (auto function : module.getOps<func::FuncOp>()) {
    Node &node = nodes[function];
    function.walk([&](Operation *op) {
      ++node.size;
      auto call = dyn_cast<func::CallOp>(op);
      auto callee = call ? symbols.lookup<func::FuncOp>(call.getCallee())
                         : func::FuncOp();
      if (callee)
        node.calls.push_back({call, callee});
    });
  }
  for (auto function : module.getOps<func::FuncOp>()) {
    // Callees first; a graph may be deep.
    SmallVector<std::pair<func::FuncOp, size_t>> path = {{function, 0}};
    while (!path.empty()) {
      auto &[current, next] = path.back();
      Node &node = nodes[current];
      if (node.state == Node::Done || next == node.calls.size()) {
        node.state = Node::Done;
        path.pop_back();
        continue;
      }
      node.state = Node::Open;
      auto [call, callee] = node.calls[next];
      Node &called = nodes[callee];
      if (called.state == Node::Open)
        return call.emitOpError("calls a function that is running, '")
               << callee.getSymName()
               << "': expected functions that do not call themselves; "
                  "scf.while makes loops";
      if (called.state == Node::New) {
        path.push_back({callee, 0});
        continue;
      }
      ++next;
      node.size = std::min(node.size + called.size, kMaxOps + 1);
      if (node.size > kMaxOps)
        return call.emitOpError("makes the function too large: expected at "
                                "most ")
               << kMaxOps << " ops with the functions it calls in their places";
    }
  }
  return success();
}

namespace {

class CheckCalls : public impl::CheckCallsBase<CheckCalls> {
public:
  void runOnOperation() final {
    markAllAnalysesPreserved();
    if (failed(checkCalls(getOperation())))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tt
