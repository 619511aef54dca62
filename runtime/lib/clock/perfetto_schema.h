// The fields of Perfetto's protobuf schema that a trace uses, by their numbers.
// A test reads what is written with the published schema.
#ifndef TT_RUNTIME_CLOCK_PERFETTO_SCHEMA_H
#define TT_RUNTIME_CLOCK_PERFETTO_SCHEMA_H

#include <cstdint>

namespace tt::runtime::perfetto {

using Field = std::uint32_t;

namespace trace {
inline constexpr Field packet = 1;
} // namespace trace

namespace trace_packet {
inline constexpr Field timestamp = 8;
inline constexpr Field trusted_packet_sequence_id = 10;
inline constexpr Field track_event = 11;
inline constexpr Field interned_data = 12;
inline constexpr Field sequence_flags = 13;
inline constexpr Field track_descriptor = 60;
// Values of sequence_flags.
inline constexpr std::uint64_t SEQ_INCREMENTAL_STATE_CLEARED = 1;
inline constexpr std::uint64_t SEQ_NEEDS_INCREMENTAL_STATE = 2;
} // namespace trace_packet

namespace interned_data {
inline constexpr Field event_categories = 1;
inline constexpr Field event_names = 2;
inline constexpr Field debug_annotation_names = 3;
} // namespace interned_data

/// EventCategory, EventName and DebugAnnotationName.
namespace interned {
inline constexpr Field iid = 1;
inline constexpr Field name = 2;
} // namespace interned

namespace track_descriptor {
inline constexpr Field uuid = 1;
inline constexpr Field name = 2;
inline constexpr Field process = 3;
inline constexpr Field thread = 4;
inline constexpr Field parent_uuid = 5;
inline constexpr Field counter = 8;
inline constexpr Field child_ordering = 11;
inline constexpr Field sibling_order_rank = 12;
// Values of child_ordering.
inline constexpr std::uint64_t EXPLICIT = 3;
} // namespace track_descriptor

namespace process_descriptor {
inline constexpr Field pid = 1;
inline constexpr Field legacy_sort_index = 3;
inline constexpr Field process_name = 6;
} // namespace process_descriptor

namespace thread_descriptor {
inline constexpr Field pid = 1;
inline constexpr Field tid = 2;
inline constexpr Field legacy_sort_index = 3;
inline constexpr Field thread_name = 5;
} // namespace thread_descriptor

namespace counter_descriptor {
inline constexpr Field unit = 3;
inline constexpr Field unit_name = 6;
// Values of unit.
inline constexpr std::uint64_t UNIT_SIZE_BYTES = 3;
} // namespace counter_descriptor

namespace track_event {
inline constexpr Field category_iids = 3;
inline constexpr Field debug_annotations = 4;
inline constexpr Field type = 9;
inline constexpr Field name_iid = 10;
inline constexpr Field track_uuid = 11;
inline constexpr Field double_counter_value = 44;
inline constexpr Field flow_ids = 47;
inline constexpr Field terminating_flow_ids = 48;
// Values of type.
inline constexpr std::uint64_t TYPE_SLICE_BEGIN = 1;
inline constexpr std::uint64_t TYPE_SLICE_END = 2;
inline constexpr std::uint64_t TYPE_COUNTER = 4;
} // namespace track_event

namespace debug_annotation {
inline constexpr Field name_iid = 1;
inline constexpr Field uint_value = 3;
inline constexpr Field double_value = 5;
inline constexpr Field string_value = 6;
} // namespace debug_annotation

} // namespace tt::runtime::perfetto

#endif // TT_RUNTIME_CLOCK_PERFETTO_SCHEMA_H
