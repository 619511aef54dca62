#ifndef CONVERSION_TTIRTOTTMETAL_KERNELBUILDER_H
#define CONVERSION_TTIRTOTTMETAL_KERNELBUILDER_H

#include "dialects/TTKernel/TTKernel.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace mlir::tt {

class KernelBuilder;
struct Tensor;

/// A number of 32 bits without sign in a kernel: known while the kernel is
/// written, or an i32 value of it. Arithmetic on known numbers makes no ops;
/// `/` and `%` are divisions without sign.
class I32 {
public:
  I32(int64_t constant) : constant(constant) {}
  I32(KernelBuilder &kernel, Value value);

  bool isConstant() const { return !value; }
  int64_t getConstant() const { return constant; }
  bool is(int64_t number) const { return isConstant() && constant == number; }
  /// The number as an i32 value of the kernel.
  Value get(KernelBuilder &kernel) const;

private:
  friend struct I32Arithmetic;
  int64_t constant = 0;
  Value value;
  KernelBuilder *kernel = nullptr;
};

I32 operator+(const I32 &lhs, const I32 &rhs);
I32 operator-(const I32 &lhs, const I32 &rhs);
I32 operator*(const I32 &lhs, const I32 &rhs);
I32 operator/(const I32 &lhs, const I32 &rhs);
I32 operator%(const I32 &lhs, const I32 &rhs);
I32 min(const I32 &lhs, const I32 &rhs);
I32 max(const I32 &lhs, const I32 &rhs);

/// A condition of a kernel: known, or an i1 value.
class Condition {
public:
  Condition(bool constant) : constant(constant) {}
  Condition(KernelBuilder &kernel, Value value)
      : value(value), kernel(&kernel) {}
  bool isConstant() const { return !value; }
  bool getConstant() const { return constant; }
  Value get(KernelBuilder &kernel) const;

private:
  friend struct I32Arithmetic;
  bool constant = false;
  Value value;
  KernelBuilder *kernel = nullptr;
};

Condition operator==(const I32 &lhs, const I32 &rhs);
Condition operator!=(const I32 &lhs, const I32 &rhs);
Condition operator<(const I32 &lhs, const I32 &rhs);
Condition operator&&(const Condition &lhs, const Condition &rhs);
I32 select(const Condition &condition, const I32 &ifTrue, const I32 &ifFalse);

/// A circular buffer of a dispatch: `DispatchBuilder` declares it, and kernels
/// refer to it by its index among their arguments.
struct Buffer {
  unsigned index = 0;
  ttkernel::CBType type;
  /// Pages that are pushed at once; the buffer has `num_buffers` times as many
  /// pages in all.
  int64_t blockPages = 1;

  int64_t getPageBytes() const { return type.getPageSize(); }
};

/// An operand of a kernel's op: a number, a circular buffer or another value.
class Operand {
public:
  Operand(int64_t number) : number(number) {}
  Operand(int number) : number(number) {}
  Operand(const I32 &number) : number(number) {}
  Operand(const Buffer &buffer) : number(0), buffer(&buffer) {}
  Operand(Value value) : number(0), value(value) {}
  Value get(KernelBuilder &kernel) const;

private:
  I32 number;
  const Buffer *buffer = nullptr;
  Value value;
};

/// A part of the work: `count` units from `first` on.
struct Share {
  I32 first, count;
};

/// Part `index` of `units` units cut into `parts` parts: they follow each
/// other, hold every unit once and differ by at most one unit. The last parts
/// of less units than parts are empty.
Share cutShare(I32 units, int64_t parts, I32 index);

