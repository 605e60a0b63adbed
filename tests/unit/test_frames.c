/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/frames.h"

static struct catalog catalog;

static int set_up(void **state)
{
	(void)state;
	return catalog_init(&catalog);
}

static int tear_down(void **state)
{
	(void)state;
	catalog_free(&catalog);
	return 0;
}

/* Applies all frames. Returns the number of those that were accepted, or -1 at the first that is
 * refused. */
static int apply_all(const struct strbuf *bytes)
{
	int count = 0;

	for (uint64_t at = 0; at < bytes->length; count++) {
		const struct frame *frame = (const void *)(bytes->data + at);

		if (!frames_valid(&catalog, frame, bytes->length - at) ||
		    frames_apply(&catalog, frame))
			return -1;
		at += frame->size;
	}
	return count;
}

static void test_round_trip(void **state)
{
	const struct process process = {.pid = 42, .started = 1ull << 60, .monotonic_to_epoch = -7};
	struct names *names = names_new();
	struct strbuf bytes = STRBUF_INIT;
	size_t length;

	(void)state;
	names_intern(names, "", 0);
	names_intern(names, "k\0\n", 3);
	names_intern(names, "exactly8", 8);
	frames_put_process(&bytes, &process);
	for (uint32_t id = 1; id <= 3; id++)
		frames_put_name(&bytes, names, id);
	frames_put_device(&bytes, &(struct device){.api = API_CUDA,
						   .number = 3,
						   .name = "Tesla",
						   .multiprocessors = 14,
						   .compute_major = 2,
						   .compute_minor = 1});
	frames_put_context(&bytes, &(struct context){.api = API_CUDA, .index = 9});
	frames_put_lost(&bytes, 5, 0, 0);
	frames_put_trace(&bytes, "/a/trace");
	assert_false(bytes.failed);
	assert_int_equal(bytes.length % 8, 0);
	assert_int_equal(apply_all(&bytes), 8);
	assert_int_equal(catalog.process.pid, 42);
	assert_int_equal(catalog.process.started, 1ull << 60);
	assert_int_equal(catalog.process.monotonic_to_epoch, -7);
	assert_memory_equal(names_text(catalog.names, 2, &length), "k\0\n", 3);
	assert_int_equal(length, 3);
	assert_string_equal(names_text(catalog.names, 3, NULL), "exactly8");
	assert_int_equal(catalog.device_count, 1);
	assert_string_equal(catalog_device(&catalog, 0)->name, "Tesla");
	assert_int_equal(catalog_device(&catalog, 0)->api, API_CUDA);
	assert_int_equal(catalog_device(&catalog, 0)->number, 3);
	assert_int_equal(catalog_device(&catalog, 0)->multiprocessors, 14);
	assert_int_equal(catalog_device(&catalog, 0)->compute_major, 2);
	assert_int_equal(catalog_device(&catalog, 0)->compute_minor, 1);
	assert_int_equal(catalog_context(&catalog, 0)->index, 9);
	assert_null(catalog_device(&catalog, 1));
	assert_null(catalog_context(&catalog, 1));
	names_free(names);
	strbuf_free(&bytes);
}

static void test_process_command(void **state)
{
	char words[] = "./a\0b c\0\n";
	struct process process = {.pid = 42,
				  .rank = 8,
				  .boot = "0123456789abcde",
				  .command = words,
				  .command_length = sizeof(words) - 1};
	struct strbuf bytes = STRBUF_INIT;
	struct process_frame *frame;

	(void)state;
	frames_put_process(&bytes, &process);
	frame = (void *)bytes.data;
	assert_int_equal(apply_all(&bytes), 1);
	assert_int_equal(catalog.process.command_length, sizeof(words) - 1);
	assert_memory_equal(catalog.process.command, words, sizeof(words) - 1);
	assert_string_equal((const char *)catalog.process.boot, "0123456789abcde");
	assert_int_equal(catalog.process.rank, 8);
	frame->command_length = PROCESS_COMMAND;
	assert_int_equal(apply_all(&bytes), -1);
	frame->command_length = UINT32_MAX;
	assert_int_equal(apply_all(&bytes), -1);
	strbuf_free(&bytes);
}

