#include "target/TTMetal/KernelProgram.h"

#include "target/SystemDesc/SystemDesc.h"
#include "target/TTMetal/KernelRegion.h"
#include "target/TTMetal/Opcodes.h"
#include "target/TTMetal/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttmetal;
using fbs::metal::Opcode;

static_assert(static_cast<int>(ttkernel::EltwiseBinaryType::Mul) ==
                  static_cast<int>(fbs::metal::EltwiseBinaryType::Mul) &&
              static_cast<int>(ttkernel::BroadcastType::Scalar) ==
                  static_cast<int>(fbs::metal::BroadcastType::Scalar) &&
              static_cast<int>(ttkernel::PoolType::Min) ==
                  static_cast<int>(fbs::metal::PoolType::Min) &&
              static_cast<int>(ttkernel::ReduceDim::Scalar) ==
                  static_cast<int>(fbs::metal::ReduceDim::Scalar));

/// `result` of an instruction that has none.
static constexpr uint32_t kNoResult = 0xffffffff;
/// Elements of a local array, of 4 bytes each: a core has 4 KiB of memory of
/// its own for a thread's variables.
static constexpr int64_t kMaxArray = 1024;

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static std::string getText(Location loc) {
  return llvm::TypeSwitch<LocationAttr, std::string>(loc)
      .Case([](FileLineColLoc file) {
        return (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
                ":" + Twine(file.getColumn()))
            .str();
      })
      .Case([](NameLoc name) { return name.getName().str(); })
      .Case([](CallSiteLoc call) { return getText(call.getCallee()); })
      .Case([](FusedLoc fused) {
        ArrayRef<Location> parts = fused.getLocations();
        return parts.empty() ? std::string() : getText(parts.back());
      })
      .Default([](LocationAttr) { return std::string(); });
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {

class KernelCompiler {
public:
  FailureOr<KernelProgram> compile(func::FuncOp kernel);

private:
  LogicalResult emit(Operation *op);
  LogicalResult emitKernelOp(Operation *op);
  LogicalResult emitArray(memref::AllocaOp op);
  LogicalResult emitElement(Operation *op);
  void emitBranch(Operation *op, Block *target, ValueRange operands,
                  Block *next);
  void emitConditional(cf::CondBranchOp op);
  bool emitTest(Block *target);

  /// An instruction with the operands that were added since `begin`.
  void add(Opcode opcode, uint32_t result, size_t begin, Operation *op);
  LogicalResult addValue(Operation *op, Value value);
  LogicalResult addAttribute(Operation *op, Attribute attr);
  void addTarget(Block *block);
  uint32_t getString(StringRef text);

  KernelProgram program;
  Registers registers;
  llvm::StringMap<uint32_t> strings;
  llvm::DenseMap<Attribute, uint32_t> locations;
  llvm::DenseMap<Attribute, uint32_t> accessors;
  llvm::DenseMap<Block *, uint32_t> starts;
  /// Operands that are to be the first instruction of a block.
  std::vector<std::pair<uint32_t, Block *>> targets;
};

} // namespace

uint32_t KernelCompiler::getString(StringRef text) {
  auto [known, isNew] = strings.try_emplace(text, program.strings.size());
  if (isNew)
    program.strings.push_back(text.str());
  return known->second;
}

void KernelCompiler::add(Opcode opcode, uint32_t result, size_t begin,
                         Operation *op) {
  auto [location, isNew] = locations.try_emplace(Attribute(op->getLoc()));
  if (isNew)
    location->second = getString(getText(op->getLoc()));
  program.instructions.emplace_back(
      opcode, static_cast<uint16_t>(program.operands.size() - begin), result,
      static_cast<uint32_t>(begin), location->second);
}

void KernelCompiler::addTarget(Block *block) {
  targets.emplace_back(program.operands.size(), block);
  program.operands.push_back(0);
}

LogicalResult KernelCompiler::addValue(Operation *op, Value value) {
  if (auto buffer = dyn_cast<ttkernel::CBType>(value.getType())) {
    program.operands.push_back(static_cast<uint32_t>(buffer.getPort()));
    return success();
  }
  unsigned bits = getBits(value.getType());
  if (!isa<ttkernel::NocAddrType, ttkernel::TensorAccessorType>(
          value.getType()) &&
      (bits < 1 || bits > 32))
    return op->emitOpError("has no instruction: expected circular buffers, "
                           "addresses and integers of at most 32 bits, found ")
           << value.getType();
  program.operands.push_back(registers.get(value));
  return success();
}

LogicalResult KernelCompiler::addAttribute(Operation *op, Attribute attr) {
  auto number =
      llvm::TypeSwitch<Attribute, std::optional<uint32_t>>(attr)
          .Case([](UnitAttr) { return 1; })
          .Case([](IntegerAttr value) {
            return static_cast<uint32_t>(value.getValue().getZExtValue());
          })
          .Case<ttkernel::EltwiseBinaryTypeAttr, ttkernel::BroadcastTypeAttr,
                ttkernel::PoolTypeAttr, ttkernel::ReduceDimAttr>(
              [](auto value) {
                return static_cast<uint32_t>(value.getValue());
              })
          .Case([&](StringAttr text) { return getString(text.getValue()); })
          .Case([&](ttkernel::TensorAccessorArgsAttr args) {
            auto [known, isNew] =
                accessors.try_emplace(args, program.accessors.size());
            if (isNew)
              program.accessors.push_back(args);
            return known->second;
          })
          .Default([](Attribute) { return std::nullopt; });
  if (!number)
    return op->emitOpError("has no instruction: its attribute is no number: ")
           << attr;
  program.operands.push_back(*number);
  return success();
}

/// The operands of the op, then its attributes by name. Variadic operands come
/// last.
LogicalResult KernelCompiler::emitKernelOp(Operation *op) {
  size_t begin = program.operands.size();
  auto addAttributes = [&]() -> LogicalResult {
    for (StringRef name : op->getName().getAttributeNames()) {
      Attribute attr = op->getAttr(name);
      if (!attr)
        program.operands.push_back(0);
      else if (failed(addAttribute(op, attr)))
        return failure();
    }
    return success();
  };
  bool attributesFirst = op->hasTrait<OpTrait::VariadicOperands>();
  if (attributesFirst && failed(addAttributes()))
    return failure();
  for (Value operand : op->getOperands())
    if (failed(addValue(op, operand)))
      return failure();
  if (!attributesFirst && failed(addAttributes()))
    return failure();
  uint32_t result =
      op->getNumResults() ? registers.define(op->getResult(0)) : kNoResult;
  add(*getOpcode(op), result, begin, op);
  return success();
}

static LogicalResult emitNone(Operation *op) {
  return op->emitOpError(
      "has no instruction: kernels are made of ttkernel ops, integer ops of "
      "arith, local arrays of memref, and scf or cf");
}

LogicalResult KernelCompiler::emitArray(memref::AllocaOp op) {
  MemRefType type = op.getType();
  if (!type.hasStaticShape() || type.getRank() != 1 ||
      !type.getElementType().isInteger(32) || !type.getLayout().isIdentity() ||
      type.getDimSize(0) < 1 || type.getDimSize(0) > kMaxArray)
    return op.emitOpError("has no place in a kernel: expected 1 to ")
           << kMaxArray << " elements of type i32, found " << type;
  registers.defineArray(op, static_cast<uint32_t>(type.getDimSize(0)));
  return success();
}

/// A load or store of an element of a local array.
LogicalResult KernelCompiler::emitElement(Operation *op) {
  auto store = dyn_cast<memref::StoreOp>(op);
  Value array = store ? store.getMemRef() : op->getOperand(0);
  if (!array.getDefiningOp<memref::AllocaOp>())
    return op->emitOpError(
        "has no instruction: expected an element of a memref.alloca");
  size_t begin = program.operands.size();
  if (store)
    program.operands.push_back(registers.get(store.getValue()));
  program.operands.push_back(registers.get(array));
  program.operands.push_back(
      static_cast<uint32_t>(cast<MemRefType>(array.getType()).getDimSize(0)));
  program.operands.push_back(
      registers.get(op->getOperands().back())); // the index
  add(*getOpcode(op), store ? kNoResult : registers.define(op->getResult(0)),
      begin, op);
  return success();
}

LogicalResult KernelCompiler::emit(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return success();
  if (auto array = dyn_cast<memref::AllocaOp>(op))
    return emitArray(array);
  std::optional<Opcode> opcode = getOpcode(op);
  if (!opcode || op->getNumResults() > 1 || op->getNumRegions() > 0)
    return emitNone(op);
  if (isa<memref::LoadOp, memref::StoreOp>(op))
    return emitElement(op);
  if (op->getName().getDialectNamespace() != "arith")
    return emitKernelOp(op);
  if (failed(verifyArith(op)))
    return failure();
  size_t begin = program.operands.size();
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    program.operands.push_back(static_cast<uint32_t>(compare.getPredicate()));
  if (isa<arith::ExtSIOp>(op))
    program.operands.push_back(getBits(op->getOperand(0).getType()));
  if (isa<arith::TruncIOp>(op))
    program.operands.push_back(getBits(op->getResult(0).getType()));
  for (Value operand : op->getOperands())
    if (failed(addValue(op, operand)))
      return failure();
  add(*opcode, registers.define(op->getResult(0)), begin, op);
  return success();
}

/// Moves the values to the arguments of the block and branches to it; `next` is
/// the block that follows without a branch.
void KernelCompiler::emitBranch(Operation *op, Block *target,
                                ValueRange operands, Block *next) {
  SmallVector<Move> moves;
  for (auto [argument, operand] :
       llvm::zip_equal(target->getArguments(), operands))
    if (!isa<ttkernel::CBType>(argument.getType()))
      moves.push_back({registers.get(argument), registers.get(operand)});
  sequentialize(
      moves, [&] { return registers.getScratch(); },
      [&](Move move) {
        size_t begin = program.operands.size();
        program.operands.push_back(move.source);
        add(Opcode::move, move.target, begin, op);
      });
  if (target == next || emitTest(target))
    return;
  size_t begin = program.operands.size();
  addTarget(target);
  add(Opcode::br, kNoResult, begin, op);
}

/// If the start of a loop only compares and branches, the branch back to it is
/// replaced by a copy of both, which saves a branch. The result of the
/// comparison is not used outside of its block, so its register is free here.
bool KernelCompiler::emitTest(Block *target) {
  auto branch = dyn_cast<cf::CondBranchOp>(target->getTerminator());
  auto compare = dyn_cast<arith::CmpIOp>(target->front());
  if (!starts.contains(target) || !branch || !compare ||
      compare->getNextNode() != branch || !compare->hasOneUse() ||
      branch.getCondition() != compare.getResult() ||
      !branch.getTrueDestOperands().empty() ||
      !branch.getFalseDestOperands().empty())
    return false;
  size_t begin = program.operands.size();
  program.operands.push_back(static_cast<uint32_t>(compare.getPredicate()));
  program.operands.push_back(registers.get(compare.getLhs()));
  program.operands.push_back(registers.get(compare.getRhs()));
  add(Opcode::cmpi, registers.get(compare.getResult()), begin, compare);
  emitConditional(branch);
  return true;
}

/// Branches with arguments go through additional instructions.
void KernelCompiler::emitConditional(cf::CondBranchOp op) {
  size_t begin = program.operands.size();
  program.operands.push_back(registers.get(op.getCondition()));
  auto addDest = [&](Block *dest, ValueRange values) {
    if (values.empty())
      addTarget(dest);
    else
      program.operands.push_back(0);
  };
  addDest(op.getTrueDest(), op.getTrueDestOperands());
  addDest(op.getFalseDest(), op.getFalseDestOperands());
  add(Opcode::cond_br, kNoResult, begin, op);
  auto goByWay = [&](size_t operand, Block *dest, ValueRange values) {
    if (values.empty())
      return;
    program.operands[operand] = program.instructions.size();
    emitBranch(op, dest, values, /*next=*/nullptr);
  };
  goByWay(begin + 1, op.getTrueDest(), op.getTrueDestOperands());
  goByWay(begin + 2, op.getFalseDest(), op.getFalseDestOperands());
}

FailureOr<KernelProgram> KernelCompiler::compile(func::FuncOp kernel) {
  if (failed(registers.addConstants(kernel)))
    return failure();
  for (Type type : kernel.getArgumentTypes())
    if (!isa<ttkernel::CBType>(type))
      return kernel.emitOpError("expected circular buffers as arguments of a "
                                "kernel, found ")
             << type;
  for (Block &block : kernel.getBody())
    registers.defineArguments(block);
  for (Block &block : kernel.getBody())
    registers.coalesce(block);
  for (Block &block : kernel.getBody()) {
    starts[&block] = program.instructions.size();
    for (Operation &op : block) {
      if (auto branch = dyn_cast<cf::BranchOp>(op))
        emitBranch(branch, branch.getDest(), branch.getDestOperands(),
                   block.getNextNode());
      else if (auto conditional = dyn_cast<cf::CondBranchOp>(op))
        emitConditional(conditional);
      else if (failed(emit(&op)))
        return failure();
      registers.finish(&op);
    }
  }
  for (auto [operand, block] : targets)
    program.operands[operand] = starts.lookup(block);
  program.registers = registers.size();
  program.constants = registers.getConstants();
  return std::move(program);
}

FailureOr<KernelProgram> ttmetal::compileKernel(Region &kernel) {
  FailureOr<OwningOpRef<ModuleOp>> module = cloneKernel(kernel);
  if (failed(module))
    return failure();
  func::FuncOp func = getKernelMain(**module);
  simplify(func);
  if (failed(lowerToBranches(func)))
    return failure();
  return KernelCompiler().compile(func);
}

//===----------------------------------------------------------------------===//
// Flatbuffer
//===----------------------------------------------------------------------===//

static ::flatbuffers::Offset<fbs::metal::AccessorDesc>
toFlatbuffer(::flatbuffers::FlatBufferBuilder &fbb,
             ttkernel::TensorAccessorArgsAttr args) {
  auto extents = [](ArrayRef<int64_t> pages) {
    return pages.empty() ? fbs::Dim2d()
                         : fbs::Dim2d(static_cast<int32_t>(pages[0]),
                                      static_cast<int32_t>(pages[1]));
  };
  fbs::Dim2d tensor = extents(args.getTensorPages());
  fbs::Dim2d shard = extents(args.getShardPages());
  ArrayRef<int64_t> cores = args.getCores();
  SmallVector<fbs::Dim2dRange> ranges;
  for (size_t i = 0; i < cores.size(); i += 4)
    ranges.emplace_back(extents(cores.slice(i, 2)),
                        extents(cores.slice(i + 2, 2)));
  bool sharded = args.isSharded();
  return fbs::metal::CreateAccessorDesc(
      fbb, mlir::tt::toFlatbuffer(args.getMemorySpace()),
      mlir::tt::toFlatbuffer(args.getMemoryLayout()), args.getPageSize(),
      args.getAlignedPageSize(), &tensor, sharded ? &shard : nullptr,
      sharded ? fbb.CreateVectorOfStructs(ranges.data(), ranges.size()) : 0);
}

::flatbuffers::Offset<fbs::metal::KernelProgram>
ttmetal::toFlatbuffer(::flatbuffers::FlatBufferBuilder &fbb,
                      const KernelProgram &program) {
  auto accessors = llvm::map_to_vector(
      program.accessors, [&](ttkernel::TensorAccessorArgsAttr args) {
        return ::toFlatbuffer(fbb, args);
      });
  auto constants = fbb.CreateVector(program.constants);
  auto instructions = fbb.CreateVectorOfStructs(program.instructions);
  auto operands = fbb.CreateVector(program.operands);
  auto accessorsOffset = fbb.CreateVector(accessors.data(), accessors.size());
  auto strings = fbb.CreateVectorOfStrings(program.strings);
  return fbs::metal::CreateKernelProgram(fbb, program.registers, constants,
                                         instructions, operands,
                                         accessorsOffset, strings);
}
