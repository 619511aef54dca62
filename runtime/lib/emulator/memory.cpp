#include "emulator/memory.h"

#include "numerics/parallel.h"
#include "tt/runtime/error.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

namespace tt::runtime::emulator {

namespace {

constexpr std::int64_t kPage = 4096;
constexpr std::int64_t kHugePage = 2 << 20;
/// Banks at a power of two apart would all fall into the same cache sets.
constexpr std::int64_t kSkew = 17 * kPage;

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

void *mapPages(std::size_t bytes) {
  void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

} // namespace

Arena::Arena(std::int64_t banks, std::int64_t bankBytes)
    : banks_(banks), spacing_(roundUp(bankBytes, kPage) + kSkew) {
  mapped_ = std::size_t(spacing_ * banks_ + kHugePage);
  void *memory = mapPages(mapped_);
  if (!memory)
    raise(ErrorCategory::OutOfMemory, "cannot reserve ", mapped_,
          " bytes of address space for ", banks, " memory banks of ", bankBytes,
          " bytes");
  base_ = static_cast<std::byte *>(memory);
}

Arena::~Arena() {
  if (base_)
    ::munmap(base_, mapped_);
}

namespace {

/// Bytes from which on it is cheaper to ask for new pages than to write zeros.
constexpr std::int64_t kReleased = 16 << 20;

void clearBytes(std::byte *first, std::int64_t bytes) {
  const auto address = std::int64_t(reinterpret_cast<std::uintptr_t>(first));
  const std::int64_t head = roundUp(address, kPage) - address;
  const std::int64_t pages = (bytes - head) / kPage * kPage;
  if (bytes < kReleased ||
      ::madvise(first + head, std::size_t(pages), MADV_DONTNEED) != 0) {
    std::memset(first, 0, std::size_t(bytes));
    return;
  }
  std::memset(first, 0, std::size_t(head));
  std::memset(first + head + pages, 0, std::size_t(bytes - head - pages));
}

} // namespace

void Arena::clear(std::int64_t offset, std::int64_t bytes) const {
  constexpr std::int64_t kGrain = 256 << 10;
  numerics::parallelFor(0, banks_, std::max<std::int64_t>(1, kGrain / bytes),
                        [&](std::int64_t first, std::int64_t last) {
                          for (; first < last; ++first)
                            clearBytes(bank(first) + offset, bytes);
                        });
}

void Arena::expectUse(std::int64_t offset, std::int64_t bytes) const {
  if (bytes < kHugePage / 2)
    return;
  const auto base = reinterpret_cast<std::uintptr_t>(base_);
  for (std::int64_t i = 0; i < banks_; ++i) {
    auto first = reinterpret_cast<std::uintptr_t>(bank(i) + offset);
    auto last = first + std::uintptr_t(bytes);
    first = std::max(first / kHugePage * kHugePage, base);
    // All of the last page: what is touched in small pages stays in them.
    last = std::min(std::uintptr_t(roundUp(std::int64_t(last), kHugePage)),
                    base + mapped_);
    // Advice only: where it is refused, small pages serve as well.
    (void)::madvise(reinterpret_cast<void *>(first), last - first,
                    MADV_HUGEPAGE);
  }
}

namespace {

/// Freed blocks by size. Blocks are whole mappings with huge pages.
class HostPool {
public:
  /// Never destroyed: tensors may outlive static destructors.
  static HostPool &instance() {
    static HostPool *pool = new HostPool;
    return *pool;
  }

  /// Null when the system grants nothing.
  std::shared_ptr<void> allocate(std::int64_t bytes) {
    std::int64_t size = roundUp(bytes, kHugePage);
    void *memory = take(size);
    if (!memory)
      memory = mapAligned(size);
    if (!memory)
      return nullptr;
    return std::shared_ptr<void>(memory,
                                 [size](void *p) { instance().give(p, size); });
  }

private:
  static constexpr std::int64_t kCacheBytes = std::int64_t(1) << 30;

  /// `size` bytes that begin at a huge page.
  static void *mapAligned(std::int64_t size) {
    auto *memory =
        static_cast<std::byte *>(mapPages(std::size_t(size + kHugePage)));
    if (!memory)
      return nullptr;
    const auto address = std::int64_t(reinterpret_cast<std::uintptr_t>(memory));
    const std::int64_t head = roundUp(address, kHugePage) - address;
    if (head)
      ::munmap(memory, std::size_t(head));
    if (kHugePage - head)
      ::munmap(memory + head + size, std::size_t(kHugePage - head));
    (void)::madvise(memory + head, std::size_t(size), MADV_HUGEPAGE);
    return memory + head;
  }

  /// A cached block of the size, or up to a quarter larger; sets `size`.
  void *take(std::int64_t &size) {
    std::lock_guard lock(mutex_);
    auto it = free_.lower_bound(size);
    if (it == free_.end() || it->first > size + size / 4)
      return nullptr;
    void *memory = it->second;
    size = it->first;
    cached_ -= size;
    free_.erase(it);
    return memory;
  }

  void give(void *memory, std::int64_t size) {
    {
      std::lock_guard lock(mutex_);
      if (cached_ + size <= kCacheBytes) {
        free_.emplace(size, memory);
        cached_ += size;
        return;
      }
    }
    ::munmap(memory, std::size_t(size));
  }

  std::mutex mutex_;
  std::multimap<std::int64_t, void *> free_;
  std::int64_t cached_ = 0;
};

std::atomic<std::int64_t> hostLimit{0};

std::int64_t limit() {
  const std::int64_t chosen = hostLimit.load(std::memory_order_relaxed);
  if (chosen)
    return chosen;
  static const std::int64_t machine =
      std::int64_t(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return machine;
}

} // namespace

std::shared_ptr<void> allocateHost(std::int64_t bytes) {
  if (bytes > limit())
    raise(ErrorCategory::OutOfMemory, "host memory exhausted: requested ",
          bytes, " bytes, the limit is ", limit());
  if (bytes >= kHugePage / 2) {
    if (auto memory = HostPool::instance().allocate(bytes))
      return memory;
  } else if (void *memory = std::aligned_alloc(
                 64,
                 std::size_t(roundUp(std::max<std::int64_t>(bytes, 1), 64)))) {
    return std::shared_ptr<void>(memory, std::free);
  }
  raise(ErrorCategory::OutOfMemory, "host memory exhausted: requested ", bytes,
        " bytes");
}

void setHostLimit(std::int64_t bytes) { hostLimit = bytes; }

} // namespace tt::runtime::emulator
