// The interface between a compiled C++ kernel and the emulator.
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

/// Must change with anything in this file. The emulator rejects objects of
/// another version.
inline constexpr std::uint32_t kAbiVersion = 2;

/// Size and alignment of a kernel's stack. It is larger than the few kilobytes
/// of a core because instructions on tiles run on it, too.
inline constexpr std::size_t kStackBytes = std::size_t(1) << 19;

/// Number of instructions to count for a basic block of scalar code, such as an
/// iteration of a loop: add, compare and branch.
inline constexpr std::int64_t kBlockInstructions = 3;

/// Stands for the output buffer of an init that does not change the formats of
/// unpacker and packer.
inline constexpr std::uint32_t kNoBuffer = 32;

/// A place in the source: a file and a line, or a return address in the object.
struct Site {
  const char *file = nullptr;
  std::uint32_t line = 0;
  const void *address = nullptr;
};

/// A part of a tile of a circular buffer: begin, end and step of its rows and
/// columns. The tile counts from the read or the write pointer.
struct Slice {
  std::uint32_t port = 0, tile = 0;
  std::uint8_t rows[3] = {}, cols[3] = {};
  bool writes = false;
  bool endsRows = true;  // each row is a line
  bool untilized = true; // rows of the matrix, else of memory
};

/// The thread of a core that runs the kernel.
struct Host {
  /// Number of instructions until the kernel must call `refuel`.
  std::int64_t fuel;
  /// Executes an instruction, which may suspend the kernel, and returns its
  /// result. Operands are in the order of `opcode.fbs`.
  std::uint64_t (*issue)(Host *, std::uint32_t opcode, std::uint32_t count,
                         const std::uint64_t *operands, const Site *site);
  /// Called when no fuel is left.
  void (*refuel)(Host *, const void *address);
  /// Appends to the thread's current line, and prints it if `ends` is set.
  void (*print)(Host *, const char *text, std::size_t size, bool ends);
  /// Ends the run if the assertion fails.
  void (*check)(Host *, bool condition, const char *message, const Site *site);
  /// Ends the run: the kernel uses an unsupported feature.
  void (*refuse)(Host *, const char *message, const Site *site);
  /// The accessor of the tensor at an address, for address generators that do
  /// not specify the tensor's layout.
  std::uint64_t (*find)(Host *, std::uint32_t address, std::uint32_t pageBytes,
                        bool dram, const Site *site);
  /// State that `..._set_state` functions store for `..._with_state`.
  std::uint64_t states[8];
  /// Appends the numbers of a slice to the thread's current line.
  void (*slice)(Host *, const Slice *slice, const Site *site);
  /// The name of the last waypoint; null before the first.
  const char *waypoint;
};

/// Distance of the pointer to the host from the end of the stack.
inline constexpr std::size_t kHostOffset = 64;

/// A record of the section `ttk_uses`: an instruction in the text of the
/// kernel. `port` is a circular buffer, or kAnyPort if it is not a constant.
struct Use {
  std::uint32_t opcode, port;
};
inline constexpr std::uint32_t kAnyPort = 0xffffffff;

/// The type of the exported symbol `ttk_kernel_info`.
struct KernelInfo {
  std::uint32_t version;
  void (*main)();
  const Use *usesBegin, *usesEnd;
};

} // namespace ttk

#endif // TTK_ABI_H
