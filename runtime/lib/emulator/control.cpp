// Control, arithmetic, arguments and place.
#include "emulator/checks.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace tt::runtime::emulator {
namespace {

using U = std::uint32_t;
using S = std::int32_t;

//===-- Control -----------------------------------------------------------===//

const Op *branch(Thread &t, const Op *op) { return t.code->ops.data() + op->a; }

const Op *branchIf(Thread &t, const Op *op) {
  return t.code->ops.data() + (t.r[op->a] ? op->b : op->c);
}

const Op *moveRegister(Thread &t, const Op *op) {
  t.r[op->out] = t.r[op->a];
  return op + 1;
}

const Op *finish(Thread &t, const Op *op) {
  if (t.machine->checks())
    checkFinish(t, op);
  record(t, op, EventKind::Finish);
  t.next = op;
  t.state = State::Done;
  return nullptr;
}

const Op *unreachableOp(Thread &t, const Op *op) {
  fail(t, op, FaultKind::Assertion, "the kernel reached `unreachable`");
}

//===-- Arithmetic --------------------------------------------------------===//

template <U (*F)(U, U)> const Op *binary(Thread &t, const Op *op) {
  t.r[op->out] = F(U(t.r[op->a]), U(t.r[op->b]));
  return op + 1;
}

template <bool (*F)(U, U)> const Op *compare(Thread &t, const Op *op) {
  t.r[op->out] = F(U(t.r[op->b]), U(t.r[op->c]));
  return op + 1;
}

template <U (*F)(U, U)> const Op *divide(Thread &t, const Op *op) {
  const U divisor = U(t.r[op->b]);
  if (divisor == 0)
    fail(t, op, FaultKind::DivisionByZero, U(t.r[op->a]),
         " is divided by zero");
  t.r[op->out] = F(U(t.r[op->a]), divisor);
  return op + 1;
}

/// -2^31 / -1 is 2^31 modulo 2^32, as on the cores.
bool overflows(U a, U b) { return a == 0x80000000u && b == 0xffffffffu; }

U add(U a, U b) { return a + b; }
U subtract(U a, U b) { return a - b; }
U multiply(U a, U b) { return a * b; }
U divideS(U a, U b) { return overflows(a, b) ? a : U(S(a) / S(b)); }
U divideU(U a, U b) { return a / b; }
U remainderS(U a, U b) { return overflows(a, b) ? 0 : U(S(a) % S(b)); }
U remainderU(U a, U b) { return a % b; }
U bitAnd(U a, U b) { return a & b; }
U bitOr(U a, U b) { return a | b; }
U bitXor(U a, U b) { return a ^ b; }
U shiftLeft(U a, U b) { return b < 32 ? a << b : 0; }
U shiftRightS(U a, U b) { return U(S(a) >> std::min<U>(b, 31)); }
U shiftRightU(U a, U b) { return b < 32 ? a >> b : 0; }
U minS(U a, U b) { return U(std::min(S(a), S(b))); }
U minU(U a, U b) { return std::min(a, b); }
U maxS(U a, U b) { return U(std::max(S(a), S(b))); }
U maxU(U a, U b) { return std::max(a, b); }

bool equal(U a, U b) { return a == b; }
bool differ(U a, U b) { return a != b; }
bool lessS(U a, U b) { return S(a) < S(b); }
bool lessEqualS(U a, U b) { return S(a) <= S(b); }
bool greaterS(U a, U b) { return S(a) > S(b); }
bool greaterEqualS(U a, U b) { return S(a) >= S(b); }
bool lessU(U a, U b) { return a < b; }
bool lessEqualU(U a, U b) { return a <= b; }
bool greaterU(U a, U b) { return a > b; }
bool greaterEqualU(U a, U b) { return a >= b; }

/// The predicates in the order of arith::CmpIPredicate.
const Op *compareOp(Thread &t, const Op *op) {
  static constexpr Handler kPredicates[] = {
      compare<equal>,        compare<differ>,     compare<lessS>,
      compare<lessEqualS>,   compare<greaterS>,   compare<greaterEqualS>,
      compare<lessU>,        compare<lessEqualU>, compare<greaterU>,
      compare<greaterEqualU>};
  return kPredicates[op->a](t, op);
}

const Op *selectOp(Thread &t, const Op *op) {
  t.r[op->out] = t.r[op->a] ? t.r[op->b] : t.r[op->c];
  return op + 1;
}

const Op *extendSigned(Thread &t, const Op *op) {
  const U bits = std::min<U>(op->a, 32);
  const U value = U(t.r[op->b]) << (32 - bits);
  t.r[op->out] = U(S(value) >> (32 - bits));
  return op + 1;
}

const Op *truncate(Thread &t, const Op *op) {
  const std::uint64_t mask =
      op->a >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << op->a) - 1;
  t.r[op->out] = t.r[op->b] & mask;
  return op + 1;
}

