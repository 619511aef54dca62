#include "ttnn/streams/builder.h"

#include "common/arch.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace tt::runtime::ttnn::streams {

//===-- Threads -----------------------------------------------------------===//

void Thread::pagesOf(EventKind kind, int port, std::int64_t pages) {
  clock::Event &event = add(kind);
  event.port = std::uint16_t(port);
  event.count = std::uint32_t(pages);
}

void Thread::read(NocPoint from, std::int64_t bytes, std::int64_t parts,
                  std::uint32_t id) {
  clock::Event &event = add(EventKind::NocRead);
  event.opcode = Opcode::noc_async_read_page;
  event.value = id;
  event.remote = from;
  event.bytes = std::uint32_t(bytes);
  event.count = std::uint32_t(parts);
}

void Thread::gather(NocPoint from, std::int64_t bytes, std::int64_t parts) {
  constexpr std::int64_t kReads = 8;
  const std::int64_t reads = std::clamp<std::int64_t>(parts, 1, kReads);
  for (std::int64_t i = 0; i < reads; ++i) {
    const auto shareOf = [&](std::int64_t all) {
      return all * (i + 1) / reads - all * i / reads;
    };
    read(from, shareOf(bytes), std::max<std::int64_t>(1, shareOf(parts)));
    events_->events.back().first = 1;
  }
}

void Thread::write(NocPoint to, std::int64_t bytes, std::int64_t parts) {
  clock::Event &event = add(EventKind::NocWrite);
  event.opcode = Opcode::noc_async_write_page;
  event.remote = to;
  event.bytes = std::uint32_t(bytes);
  event.count = std::uint32_t(parts);
}

void Thread::fill(std::int64_t bytes) {
  clock::Event &event = add(EventKind::LocalMove);
  event.opcode = Opcode::fill_with_val;
  event.bytes = std::uint32_t(bytes);
}

void Thread::multicast(NocPoint from, NocPoint to, std::int64_t cores,
                       std::int64_t bytes) {
  clock::Event &event = add(EventKind::NocMulticast);
  event.opcode = Opcode::noc_async_write_multicast;
  event.remote = from;
  event.remoteEnd = to;
  event.count = std::uint32_t(cores);
  event.bytes = std::uint32_t(bytes);
}

void Thread::setAll(NocPoint from, NocPoint to, std::int64_t cores,
                    std::uint32_t semaphore, std::uint32_t value) {
  clock::Event &event = add(EventKind::SemaphoreMulticast);
  event.opcode = Opcode::noc_semaphore_set_multicast;
  event.remote = from;
  event.remoteEnd = to;
  event.count = std::uint32_t(cores);
  event.address = semaphore;
  event.value = value;
}

void Thread::increment(NocPoint to, std::uint32_t semaphore) {
  clock::Event &event = add(EventKind::SemaphoreInc);
  event.opcode = Opcode::noc_semaphore_inc;
  event.remote = to;
  event.address = semaphore;
  event.value = 1;
}

void Thread::waitFor(std::uint32_t semaphore, std::uint32_t value) {
  clock::Event &event = add(EventKind::SemaphoreWait);
  event.opcode = Opcode::noc_semaphore_wait_min;
  event.address = semaphore;
  event.value = value;
}

void Thread::compute(const Instruction &instruction) {
  clock::Event &event = add(EventKind::Compute);
  event.opcode = instruction.opcode;
  event.count = instruction.tiles;
  event.value = instruction.cols;
  event.first = std::uint8_t(instruction.first);
  event.second = instruction.alone ? 255 : std::uint8_t(instruction.second);
  event.repeats = float(instruction.repeats);
}

//===-- Streams -----------------------------------------------------------===//

Builder::Builder(const ChipGeometry &chip, std::int64_t most,
                 std::int64_t mostRounds)
    : chip_(&chip), map_(chip), most_(most), mostRounds_(mostRounds),
      index_(std::size_t(chip.cores()), {kNone, kNone, kNone}) {}

std::int64_t Builder::mostTransferBytes() const {
  return std::int64_t(archData(chip_->arch).timing.nocPacketBytes);
}

NocPoint Builder::place(std::int32_t core) const {
  const NocCoord at = map_.worker(std::uint32_t(core));
  return {std::uint8_t(at.x), std::uint8_t(at.y)};
}

Thread Builder::thread(std::int32_t core, int role, const char *kernel) {
  std::uint32_t &slot = index_[std::size_t(core)][std::size_t(role)];
  if (slot == kNone) {
    const auto known = std::find(kernels_.begin(), kernels_.end(), kernel);
    const auto index = std::uint32_t(known - kernels_.begin());
    if (known == kernels_.end())
      kernels_.emplace_back(kernel);
    slot = std::uint32_t(threads_.size());
    // Cores follow each other and do much the same.
    const auto same = std::find_if(
        threads_.begin(), threads_.end(),
        [&](const clock::ThreadEvents &t) { return t.kernel == index; });
    const std::size_t events = same == threads_.end() ? 0 : same->events.size();
    threads_.push_back({int(core / chip_->gridX),
                        int(core % chip_->gridX),
                        place(core),
                        role == kCompute,
                        role & 1,
                        index,
                        {},
                        0});
    threads_.back().events.reserve(events);
  }
  return Thread(threads_[slot]);
}

