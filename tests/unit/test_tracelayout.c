/* SPDX-License-Identifier: MIT */
/* Traces with other layouts: of version 1, of later versions, and invalid ones. */
#include "tracefile.h"

/* The test's trace: the header's table is changed before frames are appended. */
static struct strbuf trace;

static struct trace_header *header(void)
{
	return (void *)trace.data;
}

static struct trace_kind *entry_of(enum frame_kind kind)
{
	struct trace_kind *table = (void *)(trace.data + sizeof(struct trace_header));

	for (uint32_t i = 0; i < header()->kind_count; i++)
		if (table[i].kind == kind)
			return &table[i];
	fail_msg("there is no entry of kind %d", (int)kind);
	return NULL;
}

static int begin(void **state)
{
	(void)state;
	trace = STRBUF_INIT;
	trace_put_header(&trace);
	return 0;
}

static int end(void **state)
{
	(void)state;
	strbuf_free(&trace);
	return 0;
}

/* Appends the frame with `more` additional (or missing) bytes at the end of its struct. */
static void put(const struct strbuf *frames, int more)
{
	const struct frame *frame = (const void *)frames->data;
	uint32_t fixed = frames_fixed_size((enum frame_kind)frame->kind);
	struct frame head = *frame;

	entry_of((enum frame_kind)frame->kind)->size = fixed + (uint32_t)more;
	head.size += (uint32_t)more;
	strbuf_append(&trace, &head, sizeof(head));
	strbuf_append(&trace, frame + 1, fixed - sizeof(head) - (size_t)(more < 0 ? -more : 0));
	for (int i = 0; i < more; i++)
		strbuf_char(&trace, (char)0xee);
	strbuf_append(&trace, frames->data + fixed, frames->length - fixed);
}

static void put_others(int more)
{
	struct process process = {.pid = 5, .command = (char[]){"./a"}, .command_length = 3};
	struct names *names = names_new();
	struct strbuf one = STRBUF_INIT;

	names_intern(names, "kernel", 6);
	frames_put_process(&one, &process);
	put(&one, more);
	one.length = 0;
	frames_put_name(&one, names, 1);
	put(&one, more);
	one.length = 0;
	frames_put_device(&one, &(struct device){.name = "Device", .number = 3});
	put(&one, more);
	one.length = 0;
	frames_put_context(&one, &(struct context){.index = 2});
	put(&one, more);
	one.length = 0;
	frames_put_lost(&one, 4, 2, 1);
	put(&one, more);
	strbuf_free(&one);
	names_free(names);
}

static void put_record(const struct record *record, int more)
{
	struct strbuf one = STRBUF_INIT;

	trace_put_record(&one, record);
	put(&one, more);
	strbuf_free(&one);
}

static struct trace_reader *reader;
static struct strbuf error;

static void open_trace(void)
{
	write_file(trace.data, trace.length);
	error.length = 0;
	reader = trace_open(path, &error);
}

static void close_trace(void)
{
	trace_close(reader);
	strbuf_free(&error);
}

/* All frames can be read, with any additional bytes in their structs. */
static void test_longer(void **state)
{
	static const int added[] = {0, 8, 16, 1024};

	for (size_t i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
		struct record wanted = make_record(0);
		const struct record *record;
		const struct catalog *catalog;

		begin(state);
		put_others(added[i]);
		put_record(&wanted, added[i]);
		open_trace();
		assert_non_null(reader);
		assert_int_equal(trace_next(reader, &record, &error), 1);
		wanted.handle = 0;
		assert_memory_equal(record, &wanted, sizeof(wanted));
		assert_int_equal(trace_next(reader, &record, &error), 0);
		catalog = trace_catalog(reader);
		assert_int_equal(catalog->process.pid, 5);
		assert_int_equal(catalog->process.command_length, 3);
		assert_memory_equal(catalog->process.command, "./a", 3);
		assert_string_equal(names_text(catalog->names, 1, NULL), "kernel");
		assert_string_equal(catalog_device(catalog, 0)->name, "Device");
		assert_int_equal(catalog_context(catalog, 0)->index, 2);
		assert_int_equal(trace_lost(reader), 6);
		assert_int_equal(trace_lost_events(reader), 1);
		assert_int_equal(trace_is_current(reader), !added[i]);
		close_trace();
		end(state);
	}
}

