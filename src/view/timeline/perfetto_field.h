/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_PERFETTO_FIELD_H
#define VIEW_TIMELINE_PERFETTO_FIELD_H

/*
 * Numbers of fields and values of Perfetto's trace format that are written here: from
 * github.com/google/perfetto at commit ec5d16b14b74 (August 2026), folder protos/perfetto; the file
 * stands above each message's. Numbers of released fields do not change.
 */
enum perfetto_field {
	/* trace/trace.proto */
	TRACE_PACKET = 1,

	/* trace/trace_packet.proto */
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10, /* trusted_packet_sequence_id */
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_PERF_SAMPLE = 66,
	PACKET_DEFAULTS = 59, /* trace_packet_defaults */
	PACKET_TRACK_DESCRIPTOR = 60,

	/* trace/trace_packet_defaults.proto */
	DEFAULTS_CLOCK_ID = 58, /* timestamp_clock_id */

	/* trace/clock_snapshot.proto; the last two are fields of message Clock */
	SNAPSHOT_CLOCKS = 1,
	SNAPSHOT_PRIMARY = 2, /* primary_trace_clock */
	CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,

	/* trace/track_event/track_descriptor.proto */
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_CHILD_ORDERING = 11,
	TRACK_RANK = 12,  /* sibling_order_rank */
	TRACK_MERGE = 15, /* sibling_merge_behavior */

	/* trace/track_event/process_descriptor.proto, thread_descriptor.proto */
	PROCESS_PID = 1,
	PROCESS_ARGUMENT = 2,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,

	/* trace/track_event/counter_descriptor.proto */
	COUNTER_UNIT = 3,

	/* trace/track_event/track_event.proto */
	EVENT_CATEGORY_IID = 3,
	EVENT_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_COUNTER_VALUE = 30,
	EVENT_FLOW = 47,      /* flow_ids */
	EVENT_LAST_FLOW = 48, /* terminating_flow_ids */
	EVENT_CALLSTACK = 56, /* callstack_iid */
	EVENT_CALLSTACK_WEIGHT = 57,

	/* trace/track_event/debug_annotation.proto */
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_DOUBLE = 5,
	ANNOTATION_STRING = 6,
	ANNOTATION_NAME = 10,
	ANNOTATION_ENTRIES = 11,    /* dict_entries */
	ANNOTATION_VALUES = 12,	    /* array_values */
	ANNOTATION_STRING_IID = 17, /* string_value_iid */

	/* trace/interned_data/interned_data.proto */
	INTERNED_CATEGORIES = 1,
	INTERNED_EVENTS = 2,	  /* event_names */
	INTERNED_ANNOTATIONS = 3, /* debug_annotation_names */
	INTERNED_STRINGS = 29,	  /* debug_annotation_string_values */
	INTERNED_FUNCTIONS = 5,	  /* function_names */
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_BUILD_IDS = 16,
	INTERNED_MAPPING_PATHS = 17,
	INTERNED_SOURCE_PATHS = 18,
	INTERNED_MAPPINGS = 19,

	/* trace/profiling/profile_common.proto: Mapping, Frame, Callstack; with INTERNED_IID */
	MAPPING_BUILD_ID = 2,
	MAPPING_PATH = 7, /* path_string_ids */
	FRAME_FUNCTION = 2,
	FRAME_MAPPING = 3,
	FRAME_ADDRESS = 4, /* rel_pc */
	FRAME_SOURCE_PATH = 5,
	FRAME_LINE = 6,
	CALLSTACK_FRAME = 2, /* frame_ids */

	/* trace/profiling/profile_packet.proto, PerfSample */
	SAMPLE_PID = 2,
	SAMPLE_TID = 3,
	SAMPLE_CALLSTACK = 4,
	SAMPLE_MODE = 5,     /* cpu_mode */
	SAMPLE_TIMEBASE = 6, /* timebase_count */

	/* EventCategory, EventName, DebugAnnotationName, InternedString (str): the same in each */
	INTERNED_IID = 1,
	INTERNED_NAME = 2,
};

enum perfetto_value {
	/* trace/trace_packet.proto, SequenceFlags */
	SEQUENCE_CLEARED = 1, /* SEQ_INCREMENTAL_STATE_CLEARED */
	SEQUENCE_NEEDS = 2,   /* SEQ_NEEDS_INCREMENTAL_STATE */

	/* common/builtin_clock.proto, BuiltinClock */
	CLOCK_OF_EPOCH = 1, /* BUILTIN_CLOCK_REALTIME */
	CLOCK_OF_TRACE = 3, /* BUILTIN_CLOCK_MONOTONIC */

	/* trace/track_event/track_event.proto, Type */
	EVENT_BEGIN = 1,   /* TYPE_SLICE_BEGIN */
	EVENT_END = 2,	   /* TYPE_SLICE_END */
	EVENT_INSTANT = 3, /* TYPE_INSTANT */
	EVENT_COUNTER = 4, /* TYPE_COUNTER */

	/* trace/track_event/counter_descriptor.proto, Unit */
	UNIT_BYTES = 3, /* UNIT_SIZE_BYTES */

	/* trace/profiling/profile_packet.proto, CpuMode */
	MODE_USER = 2,

	/* trace/track_event/track_descriptor.proto */
	ORDERING_EXPLICIT = 3, /* ChildTracksOrdering.EXPLICIT */
	MERGE_NONE = 2,	       /* SIBLING_MERGE_BEHAVIOR_NONE */
};

#endif
