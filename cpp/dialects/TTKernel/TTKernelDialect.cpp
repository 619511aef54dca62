#include "dialects/TTKernel/TTKernel.h"

#include "dialects/TT/Extents.h"
#include "dialects/TT/Utils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttkernel;

//===----------------------------------------------------------------------===//
// Pages and shards of a tensor accessor
//===----------------------------------------------------------------------===//

/// `<0x0, 2x4>`: the first core and the extents.
static ParseResult parseCores(AsmParser &parser, SmallVector<int64_t> &cores) {
  SmallVector<int64_t> offset, size;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseExtents(parser, offset) ||
      parser.parseComma() || parseExtents(parser, size) ||
      parser.parseGreater())
    return failure();
  if (offset.size() != 2 || size.size() != 2)
    return parser.emitError(loc)
           << "expected an offset and a size of 2 extents each, found "
           << offset.size() << " and " << size.size();
  llvm::append_range(cores, offset);
  llvm::append_range(cores, size);
  return success();
}

static ParseResult parsePages(AsmParser &parser, SmallVector<int64_t> &pages) {
  return parseExtents(parser, pages);
}

static void printPages(AsmPrinter &printer, ArrayRef<int64_t> pages) {
  printExtents(printer, pages);
}

/// Nothing, or `, shard = 2x2, cores = [<0x0, 2x4>]`.
static ParseResult parseShards(AsmParser &parser, SmallVector<int64_t> &shard,
                               SmallVector<int64_t> &cores) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(
      parser.parseKeyword("shard") || parser.parseEqual() ||
      parseExtents(parser, shard) || parser.parseComma() ||
      parser.parseKeyword("cores") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
        return parseCores(parser, cores);
      }));
}

static void printShards(AsmPrinter &printer, ArrayRef<int64_t> shard,
                        ArrayRef<int64_t> cores) {
  if (shard.empty())
    return;
  printer << ", shard = ";
  printExtents(printer, shard);
  printer << ", cores = [";
  for (size_t i = 0; i + 3 < cores.size(); i += 4) {
    printer << (i ? ", <" : "<");
    printExtents(printer, cores.slice(i, 2));
    printer << ", ";
    printExtents(printer, cores.slice(i + 2, 2));
    printer << ">";
  }
  printer << "]";
}

#include "dialects/TTKernel/TTKernelDialect.cpp.inc"

#include "dialects/TTKernel/TTKernelEnums.cpp.inc"

#include "dialects/TTKernel/TTKernelInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TTKernel/TTKernelAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/TTKernel/TTKernelTypes.cpp.inc"

void TTKernelDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
}

void TTKernelDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/TTKernel/TTKernelAttrs.cpp.inc"
      >();
}

void TTKernelDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/TTKernel/TTKernelTypes.cpp.inc"
      >();
}

/// More than any L1 holds.
constexpr int64_t kMaxBufferElements = int64_t(1) << 31;

LogicalResult CBType::verify(function_ref<InFlightDiagnostic()> emitError,
                             CBPort port, uint64_t address, MemRefType memref,
                             uint64_t pageSize, uint64_t numBuffers) {
  if (!memref.hasStaticShape())
    return emitError() << "(C1) expected a memref of static shape, found "
                       << memref;
  if (llvm::is_contained(memref.getShape(), 0))
    return emitError() << "(C1) expected a memref of positive extents, found "
                       << memref;
  if (!isAddressable(memref.getShape(), kMaxBufferElements))
    return emitError() << "(C1) expected a memref of at most 2^31 elements, "
                          "found "
                       << memref;
  Type element = memref.getElementType();
  if (!isa<TileType>(element) && !element.isIntOrFloat())
    return emitError() << "(C1) expected a memref of tiles, integers or "
                          "floats, found "
                       << memref;
  // A negative number is read as a large one.
  for (uint64_t number : {address, pageSize, numBuffers})
    if (!llvm::isUInt<32>(number))
      return emitError() << "(C2) expected numbers of 32 bits, found "
                         << static_cast<int64_t>(number);
  return success();
}

