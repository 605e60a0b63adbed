/* SPDX-License-Identifier: MIT */
/*
 * Prints the facts of the code that doc/FORMAT has in its tables; tests/tree/format.test compares:
 *	struct NAME SIZE
 *	field STRUCT NAME OFFSET SIZE     SIZE is * if it is not fixed
 *	value ENUM NAME NUMBER
 *	column WORD OPENCL CUDA
 */
#include <stddef.h>
#include <stdio.h>

#include "model/column.h"
#include "model/frames.h"
#include "output/trace.h"
#include "session/state.h"

#include "print_values.h"

#define SIZE_OF(type, member) sizeof(((struct type *)0)->member)
#define FIELD(type, member)                                                                        \
	printf("field " #type " " #member " %zu %zu\n", offsetof(struct type, member),             \
	       SIZE_OF(type, member))
/* The offset after the last fixed member: the struct's size may include padding after it. */
#define REST(type, member)                                                                         \
	do {                                                                                       \
		printf("struct " #type " %zu\n", offsetof(struct type, member));                   \
		printf("field " #type " " #member " %zu *\n", offsetof(struct type, member));      \
	} while (0)
#define STRUCT(type) printf("struct " #type " %zu\n", sizeof(struct type))

#include "print_events.h"

static void print_frame(void)
{
	STRUCT(frame);
	FIELD(frame, size);
	FIELD(frame, kind);
	FIELD(frame, flags);
	FIELD(frame, correlation);
	FIELD(frame, thread);
	FIELD(frame, stack);
	STRUCT(trace_header);
	FIELD(trace_header, magic);
	FIELD(trace_header, version);
	FIELD(trace_header, byte_order);
	FIELD(trace_header, header_size);
	FIELD(trace_header, kind_count);
	STRUCT(trace_kind);
	FIELD(trace_kind, kind);
	FIELD(trace_kind, reserved);
	FIELD(trace_kind, size);
	STRUCT(frame_block);
	FIELD(frame_block, size);
	FIELD(frame_block, tag);
	FIELD(frame_block, reserved);
	printf("struct counters_block %zu\n", sizeof(struct counters_block));
	printf("field counters_block values %zu *\n", sizeof(struct counters_block));
	FIELD(counters_block, block);
	FIELD(counters_block, set);
	FIELD(counters_block, reserved);
}

static void print_record(void)
{
	STRUCT(peers);
	FIELD(peers, source_device);
	FIELD(peers, source_context);
	FIELD(peers, target_device);
	FIELD(peers, target_context);
	STRUCT(record);
	FIELD(record, frame);
	FIELD(record, enter);
	FIELD(record, leave);
	FIELD(record, queued);
	FIELD(record, submitted);
	FIELD(record, started);
	FIELD(record, ended);
	FIELD(record, handle);
	FIELD(record, bytes);
	FIELD(record, grid);
	FIELD(record, block);
	FIELD(record, name);
	FIELD(record, device);
	FIELD(record, context);
	FIELD(record, stream);
	FIELD(record, static_shared);
	FIELD(record, dynamic_shared);
	FIELD(record, registers);
	FIELD(record, occupancy);
	FIELD(record, known);
	FIELD(record, direction);
	FIELD(record, host_memory);
	FIELD(record, source);
	FIELD(record, target);
	FIELD(record, block_given);
	FIELD(record, cache_requested);
	FIELD(record, cache_executed);
	FIELD(record, batch);
}

static void print_catalog(void)
{
	REST(process_frame, command);
	FIELD(process_frame, frame);
	FIELD(process_frame, pid);
	FIELD(process_frame, command_length);
	FIELD(process_frame, started);
	FIELD(process_frame, monotonic_to_epoch);
	FIELD(process_frame, boot);
	FIELD(process_frame, rank);
	FIELD(process_frame, parts);
	STRUCT(process_part);
	FIELD(process_part, pid);
	FIELD(process_part, reserved);
	FIELD(process_part, started);
	REST(name_frame, text);
	FIELD(name_frame, frame);
	FIELD(name_frame, id);
	FIELD(name_frame, length);
	REST(device_frame, name);
	FIELD(device_frame, frame);
	FIELD(device_frame, id);
	FIELD(device_frame, api);
	FIELD(device_frame, number);
	FIELD(device_frame, multiprocessors);
	FIELD(device_frame, compute_major);
	FIELD(device_frame, compute_minor);
	FIELD(device_frame, length);
	STRUCT(context_frame);
	FIELD(context_frame, frame);
	FIELD(context_frame, id);
	FIELD(context_frame, api);
	FIELD(context_frame, index);
	FIELD(context_frame, device);
	REST(counters_frame, text);
	FIELD(counters_frame, frame);
	FIELD(counters_frame, id);
	FIELD(counters_frame, device);
	FIELD(counters_frame, count);
	FIELD(counters_frame, columns_length);
	FIELD(counters_frame, refused_length);
	FIELD(counters_frame, reserved);
	STRUCT(lost_frame);
	FIELD(lost_frame, frame);
	FIELD(lost_frame, count);
	FIELD(lost_frame, missing);
	FIELD(lost_frame, events);
	FIELD(lost_frame, gaps);
	STRUCT(end_frame);
	FIELD(end_frame, frame);
	FIELD(end_frame, frames);
	FIELD(end_frame, ended);
	FIELD(end_frame, monotonic_to_epoch);
	STRUCT(stack_frame);
	FIELD(stack_frame, frame);
	FIELD(stack_frame, id);
	FIELD(stack_frame, parent);
	FIELD(stack_frame, module);
	FIELD(stack_frame, name);
	FIELD(stack_frame, offset);
	REST(module_frame, path);
	FIELD(module_frame, frame);
	FIELD(module_frame, id);
	FIELD(module_frame, length);
	FIELD(module_frame, build_id_length);
	FIELD(module_frame, reserved);
	FIELD(module_frame, build_id);
}

static void print_rules(void)
{
	REST(rules_frame, text);
	FIELD(rules_frame, frame);
	FIELD(rules_frame, api);
	FIELD(rules_frame, dialect);
	FIELD(rules_frame, format);
	FIELD(rules_frame, columns);
	FIELD(rules_frame, record_limit);
	FIELD(rules_frame, byte_limit);
	FIELD(rules_frame, forked);
	FIELD(rules_frame, log_length);
	FIELD(rules_frame, trace_length);
	FIELD(rules_frame, warnings_length);
	REST(trace_frame, path);
	FIELD(trace_frame, frame);
	FIELD(trace_frame, file_device);
	FIELD(trace_frame, file_inode);
	FIELD(trace_frame, length);
}

static void print_log(void)
{
	REST(log_frame, path);
	FIELD(log_frame, frame);
	FIELD(log_frame, api);
	FIELD(log_frame, dialect);
	FIELD(log_frame, format);
	FIELD(log_frame, columns);
	FIELD(log_frame, device);
	FIELD(log_frame, context);
	FIELD(log_frame, path_length);
	FIELD(log_frame, counters);
	FIELD(log_frame, file_device);
	FIELD(log_frame, file_inode);
	FIELD(log_frame, head_size);
	FIELD(log_frame, head_hash);
	FIELD(log_frame, first_size);
	FIELD(log_frame, first);
	FIELD(log_frame, commit);
	STRUCT(log_commit);
	FIELD(log_commit, sequence);
	FIELD(log_commit, size);
	FIELD(log_commit, enter);
	FIELD(log_commit, correlation);
	FIELD(log_commit, rows);
	FIELD(log_commit, tail_hash);
	FIELD(log_commit, tail);
	FIELD(log_commit, reserved);
	FIELD(log_commit, lost);
	STRUCT(trace_commit);
	FIELD(trace_commit, sequence);
	FIELD(trace_commit, correlation);
	FIELD(trace_commit, missing);
	FIELD(trace_commit, missing_events);
}

static void print_ringfile(void)
{
	STRUCT(ringfile_header);
	FIELD(ringfile_header, magic);
	FIELD(ringfile_header, version);
	FIELD(ringfile_header, byte_order);
	FIELD(ringfile_header, pid);
	FIELD(ringfile_header, record_size);
	FIELD(ringfile_header, process_start);
	FIELD(ringfile_header, lost);
	FIELD(ringfile_header, end);
	FIELD(ringfile_header, file_device);
	FIELD(ringfile_header, file_inode);
	FIELD(ringfile_header, boot);
	FIELD(ringfile_header, owner);
	FIELD(ringfile_header, finished);
	FIELD(ringfile_header, file_born);
	FIELD(ringfile_header, lost_logs);
	FIELD(ringfile_header, executing);
	FIELD(ringfile_header, locked);
	FIELD(ringfile_header, totals_off);
	FIELD(ringfile_header, in_memory);
	FIELD(ringfile_header, keeper);
	FIELD(ringfile_header, gaps);
	FIELD(ringfile_header, user_namespace);
	FIELD(ringfile_header, traced);
	FIELD(ringfile_header, untraced);
	FIELD(ringfile_header, lost_calls);
	STRUCT(segment);
	FIELD(segment, magic);
	FIELD(segment, kind);
	FIELD(segment, size);
	FIELD(segment, used);
	FIELD(segment, stride);
	FIELD(segment, reserved);
	STRUCT(thread_ring);
	FIELD(thread_ring, segment);
	FIELD(thread_ring, thread);
	FIELD(thread_ring, reserved);
	FIELD(thread_ring, ring);
	REST(ring, data);
	FIELD(ring, head);
	FIELD(ring, open);
	FIELD(ring, seen_tail);
	FIELD(ring, counter);
	FIELD(ring, head_lap);
	FIELD(ring, events);
	FIELD(ring, producer_line);
	FIELD(ring, tail);
	FIELD(ring, tail_lap);
	FIELD(ring, consumer_line);
	FIELD(ring, capacity);
	FIELD(ring, constant_line);
}

static void print_totals(void)
{
	STRUCT(totals_row);
	FIELD(totals_row, frame);
	FIELD(totals_row, sequence);
	FIELD(totals_row, name);
	FIELD(totals_row, device);
	FIELD(totals_row, code);
	FIELD(totals_row, record_kind);
	FIELD(totals_row, api);
	FIELD(totals_row, source);
	FIELD(totals_row, target);
	FIELD(totals_row, reserved);
	FIELD(totals_row, count);
	FIELD(totals_row, total);
	FIELD(totals_row, shortest);
	FIELD(totals_row, longest);
	FIELD(totals_row, first);
	FIELD(totals_row, last);
	FIELD(totals_row, failed);
	FIELD(totals_row, missing);
	FIELD(totals_row, bytes);
	FIELD(totals_row, sized);
	FIELD(totals_row, occupancy);
	FIELD(totals_row, occupancies);
	FIELD(totals_row, pageable_time);
	FIELD(totals_row, pageable_count);
	FIELD(totals_row, waited_time);
	FIELD(totals_row, waited_count);
	FIELD(totals_row, spare);
	STRUCT(totals_process);
	FIELD(totals_process, frame);
	FIELD(totals_process, sequence);
	FIELD(totals_process, reserved);
	FIELD(totals_process, marks);
	FIELD(totals_process, ranges);
	FIELD(totals_process, allocations);
	FIELD(totals_process, allocated);
	FIELD(totals_process, in_use);
	FIELD(totals_process, peak);
	FIELD(totals_process, left);
	FIELD(totals_process, waits);
	FIELD(totals_process, waiting);
	FIELD(totals_process, overheads);
	FIELD(totals_process, overhead);
	FIELD(totals_process, records);
	FIELD(totals_process, other);
	FIELD(totals_process, spare);
	STRUCT(totals_segment);
	FIELD(totals_segment, segment);
	FIELD(totals_segment, table);
	FIELD(totals_segment, first);
	FIELD(totals_segment, reserved);
	FIELD(totals_segment, journal);
	STRUCT(totals_journal);
	FIELD(totals_journal, changes);
	FIELD(totals_journal, busy);
	FIELD(totals_journal, correlation);
	FIELD(totals_journal, change);
	STRUCT(totals_change);
	FIELD(totals_change, row);
	FIELD(totals_change, bucket);
	FIELD(totals_change, bucket_before);
	FIELD(totals_change, reserved);
	FIELD(totals_change, before);
}

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

static void print_column(const struct column *column)
{
	printf("column %s %s %s\n", or_dash(column->option),
	       or_dash(column->header[TERMS_WORK_GROUPS]), or_dash(column->header[TERMS_BLOCKS]));
}

int main(void)
{
	print_frame();
	print_record();
	print_catalog();
	print_events();
	print_rules();
	print_log();
	print_ringfile();
	print_totals();
	print_kinds();
	print_known();
	print_small();
	for (int i = 0; i < COLUMN_COUNT; i++)
		print_column(&columns[i]);
	return 0;
}
