// The pace of a core that feeds a link from its chip's memory.
#include "clock/noc_map.h"
#include "clock/replay.h"
#include "collectives/schedule.h"

#include <algorithm>

namespace tt::runtime::collectives {

namespace {

using clock::Event;
using clock::EventKind;
using clock::Opcode;

constexpr std::uint16_t kPort = 0;

/// The two threads of a core which sends packets of pages.
class Sender {
public:
  Sender(const ChipGeometry &chip, Space space, std::int64_t pageBytes,
         std::int64_t pages)
      : chip_(chip), map_(chip), space_(space), bytes_(pageBytes),
        pages_(pages) {
    const NocCoord own = map_.worker(0);
    for (int noc : {0, 1}) {
      clock::ThreadEvents thread{};
      thread.place = {std::uint8_t(own.x), std::uint8_t(own.y)};
      thread.noc = noc;
      threads_.push_back(thread);
    }
  }

  /// A packet is read and, when all of it has come, sent, while the next one is
  /// read. The link's core is as far as a neighbour.
  void packet() {
    port(0, EventKind::CbReserve);
    for (std::int64_t i = 0; i < pages_; ++i)
      move(0, EventKind::NocRead, Opcode::noc_async_read_page, bank(next_++),
           bytes_);
    add(0, EventKind::ReadBarrier);
    port(0, EventKind::CbPush);
    port(1, EventKind::CbWait);
    move(1, EventKind::NocWrite, Opcode::noc_async_write,
         map_.worker(chip_.cores() > 1), bytes_ * pages_);
    add(1, EventKind::WritesFlushed);
    port(1, EventKind::CbPop);
  }

  double cycles() const {
    clock::Recording recording;
    recording.kernels = {{"sender", "", {}}};
    recording.buffers = {{kPort, std::uint64_t(2 * pages_), {{0, 0, 1, 1}}}};
    recording.threads = threads_;
    const ChipGeometry *chip = &chip_;
    return clock::replay(recording, {&chip, 1}).cycles;
  }

private:
  Event &add(int thread, EventKind kind) {
    Event event{};
    event.kind = kind;
    event.count = 1;
    return threads_[std::size_t(thread)].events.emplace_back(event);
  }
  void port(int thread, EventKind kind) {
    Event &event = add(thread, kind);
    event.port = kPort;
    event.count = std::uint32_t(pages_);
  }
  void move(int thread, EventKind kind, Opcode opcode, NocCoord place,
            std::int64_t bytes) {
    Event &event = add(thread, kind);
    event.opcode = opcode;
    event.remote = {std::uint8_t(place.x), std::uint8_t(place.y)};
    event.bytes = std::uint32_t(bytes);
  }
  NocCoord bank(std::int64_t page) const {
    const auto index = std::uint32_t(page % chip_.banks(space_));
    return space_ == Space::Dram ? map_.channel(index) : map_.worker(index);
  }

  const ChipGeometry &chip_;
  clock::NocMap map_;
  Space space_;
  std::int64_t bytes_, pages_, next_ = 0;
  std::vector<clock::ThreadEvents> threads_;
};

} // namespace

double senderPace(const FabricTime &fabric, const ChipGeometry &chip,
                  Space space, std::int64_t pageBytes) {
  constexpr int kPackets = 24; // all banks twice, of two pages each
  const std::int64_t most = fabric.arch().ethernet.packetBytes;
  const std::int64_t bytes = std::min(pageBytes, most);
  const std::int64_t pages = most / bytes;
  Sender sender(chip, space, bytes, pages);
  for (int i = 0; i < kPackets / 2; ++i)
    sender.packet();
  const double half = sender.cycles();
  for (int i = 0; i < kPackets / 2; ++i)
    sender.packet();
  return double(kPackets / 2 * pages * bytes) / (sender.cycles() - half);
}

} // namespace tt::runtime::collectives
