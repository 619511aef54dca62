#include "clock/fabric_time.h"

#include "tt/runtime/error.h"

#include <algorithm>
#include <set>

namespace tt::runtime::clock {

namespace {

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Packets of a message and their bytes on the wire.
struct Packets {
  std::int64_t count = 0, wireBytes = 0;
};

Packets packetsOf(std::int64_t bytes, std::int64_t pageBytes,
                  const ArchEthernet &link) {
  const auto one = [&](std::int64_t payload) {
    const std::int64_t body = payload + link.packetHeaderBytes;
    return body + ceilDiv(body, link.frameBytes) * link.frameOverheadBytes;
  };
  // `count` times `part` bytes in packets of at most `most`.
  const auto cut = [&](std::int64_t part, std::int64_t most,
                       std::int64_t times) -> Packets {
    const std::int64_t full = part / most, rest = part % most;
    return {times * (full + (rest ? 1 : 0)),
            times * (full * one(most) + (rest ? one(rest) : 0))};
  };
  if (pageBytes <= 0)
    return cut(bytes, link.packetBytes, 1);
  if (pageBytes > link.packetBytes)
    return cut(pageBytes, link.packetBytes, bytes / pageBytes);
  return cut(bytes, link.packetBytes / pageBytes * pageBytes, 1);
}

} // namespace

FabricTime::FabricTime(SystemDesc desc, ::tt::target::Arch arch,
                       std::vector<std::uint32_t> chipIds,
                       std::vector<std::uint32_t> meshShape)
    : desc_(std::move(desc)), arch_(archData(arch)),
      chipIds_(std::move(chipIds)), meshShape_(std::move(meshShape)) {
  if (chipIds_.empty() || chipIds_.size() != meshVolume(meshShape_))
    raise(ErrorCategory::Argument, "expected ", meshVolume(meshShape_),
          " chips for mesh ", meshString(meshShape_), ", found ",
          chipIds_.size());
  std::set<std::uint32_t> seen;
  for (std::uint32_t id : chipIds_)
    if (!seen.insert(id).second)
      raise(ErrorCategory::Argument, "expected different chips in mesh ",
            meshString(meshShape_), ", found chip ", id, " twice");
  for (std::uint32_t axis = 0; axis < meshShape_.size(); ++axis)
    for (const CollectiveGroup &line : groupsAlong(meshShape_, axis)) {
      for (std::size_t i = 0; i + 1 < line.size(); ++i)
        join(line[i], line[i + 1]);
      if (line.size() > 2)
        join(line.back(), line.front());
    }
  for (std::uint32_t axis = 0; axis < meshShape_.size(); ++axis) {
    bool wraps = meshShape_[axis] > 2;
    for (const CollectiveGroup &line : groupsAlong(meshShape_, axis))
      wraps = wraps && linksBetween(line.back(), line.front());
    wraps_.push_back(wraps);
  }
}

void FabricTime::join(std::uint32_t a, std::uint32_t b) {
  auto const *channels = desc_->chip_channels();
  Edge there{a, b, {}}, back{b, a, {}};
  const std::uint32_t chipA = chipIds_[a], chipB = chipIds_[b];
  for (std::uint32_t i = 0; channels && i < channels->size(); ++i) {
    auto const *channel = channels->Get(i);
    const std::uint32_t first = channel->device_id0();
    const std::uint32_t second = channel->device_id1();
    if (!(first == chipA && second == chipB) &&
        !(first == chipB && second == chipA))
      continue;
    there.links.push_back(links_.size());
    links_.push_back({chipA, chipB, i});
    back.links.push_back(links_.size());
    links_.push_back({chipB, chipA, i});
  }
  if (there.links.empty())
    return;
  if (arch_.ethernet.linkBytesPerSecond <= 0)
    raise(ErrorCategory::Unsupported, "chips ", chipA, " and ", chipB,
          " have a link, but ", arch_.name, " has no Ethernet");
  edges_.push_back(std::move(there));
  edges_.push_back(std::move(back));
}

const FabricTime::Edge *FabricTime::edge(std::uint32_t from,
                                         std::uint32_t to) const {
  for (const Edge &edge : edges_)
    if (edge.from == from && edge.to == to)
      return &edge;
  return nullptr;
}

std::uint32_t FabricTime::linksBetween(std::uint32_t from,
                                       std::uint32_t to) const {
  const Edge *found = edge(from, to);
  return found ? std::uint32_t(found->links.size()) : 0;
}

void FabricTime::expectLinks(std::uint32_t from, std::uint32_t to,
                             std::uint32_t numLinks) const {
  const std::uint32_t found = linksBetween(from, to);
  if (found >= numLinks && found > 0)
    return;
  raise(ErrorCategory::SystemMismatch, "expected ",
        numLinks > 1 ? std::to_string(numLinks) + " Ethernet links"
                     : "an Ethernet link",
        " between chips ", chipIds_[from], " and ", chipIds_[to],
        " (positions ", from, " and ", to, " of mesh ", meshString(meshShape_),
        "), found ", found ? std::to_string(found) : "none", " in the system");
}

std::vector<FabricHop> FabricTime::route(std::uint32_t from, std::uint32_t to,
                                         FabricWay way,
                                         std::uint32_t numLinks) const {
  std::vector<FabricHop> hops;
  std::uint32_t stride = 1, at = from;
  for (std::size_t axis = meshShape_.size(); axis-- > 0;) {
    const std::uint32_t extent = meshShape_[axis];
    const std::uint32_t source = from / stride % extent;
    const std::uint32_t target = to / stride % extent;
    const std::uint32_t ahead = (target + extent - source) % extent;
    const bool ring = way.wrap && wraps_[axis];
    // For the opposite chip of a ring, neighbours send in different directions.
    const bool up = !ring                 ? target > source
                    : 2 * ahead == extent ? (source % 2 == 0) != way.other
                                          : 2 * ahead < extent;
    for (std::uint32_t place = source; place != target;) {
      const std::uint32_t next = (place + (up ? 1 : extent - 1)) % extent;
      const std::uint32_t position = at - place * stride + next * stride;
      expectLinks(at, position, numLinks);
      hops.push_back({at, position});
      at = position;
      place = next;
    }
    stride *= extent;
  }
  return hops;
}

void FabricTime::sendHop(const Edge &edge, const Message &message, Front &front,
                         std::vector<double> &worked) {
  const ArchData &data = arch_;
  const double perByte =
      data.cost.clockHz / data.ethernet.linkBytesPerSecond; // cycles
  const double hop = data.ethernet.hopSeconds * data.cost.clockHz;
  const std::int64_t unit =
      message.pageBytes > 0 ? message.pageBytes : data.ethernet.packetBytes;
  const std::int64_t units = ceilDiv(message.bytes, unit);
  double first = 0, last = 0;
  for (std::uint32_t i = 0; i < message.numLinks; ++i) {
    const std::int64_t begin = units * i / message.numLinks * unit;
    const std::int64_t end =
        std::min(message.bytes, units * (i + 1) / message.numLinks * unit);
    if (begin >= end)
      continue;
    const Packets packets =
        packetsOf(end - begin, message.pageBytes, data.ethernet);
    FabricLink &link = links_[edge.links[i]];
    const double wire = double(packets.wireBytes) * perByte;
    const double time = message.pace > 0
                            ? std::max(wire, double(end - begin) / message.pace)
                            : wire;
    const double packet = time / double(packets.count);
    const double start = std::max(link.free, front.head);
    const double stop = std::max(start + time, front.tail + packet);
    link.bytes += std::uint64_t(end - begin);
    link.wireBytes += std::uint64_t(packets.wireBytes);
    link.packets += std::uint64_t(packets.count);
    link.busy += wire;
    worked[edge.links[i]] += time;
    link.free = stop;
    if (keepSlices_)
      slices_.push_back(
          {edge.links[i], start, stop, std::uint32_t(end - begin)});
    first = first > 0 ? std::min(first, start + packet) : start + packet;
    last = std::max(last, stop);
  }
  front = {first + hop, last + hop};
}

double FabricTime::send(std::uint32_t from, std::uint32_t to,
                        const Message &message, double ready) {
  const Shipment shipment{from, to, message};
  return sendAll({&shipment, 1}, ready).end;
}

FabricTime::Delivery FabricTime::sendAll(std::span<const Shipment> shipments,
                                         double ready) {
  struct Travel {
    const Message *message;
    std::vector<FabricHop> hops;
    Front front;
  };
  std::vector<Travel> travels;
  std::size_t most = 0;
  for (const auto &[from, to, message] : shipments) {
    if (message.bytes <= 0)
      continue;
    travels.push_back(
        {&message,
         route(from, to, message.way, std::max(1u, message.numLinks)),
         {ready, ready}});
    most = std::max(most, travels.back().hops.size());
  }
  std::vector<double> worked(links_.size(), 0);
  for (std::size_t k = 0; k < most; ++k)
    for (Travel &travel : travels)
      if (k < travel.hops.size())
        sendHop(*edge(travel.hops[k].from, travel.hops[k].to), *travel.message,
                travel.front, worked);
  Delivery delivery{ready, 0};
  for (const Travel &travel : travels)
    delivery.end = std::max(delivery.end, travel.front.tail);
  for (double time : worked)
    delivery.busiest = std::max(delivery.busiest, time);
  return delivery;
}

void FabricTime::restart() {
  for (FabricLink &link : links_)
    link = {link.fromChip, link.toChip, link.channel};
  slices_.clear();
}

void FabricTime::addTo(Trace &trace, const char *name, double begin) const {
  for (const Slice &slice : slices_) {
    const FabricLink &link = links_[slice.link];
    trace.add(trace.track(
                  TrackKey::ethernet(link.fromChip, link.toChip, link.channel)),
              {name, Category::Ethernet, "bytes"}, begin + slice.begin,
              begin + slice.end, slice.bytes);
  }
}

std::vector<EthernetUse> FabricTime::use() const {
  std::vector<EthernetUse> uses;
  for (const FabricLink &link : links_)
    if (link.packets)
      uses.push_back({link.fromChip, link.toChip, link.channel, link.bytes,
                      link.wireBytes, link.packets, link.busy});
  return uses;
}

} // namespace tt::runtime::clock
