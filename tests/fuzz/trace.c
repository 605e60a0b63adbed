/* SPDX-License-Identifier: MIT */
/* The input is a binary trace. If it does not start with a header, a valid one is put in front. */
#include "output/tracereader.h"

#include <string.h>

#include "fuzz.h"
#include "machine.h"
#include "model/frames.h"
#include "output/trace.h"
#include "texts.h"

#define PATH "/folder/some.cptrace"

enum {
	LOGS = 4, /* maximum number of an input's records that are written as logs */
	HEADER = 1024, /* more bytes than the header in front of an input has */
};

static void check_record(const struct catalog *catalog, const struct record *record)
{
	const struct counter_set *set;

	CHECK(frames_is_record(&record->frame) && !record->handle);
	CHECK(catalog_device(catalog, record->device));
	CHECK(catalog_context(catalog, record->context));
	if (!record_counters(record))
		return;
	set = catalog_counters(catalog, record_counters(record)->set);
	CHECK(set && set->count == record_value_count(record));
}

static void check_catalog(const struct catalog *catalog, size_t size)
{
	CHECK(catalog->device_count <= size / sizeof(struct frame));
	CHECK(catalog->context_count <= size / sizeof(struct frame));
	for (uint32_t i = 0; i < catalog->context_count; i++)
		CHECK(catalog_device(catalog, catalog_context(catalog, i)->device));
	for (uint32_t i = 0; i < catalog->counters_count; i++) {
		const struct counter_set *set = catalog_counters(catalog, i);

		CHECK(catalog_device(catalog, set->device) && set->count <= COUNTER_COLUMNS);
		for (uint32_t k = 0; k < set->count; k++)
			CHECK(counter_set_name(set->columns[k].name));
	}
	CHECK(catalog->stacks.node_count <= size / sizeof(struct frame));
	for (uint32_t id = 1; id <= catalog->stacks.node_count; id++) {
		const struct stack_node *node = stacks_node(&catalog->stacks, id);

		CHECK(node->parent < id);
		CHECK(!node->module || stacks_module(&catalog->stacks, node->module)->path);
	}
}

/* Appends the whole catalog, as a trace has it. */
static void put_catalog(struct strbuf *to, const struct catalog *catalog)
{
	trace_put_header(to);
	frames_put_process(to, &catalog->process);
	for (uint32_t i = 1; i <= names_count(catalog->names) && i < 64; i++)
		frames_put_name(to, catalog->names, i);
	for (uint32_t i = 0; i < catalog->device_count; i++)
		frames_put_device(to, catalog_device(catalog, i));
	for (uint32_t i = 0; i < catalog->context_count; i++)
		frames_put_context(to, catalog_context(catalog, i));
	for (uint32_t i = 0; i < catalog->counters_count; i++)
		frames_put_counters(to, catalog_counters(catalog, i));
	for (uint32_t id = 1; id <= catalog->stacks.module_count; id++)
		frames_put_module(to, &catalog->stacks, id);
	for (uint32_t id = 1; id <= catalog->stacks.node_count; id++)
		frames_put_stack(to, &catalog->stacks, id);
}

/* A record that was read can be written and read again. */
static void check_again(const struct catalog *catalog, const struct record *record)
{
	struct strbuf trace = STRBUF_INIT, error = STRBUF_INIT;
	const struct record *read;
	struct trace_reader *reader;

	put_catalog(&trace, catalog);
	trace_put_record(&trace, record);
	machine_put(PATH ".again", trace.data, trace.length);
	reader = trace_open(PATH ".again", &error);
	CHECK(reader && trace_next(reader, &read, &error) == 1);
	CHECK(read->frame.size == record->frame.size);
	CHECK(!memcmp(read, record, record->frame.size));
	CHECK(trace_next(reader, &read, &error) == 0 && !trace_cut_off(reader));
	trace_close(reader);
	strbuf_free(&trace);
	strbuf_free(&error);
}

static void read_trace(struct trace_reader *reader, size_t size)
{
	const struct catalog *catalog = trace_catalog(reader);
	struct strbuf error = STRBUF_INIT;
	const struct record *record;
	uint64_t count = 0;
	int result;

	while ((result = trace_next(reader, &record, &error)) == 1) {
		check_record(catalog, record);
		if (count < LOGS)
			check_log_of(catalog, record, (int)((size / 8 + count) % 8));
		if (!count)
			check_again(catalog, record);
		count++;
	}
	CHECK(count <= size / sizeof(struct frame)); /* the file's record may be as short */
	CHECK(!result == !error.length);
	CHECK(trace_cut_off(reader) < size);
	CHECK(trace_frames_end(reader) <= size + HEADER);
	CHECK(trace_frames(reader) <= size / sizeof(struct frame));
	if (!result && trace_cut_off(reader))
		CHECK(trace_cut(reader) != TRACE_WHOLE);
	check_catalog(catalog, size);
	strbuf_free(&error);
}

static void put_file(const uint8_t *data, size_t size)
{
	struct strbuf bytes = STRBUF_INIT;

	if (size < sizeof(TRACE_MAGIC) || memcmp(data, TRACE_MAGIC, sizeof(TRACE_MAGIC)))
		trace_put_header(&bytes);
	strbuf_append(&bytes, data, size);
	machine_put(PATH, bytes.data, bytes.length);
	strbuf_free(&bytes);
}

void fuzz_trace(const uint8_t *data, size_t size)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader;

	if (size > MACHINE_ROOM / 2)
		return;
	put_file(data, size);
	reader = trace_open(PATH, &error);
	CHECK(!reader == !!error.length);
	if (reader)
		read_trace(reader, size + HEADER);
	trace_close(reader);
	strbuf_free(&error);
}
