/* SPDX-License-Identifier: MIT */
#ifndef PRINT_EVENTS_H
#define PRINT_EVENTS_H

/* The part of print_layouts for model/event.h. */

static void print_call(void)
{
	STRUCT(call);
	FIELD(call, frame);
	FIELD(call, enter);
	FIELD(call, leave);
	FIELD(call, made);
	FIELD(call, result);
	FIELD(call, name);
	FIELD(call, api);
	FIELD(call, records);
	FIELD(call, number);
}

static void print_mark(void)
{
	STRUCT(mark);
	FIELD(mark, frame);
	FIELD(mark, enter);
	FIELD(mark, payload);
	FIELD(mark, id);
	FIELD(mark, name);
	FIELD(mark, domain);
	FIELD(mark, api);
	FIELD(mark, payload_kind);
	FIELD(mark, color);
	FIELD(mark, category);
	FIELD(mark, category_name);
}

static void print_allocation(void)
{
	STRUCT(allocation);
	FIELD(allocation, frame);
	FIELD(allocation, enter);
	FIELD(allocation, leave);
	FIELD(allocation, address);
	FIELD(allocation, bytes);
	FIELD(allocation, api);
	FIELD(allocation, memory);
	FIELD(allocation, device);
	FIELD(allocation, context);
	FIELD(allocation, name);
}

static void print_wait(void)
{
	STRUCT(wait);
	FIELD(wait, frame);
	FIELD(wait, enter);
	FIELD(wait, leave);
	FIELD(wait, event);
	FIELD(wait, device);
	FIELD(wait, context);
	FIELD(wait, api);
	FIELD(wait, kind);
	FIELD(wait, stream);
}

static void print_queue(void)
{
	STRUCT(queue);
	FIELD(queue, frame);
	FIELD(queue, enter);
	FIELD(queue, leave);
	FIELD(queue, properties);
	FIELD(queue, device);
	FIELD(queue, context);
	FIELD(queue, api);
	FIELD(queue, priority);
	FIELD(queue, stream);
}

static void print_overhead(void)
{
	STRUCT(overhead);
	FIELD(overhead, frame);
	FIELD(overhead, enter);
	FIELD(overhead, leave);
	FIELD(overhead, count);
	FIELD(overhead, object);
	FIELD(overhead, api);
	FIELD(overhead, kind);
	FIELD(overhead, reserved);
}

static void print_sample(void)
{
	STRUCT(sample);
	FIELD(sample, frame);
	FIELD(sample, enter);
	FIELD(sample, weight);
	FIELD(sample, spare);
	FIELD(sample, api);
	FIELD(sample, clock);
	FIELD(sample, reserved);
}

static void print_use(void)
{
	STRUCT(use);
	FIELD(use, frame);
	FIELD(use, enter);
	FIELD(use, address);
	FIELD(use, offset);
	FIELD(use, bytes);
	FIELD(use, api);
	FIELD(use, access);
	FIELD(use, argument);
	FIELD(use, record);
}

static void print_change(void)
{
	STRUCT(change);
	FIELD(change, frame);
	FIELD(change, enter);
	FIELD(change, use);
	FIELD(change, same);
	FIELD(change, changed);
	FIELD(change, api);
	FIELD(change, reason);
	FIELD(change, same_words);
	FIELD(change, hash);
}

static void print_pattern(void)
{
	STRUCT(pattern);
	FIELD(pattern, frame);
	FIELD(pattern, enter);
	FIELD(pattern, use);
	FIELD(pattern, elements);
	FIELD(pattern, distinct);
	FIELD(pattern, rounded_distinct);
	FIELD(pattern, api);
	FIELD(pattern, type);
	FIELD(pattern, width);
	FIELD(pattern, kinds);
	FIELD(pattern, rounded_kinds);
	FIELD(pattern, narrow_signed);
	FIELD(pattern, narrow_unsigned);
	FIELD(pattern, narrow_tail);
	FIELD(pattern, narrow_rounded);
	FIELD(pattern, level);
	FIELD(pattern, reserved);
	STRUCT(pattern_value);
	FIELD(pattern_value, frame);
	FIELD(pattern_value, enter);
	FIELD(pattern_value, use);
	FIELD(pattern_value, value);
	FIELD(pattern_value, count);
	FIELD(pattern_value, api);
	FIELD(pattern_value, kind);
	FIELD(pattern_value, reserved);
	FIELD(pattern_value, error);
}

