//===- KernelBuilder.cpp - writes the body of a kernel -------------------===//

#include "conversion/TTIRToTTMetal/KernelBuilder.h"

#include "conversion/TTIRToTTMetal/Tensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tt;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace mlir::tt {
struct I32Arithmetic {
  template <typename T>
  static KernelBuilder *kernelOf(const T &lhs, const T &rhs) {
    return lhs.kernel ? lhs.kernel : rhs.kernel;
  }

  template <typename OpT> static I32 make(const I32 &lhs, const I32 &rhs) {
    KernelBuilder &kernel = *kernelOf(lhs, rhs);
    return I32(kernel, OpT::create(kernel.getBuilder(), kernel.getLoc(),
                                   lhs.get(kernel), rhs.get(kernel)));
  }

  static Condition compare(arith::CmpIPredicate predicate, const I32 &lhs,
                           const I32 &rhs) {
    KernelBuilder &kernel = *kernelOf(lhs, rhs);
    return Condition(kernel, arith::CmpIOp::create(
                                 kernel.getBuilder(), kernel.getLoc(),
                                 predicate, lhs.get(kernel), rhs.get(kernel)));
  }

  static Condition both(const Condition &lhs, const Condition &rhs) {
    KernelBuilder &kernel = *kernelOf(lhs, rhs);
    return Condition(kernel,
                     arith::AndIOp::create(kernel.getBuilder(), kernel.getLoc(),
                                           lhs.get(kernel), rhs.get(kernel)));
  }

  static I32 choose(const Condition &condition, const I32 &lhs,
                    const I32 &rhs) {
    KernelBuilder &kernel = *condition.kernel;
    return I32(kernel,
               arith::SelectOp::create(kernel.getBuilder(), kernel.getLoc(),
                                       condition.get(kernel), lhs.get(kernel),
                                       rhs.get(kernel)));
  }
};
} // namespace mlir::tt

I32::I32(KernelBuilder &kernel, Value value) : value(value), kernel(&kernel) {}

Value I32::get(KernelBuilder &kernel) const {
  return value ? value : kernel.constant(constant);
}

static bool areKnown(const I32 &lhs, const I32 &rhs) {
  return lhs.isConstant() && rhs.isConstant();
}

I32 tt::operator+(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return lhs.getConstant() + rhs.getConstant();
  if (lhs.is(0))
    return rhs;
  return rhs.is(0) ? lhs : I32Arithmetic::make<arith::AddIOp>(lhs, rhs);
}

I32 tt::operator-(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return lhs.getConstant() - rhs.getConstant();
  return rhs.is(0) ? lhs : I32Arithmetic::make<arith::SubIOp>(lhs, rhs);
}

I32 tt::operator*(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return lhs.getConstant() * rhs.getConstant();
  if (lhs.is(0) || rhs.is(0))
    return 0;
  if (lhs.is(1))
    return rhs;
  return rhs.is(1) ? lhs : I32Arithmetic::make<arith::MulIOp>(lhs, rhs);
}

I32 tt::operator/(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return lhs.getConstant() / rhs.getConstant();
  return rhs.is(1) ? lhs : I32Arithmetic::make<arith::DivUIOp>(lhs, rhs);
}

I32 tt::operator%(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return lhs.getConstant() % rhs.getConstant();
  return rhs.is(1) ? I32(0) : I32Arithmetic::make<arith::RemUIOp>(lhs, rhs);
}

I32 tt::min(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return std::min(lhs.getConstant(), rhs.getConstant());
  if (lhs.is(0) || rhs.is(0))
    return 0;
  return I32Arithmetic::make<arith::MinUIOp>(lhs, rhs);
}

I32 tt::max(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return std::max(lhs.getConstant(), rhs.getConstant());
  if (lhs.is(0))
    return rhs;
  return rhs.is(0) ? lhs : I32Arithmetic::make<arith::MaxUIOp>(lhs, rhs);
}

Share tt::cutShare(I32 units, int64_t parts, I32 index) {
  if (parts == 1)
    return {0, units};
  I32 each = units / parts, left = units % parts;
  if (left.is(0))
    return {index * each, each};
  return {index * each + min(index, left),
          select(index < left, each + 1, each)};
}