/* Missing fields of a record are zero. */
static void test_shorter(void **state)
{
	const struct record wanted = make_record(0);
	struct strbuf one = STRBUF_INIT;
	const struct record *record;

	(void)state;
	put_others(0);
	put_record(&wanted, -8);
	frames_put_lost(&one, 4, 2, 1);
	put(&one, -16);
	strbuf_free(&one);
	open_trace();
	assert_non_null(reader);
	assert_int_equal(trace_next(reader, &record, &error), 1);
	assert_int_equal(record->frame.size, sizeof(*record));
	assert_memory_equal(&record->enter, &wanted.enter, 48);
	assert_true(record->occupancy > 0.4f);
	assert_int_equal(record->known, wanted.known);
	assert_int_equal(record->direction, 0);
	assert_false(trace_is_current(reader));
	close_trace();
}

static void test_values_of_longer(void **state)
{
	const struct counter_column list[] = {{"a", false}, {"b", true}};
	struct counted_record counted = {.record = make_record(0), .values = {3, 0.25}};
	struct strbuf one = STRBUF_INIT;
	const struct record *record;

	(void)state;
	counted_record_set(&counted, 0, 2);
	put_others(0);
	frames_put_counters(&one, &(struct counter_set){
					  .count = 2, .columns = list, .refused = ""});
	put(&one, 8);
	strbuf_free(&one);
	put_record(&counted.record, 24);
	open_trace();
	assert_int_equal(trace_next(reader, &record, &error), 1);
	assert_int_equal(record_counters(record)->set, 0);
	assert_int_equal(record_value_count(record), 2);
	assert_memory_equal(record_values(record), counted.values, 16);
	close_trace();
}

/* Unknown kinds are counted. */
static void test_unknown(void **state)
{
	static const uint16_t kinds[] = {FRAME_KINDS, 997, 998, 999, 1000,
					 UINT16_MAX, FRAME_PAD};
	const struct record wanted = make_record(0);
	const struct record *record;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		strbuf_append(&trace, &(struct frame){.size = 24, .kind = kinds[i]}, 24);
	put_others(0);
	put_record(&wanted, 0);
	open_trace();
	assert_int_equal(trace_next(reader, &record, &error), 1);
	assert_int_equal(trace_unknown(reader), 7);
	assert_true(trace_is_current(reader));
	close_trace();
}

/* A known kind must be in the table. */
static void test_missing(void **state)
{
	const struct record wanted = make_record(0);
	const struct record *record;

	(void)state;
	put_others(0);
	put_record(&wanted, 0);
	entry_of(FRAME_KERNEL)->kind = 77;
	open_trace();
	assert_false(trace_is_current(reader));
	assert_int_equal(trace_next(reader, &record, &error), -1);
	close_trace();
}

static void is_refused(const char *words)
{
	open_trace();
	assert_null(reader);
	assert_non_null(strstr(strbuf_text(&error), words));
	strbuf_free(&error);
}

static void test_table(void **state)
{
	static const uint32_t sizes[] = {0, 1, 8, 16, 23, 25, 28, 1 << 17, UINT32_MAX, 1u << 31};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		entry_of(FRAME_KERNEL)->size = sizes[i];
		is_refused("damaged header");
	}
	entry_of(FRAME_KERNEL)->size = 168;
	entry_of(FRAME_DEVICE)->size = 53;
	is_refused("damaged header");
	entry_of(FRAME_DEVICE)->size = 52;
	entry_of(FRAME_DEVICE)->kind = FRAME_KERNEL;
	is_refused("damaged header");
	entry_of(FRAME_KERNEL)->kind = 60000;
	entry_of(FRAME_MARK)->kind = 60000;
	is_refused("damaged header");
	entry_of(60000)->kind = FRAME_DEVICE;
	entry_of(60000)->size = 0;
	is_refused("damaged header");
}

