#include "clock/noc_time.h"

#include "clock/trace.h"

#include <algorithm>
#include <cmath>

namespace tt::runtime::clock {

NocPlaces::NocPlaces(const ArchTiming &timing, const ChipGeometry &geometry)
    : width(timing.nocWidth), height(timing.nocHeight) {
  // Where the nodes of the die are; those of a bigger grid are where its
  // description says.
  const NocMap map(geometry);
  const bool fits = geometry.gridX <= timing.workerColumns.count &&
                    geometry.gridY <= timing.workerRows.count;
  for (std::int64_t i = 0; i < geometry.cores(); ++i) {
    const NocCoord at = map.worker(std::uint32_t(i));
    workers.push_back(
        fits ? NocPlace{timing.workerColumns.at[i % geometry.gridX],
                        timing.workerRows.at[i / geometry.gridX]}
             : NocPlace{at.x, at.y});
  }
  const bool known = geometry.channels <= timing.dramColumns.count && fits;
  for (std::int64_t i = 0; i < geometry.channels; ++i) {
    const NocCoord at = map.channel(std::uint32_t(i));
    channels.push_back(
        known ? NocPlace{timing.dramColumns.at[i], timing.dramRows.at[i]}
              : NocPlace{at.x, at.y});
  }
  for (const std::vector<NocPlace> *places : {&workers, &channels})
    for (const NocPlace &place : *places) {
      width = std::max(width, place.x + 1);
      height = std::max(height, place.y + 1);
    }
}

NocTime::NocTime(const ArchTiming &timing, const ChipGeometry &geometry,
                 Trace *trace, double start, std::uint32_t device)
    : timing_(timing), trace_(trace), start_(start), device_(device),
      places_(timing, geometry), width_(places_.width), height_(places_.height),
      gridX_(int(geometry.gridX)) {
  links_.resize(std::size_t(4 * width_ * height_));
  inject_.resize(2 * places_.workers.size());
  absorb_.resize(2 * places_.workers.size());
  channels_.resize(places_.channels.size());
  linkTracks_.resize(links_.size());
}

NocTime::Place NocTime::placeOf(NocMap::Node node) const {
  return node.kind == NocMap::Node::Dram ? places_.channels[node.index]
                                         : places_.workers[node.index];
}

int NocTime::hops(int noc, Place from, Place to) const {
  const int x = noc ? from.x - to.x : to.x - from.x;
  const int y = noc ? from.y - to.y : to.y - from.y;
  return (x + width_) % width_ + (y + height_) % height_;
}

double NocTime::packets(double bytes) const {
  return bytes <= timing_.nocPacketBytes
             ? 1
             : std::ceil(bytes / timing_.nocPacketBytes);
}

inline double NocTime::Link::occupy(double time, double cycles, bool passes) {
  busy += cycles;
  // Most are too late for every gap, or for the first ones.
  const double earliest = time + cycles;
  if (passes && earliest <= lastGapEnd) {
    std::uint32_t i = 0;
    while (earliest > gap(i).end)
      ++i;
    for (; i < count; ++i) {
      Gap &idle = gap(i);
      const double begin = std::max(time, idle.begin);
      if (begin + cycles > idle.end)
        continue;
      // The greater part remains.
      if (begin - idle.begin > idle.end - begin - cycles)
        idle.end = begin;
      else
        idle.begin = begin + cycles;
      lastGapEnd = gap(count - 1).end;
      return begin;
    }
  }
  const double begin = std::max(time, free);
  if (begin > free) {
    if (count == kGaps)
      ++first;
    else
      ++count;
    gap(count - 1) = {free, begin};
    lastGapEnd = begin;
  }
  free = begin + cycles;
  return begin;
}

void NocTime::traceLink(const Link &link, double begin, double cycles,
                        double bytes) {
  constexpr SliceKind kTransfer{"transfer", Category::Noc, "bytes"};
  const auto index = std::size_t(&link - links_.data());
  std::optional<std::uint32_t> &track = linkTracks_[index];
  if (!track) {
    const int place = int(index / 2);
    track = trace_->track(TrackKey::link(device_, place / (width_ * height_),
                                         place / width_ % height_,
                                         place % width_, index % 2 == 1));
  }
  trace_->add(*track, kTransfer, start_ + begin, start_ + begin + cycles,
              std::uint32_t(bytes));
}

void NocTime::traceChannel(std::uint32_t channel, bool read, double begin,
                           double bytes) {
  constexpr SliceKind kRead{"read", Category::Dram, "bytes"};
  constexpr SliceKind kWrite{"write", Category::Dram, "bytes"};
  trace_->add(trace_->track(TrackKey::channel(device_, channel)),
              read ? kRead : kWrite, start_ + begin,
              start_ + channels_[channel].free, std::uint32_t(bytes));
}

NocTime::Stream NocTime::pass(Link &link, Stream stream, double cycles,
                              double bytes) {
  stream.head = std::max(stream.head, link.free);
  link.free = stream.head + cycles;
  link.busy += cycles;
  link.bytes += bytes;
  stream.tail = std::max(stream.tail, link.free);
  return stream;
}

double NocTime::linkCycles(double bytes) const {
  return bytes / timing_.nocLinkBytesPerCycle +
         packets(bytes) * timing_.nocPacketCycles;
}

NocTime::Stream NocTime::leg(int noc, bool vertical, Place &at, int until,
                             Stream stream, double bytes, double cycles,
                             bool passes) {
  int &coordinate = vertical ? at.y : at.x;
  if (coordinate == until)
    return stream;
  const double hop = timing_.nocHopCycles;
  const int side = vertical ? height_ : width_;
  Link *const first =
      &links_[std::size_t(((noc * height_ + (vertical ? 0 : at.y)) * width_ +
                           (vertical ? at.x : 0)) *
                              2 +
                          vertical)];
  const std::ptrdiff_t stride = vertical ? 2 * width_ : 2;
  double head = stream.head, tail = stream.tail;
  while (coordinate != until) {
    Link &link = first[coordinate * stride];
    head = link.occupy(head, cycles, passes);
    link.bytes += bytes;
    if (trace_)
      traceLink(link, head, cycles, bytes);
    tail = std::max(tail, head + cycles) + hop;
    head += hop;
    if (noc)
      coordinate = (coordinate ? coordinate : side) - 1;
    else
      coordinate = coordinate + 1 == side ? 0 : coordinate + 1;
  }
  return {head, tail};
}

NocTime::Stream NocTime::route(int noc, Place from, Place to, Stream stream,
                               double bytes, bool passes) {
  const bool vertical = noc == 1;
  const double cycles = linkCycles(bytes);
  stream = leg(noc, vertical, from, vertical ? to.y : to.x, stream, bytes,
               cycles, passes);
  return leg(noc, !vertical, from, vertical ? to.x : to.y, stream, bytes,
             cycles, passes);
}

double NocTime::serve(Channel &channel, double time, double cycles) {
  const double begin = std::max(time, channel.free);
  channel.free = begin + cycles;
  channel.busy += cycles;
  return begin;
}

NocTime::Times NocTime::read(int noc, std::uint32_t worker, NocMap::Node from,
                             double bytes, double time) {
  const Place own = places_.workers[worker], there = placeOf(from);
  const double beside = packets(bytes) * timing_.nocPacketCycles;
  // The request is a flit; the answer continues around the torus.
  const double request = time + hops(noc, own, there) * timing_.nocHopCycles;
  Stream stream{request, request};
  double dram = 0;
  if (from.kind == NocMap::Node::Dram) {
    Channel &channel = channels_[from.index];
    const double cycles = bytes / timing_.dramReadBytesPerCycle;
    const double begin = serve(channel, request, cycles);
    channel.read += bytes;
    if (trace_)
      traceChannel(from.index, true, begin, bytes);
    stream.head = begin + timing_.dramReadLatencyCycles;
    stream.tail = stream.head + cycles;
    dram = stream.tail - request;
  } else {
    Link &port =
        inject_[std::size_t(noc) * places_.workers.size() + from.index];
    stream =
        pass(port, stream, bytes / timing_.l1ReadBytesPerCycle + beside, bytes);
    port.free = std::max(port.free, stream.head + timing_.l1RequestCycles);
  }
  stream = route(noc, there, own, stream, bytes, true);
  stream = pass(absorb_[std::size_t(noc) * places_.workers.size() + worker],
                stream, bytes / timing_.nocLinkBytesPerCycle + beside, bytes);
  const double end = stream.tail + timing_.nocRoundTripCycles;
  return {end, end, end, dram};
}

NocTime::Times NocTime::write(int noc, std::uint32_t worker, NocMap::Node to,
                              double bytes, double time) {
  const Place own = places_.workers[worker], there = placeOf(to);
  const double beside = packets(bytes) * timing_.nocPacketCycles;
  Stream stream =
      pass(inject_[std::size_t(noc) * places_.workers.size() + worker],
           {time, time}, bytes / timing_.l1WriteBytesPerCycle + beside, bytes);
  const double departed = stream.tail;
  stream = route(noc, own, there, stream, bytes, false);
  double dram = 0;
  if (to.kind == NocMap::Node::Dram) {
    Channel &channel = channels_[to.index];
    // Less than a burst is read, changed and written.
    const double cycles = bytes < timing_.dramBurstBytes
                              ? timing_.dramPartialWriteCycles
                              : bytes / timing_.dramWriteBytesPerCycle;
    const double begin = serve(channel, stream.head, cycles);
    channel.written += bytes;
    if (trace_)
      traceChannel(to.index, false, begin, bytes);
    dram = channel.free - stream.head;
    stream.tail = std::max(stream.tail, channel.free);
  } else {
    stream = pass(absorb_[std::size_t(noc) * places_.workers.size() + to.index],
                  stream, bytes / timing_.nocLinkBytesPerCycle + beside, bytes);
  }
  const double arrived = stream.tail + timing_.nocRoundTripCycles / 2;
  const double completed = stream.tail + timing_.nocRoundTripCycles +
                           hops(noc, there, own) * timing_.nocHopCycles;
  return {departed, arrived, completed, dram};
}

NocTime::Times NocTime::multicast(int noc, std::uint32_t worker, int x0, int y0,
                                  int x1, int y1, double bytes, double time) {
  if (x0 > x1)
    std::swap(x0, x1);
  if (y0 > y1)
    std::swap(y0, y1);
  const auto corner = [&](bool last) {
    return places_
        .workers[std::size_t((last ? y1 : y0) * gridX_ + (last ? x1 : x0))];
  };
  const Place own = places_.workers[worker];
  Place from = corner(noc == 1), to = corner(noc == 0);
  // Before data is sent a request reserves the path to the last core, and comes
  // back the same way.
  const double reserve =
      2 * timing_.nocHopCycles * (hops(noc, own, from) + hops(noc, from, to));
  Stream stream = pass(
      inject_[std::size_t(noc) * places_.workers.size() + worker], {time, time},
      reserve + bytes / timing_.l1WriteBytesPerCycle +
          packets(bytes) * timing_.nocPacketCycles,
      bytes);
  stream.head += reserve;
  const double departed = stream.tail;
  stream = route(noc, own, from, stream, bytes, false);
  // A line along the first direction, from which the others branch off.
  const bool across = noc == 0;
  const int side = across ? width_ : height_;
  const double cycles = linkCycles(bytes);
  double tail = stream.tail;
  for (Place at = from;;) {
    Place branch = at;
    const int end = across ? to.y : to.x;
    tail = std::max(
        tail, leg(noc, across, branch, end, stream, bytes, cycles, false).tail);
    const int here = across ? at.x : at.y;
    if (here == (across ? to.x : to.y))
      break;
    const int next = (here + (noc ? side - 1 : 1)) % side;
    stream = leg(noc, !across, at, next, stream, bytes, cycles, false);
  }
  const double arrived = tail + timing_.nocRoundTripCycles / 2;
  const double completed = tail + timing_.nocRoundTripCycles +
                           hops(noc, to, own) * timing_.nocHopCycles;
  return {departed, arrived, completed};
}

std::vector<LinkUse> NocTime::links() const {
  std::vector<LinkUse> uses;
  for (int noc = 0; noc < 2; ++noc)
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        for (int vertical = 0; vertical < 2; ++vertical) {
          const Link &link = links_[std::size_t(
              ((noc * height_ + y) * width_ + x) * 2 + vertical)];
          if (link.bytes > 0)
            uses.push_back({0, noc, x, y, vertical == 1,
                            std::uint64_t(link.bytes), link.busy});
        }
  return uses;
}

std::vector<ChannelUse> NocTime::channels() const {
  std::vector<ChannelUse> uses;
  for (std::size_t i = 0; i < channels_.size(); ++i)
    if (const Channel &channel = channels_[i]; channel.busy > 0)
      uses.push_back({0, int(i), std::uint64_t(channel.read),
                      std::uint64_t(channel.written), channel.busy});
  return uses;
}

double NocTime::busiest() const {
  double busy = 0;
  for (const Link &link : links_)
    busy = std::max(busy, link.busy);
  for (const Channel &channel : channels_)
    busy = std::max(busy, channel.busy);
  return busy;
}

} // namespace tt::runtime::clock