/// Writes the body of one kernel. Constants and accessors are made once, at the
/// start of the kernel.
class KernelBuilder {
public:
  /// `entry` is the region's only block, with one argument for each buffer.
  KernelBuilder(OpBuilder &builder, Location loc, Block *entry,
                SystemDescAttr systemDesc);

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }

  //===--------------------------------------------------------------------===//
  // Numbers and control
  //===--------------------------------------------------------------------===//

  Value constant(int64_t number);
  /// The argument of the kernel for the buffer.
  Value getBuffer(const Buffer &buffer) const;

  /// A loop over `lower`, `lower + step`, ... below `upper`; no loop when it is
  /// known to run once, nothing when it is known not to run.
  void forRange(I32 lower, I32 upper, I32 step, function_ref<void(I32)> body);
  void forRange(I32 upper, function_ref<void(I32)> body) {
    forRange(0, upper, 1, body);
  }
  /// A loop over blocks of at most `size` units: the first unit of each and
  /// how many it has.
  void forChunks(I32 units, int64_t size, function_ref<void(I32, I32)> body);
  void ifThen(Condition condition, function_ref<void()> body,
              function_ref<void()> otherwise = nullptr);

  /// `ttkernel.<mnemonic>` with its operands, attributes and the type of its
  /// result; returns the result.
  Value call(StringRef mnemonic, ArrayRef<Operand> operands = {},
             ArrayRef<NamedAttribute> attributes = {}, Type result = {});
  /// The same for an op with a result of type i32.
  I32 callI32(StringRef mnemonic, ArrayRef<Operand> operands = {},
              ArrayRef<NamedAttribute> attributes = {});

  /// Row-major number of the core among those of the kernel.
  I32 coreIndex();
  /// NoC coordinates of a core by its place in the grid of workers.
  I32 nocX(I32 column);
  I32 nocY(I32 row);
  /// The part of `units` that this one of `cores` cores does.
  Share share(int64_t units, int64_t cores);

  //===--------------------------------------------------------------------===//
  // Circular buffers; pages default to a block
  //===--------------------------------------------------------------------===//

  void reserve(const Buffer &buffer, std::optional<I32> pages = {});
  void push(const Buffer &buffer, std::optional<I32> pages = {});
  void wait(const Buffer &buffer, std::optional<I32> pages = {});
  void pop(const Buffer &buffer, std::optional<I32> pages = {});
  /// Address of the reserved pages, and of the pages at the front.
  I32 writePointer(const Buffer &buffer);
  I32 readPointer(const Buffer &buffer);

  //===--------------------------------------------------------------------===//
  // Data movement; barriers are the caller's
  //===--------------------------------------------------------------------===//

  /// The accessor of a tensor that has pages (see getAccessorArgs).
  Value accessor(const Tensor &tensor);
  /// Starts to move a whole page between the tensor and L1 of this core.
  void readPage(const Tensor &tensor, I32 page, I32 l1Address);
  void writePage(const Tensor &tensor, I32 page, I32 l1Address);
  /// The address of byte `offset` of a page.
  Value pageAddress(const Tensor &tensor, I32 page, I32 offset);
  /// Starts to move `bytes` bytes from byte `offset` of the page on.
  void readBytes(const Tensor &tensor, I32 page, I32 offset, I32 l1Address,
                 I32 bytes);
  void writeBytes(const Tensor &tensor, I32 page, I32 offset, I32 l1Address,
                  I32 bytes);
  void readBarrier() { call("noc_async_read_barrier"); }
  void writeBarrier() { call("noc_async_write_barrier"); }

  //===--------------------------------------------------------------------===//
  // Destination registers
  //===--------------------------------------------------------------------===//

  void acquire() { call("tile_regs_acquire"); }
  /// Passes the registers to the packer and waits there.
  void commit();
  void pack(I32 dst, const Buffer &buffer, I32 tile);
  void release() { call("tile_regs_release"); }

private:
  /// Runs `make` at the start of the kernel, after what is there already.
  template <typename Make> auto atStart(Make make);

  OpBuilder &builder;
  Location loc;
  Block *entry;
  SystemDescAttr systemDesc;
  /// The last op of those at the start.
  Operation *start = nullptr;
  DenseMap<int64_t, Value> constants;
  DenseMap<Value, Value> accessors;
};

} // namespace mlir::tt

#endif
