#ifndef TEST_UNITTESTS_TT_TESTSUPPORT_H
#define TEST_UNITTESTS_TT_TESTSUPPORT_H

#include "dialects/TT/TT.h"

#include "mlir/IR/MLIRContext.h"
#include "testing/testing.h"

#include <random>

namespace mlir::tt::test {

using Shape = SmallVector<int64_t>;

/// Every test has a context with the dialect, random numbers from a fixed seed,
/// and the text of the last error.
class TTTest : public ::testing::Test {
protected:
  TTTest() : random(20240917) {
    context.loadDialect<TTDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      error = diagnostic.str();
      return success();
    });
  }

  function_ref<InFlightDiagnostic()> emitError() { return emit; }

  int64_t uniform(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  Shape randomShape(int64_t rank, int64_t limit) {
    Shape shape;
    for (int64_t d = 0; d < rank; ++d)
      shape.push_back(uniform(1, limit));
    return shape;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::mt19937_64 random;
  std::string error;

private:
  std::function<InFlightDiagnostic()> emit = [this] {
    return mlir::emitError(UnknownLoc::get(&context));
  };
};

/// Calls `visit` for every index of the space `shape`, in row-major order.
template <typename VisitT>
void forEachIndex(ArrayRef<int64_t> shape, VisitT visit) {
  if (llvm::is_contained(shape, 0))
    return;
  Shape index(shape.size(), 0);
  while (true) {
    visit(ArrayRef<int64_t>(index));
    int64_t d = static_cast<int64_t>(shape.size()) - 1;
    for (; d >= 0 && ++index[d] == shape[d]; --d)
      index[d] = 0;
    if (d < 0)
      return;
  }
}

inline std::string toString(AffineMap map) {
  std::string text;
  llvm::raw_string_ostream os(text);
  map.print(os);
  return text;
}

template <typename AttrT> std::string toString(AttrT attr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Attribute(attr).print(os);
  return text;
}

} // namespace mlir::tt::test

#endif
