/* SPDX-License-Identifier: MIT */
/* Sums as bytes: what is read is what was written, also the largest numbers, and bytes that are cut
 * off or changed are no sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/format/label.h"
#include "view/ranks/rank_wire.h"

static void open_sums(struct rank_sums *sums)
{
	struct strbuf error = STRBUF_INIT;

	assert_int_equal(rank_sums_open(sums, NULL, true, &error), 0);
}

static void test_numbers(void **state)
{
	static const uint64_t numbers[] = {0,	      1, 127, 128, 16383, 16384, UINT64_MAX - 1,
					   UINT64_MAX};
	enum { COUNT = sizeof(numbers) / sizeof(numbers[0]) };
	struct strbuf bytes = STRBUF_INIT;
	struct rank_wire from;

	(void)state;
	for (int i = 0; i < COUNT; i++)
		rank_wire_put(&bytes, numbers[i]);
	assert_int_equal(bytes.length, 1 + 1 + 1 + 2 + 2 + 3 + 10 + 10);
	from = rank_wire_of(&bytes);
	for (int i = 0; i < COUNT; i++)
		assert_true(rank_wire_get(&from) == numbers[i]);
	assert_false(from.failed);
	assert_int_equal(rank_wire_get(&from), 0);
	assert_true(from.failed);
	strbuf_free(&bytes);
}

static void test_texts(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	struct rank_wire from;
	const char *text;
	size_t length;

	(void)state;
	rank_wire_put_text(&bytes, "", 0);
	rank_wire_put_text(&bytes, "a\0b", 3);
	from = rank_wire_of(&bytes);
	rank_wire_get_text(&from, &length);
	assert_int_equal(length, 0);
	text = rank_wire_get_text(&from, &length);
	assert_int_equal(length, 3);
	assert_memory_equal(text, "a\0b", 3);
	assert_false(from.failed);
	bytes.length--;
	from = rank_wire_of(&bytes);
	rank_wire_get_text(&from, &length);
	rank_wire_get_text(&from, &length);
	assert_int_equal(length, 0);
	assert_true(from.failed);
	strbuf_free(&bytes);
}

/* Sums with everything that the bytes have. */
static void make(struct rank_sums *sums)
{
	struct activity_key keys[] = {
		{.like = {.frame = {.kind = FRAME_KERNEL}}, .api = API_COUNT - 1},
		{.like = {.frame = {.kind = FRAME_KERNEL, .flags = LABEL_OTHER}}},
		{.like = {.frame = {.kind = FRAME_COPY},
			  .source = MEMORY_HOST,
			  .target = MEMORY_DEVICE}},
		{.like = {.frame = {.kind = FRAME_FILL}}},
	};
	struct rank_process process = {.part = 3,
				       .pid = UINT32_MAX,
				       .cut_off = true,
				       .launches = true,
				       .lost = UINT64_MAX,
				       .started = 7,
				       .records = 9};
	struct rank_entry entry = {.sum = {.count = 1,
					   .untimed = 2,
					   .total = UINT64_MAX,
					   .shortest = 4,
					   .longest = 5,
					   .bytes = 6,
					   .sized = 7}};
	struct rank_part part = {.pid = UINT32_MAX, .started = UINT64_MAX};
	struct rank_launch launch = {.time = UINT64_MAX, .start = 5, .record = 6, .device = 7};

	open_sums(sums);
	assert_int_equal(rank_sums_begin(sums, "dir/a.log", &process), 0);
	assert_int_equal(rank_sums_put_part(sums, &part), 0);
	process.cut_off = false;
	assert_int_equal(rank_sums_begin(sums, "b.log", &process), 1);
	assert_int_equal(rank_sums_add_missing(sums, "c.log", "c.log cannot be read"), 0);
	for (uint32_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *name = i ? "" : "kernel \xff\n";

		assert_int_equal(
			activity_index_number(&sums->activities, &keys[i], name, strlen(name)),
			i + 1);
		entry.activity = launch.activity = i;
		entry.process = launch.process = i % 2;
		assert_int_equal(rank_sums_put(sums, &entry), 0);
		assert_int_equal(rank_sums_put_launch(sums, &launch), 0);
	}
	assert_int_equal(histogram_add(rank_sums_make_times(sums, 0), 0), 0);
	assert_int_equal(histogram_add(rank_sums_make_times(sums, 0), UINT64_MAX), 0);
	assert_int_equal(histogram_add(rank_sums_make_times(sums, 2), 1000000), 0);
	rank_sums_make_times(sums, 2)->coarse = true;
}

