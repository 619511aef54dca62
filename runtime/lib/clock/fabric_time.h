// When messages arrive that go over the Ethernet links between the chips of a
// mesh.
//
// A mesh is chips by position (the row-major index). Links of the system join
// mesh neighbours. An axis of more than two chips wraps around if the system
// has the link for it.
//
// Times are cycles of the AI clock from the last restart(). The model of a
// link: a packet takes its bytes on the wire (header and Ethernet frames
// included) at the rate of the link, packets follow each other in the order of
// the calls, and a packet is forwarded when all of it has arrived. Constants
// are in runtime/data. Not thread-safe: one run at a time.
#ifndef TT_RUNTIME_CLOCK_FABRIC_TIME_H
#define TT_RUNTIME_CLOCK_FABRIC_TIME_H

#include "clock/trace.h"
#include "common/arch.h"
#include "common/collective.h"
#include "tt/runtime/report.h"
#include "tt/runtime/types.h"

#include <span>
#include <vector>

namespace tt::runtime::clock {

/// One direction of a link.
struct FabricLink {
  std::uint32_t fromChip = 0, toChip = 0; // ids
  std::uint32_t channel = 0;              // index in chip_channels
  std::uint64_t bytes = 0;                // payload
  std::uint64_t wireBytes = 0;            // with headers and frames
  std::uint64_t packets = 0;
  double busy = 0; // cycles
  double free = 0; // when the next packet may start
};

/// From one position to a neighbour.
struct FabricHop {
  std::uint32_t from, to;
  bool operator==(const FabricHop &) const = default;
};

/// The direction of a message on axes that wrap around.
struct FabricWay {
  bool wrap = true;   // the shorter one, else never over the end
  bool other = false; // of two that are equally short, the second
};

class FabricTime {
public:
  /// The ids of the chips by position, all of one architecture. Throws
  /// Error(Argument) unless there is one for each position of the mesh and none
  /// is there twice.
  FabricTime(SystemDesc desc, ::tt::target::Arch arch,
             std::vector<std::uint32_t> chipIds,
             std::vector<std::uint32_t> meshShape);

  const std::vector<std::uint32_t> &meshShape() const { return meshShape_; }
  std::uint32_t positions() const { return std::uint32_t(chipIds_.size()); }
  const ArchData &arch() const { return arch_; }

  /// Links from a position to another one: 0 where they are not joined.
  std::uint32_t linksBetween(std::uint32_t from, std::uint32_t to) const;
  /// True if the axis has more than two chips and every line of chips along it
  /// has the link from its last to its first one.
  bool wraps(std::uint32_t axis) const { return wraps_[axis]; }

  /// Throws Error(SystemMismatch), which names both chips and the mesh, unless
  /// the positions are joined by at least `numLinks` links.
  void expectLinks(std::uint32_t from, std::uint32_t to,
                   std::uint32_t numLinks) const;

  /// The route between two positions, axis by axis, the last axis first. To the
  /// opposite chip of an axis that wraps(), even coordinates go up and odd ones
  /// down. Throws as expectLinks().
  std::vector<FabricHop> route(std::uint32_t from, std::uint32_t to,
                               FabricWay way = {},
                               std::uint32_t numLinks = 1) const;

  /// What a message asks of the links.
  struct Message {
    std::int64_t bytes = 0;
    // Packets carry whole pages of this size where one fits; 0: any bytes.
    std::int64_t pageBytes = 0;
    std::uint32_t numLinks = 1; // that share the packets
    // Bytes per cycle and link that the sender can feed; 0: any rate.
    double pace = 0;
    FabricWay way = {};
  };
  struct Shipment {
    std::uint32_t from, to; // positions
    Message message;
  };
  /// When the last byte arrives, and how long the busiest link worked.
  struct Delivery {
    double end, busiest;
  };
  /// Accounts a message on every link of its route and returns the time at
  /// which its last byte arrives. Moves no data.
  double send(std::uint32_t from, std::uint32_t to, const Message &message,
              double ready);
  double send(std::uint32_t from, std::uint32_t to, std::int64_t bytes,
              double ready, std::uint32_t numLinks = 1) {
    return send(from, to, Message{bytes, 0, numLinks}, ready);
  }
  /// Accounts messages that are sent at one time: a link forwards those first
  /// that have passed fewer hops, then those that are earlier in the list.
  Delivery sendAll(std::span<const Shipment> shipments, double ready);

  /// All directed links, by channel; counts since the last restart().
  const std::vector<FabricLink> &links() const { return links_; }
  /// Clears counts and clocks.
  void restart();
  /// When the links work is kept for addTo() from now on.
  void keepSlices(bool keep) { keepSlices_ = keep; }
  /// Adds it to a timeline as `name`, which lives as long; `begin` is when the
  /// clocks were 0.
  void addTo(Trace &trace, const char *name, double begin) const;
  /// The links that moved something, for a report.
  std::vector<EthernetUse> use() const;

private:
  struct Edge {
    std::uint32_t from, to;
    std::vector<std::size_t> links; // indices
  };
  /// When the first and the last packet of a message are ready to be sent.
  struct Front {
    double head, tail;
  };
  /// A time in which a link worked.
  struct Slice {
    std::size_t link; // index
    double begin, end;
    std::uint32_t bytes;
  };
  void join(std::uint32_t a, std::uint32_t b);
  const Edge *edge(std::uint32_t from, std::uint32_t to) const;
  /// Adds the time in which links work to `worked`, by link.
  void sendHop(const Edge &edge, const Message &message, Front &front,
               std::vector<double> &worked);

  SystemDesc desc_;
  const ArchData &arch_;
  std::vector<std::uint32_t> chipIds_;
  std::vector<std::uint32_t> meshShape_;
  std::vector<bool> wraps_; // by axis
  std::vector<Edge> edges_;
  std::vector<FabricLink> links_;
  std::vector<Slice> slices_;
  bool keepSlices_ = false;
};

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_FABRIC_TIME_H