void Builder::count(std::int64_t whole, std::int64_t some, double allWork,
                    double someWork, std::int64_t turns) {
  blocks = whole;
  rounds = turns;
  modelled = some;
  work = allWork;
  workModelled = someWork;
}

std::uint64_t Builder::hash() const {
  using EventWords = std::array<std::uint64_t, 4>; // it has no gaps
  std::uint64_t hash = 14695981039346656037u;      // FNV-1a, by words
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 29;
  };
  for (std::int64_t number :
       {std::int64_t(compute_.phases()), std::int64_t(compute_.approx),
        std::int64_t(compute_.fp32DestAcc), blocks, modelled, rounds})
    mix(std::uint64_t(number));
  for (double number : {work, workModelled})
    mix(std::bit_cast<std::uint64_t>(number));
  for (const auto &[port, pages] : buffers_) {
    mix(std::uint64_t(port));
    mix(std::uint64_t(pages));
  }
  for (const std::string &name : kernels_)
    mix(std::hash<std::string>()(name));
  for (const clock::ThreadEvents &thread : threads_) {
    mix(std::uint64_t(thread.coreY) << 40 | std::uint64_t(thread.coreX) << 20 |
        std::uint64_t(thread.compute) << 8 | std::uint64_t(thread.noc));
    // Words of one event do not wait for each other.
    EventWords sums{1, 2, 3, 4};
    for (const clock::Event &event : thread.events) {
      const auto words = std::bit_cast<EventWords>(event);
      for (std::size_t i = 0; i < words.size(); ++i) {
        sums[i] = (sums[i] ^ words[i]) * 1099511628211u;
        sums[i] ^= sums[i] >> 29;
      }
    }
    for (std::uint64_t sum : sums)
      mix(sum);
  }
  return hash;
}

clock::Recording Builder::recording() const {
  clock::Recording recording;
  for (const std::string &name : kernels_)
    recording.kernels.push_back({name, "", compute_});
  const clock::CoreRange all{0, 0, chip_->gridY, chip_->gridX};
  for (const auto &[port, pages] : buffers_)
    recording.buffers.push_back(
        {std::uint32_t(port), std::uint64_t(pages), {all}});
  recording.threads = threads_;
  return recording;
}

clock::ReplayResult Builder::replay() const {
  return clock::replay(recording(), {&chip_, 1});
}

void Builder::draw(Trace &trace, std::uint32_t device, double start,
                   const clock::ReplayResult &time) const {
  clock::Recording drawn = recording();
  drawn.device = device;
  if (blocks * rounds > modelled)
    drawn.whole = {time.cycles, blocks * rounds, modelled};
  clock::replay(drawn, {&chip_, 1}, nullptr, &trace, start);
}

