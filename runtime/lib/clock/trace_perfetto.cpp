// Perfetto's protobuf: one sequence of packets with the names first, a
// descriptor of each track, and events in the order of their times.
#include "clock/perfetto_schema.h"
#include "clock/trace_writers.h"

#include "common/text.h"

#include <algorithm>
#include <bit>

namespace tt::runtime {

namespace {

using namespace perfetto;

/// A message of protobuf, as bytes.
class Message {
public:
  Message &varint(Field field, std::uint64_t value) {
    tag(field, 0);
    raw(value);
    return *this;
  }
  Message &fixed64(Field field, std::uint64_t value) {
    tag(field, 1);
    for (int shift = 0; shift < 64; shift += 8)
      bytes_ += char(value >> shift & 0xff);
    return *this;
  }
  Message &real(Field field, double value) {
    return fixed64(field, std::bit_cast<std::uint64_t>(value));
  }
  Message &text(Field field, std::string_view text) {
    return bytes(field, validUtf8(text));
  }
  Message &message(Field field, const Message &inner) {
    return bytes(field, inner.bytes_);
  }
  const std::string &data() const { return bytes_; }

private:
  Message &bytes(Field field, std::string_view data) {
    tag(field, 2);
    raw(data.size());
    bytes_ += data;
    return *this;
  }
  void tag(Field field, unsigned wireType) { raw(field << 3 | wireType); }
  void raw(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes_ += char(value | 0x80);
    bytes_ += char(value);
  }

  std::string bytes_;
};

constexpr std::uint64_t kSequence = 1;

class PerfettoWriter {
public:
  PerfettoWriter(const Trace &trace, const TraceSink &sink)
      : trace_(trace), view_(trace), out_(sink) {}

  void write() {
    collect();
    names();
    for (const TraceView::Process &process : view_.processes())
      describe(process);
    for (const TraceView::Track &track : view_.tracks())
      describe(track);
    counters();
    // Events of one time keep the order that they have on their track.
    std::stable_sort(
        events_.begin(), events_.end(),
        [](const Event &a, const Event &b) { return a.time < b.time; });
    for (const Event &event : events_)
      write(event);
    out_.flush(true);
  }

private:
  /// The begin or end of a slice, or a sample.
  struct Event {
    std::uint64_t time;
    std::uint32_t id; // of the track
    bool end;
    Trace::Mark mark; // of a slice
    double value = 0; // of a sample
  };

  void packet(Message packet, std::uint64_t flags) {
    packet.varint(trace_packet::trusted_packet_sequence_id, kSequence)
        .varint(trace_packet::sequence_flags, flags);
    out_.text += Message().message(trace::packet, packet).data();
    out_.flush();
  }
  void packet(Message data) {
    packet(std::move(data), trace_packet::SEQ_NEEDS_INCREMENTAL_STATE);
  }

  void collect() {
    for (const TraceView::Track &track : view_.tracks()) {
      std::vector<TraceView::Slice> open;
      const auto closeUntil = [&](std::uint64_t time) {
        for (; !open.empty() && open.back().end <= time; open.pop_back())
          events_.push_back({open.back().end, std::uint32_t(track.id), true,
                             open.back().mark});
      };
      for (const TraceView::Slice &slice : view_.slices(track)) {
        closeUntil(slice.begin);
        events_.push_back(
            {slice.begin, std::uint32_t(track.id), false, slice.mark});
        for (const TraceArgument &argument : view_.arguments(*slice.slice))
          annotations_.try_emplace(argument.key, annotations_.size() + 1);
        open.push_back(slice);
      }
      closeUntil(~std::uint64_t(0));
    }
  }

  /// Names by their numbers, which count from 1.
  void names() {
    Message data;
    const auto add = [&](Field field, std::uint64_t iid,
                         std::string_view text) {
      data.message(
          field,
          Message().varint(interned::iid, iid).text(interned::name, text));
    };
    for (int i = 0; i < kCategories; ++i)
      add(interned_data::event_categories, std::uint64_t(i) + 1,
          categoryName(Category(i)));
    for (std::size_t i = 0; i < trace_.names().size(); ++i)
      add(interned_data::event_names, i + 1, trace_.names()[i].text);
    for (const auto &[key, iid] : annotations_)
      add(interned_data::debug_annotation_names, iid, key);
    packet(Message().message(trace_packet::interned_data, data),
           trace_packet::SEQ_INCREMENTAL_STATE_CLEARED |
               trace_packet::SEQ_NEEDS_INCREMENTAL_STATE);
  }

  void describe(const Message &track) {
    packet(Message().message(trace_packet::track_descriptor, track));
  }

  void describe(const TraceView::Process &process) {
    Message data;
    data.varint(process_descriptor::pid, std::uint64_t(process.id))
        .varint(process_descriptor::legacy_sort_index,
                std::uint64_t(process.id))
        .text(process_descriptor::process_name, process.name);
    describe(Message()
                 .varint(track_descriptor::uuid, std::uint64_t(process.id))
                 .message(track_descriptor::process, data)
                 .varint(track_descriptor::child_ordering,
                         track_descriptor::EXPLICIT));
  }

