// What a compiled kernel in C++ and the emulator know of each other.
//
// A kernel is a shared object that calls the emulator for each instruction,
// through the functions of its host. It finds the host at the end of its stack,
// not in a variable: all threads of all cores share the object's variables, and
// a thread may continue on another thread of the process.
#ifndef TTK_ABI_H
#define TTK_ABI_H

#include <cstddef>
#include <cstdint>

namespace ttk {

/// Changes with anything in this file; an object of another version is refused.
inline constexpr std::uint32_t kAbiVersion = 1;

/// Size and alignment of a kernel's stack. A core's own has a few kilobytes; an
/// instruction on tiles runs on this one, too.
inline constexpr std::size_t kStackBytes = std::size_t(1) << 19;

/// Instructions that a block of scalar code counts, such as an iteration of a
/// loop: add, compare and branch.
inline constexpr std::int64_t kBlockInstructions = 3;

/// The output of an init that leaves the formats of unpacker and packer as they
/// are, in place of a circular buffer.
inline constexpr std::uint32_t kNoBuffer = 32;

/// A place in the source: a file and a line, or a return address in the object.
struct Site {
  const char *file = nullptr;
  std::uint32_t line = 0;
  const void *address = nullptr;
};

/// The thread of a core that runs the kernel.
struct Host {
  /// Instructions until the emulator has to look at the thread.
  std::int64_t fuel;
  /// Executes an instruction, which may suspend the kernel, and returns its
  /// result. Operands are in the order of `opcode.fbs`.
  std::uint64_t (*issue)(Host *, std::uint32_t opcode, std::uint32_t count,
                         const std::uint64_t *operands, const Site *site);
  /// There is no fuel left.
  void (*refuel)(Host *, const void *address);
  /// Adds to the line that the thread prints, and with `ends` prints it.
  void (*print)(Host *, const char *text, std::size_t size, bool ends);
  /// Ends the run if the assertion fails.
  void (*check)(Host *, bool condition, const char *message, const Site *site);
  /// Ends the run: the kernel asks for what the emulator does not have.
  void (*refuse)(Host *, const char *message, const Site *site);
  /// The accessor of the tensor at an address, for address generators that do
  /// not say how the tensor is stored.
  std::uint64_t (*find)(Host *, std::uint32_t address, std::uint32_t pageBytes,
                        bool dram, const Site *site);
  /// What `..._set_state` functions have left for `..._with_state`.
  std::uint64_t states[8];
};

/// Where a stack has the pointer to its host: below its end.
inline constexpr std::size_t kHostOffset = 64;

/// An instruction that the text of the kernel has: the records of the section
/// `ttk_uses`. `port` is a circular buffer, kAnyPort if it is not a constant.
struct Use {
  std::uint32_t opcode, port;
};
inline constexpr std::uint32_t kAnyPort = 0xffffffff;

/// What the object exports as `ttk_kernel_info`.
struct KernelInfo {
  std::uint32_t version;
  void (*main)();
  const Use *usesBegin, *usesEnd;
};

} // namespace ttk

#endif // TTK_ABI_H