namespace {

using PartOf = double TimeParts::*;
constexpr PartOf kParts[] = {&TimeParts::compute, &TimeParts::noc,
                             &TimeParts::dram, &TimeParts::ethernet,
                             &TimeParts::waiting};

void scaleUses(clock::ReplayResult &result, double factor) {
  const auto bytes = [&](std::uint64_t &count) {
    count = std::uint64_t(double(count) * factor + 0.5);
  };
  for (CoreUse &core : result.cores)
    for (double *busy :
         {&core.noc0, &core.noc1, &core.unpack, &core.math, &core.pack})
      *busy *= factor;
  for (LinkUse &link : result.links) {
    bytes(link.bytes);
    link.busy *= factor;
  }
  for (ChannelUse &channel : result.channels) {
    bytes(channel.readBytes);
    bytes(channel.writeBytes);
    channel.busy *= factor;
  }
  for (KernelUse &kernel : result.kernels)
    kernel.busy *= factor;
  for (std::uint64_t *count :
       {&result.traffic.dramRead, &result.traffic.dramWrite,
        &result.traffic.l1Read, &result.traffic.l1Write, &result.traffic.noc})
    bytes(*count);
  result.computeCycles *= factor;
  result.memoryCycles *= factor;
}

/// Adds `times` what `whole` has more than `half` to the uses of `result`,
/// which are those of `whole`.
class Uses {
public:
  Uses(clock::ReplayResult &result, const clock::ReplayResult &whole,
       const clock::ReplayResult &half, double times)
      : times_(times) {
    for (std::size_t i = 0; i < result.cores.size(); ++i)
      for (double CoreUse::*busy :
           {&CoreUse::noc0, &CoreUse::noc1, &CoreUse::unpack, &CoreUse::math,
            &CoreUse::pack})
        grow(result.cores[i], whole.cores[i], half.cores[i], busy);
    for (std::size_t i = 0; i < result.kernels.size(); ++i)
      grow(result.kernels[i], whole.kernels[i], half.kernels[i],
           &KernelUse::busy);
    each(result.links, whole.links, half.links, &LinkUse::bytes,
         &LinkUse::busy);
    each(result.channels, whole.channels, half.channels, &ChannelUse::readBytes,
         &ChannelUse::writeBytes, &ChannelUse::busy);
    using clock::Traffic;
    for (std::uint64_t Traffic::*bytes :
         {&Traffic::dramRead, &Traffic::dramWrite, &Traffic::l1Read,
          &Traffic::l1Write, &Traffic::noc})
      grow(result.traffic, whole.traffic, half.traffic, bytes);
    for (double clock::ReplayResult::*cycles :
         {&clock::ReplayResult::computeCycles,
          &clock::ReplayResult::memoryCycles})
      grow(result, whole, half, cycles);
  }

private:
  template <typename Use, typename Count>
  void grow(Use &use, const Use &whole, const Use &half,
            Count Use::*count) const {
    const double more = double(whole.*count) - double(half.*count);
    use.*count += Count(times_ * std::max(0.0, more));
  }
  /// All are in the order of their places; some are not in all of them.
  template <typename Use, typename... Counts>
  void each(std::vector<Use> &result, const std::vector<Use> &whole,
            const std::vector<Use> &half, Counts... counts) const {
    static const Use kNone{};
    const auto at = [&](auto &cursor, const std::vector<Use> &uses,
                        const Use &use) -> const Use & {
      while (cursor != uses.end() && placeOf(*cursor) < placeOf(use))
        ++cursor;
      return cursor != uses.end() && placeOf(*cursor) == placeOf(use) ? *cursor
                                                                      : kNone;
    };
    auto more = whole.begin(), less = half.begin();
    for (Use &use : result) {
      const Use &one = at(more, whole, use), &other = at(less, half, use);
      (grow(use, one, other, counts), ...);
    }
  }
  static auto placeOf(const LinkUse &link) {
    return std::tie(link.noc, link.y, link.x, link.vertical);
  }
  static int placeOf(const ChannelUse &use) { return use.channel; }

  double times_;
};

/// Adds `cycles` spent on what `whole` has more than `half`.
void extend(TimeParts &parts, const TimeParts &whole, const TimeParts &half,
            double cycles) {
  double sum = 0;
  for (PartOf part : kParts)
    sum += std::max(0.0, whole.*part - half.*part);
  for (PartOf part : kParts)
    parts.*part +=
        sum > 0 ? cycles * std::max(0.0, whole.*part - half.*part) / sum : 0;
  if (sum <= 0)
    parts.waiting += cycles;
}

void extend(clock::ReplayResult &result, const clock::ReplayResult &whole,
            const clock::ReplayResult &half, double cycles) {
  extend(result.parts, whole.parts, half.parts, cycles);
  result.cycles += cycles;
  for (KernelUse &kernel : result.kernels) {
    kernel.end += cycles;
    extend(kernel.parts, whole.parts, half.parts, cycles);
  }
  for (CoreUse &core : result.cores)
    core.end += cycles;
}

/// A stream or more of it.
struct Made {
  clock::ReplayResult time;
  std::int64_t blocks;
  double work;

  /// Adds `times` what `whole` has more than `half`.
  void add(const Made &whole, const Made &half, double times) {
    const double cycles = whole.time.cycles - half.time.cycles;
    extend(time, whole.time, half.time, times * std::max(0.0, cycles));
    Uses(time, whole.time, half.time, times);
    work += times * (whole.work - half.work);
  }
};

} // namespace

clock::ReplayResult timeOf(const Builder &builder,
                           const std::function<void(Builder &)> &make) {
  const Made whole{builder.replay(), builder.modelled, builder.workModelled};
  if (builder.blocks <= builder.modelled && builder.rounds == 1)
    return whole.time;
  const auto made = [&](std::int64_t rounds) {
    Builder lesser(builder.chip(), kMostBlocks / 2, rounds);
    make(lesser);
    return Made{lesser.replay(), lesser.modelled, lesser.workModelled};
  };
  const Made half = made(1);
  Made result = whole;
  const auto continued = [&](std::int64_t from, double rounds) {
    if (whole.blocks > half.blocks)
      result.add(whole, half,
                 rounds * double(builder.blocks - from) /
                     double(whole.blocks - half.blocks));
  };
  continued(whole.blocks, 1);
  if (builder.rounds > 1) {
    const auto others = double(builder.rounds - 1);
    result.add(made(2), half, others);
    continued(half.blocks, others);
  }
  // Cores may have different shares, of which the greatest makes the time.
  scaleUses(result.time, builder.work / result.work);
  // No engine, link or channel works longer than all of it takes.
  const double busy =
      std::max(result.time.computeCycles, result.time.memoryCycles);
  extend(result.time, whole.time, half.time,
         std::max(0.0, busy - result.time.cycles));
  return std::move(result.time);
}

} // namespace tt::runtime::ttnn::streams
