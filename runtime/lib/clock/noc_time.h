// When transfers arrive: the two networks on chip as tori of links, the ports
// of cores, and the DRAM channels.
//
// A transfer occupies the ports and links of its route in order, each from when
// it is free, for bytes / rate; its head reaches the next one a hop later
// (cut-through). NOC0 routes to the right, then down; NOC1 up, then to the
// left; both wrap around. Calls come in the order of their times.
#ifndef TT_RUNTIME_CLOCK_NOC_TIME_H
#define TT_RUNTIME_CLOCK_NOC_TIME_H

#include "clock/noc_map.h"
#include "common/arch.h"
#include "tt/runtime/report.h"

#include <array>
#include <optional>
#include <vector>

namespace tt::runtime::clock {

/// A router of the torus.
struct NocPlace {
  int x, y;
};

/// The NoC nodes of a chip's workers and DRAM channels, and the extents of its
/// torus.
struct NocPlaces {
  NocPlaces(const ArchTiming &timing, const ChipGeometry &geometry);

  std::vector<NocPlace> workers, channels;
  int width, height;
};

class NocTime {
public:
  /// With a trace, links and channels get tracks, of the chip at position
  /// `device`; cycle 0 is `start` there.
  NocTime(const ArchTiming &timing, const ChipGeometry &geometry,
          Trace *trace = nullptr, double start = 0, std::uint32_t device = 0);

  /// The times of a transfer that a thread can observe: when its bytes have
  /// left, when they have arrived, and when a barrier sees it; and how long it
  /// queued for a DRAM channel and was served there.
  struct Times {
    double departed, arrived, completed, dram = 0;
  };

  /// Transfers that core `worker` starts at `time`.
  Times read(int noc, std::uint32_t worker, NocMap::Node from, double bytes,
             double time);
  Times write(int noc, std::uint32_t worker, NocMap::Node to, double bytes,
              double time);
  /// To the workers of logical columns x0 to x1 and rows y0 to y1.
  Times multicast(int noc, std::uint32_t worker, int x0, int y0, int x1, int y1,
                  double bytes, double time);

  std::vector<LinkUse> links() const;
  std::vector<ChannelUse> channels() const;
  /// Busy cycles of the busiest link or channel.
  double busiest() const;

private:
  using Place = NocPlace;
  /// What every transfer reads is in the first cache line.
  struct alignas(64) Link {
    double free = 0, busy = 0, bytes = 0;
    /// The end of the last gap; less than any time if there is none.
    double lastGapEnd = -1;
    /// The last times in which it was idle, in order, from `first` on.
    static constexpr std::uint32_t kGaps = 8;
    std::uint32_t first = 0, count = 0;
    struct Gap {
      double begin, end;
    };
    alignas(64) std::array<Gap, kGaps> gaps;
    Gap &gap(std::uint32_t i) { return gaps[(first + i) % kGaps]; }
    /// From when on it is occupied for `cycles`, not before `time`. Data of
    /// reads pass others that wait: in a gap.
    double occupy(double time, double cycles, bool passes);
  };
  struct Channel {
    double free = 0, busy = 0, read = 0, written = 0;
  };
  /// The times of the first and the last flit of a transfer.
  struct Stream {
    double head, tail;
  };

  Place placeOf(NocMap::Node node) const;
  int hops(int noc, Place from, Place to) const;
  double packets(double bytes) const;
  /// Occupies a port or link for `cycles`.
  static Stream pass(Link &link, Stream stream, double cycles, double bytes);
  /// Cycles of a link.
  double linkCycles(double bytes) const;
  /// Goes along x, or y if `vertical`, until that coordinate of `at` is
  /// `until`; `cycles` are those of a link.
  Stream leg(int noc, bool vertical, Place &at, int until, Stream stream,
             double bytes, double cycles, bool passes);
  Stream route(int noc, Place from, Place to, Stream stream, double bytes,
               bool passes);
  /// A channel is busy with `bytes` from `time` on; returns when it begins.
  double serve(Channel &channel, double time, double cycles);

  /// A slice on the track of a link or channel.
  void traceLink(const Link &link, double begin, double cycles, double bytes);
  void traceChannel(std::uint32_t channel, bool read, double begin,
                    double bytes);

  const ArchTiming &timing_;
  Trace *trace_;
  double start_;
  std::uint32_t device_;
  const NocPlaces places_;
  const int width_, height_, gridX_;
  std::vector<Link> links_;           // noc, y, x, direction
  std::vector<Link> inject_, absorb_; // noc, worker
  std::vector<Channel> channels_;
  std::vector<std::optional<std::uint32_t>> linkTracks_; // of the trace
};

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_NOC_TIME_H