  void describe(const TraceView::Track &track) {
    const auto id = std::uint64_t(track.id);
    Message data;
    data.varint(track_descriptor::uuid, id);
    if (trace_.tracks()[track.index].key.kind == TrackKind::Thread) {
      Message thread;
      thread.varint(thread_descriptor::pid, std::uint64_t(track.process))
          .varint(thread_descriptor::tid, id)
          .varint(thread_descriptor::legacy_sort_index, id)
          .text(thread_descriptor::thread_name, track.name);
      data.message(track_descriptor::thread, thread);
    } else {
      data.text(track_descriptor::name, track.name);
    }
    data.varint(track_descriptor::parent_uuid, parent(track))
        .varint(track_descriptor::sibling_order_rank, id);
    describe(data);
  }

  /// The process, or the track that has those of a group below it.
  std::uint64_t parent(const TraceView::Track &track) {
    const auto process = std::uint64_t(track.process);
    if (track.group.empty())
      return process;
    const auto [found, made] =
        groups_.try_emplace({track.process, track.group}, 0);
    if (made) {
      found->second = nextId();
      describe(Message()
                   .varint(track_descriptor::uuid, found->second)
                   .text(track_descriptor::name, track.group)
                   .varint(track_descriptor::parent_uuid, process)
                   .varint(track_descriptor::sibling_order_rank,
                           std::uint64_t(track.id))
                   .varint(track_descriptor::child_ordering,
                           track_descriptor::EXPLICIT));
    }
    return found->second;
  }

  void counters() {
    for (const Trace::Counter &counter : trace_.counters()) {
      const std::uint64_t id = nextId();
      Message unit;
      if (counter.unit == "bytes")
        unit.varint(counter_descriptor::unit,
                    counter_descriptor::UNIT_SIZE_BYTES);
      else
        unit.text(counter_descriptor::unit_name, counter.unit);
      const int process = view_.process(counter.process).id;
      describe(
          Message()
              .varint(track_descriptor::uuid, id)
              .text(track_descriptor::name, counter.name)
              .varint(track_descriptor::parent_uuid, std::uint64_t(process))
              .message(track_descriptor::counter, unit));
      for (const auto &[time, value] : counter.samples)
        events_.push_back({view_.nanoseconds(time), std::uint32_t(id), false,
                           Trace::Mark(), value});
    }
  }

  void write(const Event &event) {
    Message data;
    data.varint(track_event::track_uuid, event.id);
    if (!event.mark) {
      data.varint(track_event::type, track_event::TYPE_COUNTER)
          .real(track_event::double_counter_value, event.value);
    } else if (event.end) {
      data.varint(track_event::type, track_event::TYPE_SLICE_END);
    } else {
      data.varint(track_event::type, track_event::TYPE_SLICE_BEGIN);
      begin(data, event.mark);
    }
    packet(Message()
               .varint(trace_packet::timestamp, event.time)
               .message(trace_packet::track_event, data));
  }

  void begin(Message &data, Trace::Mark mark) {
    const Trace::Slice &slice = trace_.tracks()[mark.track].slices[mark.slice];
    data.varint(track_event::name_iid, slice.name + 1)
        .varint(track_event::category_iids,
                std::uint64_t(view_.name(slice).category) + 1);
    for (const TraceArgument &argument : view_.arguments(slice)) {
      Message annotation;
      annotation.varint(debug_annotation::name_iid,
                        annotations_.at(argument.key));
      if (auto const *text = std::get_if<std::string>(&argument.value))
        annotation.text(debug_annotation::string_value, *text);
      else if (auto const *real = std::get_if<double>(&argument.value))
        annotation.real(debug_annotation::double_value, *real);
      else
        annotation.varint(debug_annotation::uint_value,
                          std::get<std::uint64_t>(argument.value));
      data.message(track_event::debug_annotations, annotation);
    }
    for (const TraceView::Arrow &arrow : view_.arrows(mark))
      data.fixed64(arrow.leaves ? track_event::flow_ids
                                : track_event::terminating_flow_ids,
                   arrow.id);
  }

  std::uint64_t nextId() {
    return std::uint64_t(view_.idAfterTracks()) + more_++;
  }

  const Trace &trace_;
  TraceView view_;
  TraceBuffer out_;
  std::vector<Event> events_;
  std::map<std::string, std::uint64_t> annotations_;            // numbers
  std::map<std::pair<int, std::string>, std::uint64_t> groups_; // ids
  std::uint64_t more_ = 0;
};

} // namespace

void writePerfetto(const Trace &trace, const TraceSink &sink) {
  PerfettoWriter(trace, sink).write();
}

void writeTrace(const Trace &trace, TraceFormat format, const TraceSink &sink) {
  trace.check();
  format == TraceFormat::Json ? writeJson(trace, sink)
                              : writePerfetto(trace, sink);
}

} // namespace tt::runtime
