#include "dialects/TTIR/Composites/Composites.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

//===----------------------------------------------------------------------===//
// rearrange
//===----------------------------------------------------------------------===//

namespace {

/// A dimension: its names in order; `...` among them for those without a name.
using Term = SmallVector<StringRef>;

/// What a pattern does to a tensor.
struct Rearrangement {
  /// Extents of the input without those that are `1` in the pattern.
  SmallVector<int64_t> extents;
  SmallVector<int64_t> permutation;
  SmallVector<int64_t> shape;
};

} // namespace

static FailureOr<SmallVector<Term>> parseSide(RearrangeOp op, StringRef side) {
  SmallVector<Term> terms;
  bool isOpen = false;
  auto error = [&](const Twine &found) {
    return op.emitOpError("expected names, '1', '...' and parentheses in "
                          "pattern \"")
           << op.getPattern() << "\": found " << found;
  };
  while (!(side = side.ltrim()).empty()) {
    if (side.front() == '(' || side.front() == ')') {
      bool opens = side.front() == '(';
      if (opens == isOpen)
        return error(opens ? "'(' in parentheses" : "')' without '('");
      isOpen = opens;
      if (opens)
        terms.emplace_back();
      side = side.drop_front();
      continue;
    }
    StringRef name = side.starts_with("...")
                         ? side.take_front(3)
                         : side.take_while([](char c) {
                             return llvm::isAlnum(c) || c == '_';
                           });
    bool isName = name == "..." || name == "1" ||
                  (!name.empty() && !llvm::isDigit(name.front()));
    if (!isName)
      return error("'" + side.take_until([](char c) { return c == ' '; }) +
                   "'");
    side = side.drop_front(name.size());
    if (!isOpen)
      terms.emplace_back();
    terms.back().push_back(name);
  }
  if (isOpen)
    return error("'(' without ')'");
  return terms;
}

static FailureOr<Rearrangement> parsePattern(RearrangeOp op) {
  auto [left, right] = op.getPattern().split("->");
  if (op.getPattern().count("->") != 1)
    return op.emitOpError("expected one '->' in pattern \"")
           << op.getPattern() << "\", found " << op.getPattern().count("->");
  FailureOr<SmallVector<Term>> inputs = parseSide(op, left);
  if (failed(inputs))
    return failure();
  FailureOr<SmallVector<Term>> outputs = parseSide(op, right);
  if (failed(outputs))
    return failure();

  // The dimensions that each name stands for.
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  int64_t rank = shape.size(), terms = inputs->size();
  bool hasRest = llvm::any_of(*inputs, [](const Term &term) {
    return llvm::is_contained(term, "...");
  });
  if (hasRest ? terms - 1 > rank : terms != rank)
    return op.emitOpError("expected a term for each of ")
           << rank << " dimensions on the left of pattern \"" << op.getPattern()
           << "\", found " << terms;
  Rearrangement result;
  llvm::StringMap<SmallVector<int64_t>> places;
  int64_t dim = 0;
  for (const Term &term : *inputs) {
    if (term.size() != 1)
      return op.emitOpError("expected one name for each dimension on the left "
                            "of pattern \"")
             << op.getPattern() << "\", found " << term.size()
             << " in parentheses, whose extents are unknown";
    StringRef name = term.front();
    int64_t count = name == "..." ? rank - (terms - 1) : 1;
    if (name == "1") {
      if (shape[dim++] == 1)
        continue;
      return op.emitOpError("expected extent 1 in dimension ")
             << dim - 1 << " for '1' of pattern \"" << op.getPattern()
             << "\", found " << shape[dim - 1];
    }
    auto [entry, isNew] = places.try_emplace(name);
    if (!isNew)
      return op.emitOpError("expected each name once on the left of pattern \"")
             << op.getPattern() << "\", found '" << name << "' twice";
    for (int64_t i = 0; i < count; ++i) {
      entry->second.push_back(result.extents.size());
      result.extents.push_back(shape[dim++]);
    }
  }

  size_t used = 0;
  llvm::StringMap<bool> seen;
  for (const Term &term : *outputs) {
    int64_t extent = 1;
    bool spreads = term.size() == 1 && term.front() == "...";
    for (StringRef name : term) {
      if (name == "1")
        continue;
      auto found = places.find(name);
      if (found == places.end() || !seen.try_emplace(name, true).second)
        return op.emitOpError("expected each name of the left once on the "
                              "right of pattern \"")
               << op.getPattern() << "\", found '" << name << "'"
               << (found == places.end() ? ", which is not there" : " twice");
      ++used;
      for (int64_t place : found->second) {
        result.permutation.push_back(place);
        extent *= result.extents[place];
        if (spreads)
          result.shape.push_back(result.extents[place]);
      }
    }
    if (!spreads)
      result.shape.push_back(extent);
  }
  if (used != places.size())
    return op.emitOpError("expected each of the ")
           << places.size() << " names of the left on the right of pattern \""
           << op.getPattern() << "\", found " << used;
  return result;
}

Shapes RearrangeOp::inferShapes() {
  FailureOr<Rearrangement> parsed = parsePattern(*this);
  if (failed(parsed))
    return failure();
  return SmallVector<shapes::Shape>{parsed->shape};
}

Expansion RearrangeOp::expand(GraphBuilder &b) {
  FailureOr<Rearrangement> parsed = parsePattern(*this);
  if (failed(parsed))
    return failure();
  // A pattern of ones alone has no extents, and the machine no scalars.
  if (parsed->extents.empty())
    return SmallVector<Value>{b.reshape(getInput(), parsed->shape)};
  Value named = b.reshape(getInput(), parsed->extents);
  Value ordered = b.permute(named, parsed->permutation);
  return SmallVector<Value>{b.reshape(ordered, parsed->shape)};
}