static void test_header_sizes(void **state)
{
	static const uint32_t sizes[] = {0, 8, 23, 24, 25, 140, 1 << 17, 0xfffffff8};
	const uint32_t size = header()->header_size, count = header()->kind_count;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		header()->header_size = sizes[i];
		is_refused("damaged header");
	}
	header()->header_size = size;
	for (uint32_t more = 1; more; more <<= 1) {
		header()->kind_count = count + more;
		is_refused("damaged header");
	}
	header()->kind_count = UINT32_MAX;
	is_refused("damaged header");
	header()->kind_count = count;
	header()->version = 3;
	is_refused("another version or machine (version 3)");
	header()->version = 1;
	is_refused("damaged header (version 1)");
	header()->version = TRACE_VERSION;
	trace.length -= 8;
	is_refused("ends in its header");
	/* Bytes after the table are skipped. */
	trace.length += 8;
	strbuf_append(&trace, "whatever", 8);
	header()->header_size += 8;
	open_trace();
	assert_non_null(reader);
	close_trace();
}

/* The blocks of a record: the end of its frame, and the result. */
static int with_blocks(const void *blocks, uint32_t size, enum frame_kind kind)
{
	const struct counter_column column = {"a", false};
	struct strbuf one = STRBUF_INIT;
	const struct frame *frame;
	int found;

	trace.length = 0;
	trace_put_header(&trace);
	put_others(0);
	frames_put_counters(&trace, &(struct counter_set){
					    .count = 1, .columns = &column, .refused = ""});
	if (kind == FRAME_KERNEL)
		trace_put_record(&one, &(struct record){.frame = {.size = 168, .kind = 7}});
	else
		trace_put_event(&one, &(struct record){.frame.kind = (uint16_t)kind}.frame);
	((struct frame *)(void *)one.data)->size += size;
	strbuf_append(&one, blocks, size);
	strbuf_append(&trace, one.data, one.length);
	strbuf_free(&one);
	open_trace();
	found = trace_next_frame(reader, &frame, &error);
	if (found == 1)
		assert_int_equal(frame->kind, kind);
	close_trace();
	return found;
}

static void test_blocks(void **state)
{
	struct {
		struct frame_block label;
		uint64_t text;
		struct counters_block counters;
		double value;
		struct frame_block last;
	} good = {
		.label = {.size = 16, .tag = 4711},
		.counters = {.block = {.size = 24, .tag = BLOCK_COUNTERS}},
		.last = {.size = 8, .tag = BLOCK_LABEL},
	}, bad;
	static const uint32_t sizes[] = {0, 1, 7, 12, 32, 1 << 20, UINT32_MAX, 0xfffffff8};

	(void)state;
	assert_int_equal(with_blocks(&good, sizeof(good), FRAME_KERNEL), 1);
	assert_int_equal(with_blocks(&good, sizeof(good), FRAME_CALL), 1);
	for (uint32_t size = 0; size < sizeof(good); size += 8)
		assert_int_equal(with_blocks(&good, size, FRAME_KERNEL),
				 size == 0 || size == 16 || size == 40 ? 1 : -1);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		bad = good;
		bad.last.size = sizes[i];
		assert_int_equal(with_blocks(&bad, sizeof(bad), FRAME_KERNEL), -1);
		assert_int_equal(with_blocks(&bad, sizeof(bad), FRAME_QUEUE), -1);
		bad = good;
		bad.label.size = sizes[i];
		assert_int_equal(with_blocks(&bad, sizeof(bad), FRAME_KERNEL), -1);
	}
	bad = good;
	bad.counters.set = 1; /* no such set */
	assert_int_equal(with_blocks(&bad, sizeof(bad), FRAME_KERNEL), -1);
	bad = good;
	bad.label.tag = BLOCK_COUNTERS; /* two of them, and no value in one */
	assert_int_equal(with_blocks(&bad, sizeof(bad), FRAME_KERNEL), -1);
	bad = good;
	bad.last.tag = BLOCK_COUNTERS; /* too short for one */
	assert_int_equal(with_blocks(&bad, sizeof(bad), FRAME_KERNEL), -1);
}

/* As in version 1: `stack` was 1 + the id of the set of the record's values. */
static void put_header_1(void)
{
	const uint32_t numbers[] = {1, TRACE_BYTE_ORDER, 24, 168};

	trace.length = 0;
	strbuf_append(&trace, TRACE_MAGIC, 8);
	strbuf_append(&trace, numbers, sizeof(numbers));
}

