// What a kernel did wrong: one class per kind, all of them a Fault, all of them
// an Error of category Kernel. The emulator throws the first fault of a run in
// an order that does not depend on the number of host threads.
#ifndef TT_RUNTIME_FAULT_H
#define TT_RUNTIME_FAULT_H

#include "tt/runtime/error.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tt::runtime {

/// X(kind, what it means). Each kind has a class of its own: KindFault.
#define TT_RUNTIME_FAULT_KINDS(X)                                              \
  X(Alignment, "addresses of a transfer that are not aligned to each other")   \
  X(Length, "a transfer of no bytes or of too many")                           \
  X(OutOfBounds, "an address, page or index outside of memory or tensor")      \
  X(Coordinates, "an address of no core or channel, or no NoC address")        \
  X(DevicePosition, "a position outside of the mesh of chips")                 \
  X(MissingLink, "chips that no links of the system join")                     \
  X(PendingTransfer, "use of memory that a transfer under way still owns")     \
  X(PageNotReserved, "a write to a page that was not reserved")                \
  X(PageNotWaited, "a read of a page that was not waited for")                 \
  X(BufferDirty, "a circular buffer left reserved or unpopped at the end")     \
  X(BufferWrap, "a circular buffer's pointer that runs past the end")          \
  X(BufferCapacity, "more pages than a circular buffer has")                   \
  X(BufferMisuse, "a circular buffer used by the wrong thread or not at all")  \
  X(BufferOverlap, "circular buffers or tensors that share bytes")             \
  X(UninitializedRead, "a read of memory that nothing has written")            \
  X(DataRace, "two threads that touch one range in no order")                  \
  X(DstIndex, "a destination register beyond the capacity")                    \
  X(DstUnwritten, "a destination register read before it was written")         \
  X(DstProtocol, "compute or pack without owning the destination registers")   \
  X(Init, "a compute instruction without the init that belongs to it")         \
  X(TileFormat, "a number format that a compute instruction does not take")    \
  X(Operand, "an operand out of its range")                                    \
  X(Semaphore, "a semaphore that does not exist, overflows or is overwritten") \
  X(OutstandingTransfer, "transfers that are under way at the kernel's end")   \
  X(Multicast, "a multicast with a wrong rectangle or number of cores")        \
  X(ArgumentIndex, "an argument that the kernel was not given")                \
  X(DivisionByZero, "a division by zero")                                      \
  X(Assertion, "a failed assertion of the kernel")                             \
  X(StepLimit, "a kernel that executed more instructions than allowed")        \
  X(Deadlock, "threads that wait for each other forever")

enum class FaultKind : std::uint8_t {
#define TT_RUNTIME_KIND(kind, text) kind,
  TT_RUNTIME_FAULT_KINDS(TT_RUNTIME_KIND)
#undef TT_RUNTIME_KIND
};

/// "Alignment", "Length", ...
const char *faultName(FaultKind kind);
/// What the kind means, a phrase.
const char *faultMeaning(FaultKind kind);

/// A core by its logical coordinates, row and column; -1 without one.
struct FaultCore {
  int y = -1, x = -1;
};

/// A chip of a mesh: its position there, row-major, and its id in the system.
/// -1 if the program runs on one chip only.
struct FaultChip {
  int device = -1, id = -1;
};

/// Where a fault happened. `thread` is "noc0", "noc1" or "compute", or the
/// engine of the compute thread: "unpack", "math", "pack". `location` is the
/// instruction's place in the source, `instruction` its mnemonic and index.
/// `address` and `bytes` say which memory the fault is about; `bytes` is 0 if
/// it is about none.
struct FaultPlace {
  FaultCore core;
  FaultChip chip;
  std::string thread, kernel, location, instruction;
  std::uint64_t address = 0, bytes = 0;
};

/// A thread that waits in a deadlock. `suppliers` are the threads that contain
/// an instruction which could have let it go on, as "kernel on thread of core".
struct Waiter {
  FaultPlace place;
  std::string waitsFor;
  std::vector<std::string> suppliers;
};

class Fault : public Error {
public:
  Fault(FaultKind kind, FaultPlace place, const std::string &message)
      : Error(ErrorCategory::Kernel, message), kind_(kind),
        place_(std::move(place)) {}

  FaultKind kind() const { return kind_; }
  const FaultPlace &place() const { return place_; }

private:
  FaultKind kind_;
  FaultPlace place_;
};

template <FaultKind Kind> class FaultOf : public Fault {
public:
  FaultOf(FaultPlace place, const std::string &message)
      : Fault(Kind, std::move(place), message) {}
};

/// The place is that of the first waiter.
template <> class FaultOf<FaultKind::Deadlock> : public Fault {
public:
  FaultOf(std::vector<Waiter> waiters, const std::string &message)
      : Fault(FaultKind::Deadlock,
              waiters.empty() ? FaultPlace() : waiters.front().place, message),
        waiters_(std::move(waiters)) {}

  const std::vector<Waiter> &waiters() const { return waiters_; }

private:
  std::vector<Waiter> waiters_;
};

#define TT_RUNTIME_KIND(kind, text)                                            \
  using kind##Fault = FaultOf<FaultKind::kind>;
TT_RUNTIME_FAULT_KINDS(TT_RUNTIME_KIND)
#undef TT_RUNTIME_KIND

/// " of device 4 (chip 7)", or nothing without a chip.
std::string describeChip(const FaultChip &chip);
/// "core (0, 1)", or on a mesh "core (0, 1) of device 4 (chip 7)".
std::string describeCore(const FaultCore &core, const FaultChip &chip);

/// Throws the class of `kind`, which is not Deadlock. The message is completed
/// with the place.
[[noreturn]] void throwFault(FaultKind kind, FaultPlace place,
                             const std::string &message);

} // namespace tt::runtime

#endif // TT_RUNTIME_FAULT_H