Value Condition::get(KernelBuilder &kernel) const {
  if (value)
    return value;
  return arith::ConstantOp::create(kernel.getBuilder(), kernel.getLoc(),
                                   kernel.getBuilder().getBoolAttr(constant));
}

Condition tt::operator==(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return lhs.getConstant() == rhs.getConstant();
  return I32Arithmetic::compare(arith::CmpIPredicate::eq, lhs, rhs);
}

Condition tt::operator!=(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return lhs.getConstant() != rhs.getConstant();
  return I32Arithmetic::compare(arith::CmpIPredicate::ne, lhs, rhs);
}

Condition tt::operator<(const I32 &lhs, const I32 &rhs) {
  if (areKnown(lhs, rhs))
    return lhs.getConstant() < rhs.getConstant();
  return I32Arithmetic::compare(arith::CmpIPredicate::ult, lhs, rhs);
}

Condition tt::operator&&(const Condition &lhs, const Condition &rhs) {
  if (lhs.isConstant())
    return lhs.getConstant() ? rhs : lhs;
  if (rhs.isConstant())
    return rhs.getConstant() ? lhs : rhs;
  return I32Arithmetic::both(lhs, rhs);
}

I32 tt::select(const Condition &condition, const I32 &ifTrue,
               const I32 &ifFalse) {
  if (condition.isConstant())
    return condition.getConstant() ? ifTrue : ifFalse;
  return I32Arithmetic::choose(condition, ifTrue, ifFalse);
}

Value Operand::get(KernelBuilder &kernel) const {
  if (value)
    return value;
  return buffer ? kernel.getBuffer(*buffer) : number.get(kernel);
}

//===----------------------------------------------------------------------===//
// Numbers and control in a kernel
//===----------------------------------------------------------------------===//

KernelBuilder::KernelBuilder(OpBuilder &builder, Location loc, Block *entry,
                             SystemDescAttr systemDesc)
    : builder(builder), loc(loc), entry(entry), systemDesc(systemDesc) {}

template <typename Make> auto KernelBuilder::atStart(Make make) {
  OpBuilder::InsertionGuard guard(builder);
  if (start)
    builder.setInsertionPointAfter(start);
  else
    builder.setInsertionPointToStart(entry);
  auto made = make();
  start = made.getDefiningOp();
  return made;
}

Value KernelBuilder::constant(int64_t number) {
  Value &value = constants[number];
  if (!value)
    value = atStart([&]() -> Value {
      return arith::ConstantOp::create(
          builder, loc,
          builder.getI32IntegerAttr(
              static_cast<int32_t>(static_cast<uint32_t>(number))));
    });
  return value;
}

Value KernelBuilder::getBuffer(const Buffer &buffer) const {
  return entry->getArgument(buffer.index);
}

void KernelBuilder::forRange(I32 lower, I32 upper, I32 step,
                             function_ref<void(I32)> body) {
  if (lower.isConstant() && upper.isConstant() && step.isConstant()) {
    int64_t left = upper.getConstant() - lower.getConstant();
    if (left <= 0)
      return;
    if (left <= step.getConstant())
      return body(lower);
  }
  auto loop = scf::ForOp::create(builder, loc, lower.get(*this),
                                 upper.get(*this), step.get(*this));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  body(I32(*this, loop.getInductionVar()));
}

void KernelBuilder::forChunks(I32 units, int64_t size,
                              function_ref<void(I32, I32)> body) {
  bool isWhole =
      size == 1 || (units.isConstant() && units.getConstant() % size == 0);
  forRange(0, units, size, [&](I32 first) {
    body(first, isWhole ? I32(size) : min(units - first, size));
  });
}

void KernelBuilder::ifThen(Condition condition, function_ref<void()> body,
                           function_ref<void()> otherwise) {
  if (condition.isConstant()) {
    if (condition.getConstant())
      body();
    else if (otherwise)
      otherwise();
    return;
  }
  auto branch = scf::IfOp::create(builder, loc, condition.get(*this),
                                  /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenYield());
  body();
  if (!otherwise)
    return;
  builder.setInsertionPoint(branch.elseYield());
  otherwise();
}

