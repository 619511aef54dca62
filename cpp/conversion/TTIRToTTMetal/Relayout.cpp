//===- Relayout.cpp - moves between memories, grids and linear maps ------===//

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

/// A place in the memory of a device: core (or DRAM channel) and byte.
struct Place {
  int64_t row, column, offset;
  bool isOnCoreOf(const Place &other) const {
    return row == other.row && column == other.column;
  }
};

/// Bytes that are contiguous on both sides.
struct Transaction {
  Place remote;
  int64_t localOffset, size;
};

/// Transactions of the cores that run kernels, by logical row and column, in
/// the order of their first one.
using Transactions =
    llvm::MapVector<std::pair<int64_t, int64_t>, SmallVector<Transaction>>;

/// Where the elements (tiles of a tiled tensor) of one layout are.
class Placement {
public:
  Placement(RankedTensorType type, DeviceAttr device)
      : layout(cast<LayoutAttr>(type.getEncoding())),
        bytes(layout.getElementStorageSizeBytes()) {
    AffineMap linear = layout.isTiled() ? layout.getIdentityTileLinearMap()
                                        : layout.getLinear();
    map = layout.projectOnto(
        linear, device.getMapForMemorySpace(layout.getMemorySpace()));
    // Elements that follow each other in a row do so in a shard.
    unsigned last = linear.getNumDims() - 1;
    AffineExpr column = getAffineDimExpr(last, type.getContext());
    followsRows = linear.getResults().back() == column;
    for (AffineExpr result : linear.getResults().drop_back())
      followsRows &= !result.isFunctionOfDim(last);
  }

  Place operator()(ArrayRef<int64_t> index) const {
    SmallVector<int64_t> at = map.compose(index);
    return {at[1], at[2], at[3] * static_cast<int64_t>(bytes)};
  }

  /// Whether the row from `index` on is contiguous for `length` elements: there
  /// is no gap between the first and the last one.
  bool isContiguous(SmallVector<int64_t> index, int64_t length) const {
    if (length == 1)
      return true;
    if (!followsRows)
      return false;
    Place first = (*this)(index);
    index.back() += length - 1;
    Place last = (*this)(index);
    return last.isOnCoreOf(first) &&
           last.offset - first.offset ==
               (length - 1) * static_cast<int64_t>(bytes);
  }

  LayoutAttr layout;
  uint64_t bytes;

private:
  AffineMap map;
  bool followsRows;
};

} // namespace

/// The longest piece of the row from `index` on that is contiguous in both.
static int64_t getRunLength(const Placement &a, const Placement &b,
                            ArrayRef<int64_t> index, int64_t left) {
  auto isRun = [&](int64_t length) {
    return a.isContiguous(SmallVector<int64_t>(index), length) &&
           b.isContiguous(SmallVector<int64_t>(index), length);
  };
  if (isRun(left))
    return left;
  int64_t good = 1, bad = left;
  while (bad - good > 1) {
    int64_t middle = good + (bad - good) / 2;
    (isRun(middle) ? good : bad) = middle;
  }
  return good;
}

/// All transactions between the memories, on the cores of `local`.
static Transactions getTransactions(ArrayRef<int64_t> shape,
                                    const Placement &local,
                                    const Placement &remote) {
  Transactions transactions;
  int64_t rows = volume(shape.drop_back()), width = shape.back();
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < width;) {
      index.back() = column;
      int64_t length = getRunLength(local, remote, index, width - column);
      Place here = local(index), there = remote(index);
      int64_t size = length * static_cast<int64_t>(local.bytes);
      SmallVector<Transaction> &own = transactions[{here.row, here.column}];
      column += length;
      if (!own.empty()) {
        Transaction &previous = own.back();
        if (there.isOnCoreOf(previous.remote) &&
            here.offset == previous.localOffset + previous.size &&
            there.offset == previous.remote.offset + previous.size) {
          previous.size += size;
          continue;
        }
      }
      own.push_back({there, here.offset, size});
    }
    for (int64_t d = static_cast<int64_t>(shape.size()) - 2; d >= 0; --d) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
  return transactions;
}

namespace {

/// The move of a tensor by a kernel on every core that has a shard in L1.
class ShardMove {
public:
  ShardMove(ttir::ToLayoutOp op, const Lowering &lowering)
      : op(op), lowering(lowering),
        reads(getSpace(op.getOutput()) == MemorySpace::DeviceL1) {}