/* The processes of a merged trace; more than the frame has are none. */
static void test_parts(void **state)
{
	char words[] = "./a\0b";
	struct process_part parts[] = {{.pid = 7, .started = 1ull << 60}, {.pid = 8, .started = 9}};
	struct process process = {.command = words,
				  .command_length = sizeof(words) - 1,
				  .parts = parts,
				  .part_count = 2};
	struct strbuf bytes = STRBUF_INIT;
	struct process_frame *frame;

	(void)state;
	frames_put_process(&bytes, &process);
	frame = (void *)bytes.data;
	assert_int_equal(apply_all(&bytes), 1);
	assert_int_equal(catalog.process.part_count, 2);
	assert_memory_equal(catalog.process.parts, parts, sizeof(parts));
	assert_memory_equal(catalog.process.command, words, sizeof(words) - 1);
	frame->parts = 3;
	assert_int_equal(apply_all(&bytes), 1);
	assert_int_equal(catalog.process.part_count, 0);
	frame->parts = UINT32_MAX;
	assert_int_equal(apply_all(&bytes), 1);
	assert_int_equal(catalog.process.part_count, 0);
	strbuf_free(&bytes);
}

static void test_long_device_name(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	char name[5000];

	(void)state;
	memset(name, 'd', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	frames_put_device(&bytes, &(struct device){.name = name});
	assert_int_equal(apply_all(&bytes), 1);
	assert_string_equal(catalog_device(&catalog, 0)->name, name);
	strbuf_free(&bytes);
}

/* The name of a device has no id, also if it is the first name: the ids are those of the frames. */
static void test_names_after_devices(void **state)
{
	struct names *names = names_new();
	struct strbuf bytes = STRBUF_INIT;

	(void)state;
	names_intern(names, "kernel", 6);
	names_intern(names, "Tesla", 5);
	frames_put_device(&bytes, &(struct device){.name = "Tesla"});
	frames_put_name(&bytes, names, 1);
	frames_put_name(&bytes, names, 2);
	frames_put_device(&bytes, &(struct device){.id = 1, .name = "Tesla"});
	assert_int_equal(apply_all(&bytes), 4);
	assert_int_equal(names_count(catalog.names), 2);
	assert_string_equal(names_text(catalog.names, 1, NULL), "kernel");
	assert_string_equal(names_text(catalog.names, 2, NULL), "Tesla");
	assert_string_equal(catalog_device(&catalog, 0)->name, "Tesla");
	assert_string_equal(catalog_device(&catalog, 1)->name, "Tesla");
	names_free(names);
	strbuf_free(&bytes);
}

static void test_log_and_trace_frames(void **state)
{
	const struct layout layout = {API_CUDA, DIALECT_CUDA4, FORMAT_CSV, 0x55};
	struct strbuf bytes = STRBUF_INIT;
	const struct log_frame *log;
	const struct trace_frame *trace;

	(void)state;
	frames_put_log(&bytes, &layout, &(struct device){.id = 4}, &(struct context){.id = 6},
		       &(struct counter_set){.id = 8}, "/tmp/a.log");
	log = (const void *)bytes.data;
	assert_int_equal(log->frame.kind, FRAME_LOG);
	assert_int_equal(log->frame.size, (sizeof(*log) + 10 + 7) / 8 * 8);
	assert_int_equal(log->device, 4);
	assert_int_equal(log->context, 6);
	assert_int_equal(log->counters, 9);
	assert_int_equal(log->columns, 0x55);
	assert_int_equal(log->path_length, 10);
	assert_memory_equal(log->path, "/tmp/a.log", 10);
	assert_int_equal(log->commit[0].sequence | log->commit[1].sequence | log->head_size, 0);
	bytes.length = 0;
	frames_put_trace(&bytes, "/t");
	trace = (const void *)bytes.data;
	assert_int_equal(trace->length, 2);
	assert_memory_equal(trace->path, "/t\0\0\0\0\0\0", 8);
	strbuf_free(&bytes);
}

static void refused(const void *frame)
{
	assert_int_equal(frames_apply(&catalog, frame), -1);
}

static void test_contradictions(void **state)
{
	union {
		struct name_frame name;
		struct device_frame device;
		struct context_frame context;
		char room[256];
	} at = {.name = {.frame = {.size = 64, .kind = FRAME_NAME}, .id = 1, .length = 33}};

	(void)state;
	refused(&at); /* longer than its frame */
	at.name.length = UINT32_MAX;
	refused(&at);
	at.name.length = 4;
	at.name.id = 0;
	refused(&at);
	at.name.id = 1;
	assert_int_equal(frames_apply(&catalog, &at.name.frame), 0);
	refused(&at); /* the id is in use */
	memset(&at, 0, sizeof(at));
	at.device.frame = (struct frame){.size = 64, .kind = FRAME_DEVICE};
	at.device.length = 13;
	refused(&at);
	at.device.length = 3;
	at.device.api = API_COUNT;
	refused(&at);
	at.device.api = API_CUDA;
	at.device.id = 1;
	refused(&at); /* not the next one */
	at.device.id = 0;
	assert_int_equal(frames_apply(&catalog, &at.device.frame), 0);
	memset(&at, 0, sizeof(at));
	at.context.frame = (struct frame){.size = 40, .kind = FRAME_CONTEXT};
	at.context.device = 1;
	refused(&at); /* no such device */
	at.context.device = 0;
	at.context.api = API_COUNT;
	refused(&at);
	at.context.api = API_CUDA;
	at.context.id = 7;
	refused(&at);
	assert_int_equal(catalog.context_count, 0);
}

static bool valid(const struct record *record, uint64_t remaining)
{
	return frames_valid(&catalog, &record->frame, remaining);
}

static void test_valid(void **state)
{
	struct record record = {.frame = {.size = sizeof(record), .kind = FRAME_COPY}};

	(void)state;
	assert_false(valid(&record, sizeof(record))); /* no such device */
	catalog_add_device(&catalog, &(struct device){.name = "d"});
	assert_false(valid(&record, sizeof(record))); /* no such context */
	catalog_add_context(&catalog, &(struct context){0});
	assert_true(valid(&record, sizeof(record)));
	assert_true(valid(&record, UINT64_MAX));
	for (uint64_t remaining = 0; remaining < sizeof(record); remaining++)
		assert_false(valid(&record, remaining));
	record.device = UINT32_MAX;
	assert_false(valid(&record, sizeof(record)));
	record.device = 0;
	record.frame.size = sizeof(record) - 8;
	assert_false(valid(&record, sizeof(record)));
	record.frame.size = 0;
	assert_false(valid(&record, sizeof(record)));
	/* An unknown kind is skipped if its size is valid. */
	record.frame = (struct frame){.size = 24, .kind = 60000};
	assert_true(valid(&record, 24));
	assert_int_equal(frames_apply(&catalog, &record.frame), 0);
	record.frame.size = 25;
	assert_false(valid(&record, sizeof(record)));
}

static void test_full_catalog(void **state)
{
	(void)state;
	for (int i = 0; i < CATALOG_DEVICES; i++)
		assert_int_equal(catalog_add_device(&catalog, &(struct device){.name = "d"}), i);
	assert_int_equal(catalog_add_device(&catalog, &(struct device){.name = "d"}), -1);
	for (int i = 0; i < CATALOG_CONTEXTS; i++)
		assert_int_equal(catalog_add_context(&catalog, &(struct context){0}), i);
	assert_int_equal(catalog_add_context(&catalog, &(struct context){0}), -1);
	assert_non_null(catalog_device(&catalog, CATALOG_DEVICES - 1));
	assert_null(catalog_device(&catalog, CATALOG_DEVICES));
	assert_null(catalog_context(&catalog, UINT32_MAX));
}

/* The program's name is copied: it may change afterwards. */
static void test_name_is_copied(void **state)
{
	char name[] = "before";

	(void)state;
	catalog_add_device(&catalog, &(struct device){.name = name, .id = 99});
	memcpy(name, "after!", sizeof(name));
	assert_string_equal(catalog_device(&catalog, 0)->name, "before");
	assert_int_equal(catalog_device(&catalog, 0)->id, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_process_command, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_long_device_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_names_after_devices, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_log_and_trace_frames, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_contradictions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_valid, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_catalog, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_name_is_copied, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