//===-- Local arrays ------------------------------------------------------===//

/// The element of the array of `size` registers from `first` on.
std::uint64_t &element(Thread &t, const Op *op, U first, U size, U index) {
  if (index >= size)
    fail(t, op, FaultKind::OutOfBounds,
         "expected an index of a local array below ", size, ", found ",
         S(index));
  return t.r[first + index];
}

const Op *loadElement(Thread &t, const Op *op) {
  t.r[op->out] = element(t, op, op->a, op->b, U(t.r[op->c]));
  return op + 1;
}

const Op *storeElement(Thread &t, const Op *op) {
  element(t, op, op->b, op->c, U(t.r[op->operands[3]])) = t.r[op->a];
  return op + 1;
}

//===-- Arguments and place -----------------------------------------------===//

[[noreturn]] void noArgument(Thread &t, const Op *op, const char *what,
                             std::uint64_t index, std::size_t count) {
  fail(t, op, FaultKind::ArgumentIndex, "expected the index of a ", what,
       " argument below ", count, ", found ", index);
}

const Op *runtimeArgument(Thread &t, const Op *op) {
  const auto &args = t.code->kernel->runtimeArgs;
  const std::uint64_t index = t.r[op->a];
  if (index >= args.size())
    noArgument(t, op, "run-time", index, args.size());
  const auto &values = args[index];
  t.r[op->out] = values.size() == 1 ? values[0] : values[t.coreIndex];
  return op + 1;
}

const Op *commonArgument(Thread &t, const Op *op) {
  const auto &args = t.machine->launch->commonArgs;
  const std::uint64_t index = t.r[op->a];
  if (index >= args.size())
    noArgument(t, op, "common", index, args.size());
  t.r[op->out] = args[index];
  return op + 1;
}

const Op *compileArgument(Thread &t, const Op *op) {
  const auto &args = t.code->kernel->compileArgs;
  if (op->a >= args.size())
    noArgument(t, op, "compile-time", op->a, args.size());
  t.r[op->out] = args[op->a];
  return op + 1;
}

const Op *myX(Thread &t, const Op *op) {
  t.r[op->out] = U(t.core->place.x);
  return op + 1;
}
const Op *myY(Thread &t, const Op *op) {
  t.r[op->out] = U(t.core->place.y);
  return op + 1;
}
const Op *myLogicalX(Thread &t, const Op *op) {
  t.r[op->out] = U(t.core->x);
  return op + 1;
}
const Op *myLogicalY(Thread &t, const Op *op) {
  t.r[op->out] = U(t.core->y);
  return op + 1;
}
const Op *coreIndexOp(Thread &t, const Op *op) {
  t.r[op->out] = t.coreIndex;
  return op + 1;
}

const Op *translateX(Thread &t, const Op *op) {
  const std::uint64_t x = t.r[op->a];
  const auto width = std::uint64_t(t.machine->geometry->gridX);
  if (x >= width)
    fail(t, op, FaultKind::Coordinates, "expected a column of workers below ",
         width, ", found ", S(x));
  t.r[op->out] = U(t.machine->noc.worker(U(x)).x);
  return op + 1;
}