Value KernelBuilder::call(StringRef mnemonic, ArrayRef<Operand> operands,
                          ArrayRef<NamedAttribute> attributes, Type result) {
  OperationState state(loc, ("ttkernel." + mnemonic).str());
  for (const Operand &operand : operands)
    state.addOperands(operand.get(*this));
  state.addAttributes(attributes);
  if (result)
    state.addTypes(result);
  Operation *op = builder.create(state);
  return result ? op->getResult(0) : Value();
}

I32 KernelBuilder::callI32(StringRef mnemonic, ArrayRef<Operand> operands,
                           ArrayRef<NamedAttribute> attributes) {
  return I32(*this, call(mnemonic, operands, attributes, builder.getI32Type()));
}

I32 KernelBuilder::coreIndex() { return callI32("core_index"); }

I32 KernelBuilder::nocX(I32 column) {
  return callI32("convert_logical_x_to_translated", {column});
}

I32 KernelBuilder::nocY(I32 row) {
  return callI32("convert_logical_y_to_translated", {row});
}

Share KernelBuilder::share(int64_t units, int64_t cores) {
  return cutShare(units, cores, cores == 1 ? I32(0) : coreIndex());
}

//===----------------------------------------------------------------------===//
// Circular buffers, data movement, registers
//===----------------------------------------------------------------------===//

void KernelBuilder::reserve(const Buffer &buffer, std::optional<I32> pages) {
  call("cb_reserve_back", {buffer, pages.value_or(buffer.blockPages)});
}

void KernelBuilder::push(const Buffer &buffer, std::optional<I32> pages) {
  call("cb_push_back", {buffer, pages.value_or(buffer.blockPages)});
}

void KernelBuilder::wait(const Buffer &buffer, std::optional<I32> pages) {
  call("cb_wait_front", {buffer, pages.value_or(buffer.blockPages)});
}

void KernelBuilder::pop(const Buffer &buffer, std::optional<I32> pages) {
  call("cb_pop_front", {buffer, pages.value_or(buffer.blockPages)});
}

I32 KernelBuilder::writePointer(const Buffer &buffer) {
  return callI32("get_write_ptr", {buffer});
}

I32 KernelBuilder::readPointer(const Buffer &buffer) {
  return callI32("get_read_ptr", {buffer});
}

Value KernelBuilder::accessor(const Tensor &tensor) {
  if (Value made = accessors.lookup(tensor.value))
    return made;
  SmallVector<NamedAttribute, 1> attributes;
  // Without pages there are no arguments: an error of the dispatch.
  if (auto args = tensor.getAccessorArgs(systemDesc))
    attributes.push_back(builder.getNamedAttr("args", args));
  Value base =
      tensor.addressArgument ? atStart([&] {
        return call("get_arg_val",
                    {static_cast<int64_t>(*tensor.addressArgument)}, {},
                    builder.getI32Type());
      })
                             : constant(static_cast<int64_t>(tensor.address));
  Value value = atStart([&] {
    return call("tensor_accessor", {base}, attributes,
                ttkernel::TensorAccessorType::get(builder.getContext()));
  });
  accessors[tensor.value] = value;
  return value;
}

void KernelBuilder::readPage(const Tensor &tensor, I32 page, I32 l1Address) {
  call("noc_async_read_page", {page, accessor(tensor), l1Address});
}

void KernelBuilder::writePage(const Tensor &tensor, I32 page, I32 l1Address) {
  call("noc_async_write_page", {page, accessor(tensor), l1Address});
}

Value KernelBuilder::pageAddress(const Tensor &tensor, I32 page, I32 offset) {
  return call("tensor_accessor_get_noc_addr", {accessor(tensor), page, offset},
              {}, ttkernel::NocAddrType::get(builder.getContext()));
}

void KernelBuilder::readBytes(const Tensor &tensor, I32 page, I32 offset,
                              I32 l1Address, I32 bytes) {
  call("noc_async_read", {pageAddress(tensor, page, offset), l1Address, bytes});
}

void KernelBuilder::writeBytes(const Tensor &tensor, I32 page, I32 offset,
                               I32 l1Address, I32 bytes) {
  call("noc_async_write",
       {l1Address, pageAddress(tensor, page, offset), bytes});
}

void KernelBuilder::commit() {
  call("tile_regs_commit");
  call("tile_regs_wait");
}

void KernelBuilder::pack(I32 dst, const Buffer &buffer, I32 tile) {
  call("pack_tile", {dst, buffer, tile});
}