static void print_managed(void)
{
	STRUCT(managed);
	FIELD(managed, frame);
	FIELD(managed, enter);
	FIELD(managed, leave);
	FIELD(managed, value);
	FIELD(managed, address);
	FIELD(managed, api);
	FIELD(managed, kind);
	FIELD(managed, cause);
	FIELD(managed, source);
	FIELD(managed, target);
	FIELD(managed, stream);
	VALUE(managed_kind, MANAGED_, HOST_TO_DEVICE);
	VALUE(managed_kind, MANAGED_, DEVICE_TO_HOST);
	VALUE(managed_kind, MANAGED_, HOST_FAULT);
	VALUE(managed_kind, MANAGED_, DEVICE_FAULT);
	VALUE(managed_kind, MANAGED_, THRASHING);
	VALUE(managed_kind, MANAGED_, THROTTLING);
	VALUE(managed_kind, MANAGED_, REMOTE_MAP);
	VALUE(managed_kind, MANAGED_, DEVICE_TO_DEVICE);
	VALUE(managed_flag, MANAGED_, MOMENT);
}

static void print_recorded(void)
{
	STRUCT(recorded);
	FIELD(recorded, frame);
	FIELD(recorded, enter);
	FIELD(recorded, leave);
	FIELD(recorded, event);
	FIELD(recorded, device);
	FIELD(recorded, context);
	FIELD(recorded, api);
	FIELD(recorded, reserved);
	FIELD(recorded, stream);
}

static void print_attribute(void)
{
	STRUCT(attribute);
	FIELD(attribute, frame);
	FIELD(attribute, enter);
	FIELD(attribute, value);
	FIELD(attribute, reserved);
	FIELD(attribute, api);
	FIELD(attribute, number);
	FIELD(attribute, device);
	VALUE(attribute_number, ATTRIBUTE_, MEMORY);
	VALUE(attribute_number, ATTRIBUTE_, UUID);
}

static void print_source_lines(void)
{
	STRUCT(source_line);
	FIELD(source_line, frame);
	FIELD(source_line, enter);
	FIELD(source_line, count);
	FIELD(source_line, zeros);
	FIELD(source_line, silent);
	FIELD(source_line, api);
	FIELD(source_line, kind);
	FIELD(source_line, text);
	FIELD(source_line, same);
	VALUE(line_kind, LINE_, LOAD);
	VALUE(line_kind, LINE_, STORE);
	VALUE(line_kind, LINE_, LAUNCH);
	VALUE(line_kind, LINE_, NOT_COUNTED);
}

static void print_pattern_values(void)
{
	VALUE(element_type, ELEMENT_, UNKNOWN);
	VALUE(element_type, ELEMENT_, INT8);
	VALUE(element_type, ELEMENT_, INT16);
	VALUE(element_type, ELEMENT_, INT32);
	VALUE(element_type, ELEMENT_, INT64);
	VALUE(element_type, ELEMENT_, UINT8);
	VALUE(element_type, ELEMENT_, UINT16);
	VALUE(element_type, ELEMENT_, UINT32);
	VALUE(element_type, ELEMENT_, UINT64);
	VALUE(element_type, ELEMENT_, FLOAT16);
	VALUE(element_type, ELEMENT_, FLOAT32);
	VALUE(element_type, ELEMENT_, FLOAT64);
	VALUE(pattern_flag, PATTERN_, BEFORE);
	VALUE(pattern_flag, PATTERN_, ASSUMED);
	VALUE(pattern_flag, PATTERN_, MANY);
	VALUE(pattern_flag, PATTERN_, MANY_ROUNDED);
	VALUE(pattern_kind, PATTERN_, ZEROS);
	VALUE(pattern_kind, PATTERN_, SINGLE);
	VALUE(pattern_kind, PATTERN_, FREQUENT);
	VALUE(pattern_kind, PATTERN_, NARROW);
	VALUE(pattern_kind, PATTERN_, INTEGERS);
	VALUE(pattern_kind, PATTERN_, LINEAR);
	VALUE(pattern_value_kind, PATTERN_VALUE_, TOP);
	VALUE(pattern_value_kind, PATTERN_VALUE_, ROUNDED);
	VALUE(pattern_value_kind, PATTERN_VALUE_, LINE);
	_Static_assert(ELEMENT_TYPES == ELEMENT_FLOAT64 + 1,
		       "a new type belongs here and in doc/FORMAT");
}