const Op *translateY(Thread &t, const Op *op) {
  const std::uint64_t y = t.r[op->a];
  const auto &geometry = *t.machine->geometry;
  if (y >= std::uint64_t(geometry.gridY))
    fail(t, op, FaultKind::Coordinates, "expected a row of workers below ",
         geometry.gridY, ", found ", S(y));
  t.r[op->out] = U(t.machine->noc.worker(U(y * geometry.gridX)).y);
  return op + 1;
}

//===-- Debugging aids ----------------------------------------------------===//

/// Lines of a core that are kept.
constexpr std::uint32_t kMostLines = 100'000;

std::string lineOf(const Thread &t, const Op *op) {
  const std::string &format = t.program().strings[op->a];
  std::string text;
  std::size_t next = 1;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format.compare(i, 2, "{}") == 0 && next < op->count) {
      text += std::to_string(S(t.r[op->operands[next++]]));
      ++i;
    } else {
      text += format[i];
    }
  }
  return text;
}

const Op *print(Thread &t, const Op *op) {
  if (t.core->lines <= kMostLines)
    printLine(t, lineOf(t, op));
  return op + 1;
}

const Op *assertThat(Thread &t, const Op *op) {
  if (!t.r[op->a])
    fail(t, op, FaultKind::Assertion,
         "assertion failed: ", t.program().strings[op->b]);
  return op + 1;
}

} // namespace

void printLine(Thread &t, std::string text) {
  std::uint32_t &lines = t.core->lines;
  if (lines > kMostLines)
    return;
  t.core->prints.push_back({{t.core->y, t.core->x},
                            threadName(t.kind()),
                            lines++ < kMostLines
                                ? std::move(text)
                                : "further lines of this core are left out",
                            faultChip(*t.machine)});
}

Handler controlHandler(Opcode opcode) {
  constexpr Handler br = branch;
  constexpr Handler cond_br = branchIf;
  constexpr Handler move = moveRegister;
  constexpr Handler ret = finish;
  constexpr Handler unreachable = unreachableOp;
  constexpr Handler addi = binary<add>;
  constexpr Handler subi = binary<subtract>;
  constexpr Handler muli = binary<multiply>;
  constexpr Handler divsi = divide<divideS>;
  constexpr Handler divui = divide<divideU>;
  constexpr Handler remsi = divide<remainderS>;
  constexpr Handler remui = divide<remainderU>;
  constexpr Handler andi = binary<bitAnd>;
  constexpr Handler ori = binary<bitOr>;
  constexpr Handler xori = binary<bitXor>;
  constexpr Handler shli = binary<shiftLeft>;
  constexpr Handler shrsi = binary<shiftRightS>;
  constexpr Handler shrui = binary<shiftRightU>;
  constexpr Handler minsi = binary<minS>;
  constexpr Handler minui = binary<minU>;
  constexpr Handler maxsi = binary<maxS>;
  constexpr Handler maxui = binary<maxU>;
  constexpr Handler cmpi = compareOp;
  constexpr Handler select = selectOp;
  constexpr Handler extsi = extendSigned;
  constexpr Handler trunci = truncate;
  constexpr Handler load_element = loadElement;
  constexpr Handler store_element = storeElement;
  constexpr Handler get_arg_val = runtimeArgument;
  constexpr Handler get_common_arg_val = commonArgument;
  constexpr Handler get_compile_time_arg_val = compileArgument;
  constexpr Handler my_x = myX;
  constexpr Handler my_y = myY;
  constexpr Handler my_logical_x = myLogicalX;
  constexpr Handler my_logical_y = myLogicalY;
  constexpr Handler core_index = coreIndexOp;
  constexpr Handler convert_logical_x_to_translated = translateX;
  constexpr Handler convert_logical_y_to_translated = translateY;
  constexpr Handler dprint = print;
  constexpr Handler assert_that = assertThat;
  switch (opcode) {
    TTMLIR_CONTROL_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::emulator