static void put(struct strbuf *to, const struct rank_sums *sums)
{
	rank_wire_put_processes(to, sums);
	rank_wire_put_values(to, sums);
	assert_false(to->failed);
}

static int get(struct rank_sums *sums, const struct strbuf *bytes)
{
	struct rank_wire from = rank_wire_of(bytes);
	size_t count;

	open_sums(sums);
	if (rank_wire_get_processes(sums, &from))
		return -1;
	rank_sums_processes(sums, &count);
	if (rank_wire_get_values(sums, &from, count))
		return -1;
	return from.at == from.end ? 0 : -1;
}

static void test_sums(void **state)
{
	struct strbuf bytes = STRBUF_INIT, again = STRBUF_INIT;
	struct rank_sums sums, read;
	const struct rank_process *process;
	const struct rank_entry *entry;
	const struct rank_launch *launch;
	const struct rank_missing *missing;
	const struct rank_part *part;
	size_t count;

	(void)state;
	make(&sums);
	put(&bytes, &sums);
	assert_int_equal(get(&read, &bytes), 0);
	put(&again, &read);
	assert_int_equal(again.length, bytes.length);
	assert_memory_equal(again.data, bytes.data, bytes.length);

	process = rank_sums_processes(&read, &count);
	assert_int_equal(count, 2);
	assert_string_equal(rank_sums_text(&read, process[0].path), "dir/a.log");
	assert_int_equal(process[0].part, 3);
	assert_true(process[0].pid == UINT32_MAX && process[0].lost == UINT64_MAX);
	assert_true(process[0].cut_off && process[0].launches && !process[1].cut_off);
	assert_true(process[0].started == 7 && process[0].records == 9);
	part = rank_sums_parts(&read, &count);
	assert_int_equal(count, 1);
	assert_memory_equal(part, sums.parts.data, sizeof(*part));
	assert_true(process[0].merged && !process[1].merged);
	missing = rank_sums_missing(&read, &count);
	assert_int_equal(count, 1);
	assert_string_equal(rank_sums_text(&read, missing[0].reason), "c.log cannot be read");
	entry = rank_sums_entries(&read, &count);
	assert_int_equal(count, 4);
	assert_memory_equal(entry, sums.entries.data, 4 * sizeof(*entry));
	launch = rank_sums_launches(&read, &count);
	assert_int_equal(count, 4);
	assert_memory_equal(launch, sums.launches.data, 4 * sizeof(*launch));
	assert_true(read.times[2].coarse && !read.times[0].coarse);
	assert_int_equal(read.times[0].count, 2);
	assert_int_equal(histogram_percentile(&read.times[0], 99),
			 histogram_percentile(&sums.times[0], 99));
	rank_sums_close(&sums);
	rank_sums_close(&read);
	strbuf_free(&bytes);
	strbuf_free(&again);
}

static void test_cut_off(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	struct rank_sums sums, read;

	(void)state;
	make(&sums);
	put(&bytes, &sums);
	for (size_t length = bytes.length; length--;) {
		bytes.length = length;
		assert_int_equal(get(&read, &bytes), -1);
		rank_sums_close(&read);
	}
	rank_sums_close(&sums);
	strbuf_free(&bytes);
}

/* Some changes make other sums; none reads or writes elsewhere. */
static void test_changed(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	struct rank_sums sums, read;
	unsigned invalid = 0;

	(void)state;
	make(&sums);
	put(&bytes, &sums);
	for (size_t i = 0; i < bytes.length; i++)
		for (int bit = 0; bit < 8; bit++) {
			size_t count;
			const struct rank_entry *entry;

			bytes.data[i] = (char)(bytes.data[i] ^ 1 << bit);
			invalid += get(&read, &bytes) != 0;
			entry = rank_sums_entries(&read, &count);
			for (size_t j = 0; j < count; j++)
				assert_in_range(entry[j].process, 0, 1);
			rank_sums_close(&read);
			bytes.data[i] = (char)(bytes.data[i] ^ 1 << bit);
		}
	assert_true(invalid > bytes.length);
	rank_sums_close(&sums);
	strbuf_free(&bytes);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_texts),
		cmocka_unit_test(test_sums),	cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