  LogicalResult lower(ConversionPatternRewriter &rewriter) {
    Value localTensor = reads ? op.getOutput() : op.getInput();
    Value remoteTensor = reads ? op.getInput() : op.getOutput();
    Placement local(cast<RankedTensorType>(localTensor.getType()),
                    lowering.device);
    Placement remote(cast<RankedTensorType>(remoteTensor.getType()),
                     lowering.device);
    if (local.layout.getMemorySpace() != MemorySpace::DeviceL1)
      return op.emitOpError("moves a tensor from DRAM to DRAM; expected L1 on "
                            "one side");
    if (failed(checkLinearDram(remoteTensor)))
      return failure();
    auto type = cast<RankedTensorType>(localTensor.getType());
    SmallVector<int64_t> shape =
        local.layout.isTiled() ? local.layout.getTiledShape(type.getShape())
                               : SmallVector<int64_t>(type.getShape());
    if (shape.empty() || volume(shape) == 0)
      return op.emitOpError(
                 "expected a tensor of rank 1 or more with elements, "
                 "found ")
             << type;

    auto emitError = [&] { return op.emitOpError(); };
    auto mapping = PhysicalCoreCoordMapping::getMemorySpaceMapping(
        emitError, lowering.systemDesc, lowering.device.getChipIds(),
        remote.layout.getMemorySpace());
    if (failed(mapping))
      return failure();

    DispatchBuilder dispatch(rewriter, op, lowering);
    uint64_t source = dispatch.input(op.getInput()).address;
    uint64_t destination = dispatch.output(op.getOutput()).address;
    Transactions transactions = getTransactions(shape, local, remote);
    for (auto &[core, own] : transactions) {
      if (failed(resolve(own, source, destination, *mapping)))
        return failure();
      dispatch.setCores({core.first, core.second, 1, 1});
      dispatch.reader([this, moves = std::move(own)](KernelBuilder &kernel) {
        write(kernel, moves);
      });
    }
    return dispatch.build();
  }

private:
  static MemorySpace getSpace(Value tensor) {
    return cast<LayoutAttr>(
               cast<RankedTensorType>(tensor.getType()).getEncoding())
        .getMemorySpace();
  }

  /// The device's map of DRAM deals pages to the channels once: further pages
  /// would be on the first ones again.
  LogicalResult checkLinearDram(Value tensor) {
    constexpr uint64_t kPageElements = 8192;
    auto type = cast<RankedTensorType>(tensor.getType());
    auto layout = cast<LayoutAttr>(type.getEncoding());
    if (layout.getMemorySpace() != MemorySpace::DeviceDRAM ||
        lowering.device.getTensorSizeBytes(type) <=
            kPageElements * layout.getElementStorageSizeBytes())
      return success();
    return op.emitOpError("expected at most ")
           << kPageElements << (layout.isTiled() ? " tiles" : " elements")
           << " a channel of a tensor in DRAM without memory layout, found "
           << type << "; use the memory layout interleaved";
  }

  /// Turns offsets into addresses and cores into physical ones; an error if the
  /// network on chip cannot make a transaction.
  LogicalResult resolve(SmallVector<Transaction> &transactions, uint64_t source,
                        uint64_t destination,
                        const PhysicalCoreCoordMapping &mapping) {
    int64_t align = lowering.systemDesc.getAddressAlignBytes();
    for (Transaction &transaction : transactions) {
      transaction.localOffset += reads ? destination : source;
      transaction.remote.offset += reads ? source : destination;
      if (transaction.localOffset % align || transaction.size % align ||
          transaction.remote.offset % align)
        return op.emitOpError("needs a transaction of ")
               << transaction.size << " bytes between the addresses "
               << transaction.localOffset << " and "
               << transaction.remote.offset << "; expected multiples of "
               << align << " bytes, the alignment of the network on chip";
      Place &remote = transaction.remote;
      if (remote.row < 0 || remote.row >= mapping.getNumRows() ||
          remote.column < 0 || remote.column >= mapping.getNumColumns())
        return op.emitOpError("expected the device's maps to lead to one of ")
               << mapping.getNumRows() << "x" << mapping.getNumColumns()
               << " cores, found " << remote.row << "x" << remote.column;
      std::tie(remote.row, remote.column) =
          mapping[{0, remote.row, remote.column}];
    }
    return success();
  }

  void write(KernelBuilder &kernel, ArrayRef<Transaction> transactions) {
    OpBuilder &builder = kernel.getBuilder();
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(
          builder, kernel.getLoc(),
          builder.getI32IntegerAttr(static_cast<int32_t>(number)));
    };
    for (const Transaction &move : transactions) {
      Value y = constant(move.remote.row), x = constant(move.remote.column);
      int64_t from = reads ? move.remote.offset : move.localOffset;
      int64_t to = reads ? move.localOffset : move.remote.offset;
      Value source = constant(from), destination = constant(to);
      Value size = constant(move.size);
      Value address =
          kernel.call("get_noc_addr", {x, y, reads ? source : destination}, {},
                      ttkernel::NocAddrType::get(builder.getContext()));
      if (reads)
        kernel.call("noc_async_read", {address, destination, size});
      else
        kernel.call("noc_async_write", {source, address, size});
    }
    if (reads)
      kernel.readBarrier();
    else
      kernel.writeBarrier();
  }

  ttir::ToLayoutOp op;
  const Lowering &lowering;
  /// Kernels run where the output is; otherwise where the input is, and write.
  bool reads;
};

} // namespace

LogicalResult tt::lowerRelayout(ttir::ToLayoutOp op, const Lowering &lowering,
                                ConversionPatternRewriter &rewriter) {
  return ShardMove(op, lowering).lower(rewriter);
}
