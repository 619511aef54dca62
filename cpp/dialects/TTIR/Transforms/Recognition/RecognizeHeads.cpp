#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/Canonicalize.h"
#include "dialects/TTIR/Composites/Composites.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/Recognition/Heads.h"
#include "dialects/TTIR/Transforms/Recognition/Matchers.h"
#include "dialects/TTIR/Transforms/UnusedOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRRECOGNIZEHEADS
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kHeadsRemarks("ttir-recognize-heads");

using namespace heads;

class TTIRRecognizeHeads
    : public impl::TTIRRecognizeHeadsBase<TTIRRecognizeHeads> {
public:
  using Base::Base;

  void runOnOperation() final {
    for (Operation *op : getGraphOps(getOperation()))
      if (getPermutation(op))
        permuteBeforeNorms(op);
    SmallVector<Operation *> ops = getGraphOps(getOperation());
    dependences = Dependences();
    for (Operation *op : ops) {
      if (auto reshape = dyn_cast<ReshapeOp>(op))
        concatenate(reshape);
      else if (getPermutation(op))
        splitStack(op);
    }
    for (Operation *op : ops)
      if (auto attention = dyn_cast<ScaledDotProductAttentionOp>(op))
        shareKeys(attention);
      else if (auto product = dyn_cast<MatmulOp>(op))
        shareFactor(product);
    for (Operation *op : ops)
      if (auto attention = dyn_cast<ScaledDotProductAttentionOp>(op))
        readPages(attention);
    splitSlices(ops);
    if (joinWeights) {
      // An attention says which queries keys belong to; without one, what has
      // the same input belongs together.
      for (Operation *op : ops)
        if (auto attention = dyn_cast<ScaledDotProductAttentionOp>(op))
          joinOf(attention);
      joinAlike(ops);
    }
    for (Operation *op : ops)
      if (auto attention = dyn_cast<ScaledDotProductAttentionOp>(op))
        stackQueries(attention);
    // At the end, backwards: dependences are known by value, and no new op may
    // get the place of an old one before.
    for (Operation *op : llvm::reverse(ops))
      eraseUnused(op);
  }

private:
  /// Whether the op processes each row of the last dimension independently.
  static bool isOfRows(Operation *op) {
    if (auto norm = dyn_cast<RMSNormOp>(op))
      return norm.getNormalizedShape().size() == 1;
    if (auto norm = dyn_cast<LayerNormOp>(op))
      return norm.getNormalizedShape().size() == 1;
    return isa<TypecastOp>(op);
  }

  /// Moves norms of heads behind the permutation, which can then be merged with
  /// the reshape that splits the heads.
  static void permuteBeforeNorms(Operation *permutation) {
    std::optional<SmallVector<int64_t>> order = getPermutation(permutation);
    if (ArrayRef(*order) != ArrayRef<int64_t>({0, 2, 1, 3}) ||
        !isPlain(permutation->getResult(0)))
      return;
    SmallVector<Operation *> norms;
    Value heads = permutation->getOperand(0);
    for (Operation *op = heads.getDefiningOp();
         op && isOfRows(op) && isPlain(heads) && heads.hasOneUse();
         op = heads.getDefiningOp()) {
      norms.push_back(op);
      heads = op->getOperand(0);
    }
    if (norms.empty() || !heads.getDefiningOp<ReshapeOp>() || !isPlain(heads) ||
        !heads.hasOneUse())
      return;
    OpBuilder builder(permutation);
    graph::GraphBuilder b(builder, permutation->getLoc());
    Value result = b.permute(heads, *order);
    for (Operation *norm : llvm::reverse(norms)) {
      auto type = RankedTensorType::get(graph::shapeOf(result),
                                        graph::elementOf(norm->getResult(0)));
      Operation *moved = builder.clone(*norm);
      moved->setOperand(0, result);
      cast<DestinationStyleOpInterface>(moved).getDpsInitOperand(0)->set(
          tensor::EmptyOp::create(builder, norm->getLoc(), type.getShape(),
                                  type.getElementType()));
      moved->getResult(0).setType(type);
      // After its destination.
      moved->moveBefore(permutation);
      result = moved->getResult(0);
    }
    permutation->getResult(0).replaceAllUsesWith(result);
    eraseUnused(permutation);
    for (Operation *norm : norms)
      eraseUnused(norm);
  }

  void concatenate(ReshapeOp op) {
    Operation *permutation = op.getInput().getDefiningOp();
    std::optional<SmallVector<int64_t>> order =
        permutation ? getPermutation(permutation) : std::nullopt;
    if (!order || ArrayRef(*order) != ArrayRef<int64_t>({0, 2, 1, 3}) ||
        !permutation->hasOneUse())
      return;
    Value heads = permutation->getOperand(0);
    ArrayRef<int64_t> shape = graph::shapeOf(heads);
    ArrayRef<int64_t> joined = op.getType().getShape();
    if (!isPlain(heads) || !isPlain(op.getInput()) ||
        !isPlain(op.getResult()) || shape[1] == 1 || shape[3] % kTile ||
        joined.empty() || joined.back() != shape[1] * shape[3])
      return;
    OpBuilder builder(op);
    graph::GraphBuilder b(builder, op.getLoc());
    Value found =
        b.op("concatenate_heads", heads,
             RankedTensorType::get({shape[0], shape[2], shape[1] * shape[3]},
                                   op.getType().getElementType()));
    found = b.reshape(found, joined);
    graph::takeOverConstraint(op, found);
    if (auto remark = kHeadsRemarks.passed(op, "Concatenated"))
      remark << reason("one op puts {0} heads beside each other", shape[1])
             << rejected("a permutation and a reshape: each reads and writes "
                         "all of them");
    op.getResult().replaceAllUsesWith(found);
    ++numConcatenations;
  }

  /// The broadcast of (B, HK, 1, T, D) that repeats key or value heads for the
  /// query heads; null if there is none.
  static BroadcastOp getRepetition(Value heads) {
    auto reshape = heads.getDefiningOp<ReshapeOp>();
    auto broadcast = reshape ? reshape.getInput().getDefiningOp<BroadcastOp>()
                             : BroadcastOp();
    if (!broadcast || !isPlain(heads) || !isPlain(broadcast.getInput()))
      return {};
    ArrayRef<int64_t> from = graph::shapeOf(broadcast.getInput()),
                      to = graph::shapeOf(broadcast.getResult()),
                      all = graph::shapeOf(heads);
    if (from.size() != 5 || to.size() != 5 || from[2] != 1 ||
        from.take_front(2) != to.take_front(2) ||
        from.drop_front(3) != to.drop_front(3) || all.size() != 4 ||
        all[0] != to[0] || all[1] != to[1] * to[2] ||
        all.drop_front(2) != to.drop_front(3))
      return {};
    return broadcast;
  }

  /// The operand of the broadcast, as (B, HK, T, D).
  static Value getRepeated(BroadcastOp repetition, graph::GraphBuilder &b) {
    Value input = repetition.getInput();
    ArrayRef<int64_t> from = graph::shapeOf(input);
    SmallVector<int64_t> shape{from[0], from[1], from[3], from[4]};
    Value before = getBeforeReshape(input);
    return before && graph::shapeOf(before) == ArrayRef<int64_t>(shape)
               ? before
               : b.reshape(input, shape);
  }

  /// Lets the attention share keys and values among heads.
  void shareKeys(ScaledDotProductAttentionOp op) {
    BroadcastOp keys = getRepetition(op.getKey()),
                values = getRepetition(op.getValue());
    if (!keys || !values ||
        graph::shapeOf(keys.getInput())[1] !=
            graph::shapeOf(values.getInput())[1])
      return;
    OpBuilder builder(op);
    graph::GraphBuilder b(builder, op.getLoc());
    op.getKeyMutable().set(getRepeated(keys, b));
    op.getValueMutable().set(getRepeated(values, b));
    if (auto remark = kHeadsRemarks.passed(op, "Shared"))
      remark << reason("{0} heads of keys and values are shared by {1} heads "
                       "of queries",
                       graph::shapeOf(op.getKey())[1],
                       graph::shapeOf(op.getQuery())[1])
             << rejected("a copy for each of them");
    ++numShared;
  }

  /// Multiplies the rows of all heads that share keys or values with these at
  /// once, where attention is not one op, such as between capped scores.
  void shareFactor(MatmulOp op) {
    Value factor = op.getB();
    bool isTransposed = op.getTransposeB();
    if (Operation *permutation = factor.getDefiningOp())
      if (std::optional<SmallVector<int64_t>> order =
              getPermutation(permutation);
          order && ArrayRef(*order) == ArrayRef<int64_t>({0, 1, 3, 2}) &&
          isPlain(factor)) {
        factor = permutation->getOperand(0);
        isTransposed = !isTransposed;
      }
    BroadcastOp repetition = getRepetition(factor);
    ArrayRef<int64_t> rows = graph::shapeOf(op.getA()),
                      result = op.getType().getShape();
    if (!repetition || op.getTransposeA() || rows.size() != 4 ||
        rows.take_front(2) != graph::shapeOf(factor).take_front(2) ||
        !isPlain(op.getA()) || !isPlain(op.getResult()))
      return;
    // Other rows do not stay in their tiles: both reshapes move all elements.
    int64_t inner = rows[3], outer = result[3];
    if (rows[2] % kTile && rows[2] * (inner + outer) >= inner * outer)
      return;
    OpBuilder builder(op);
    graph::GraphBuilder b(builder, op.getLoc());
    Value shared = getRepeated(repetition, b);
    int64_t heads = graph::shapeOf(shared)[1];
    Value stacked = b.reshape(
        op.getA(), {rows[0], heads, rows[1] / heads * rows[2], inner});
    Value found = b.matmul(stacked, shared, op.getType().getElementType(),
                           /*transposeA=*/false, isTransposed);
    found = b.reshape(found, result);
    graph::takeOverConstraint(op, found);
    if (auto remark = kHeadsRemarks.passed(op, "Shared"))
      remark << reason("{0} heads of the second operand are shared by {1} "
                       "heads of the first",
                       heads, rows[1])
             << rejected("a copy for each of them");
    op.getResult().replaceAllUsesWith(found);
    ++numShared;
  }

  /// Lets the attention read the blocks of a paged cache in place.
  void readPages(ScaledDotProductAttentionOp op) {
    if (op.getPageTable() || op.getType().getEncoding())
      return;
    std::optional<Paged> keys = findPaged(op.getKey()),
                         values = findPaged(op.getValue());
    if (!keys || !values || keys->table != values->table ||
        graph::shapeOf(keys->blocks).take_front(3) !=
            graph::shapeOf(values->blocks).take_front(3))
      return;
    op.getKeyMutable().set(keys->blocks);
    op.getValueMutable().set(values->blocks);
    op.getPageTableMutable().assign(keys->table);
    if (ArrayAttr old = op.getOperandConstraintsAttr()) {
      SmallVector<Attribute> constraints(old.getValue());
      constraints.insert(std::prev(constraints.end()), constraints.front());
      op.setOperandConstraintsAttr(
          ArrayAttr::get(op.getContext(), constraints));
    }
    if (auto remark = kHeadsRemarks.passed(op, "Paged"))
      remark << reason("keys and values are blocks of {0} positions in a paged "
                       "cache",
                       graph::shapeOf(keys->blocks)[2])
             << rejected("a copy of each user's blocks");
    ++numPaged;
  }

  /// Heads with a single query that share keys become queries of one head: all
  /// of them see the same keys, and share a tile.
  void stackQueries(ScaledDotProductAttentionOp op) {
    Value query = op.getQuery(), mask = op.getAttentionMask();
    // Models that require a mask create a mask of zeros if they need none.
    if (mask && Matcher::getNumber(mask) == 0.0)
      mask = {};
    ArrayRef<int64_t> q = graph::shapeOf(query),
                      k = graph::shapeOf(op.getKey());
    int64_t shared = q[1] / k[1];
    // A causal query at the first position sees only the first key.
    Value positions = op.getPositions();
    bool hides = (op.getIsCausal() && k[2] != 1) || op.getSlidingWindowSize();
    if (q[2] != 1 || shared == 1 || (hides && !positions) ||
        op.getAttentionSink() || !isPlain(query) || !isPlain(op.getKey()) ||
        !isPlain(op.getValue()) || !isPlain(op.getResult()) ||
        (mask && !isPlain(mask)))
      return;
    OpBuilder builder(op);
    graph::GraphBuilder b(builder, op.getLoc());
    Attention attention = Attention::of(op);
    attention.query = b.reshape(query, {q[0], k[1], shared, q[3]});
    attention.isCausal = static_cast<bool>(positions);
    if (!positions)
      attention.window = {};
    attention.mask = mask;
    if (mask && graph::shapeOf(mask)[1] != 1) {
      ArrayRef<int64_t> m = graph::shapeOf(mask);
      attention.mask = b.reshape(mask, {m[0], k[1], shared, m[3]});
    }
    Value found = attention.make(b, op.getType().getElementType());
    if (auto remark = kHeadsRemarks.passed(op, "Stacked"))
      remark << reason("{0} query heads that share keys are rows of a tile",
                       shared)
             << rejected("a tile for each of them");
    Value result = b.reshape(found, graph::shapeOf(op.getResult()));
    graph::takeOverConstraint(op, result);
    op.getResult().replaceAllUsesWith(result);
    ++numStacked;
  }

  /// The results of the split of `input` (B, S, N * D), and of `rest`, if it is
  /// not null.
  static ResultRange makeSplit(graph::GraphBuilder &b, Value input, Value rest,
                               const Split &query, const Split &key) {
    OpBuilder &builder = b.getBuilder();
    Type element = graph::elementOf(input);
    SmallVector<int64_t> shapes[] = {
        {query.batch, query.heads, query.places, query.width},
        {key.batch, key.heads, key.places, key.width},
        {key.batch, key.heads, key.places, key.width}};
    if (key.isTransposed)
      std::swap(shapes[1][2], shapes[1][3]);
    SmallVector<Type> types;
    SmallVector<Value> outputs;
    for (ArrayRef<int64_t> shape : shapes) {
      types.push_back(RankedTensorType::get(shape, element));
      outputs.push_back(
          tensor::EmptyOp::create(builder, b.getLoc(), shape, element));
    }
    auto number = [&](int64_t heads) {
      return builder.getIntegerAttr(
          builder.getIntegerType(32, /*isSigned=*/false), heads);
    };
    Attribute anywhere = OperandConstraintAttr::get(
        builder.getContext(), OperandConstraint::AnyDeviceTile);
    SmallVector<Attribute> constraints(rest ? 5 : 4, anywhere);
    return SplitQueryKeyValueAndSplitHeadsOp::create(
               builder, b.getLoc(), types, input, rest, outputs,
               number(query.heads),
               key.heads == query.heads ? IntegerAttr() : number(key.heads),
               builder.getBoolAttr(key.isTransposed),
               builder.getArrayAttr(constraints))
        .getResults();
  }

  /// Of the results, keys alone can be transposed.
  void replace(graph::GraphBuilder &b, ArrayRef<Split> splits,
               ResultRange results, bool isJoined) {
    if (auto remark = kHeadsRemarks.passed(splits[0].op, "Split"))
      remark << reason("one op splits queries, keys and values into heads{0}",
                       isJoined ? ", of products that become one" : "")
             << rejected("a reshape and a permutation of each: they read and "
                         "write everything twice");
    for (auto [i, split] : llvm::enumerate(splits)) {
      Value result = results[i];
      if (split.isTransposed && i != 1)
        result = b.permute(result, {0, 1, 3, 2});
      // Heads of a single position may have another order of dimensions.
      result = b.reshape(result, graph::shapeOf(split.op->getResult(0)));
      split.op->getResult(0).replaceAllUsesWith(result);
    }
    ++numSplits;
  }

  //===--------------------------------------------------------------------===//
  // Parts of one tensor
  //===--------------------------------------------------------------------===//

  /// Queries, keys and values that are slices beside each other.
  void splitSlices(ArrayRef<Operation *> ops) {
    using Part = std::pair<int64_t, Split>;
    llvm::MapVector<std::pair<Value, Block *>, SmallVector<Part>> groups;
    for (Operation *op : ops) {
      std::optional<Split> split = findSplit(op);
      auto slice = split ? split->source.getDefiningOp<SliceOp>() : SliceOp();
      std::optional<int64_t> first = slice ? getFirst(slice) : std::nullopt;
      if (first && !op->use_empty())
        groups[{slice.getInput(), op->getBlock()}].push_back({*first, *split});
    }
    for (auto &[place, parts] : groups) {
      if (parts.size() != 3)
        continue;
      llvm::stable_sort(parts, [](const Part &a, const Part &b) {
        return a.first < b.first;
      });
      Value whole = place.first;
      SmallVector<Split> splits;
      int64_t end = 0;
      bool isWhole = true;
      for (const auto &[first, split] : parts) {
        splits.push_back(split);
        isWhole &= first == end;
        end += split.heads * split.width;
      }
      if (!isWhole || end != graph::shapeOf(whole).back() ||
          !areOneAttention(splits) || splits[0].places != splits[1].places)
        continue;
      OpBuilder builder(
          getFirstInBlock({splits[0].op, splits[1].op, splits[2].op}));
      graph::GraphBuilder b(builder, getLoc(splits));
      whole = b.reshape(whole, {splits[0].batch, splits[0].places, end});
      replace(b, splits, makeSplit(b, whole, {}, splits[0], splits[1]), false);
    }
  }

  /// Queries, keys and values (B, S, 3, H, D) that are brought in front of all
  /// other dimensions and are sliced there.
  void splitStack(Operation *op) {
    std::optional<SmallVector<int64_t>> order = getPermutation(op);
    if (ArrayRef(*order) != ArrayRef<int64_t>({2, 0, 3, 1, 4}))
      return;
    auto reshape = op->getOperand(0).getDefiningOp<ReshapeOp>();
    if (!reshape || !isPlain(op->getResult(0)) || !isPlain(reshape.getInput()))
      return;
    ArrayRef<int64_t> shape = reshape.getType().getShape();
    ArrayRef<int64_t> before = graph::shapeOf(reshape.getInput());
    int64_t width = 3 * shape[3] * shape[4];
    if (shape[2] != 3 || shape[4] % kTile || before.empty() ||
        before.back() != width)
      return;
    SmallVector<std::pair<Value, unsigned>> parts;
    for (Operation *user : op->getUsers()) {
      auto slice = dyn_cast<SliceOp>(user);
      if (!slice ||
          slice.getType().getShape() !=
              ArrayRef<int64_t>({1, shape[0], shape[3], shape[1], shape[4]}))
        return;
      for (Operation *reader : slice->getUsers()) {
        auto part = dyn_cast<ReshapeOp>(reader);
        if (!part || !isPlain(part.getResult()) ||
            part.getType().getShape() !=
                slice.getType().getShape().drop_front())
          return;
        int64_t first = cast<IntegerAttr>(slice.getBegins()[0]).getInt();
        parts.push_back({part.getResult(), first < 0 ? first + 3 : first});
      }
    }
    OpBuilder builder(op);
    graph::GraphBuilder b(builder, op->getLoc());
    Split split{
        op, {}, shape[0], shape[1], shape[3], shape[4], /*isTransposed=*/false};
    Value whole = b.reshape(reshape.getInput(), {shape[0], shape[1], width});
    ResultRange results = makeSplit(b, whole, {}, split, split);
    if (auto remark = kHeadsRemarks.passed(op, "Split"))
      remark << reason("one op splits queries, keys and values into heads")
             << rejected("a permutation of all, and slices of it");
    for (auto [part, number] : parts)
      part.replaceAllUsesWith(results[number]);
    ++numSplits;
  }

  static Location getLoc(ArrayRef<Split> splits) {
    SmallVector<Location> all;
    for (const Split &split : splits)
      all.push_back(split.op->getLoc());
    return FusedLoc::get(splits[0].op->getContext(), all);
  }

  //===--------------------------------------------------------------------===//
  // Products that become one
  //===--------------------------------------------------------------------===//

  /// Joins the products of all three, and splits the result.
  void joinThree(ArrayRef<Split> splits, ArrayRef<Projection> projections) {
    Value joined = joinProducts(projections);
    numJoined += projections.size();
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(joined);
    graph::GraphBuilder b(builder, getLoc(splits));
    joined = b.reshape(joined, {splits[0].batch, splits[0].places,
                                graph::shapeOf(joined).back()});
    replace(b, splits, makeSplit(b, joined, {}, splits[0], splits[1]), true);
  }

  /// Joins the products of keys and values, unless one of the three is read
  /// before all are there; queries are what they are.
  void joinTwo(ArrayRef<Split> splits, ArrayRef<Projection> projections) {
    Operation *last = splits[0].op;
    for (const Split &split : splits)
      if (last->isBeforeInBlock(split.op))
        last = split.op;
    for (const Split &split : splits)
      for (Operation *user : split.op->getUsers()) {
        Operation *ancestor = last->getBlock()->findAncestorOpInBlock(*user);
        if (!ancestor || !last->isBeforeInBlock(ancestor))
          return;
      }
    Value joined = joinProducts(projections);
    numJoined += projections.size();
    OpBuilder builder(last);
    graph::GraphBuilder b(builder, getLoc(splits));
    const Split &query = splits[0], &key = splits[1];
    joined = b.reshape(joined,
                       {key.batch, key.places, graph::shapeOf(joined).back()});
    Value input = b.reshape(
        query.source, {query.batch, query.places, query.heads * query.width});
    replace(b, splits, makeSplit(b, input, joined, query, key), true);
  }

  void joinOf(ScaledDotProductAttentionOp op) {
    SmallVector<Split> splits;
    SmallVector<std::optional<Projection>> found;
    for (Value value : {op.getQuery(), op.getKey(), op.getValue()}) {
      std::optional<Split> split = findSplit(value.getDefiningOp());
      if (!split)
        return;
      splits.push_back(*split);
      found.push_back(findProjection(*split, dependences));
    }
    if (!areOneAttention(splits) ||
        llvm::any_of(splits, [](const Split &one) { return one.isTransposed; }))
      return;
    if (found[1] && found[2] && areAlike(*found[1], *found[2])) {
      if (found[0] && areAlike(*found[0], *found[1]) &&
          splits[0].places == splits[1].places)
        return joinThree(splits, {*found[0], *found[1], *found[2]});
      joinTwo(splits, {*found[1], *found[2]});
    }
  }

  /// Joins what has one input, if it is three: queries have the most heads, or
  /// come first.
  void joinAlike(ArrayRef<Operation *> ops) {
    using Part = std::pair<Split, Projection>;
    llvm::MapVector<std::pair<Value, Block *>, SmallVector<Part>> groups;
    for (Operation *op : ops) {
      std::optional<Split> split = findSplit(op);
      if (!split || op->use_empty())
        continue;
      if (std::optional<Projection> found = findProjection(*split, dependences))
        groups[{found->getRoot(), op->getBlock()}].push_back({*split, *found});
    }
    for (auto &[place, parts] : groups) {
      if (parts.size() != 3)
        continue;
      llvm::stable_sort(parts, [](const Part &a, const Part &b) {
        return a.first.heads > b.first.heads;
      });
      // Of equal ones, transposed ones are keys.
      auto keys = llvm::find_if(
          parts, [](const Part &part) { return part.first.isTransposed; });
      bool areEqual = parts[0].first.heads == parts[1].first.heads;
      if (keys == parts.begin() && areEqual)
        std::swap(parts[0], parts[1]);
      else if (keys != parts.end() && keys != parts.begin())
        std::swap(*keys, parts[1]);
      SmallVector<Split> splits;
      SmallVector<Projection> projections;
      for (const auto &[split, projection] : parts) {
        splits.push_back(split);
        projections.push_back(projection);
      }
      if (areOneAttention(splits) && splits[0].places == splits[1].places &&
          areAlike(projections[0], projections[1]) &&
          areAlike(projections[0], projections[2]) &&
          areAlike(projections[1], projections[2]))
        joinThree(splits, projections);
    }
  }

  Dependences dependences;
};

} // namespace
} // namespace mlir::tt::ttir
