// A tensor: a layout and the memory that holds it, or one of those for each
// chip of a mesh.
#ifndef TT_RUNTIME_EMULATOR_TENSOR_H
#define TT_RUNTIME_EMULATOR_TENSOR_H

#include "common/layout.h"
#include "common/sharding.h"
#include "emulator/machine.h"
#include "emulator/written.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace tt::runtime::emulator {

/// A block of host memory, or one address in all banks of a device memory,
/// which is freed at the end.
class Buffer {
public:
  explicit Buffer(std::shared_ptr<void> host);
  /// Memory of the host on another rank.
  explicit Buffer(Remote remote);
  /// Throws Error(OutOfMemory).
  Buffer(std::shared_ptr<Chip> chip, Space space, std::int64_t bankBytes,
         std::string owner);
  /// At a given address; throws Error(Argument) if that is not possible.
  Buffer(std::shared_ptr<Chip> chip, Space space, std::int64_t address,
         std::int64_t bankBytes, std::string owner);
  ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  /// First byte in bank 0; throws Error(Argument) once it was deallocated, and
  /// if another rank has it.
  std::byte *base() const;
  /// Throws Error(Argument) once it was deallocated.
  void checkLive() const;
  /// The rank that has the contents, if it is another one: here the buffer only
  /// has its address. Null if this one has them.
  const Remote *remote() const { return remote_ ? &*remote_ : nullptr; }
  void setRemote(Remote remote) { remote_ = std::move(remote); }
  /// Whether the bytes of both are at common addresses of one memory.
  bool overlaps(const Buffer &other) const;
  std::int64_t bankSpacing() const { return spacing_; }
  const std::shared_ptr<Chip> &chip() const { return chip_; }
  const std::shared_ptr<void> &host() const { return host_; }
  std::int64_t address() const { return address_; }
  /// Of a device memory, in each bank.
  std::int64_t bankBytes() const { return bytes_; }
  /// The same in all banks; 0 of the host.
  std::int64_t deviceBytes() const;
  /// Whether it was not deallocated.
  bool live() const;
  /// Makes it zeros and keeps, with `watch`, which bytes kernels write from now
  /// on. Of a device memory. What is watched in DRAM becomes zeros when that
  /// can be seen, in zeroUnwritten().
  void clear(bool watch);
  /// By bank, from the first byte there; null if all bytes count as written.
  std::vector<WrittenBytes> *written() {
    return written_.empty() ? nullptr : &written_;
  }
  /// From now on all bytes count as written.
  void setWritten() {
    zeroUnwritten();
    written_.clear();
  }
  /// Before something that is not watched reads or writes it: the bytes that
  /// nothing has written are zeros.
  void zeroUnwritten();
  /// The same before all elements of a tensor of this layout are written.
  void overwrite(const Layout &layout);
  /// Frees the memory before the last owner is gone.
  void deallocate();

private:
  void attach(std::int64_t address, std::int64_t bankBytes);

  std::shared_ptr<void> host_;
  std::shared_ptr<Chip> chip_;
  Space space_ = Space::Host;
  std::byte *base_ = nullptr;
  std::int64_t address_ = 0, bytes_ = 0, spacing_ = 0; // bytes in a bank
  std::vector<WrittenBytes> written_;
  std::optional<Remote> remote_;
  bool stale_ = false; // bytes that were not written may not be zeros
  std::uint64_t generation_ = 0;
  bool freed_ = false;
};

/// Resolves positions of a tensor to host addresses. Does not own.
struct View {
  const Layout *layout = nullptr;
  std::byte *base = nullptr;
  std::int64_t spacing = 0;

  /// Page of a layout that is not sharded: a row, or a tile in row-major order.
  std::byte *page(std::int64_t index) const {
    const Layout &l = *layout;
    if (l.banks == 1)
      return base + l.firstBank * spacing + index * l.pageStride;
    return base + index % l.banks * spacing + index / l.banks * l.pageStride;
  }
  /// Address of an element or tile by its index in a linear layout.
  std::byte *linearUnit(std::int64_t index, std::int64_t bytes) const {
    return base + index / kLinearPage * spacing + index % kLinearPage * bytes;
  }
  std::byte *shard(std::int64_t index) const {
    const Layout &l = *layout;
    return base + l.shardBank[index] * spacing +
           l.shardSlot[index] * l.shardBytes;
  }
  std::byte *tile(std::int64_t ty, std::int64_t tx) const;
  /// Element of a row-major layout.
  std::byte *element(std::int64_t row, std::int64_t col) const;
  /// Columns of a row that are contiguous from `col` on.
  std::int64_t run(std::int64_t row, std::int64_t col) const {
    const Layout &l = *layout;
    std::int64_t rest = l.cols - col;
    if (l.placement == Placement::Sharded || l.placement == Placement::Linear)
      rest = std::min(rest, l.shardCols - col % l.shardCols);
    if (l.placement == Placement::Linear)
      rest = std::min(rest, kLinearPage - linear(row, col) % kLinearPage);
    return rest;
  }
  /// Index of an element (or of a tile, by its position) in the sequence of a
  /// linear layout.
  std::int64_t linear(std::int64_t row, std::int64_t col) const;
  /// True if rows of a row-major layout follow each other at a constant
  /// distance of `*stride` elements.
  bool strided(std::int64_t *stride) const;
};

struct TensorData;
using TensorPtr = std::shared_ptr<TensorData>;

struct TensorData {
  Layout layout;
  std::shared_ptr<Buffer> buffer; // null for a tensor of a mesh
  // Of a mesh: the tensors of its chips by position, each of this layout.
  // Positions may share a tensor of the host.
  std::vector<TensorPtr> shards;
  std::vector<std::uint32_t> meshShape;
  // On a mesh: the sharding, if it is known.
  std::optional<Sharding> sharding;
  /// Its elements do not change any more: what is computed of such tensors
  /// alone may be kept.
  bool frozen = false;
  /// Its memory is that of a mapped file that nobody writes to.
  bool mapped = false;

  View view() const { return {&layout, buffer->base(), buffer->bankSpacing()}; }
  bool onDevice() const { return layout.onDevice(); }
  bool onMesh() const { return !shards.empty(); }
  /// Another rank has the elements.
  bool remote() const { return buffer && buffer->remote(); }
};

/// A tensor of a layout whose elements another rank has: on `chip`, where it
/// takes the same memory as there, or on the host for a null one.
TensorPtr remoteTensor(const Layout &layout, const std::shared_ptr<Chip> &chip,
                       const std::string &owner, Remote remote);

/// Gives the pages of a mapped file back to the system, which reads them again
/// when they are used; nothing for other tensors.
void giveBackPages(const TensorData &tensor);

/// A tensor of undefined contents. `chip` is for device layouts; `owner` names
/// it in out-of-memory messages.
TensorPtr allocateTensor(const Layout &layout,
                         const std::shared_ptr<Chip> &chip,
                         const std::string &owner);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_TENSOR_H