static void put_record_1(uint32_t stack, uint32_t values)
{
	struct record record = make_record(0);
	double value = 12.5;

	record.frame.stack = stack;
	record.frame.size += values * (uint32_t)sizeof(value);
	strbuf_append(&trace, &record, sizeof(record));
	for (uint32_t i = 0; i < values; i++)
		strbuf_append(&trace, &value, sizeof(value));
}

static void put_catalog_1(void)
{
	const struct counter_column list[] = {{"a", false}, {"b", true}};

	frames_put_device(&trace, &(struct device){.name = "Device"});
	frames_put_context(&trace, &(struct context){0});
	frames_put_counters(&trace, &(struct counter_set){
					    .count = 2, .columns = list, .refused = ""});
}

static void test_version_1(void **state)
{
	const uint64_t process[6] = {48 | (uint64_t)FRAME_PROCESS << 32, 0, 0, 7, 8, 9};
	const uint64_t lost[4] = {32 | (uint64_t)FRAME_LOST << 32, 0, 0, 3};
	const struct record *record;

	(void)state;
	put_header_1();
	strbuf_append(&trace, process, sizeof(process)); /* as short as in the first traces */
	strbuf_append(&trace, lost, sizeof(lost));
	put_catalog_1();
	put_record_1(0, 0);
	put_record_1(1, 2);
	put_record_1(0, 1); /* values without a set: they were skipped */
	open_trace();
	assert_non_null(reader);
	assert_false(trace_is_current(reader));
	assert_int_equal(trace_next(reader, &record, &error), 1);
	assert_int_equal(record->frame.stack, 0);
	assert_null(record_counters(record));
	assert_int_equal(trace_catalog(reader)->process.pid, 7);
	assert_int_equal(trace_catalog(reader)->process.started, 8);
	assert_int_equal(trace_catalog(reader)->process.command_length, 0);
	assert_int_equal(trace_lost(reader), 3);
	assert_int_equal(trace_next(reader, &record, &error), 1);
	assert_int_equal(record->frame.stack, 0);
	assert_int_equal(record_counters(record)->set, 0);
	assert_int_equal(record_value_count(record), 2);
	assert_true(record_values(record)[1] == 12.5);
	assert_int_equal(trace_next(reader, &record, &error), 1);
	assert_null(record_counters(record));
	assert_int_equal(trace_next(reader, &record, &error), 0);
	close_trace();
}

static void put_zeros(uint16_t kind, uint32_t size)
{
	const struct frame frame = {.size = size, .kind = kind};

	strbuf_append(&trace, &frame, sizeof(frame));
	for (uint32_t i = sizeof(frame); i < size; i++)
		strbuf_char(&trace, '\0');
}

static void test_version_1_hostile(void **state)
{
	static const struct {
		uint32_t stack, values;
	} bad[] = {{1, 0}, {1, 1}, {1, 3}, {2, 2}, {UINT32_MAX, 2}};
	const struct record *record;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put_header_1();
		put_catalog_1();
		put_record_1(bad[i].stack, bad[i].values);
		open_trace();
		assert_int_equal(trace_next(reader, &record, &error), -1);
		close_trace();
	}
	for (uint16_t kind = FRAME_PROCESS; kind < FRAME_KINDS; kind++)
		for (uint32_t size = 0; size < 200; size += 4) {
			put_header_1();
			put_catalog_1();
			put_zeros(kind, size);
			open_trace();
			while (trace_next(reader, &record, &error) > 0)
				;
			close_trace();
		}
}

/* Each prefix of the trace is a cut off trace, and nothing is read beyond its end. */
static void test_cut(void **state)
{
	struct record wanted = make_record(0);
	const struct record *record;

	(void)state;
	put_others(16);
	put_record(&wanted, 32);
	for (size_t size = trace.length; size-- > 0;) {
		trace.length = size;
		open_trace();
		assert_int_equal(!reader, size < header()->header_size);
		assert_true(!reader || !trace_next(reader, &record, &error));
		close_trace();
		reader = NULL;
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_longer),
		TEST(test_shorter),
		TEST(test_values_of_longer),
		TEST(test_unknown),
		TEST(test_missing),
		TEST(test_table),
		TEST(test_header_sizes),
		TEST(test_blocks),
		TEST(test_version_1),
		TEST(test_version_1_hostile),
		TEST(test_cut),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