static void print_event_values(void)
{
	VALUE(mark_flag, MARK_, START);
	VALUE(mark_flag, MARK_, END);
	VALUE(mark_flag, MARK_, PUSHED);
	VALUE(mark_flag, MARK_, COLORED);
	VALUE(mark_payload, PAYLOAD_, NONE);
	VALUE(mark_payload, PAYLOAD_, UNSIGNED);
	VALUE(mark_payload, PAYLOAD_, SIGNED);
	VALUE(mark_payload, PAYLOAD_, DOUBLE);
	VALUE(memory_kind, MEMORY_KIND_, UNKNOWN);
	VALUE(memory_kind, MEMORY_KIND_, PAGEABLE);
	VALUE(memory_kind, MEMORY_KIND_, PINNED);
	VALUE(memory_kind, MEMORY_KIND_, DEVICE);
	VALUE(memory_kind, MEMORY_KIND_, ARRAY);
	VALUE(memory_kind, MEMORY_KIND_, MANAGED);
	VALUE(memory_kind, MEMORY_KIND_, STATIC);
	VALUE(memory_kind, MEMORY_KIND_, PIPE);
	VALUE(allocation_flag, ALLOCATION_, FREED);
	VALUE(wait_kind, WAIT_, FOR_EVENT);
	VALUE(wait_kind, WAIT_, STREAM_FOR_EVENT);
	VALUE(wait_kind, WAIT_, FOR_STREAM);
	VALUE(wait_kind, WAIT_, FOR_CONTEXT);
	VALUE(queue_flag, QUEUE_, UNORDERED);
	VALUE(queue_flag, QUEUE_, PRIORITY);
	VALUE(overhead_kind, OVERHEAD_, UNKNOWN);
	VALUE(overhead_kind, OVERHEAD_, COMPILER);
	VALUE(overhead_kind, OVERHEAD_, FLUSH);
	VALUE(overhead_kind, OVERHEAD_, INSTRUMENTATION);
	VALUE(overhead_kind, OVERHEAD_, RESOURCE);
	VALUE(overhead_kind, OVERHEAD_, MODULE);
	VALUE(overhead_kind, OVERHEAD_, FUNCTION);
	VALUE(overhead_kind, OVERHEAD_, COMMANDS);
	VALUE(overhead_kind, OVERHEAD_, BUFFER);
	VALUE(overhead_kind, OVERHEAD_, MANAGED);
	VALUE(sample_flag, SAMPLE_, DEVICE);
	VALUE(sample_clock, SAMPLE_CLOCK_, UNKNOWN);
	VALUE(sample_clock, SAMPLE_CLOCK_, TASK);
	VALUE(sample_clock, SAMPLE_CLOCK_, THREAD);
	VALUE(use_flag, USE_, ASSUMED);
	VALUE(use_flag, USE_, PARTIAL);
	VALUE(use_access, USE_, NONE);
	VALUE(use_access, USE_, READ);
	VALUE(use_access, USE_, WRITE);
	VALUE(use_access, USE_, READ_WRITE);
	VALUE(change_reason, CHANGE_, COMPARED);
	VALUE(change_reason, CHANGE_, LARGE);
	VALUE(change_reason, CHANGE_, MEMORY);
	VALUE(change_reason, CHANGE_, TIME);
	VALUE(change_reason, CHANGE_, PENDING);
	VALUE(change_reason, CHANGE_, KIND);
	VALUE(change_reason, CHANGE_, UNREADABLE);
	VALUE(change_reason, CHANGE_, FAILED);
	VALUE(change_reason, CHANGE_, LOST);
	VALUE(change_reason, CHANGE_, SKIPPED);
	_Static_assert(CHANGE_REASONS == CHANGE_SKIPPED + 1,
		       "a new reason belongs here and in doc/FORMAT");
}

static void print_events(void)
{
	print_call();
	print_mark();
	print_allocation();
	print_wait();
	print_queue();
	print_overhead();
	print_sample();
	print_use();
	print_change();
	print_pattern();
	print_event_values();
	print_pattern_values();
	print_source_lines();
	print_recorded();
	print_managed();
	print_attribute();
}

#endif