uint64_t CBType::getPageSize(MemRefType memref) {
  if (auto tile = dyn_cast<TileType>(memref.getElementType()))
    return tile.getStorageSizeBytes();
  uint64_t row = memref.getRank() ? memref.getShape().back() : 1;
  return row * llvm::divideCeil(memref.getElementTypeBitWidth(), 8);
}

uint64_t CBType::getNumPages() const {
  MemRefType memref = getMemref();
  if (isTiled())
    return memref.getNumElements() * getNumBuffers();
  uint64_t bytes = memref.getNumElements() *
                   llvm::divideCeil(memref.getElementTypeBitWidth(), 8);
  return getPageSize() ? bytes * getNumBuffers() / getPageSize() : 0;
}

LogicalResult TensorAccessorArgsAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, MemorySpace memorySpace,
    TensorMemoryLayout memoryLayout, uint64_t pageSize,
    uint64_t alignedPageSize, ArrayRef<int64_t> tensorPages,
    ArrayRef<int64_t> shardPages, ArrayRef<int64_t> cores) {
  bool sharded = memoryLayout == TensorMemoryLayout::HeightSharded ||
                 memoryLayout == TensorMemoryLayout::WidthSharded ||
                 memoryLayout == TensorMemoryLayout::BlockSharded;
  if (memorySpace != MemorySpace::DeviceDRAM &&
      memorySpace != MemorySpace::DeviceL1)
    return emitError() << "(C1) expected the memory space dram or l1, found "
                       << stringifyMemorySpace(memorySpace);
  if (!sharded && memoryLayout != TensorMemoryLayout::Interleaved)
    return emitError() << "(C1) expected an interleaved or a sharded layout, "
                          "found "
                       << stringifyTensorMemoryLayout(memoryLayout);
  if (pageSize < 1 || alignedPageSize < pageSize ||
      !llvm::isUInt<32>(alignedPageSize))
    return emitError() << "(C2) expected a page of at least 1 byte that fits "
                          "an aligned page of 32 bits, found "
                       << static_cast<int64_t>(pageSize) << " and "
                       << static_cast<int64_t>(alignedPageSize);
  auto isNotPositive = [](int64_t extent) { return extent < 1; };
  if (tensorPages.size() != 2 || llvm::any_of(tensorPages, isNotPositive))
    return emitError() << "(C3) expected two positive extents of pages, found ["
                       << tensorPages << "]";
  if (!sharded) {
    if (shardPages.empty() && cores.empty())
      return success();
    return emitError() << "(C4) expected no shards of an interleaved layout";
  }
  if (shardPages.size() != 2 || llvm::any_of(shardPages, isNotPositive))
    return emitError()
           << "(C4) expected two positive extents of shards, found ["
           << shardPages << "]";
  if (cores.empty() || cores.size() % 4)
    return emitError() << "(C4) expected four numbers for each rectangle of "
                          "cores, found "
                       << cores.size();
  uint64_t count = 0;
  for (size_t i = 0; i < cores.size(); i += 4) {
    if (failed(verifyCoreRange(emitError, cores.slice(i, 2),
                               cores.slice(i + 2, 2))))
      return failure();
    auto height = static_cast<uint64_t>(cores[i + 2]);
    auto width = static_cast<uint64_t>(cores[i + 3]);
    count = llvm::SaturatingMultiplyAdd(height, width, count);
  }
  uint64_t shards = llvm::SaturatingMultiply(
      llvm::divideCeil<uint64_t, uint64_t>(tensorPages[0], shardPages[0]),
      llvm::divideCeil<uint64_t, uint64_t>(tensorPages[1], shardPages[1]));
  if (shards > count)
    return emitError() << "(C4) expected a core for each shard: found "
                       << shards << " shards and " << count << " cores";
  return success();
}
