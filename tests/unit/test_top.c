/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/top/top_view.h"

/* The text of `computeprof top`, from rows of totals. */

#define SECOND UINT64_C(1000000000)

static struct totals_row of_kernel(uint32_t name, uint64_t count, uint64_t each)
{
	return (struct totals_row){
		.frame = {.size = sizeof(struct totals_row), .kind = FRAME_TOTALS,
			  .flags = TOTALS_ACTIVITY},
		.record_kind = FRAME_KERNEL, .name = name, .count = count, .total = count * each,
		.shortest = each, .longest = each};
}

static struct totals_row of_function(uint32_t name, uint64_t count, uint64_t each)
{
	struct totals_row row = of_kernel(name, count, each);

	row.frame.flags = TOTALS_FUNCTION;
	row.record_kind = 0;
	return row;
}

static struct totals_row of_others(uint64_t count, uint64_t each)
{
	struct totals_row row = of_kernel(0, count, each);

	row.frame.flags |= TOTALS_OTHER;
	row.record_kind = 0;
	return row;
}

static struct totals_row of_device(uint32_t device, uint64_t busy)
{
	return (struct totals_row){
		.frame = {.size = sizeof(struct totals_row), .kind = FRAME_TOTALS,
			  .flags = TOTALS_DEVICE},
		.device = device, .total = busy};
}

static void read_rows(struct top_rows *to, const struct totals_row *rows, size_t count)
{
	struct totals_rows list = {0};

	for (size_t i = 0; i < count; i++)
		assert_int_equal(totals_rows_add(&list, &rows[i]), 0);
	assert_int_equal(top_rows_read(to, &list), 0);
	totals_rows_free(&list);
}

/* Rows of one key, of several threads or devices, are added. */
static void test_rows_are_added(void **state)
{
	struct totals_row input[] = {of_kernel(2, 3, 10), of_function(2, 5, 1), of_kernel(1, 1, 7),
				     of_kernel(2, 4, 20), of_others(2, 9), of_function(3, 0, 0)};
	struct top_rows rows = {0};
	const struct top_row *list;
	size_t count;

	(void)state;
	input[3].device = 1;
	input[0].missing[TOTALS_FAILED] = 6;
	/* Twice, since the contents are replaced. */
	for (int i = 0; i < 2; i++)
		read_rows(&rows, input, 6);
	list = top_rows_list(&rows, &count);
	assert_int_equal(count, 4);
	assert_int_equal(list[0].like.frame.flags, LABEL_OTHER);
	assert_int_equal(list[1].like.name, 1);
	assert_int_equal(list[2].like.name, 2);
	assert_int_equal(list[2].count, 7);
	assert_int_equal(list[2].total, 110);
	assert_int_equal(list[2].shortest, 10);
	assert_int_equal(list[2].longest, 20);
	assert_int_equal(list[3].like.frame.kind, FRAME_CALL);
	assert_int_equal(rows.records, 3 + 1 + 4 + 2 + 6);
	assert_int_equal(rows.untimed, 6);
	assert_int_equal(top_rows_count(&rows, &list[2]), 7);
	assert_int_equal(top_rows_count(&rows, &(struct top_row){.like.name = 9}), 0);
	top_rows_free(&rows);
}

static void test_sums_saturate(void **state)
{
	struct totals_row input[] = {of_kernel(1, UINT64_MAX, 1), of_kernel(1, 5, 1)};
	struct top_rows rows = {0};
	size_t count;

	(void)state;
	read_rows(&rows, input, 2);
	assert_int_equal(top_rows_list(&rows, &count)->count, UINT64_MAX);
	assert_int_equal(rows.records, UINT64_MAX);
	top_rows_free(&rows);
}

enum { KERNELS = 40 };

static struct ringfile_header header = {.pid = 12};
static struct catalog catalog;

/* Kernel number i has i calls of 1000 - i ns each, with i - 1 of them in the last second. */
static struct watched *new_watched(void)
{
	struct watched *watched = calloc(1, sizeof(*watched));
	struct totals_row before[KERNELS + 2], now[KERNELS + 4];

	assert_non_null(watched);
	assert_int_equal(catalog_init(&catalog), 0);
	for (uint32_t i = 0; i < KERNELS; i++) {
		char text[32];

		snprintf(text, sizeof(text), "kernel_%02u", KERNELS - i);
		names_intern(catalog.names, text, strlen(text));
		before[i] = of_kernel(i + 1, 1, 1000 - i);
		now[i] = of_kernel(i + 1, i + 1, 1000 - i);
	}
	catalog_add_device(&catalog, &(struct device){.name = "Device"});
	before[KERNELS] = of_device(UINT32_MAX, SECOND);
	before[KERNELS + 1] = of_device(0, SECOND);
	now[KERNELS] = of_device(UINT32_MAX, SECOND * 3 / 2);
	now[KERNELS + 1] = of_device(0, SECOND * 5 / 4);
	now[KERNELS + 2] = of_function(1, 3, 50);
	now[KERNELS + 3] = of_others(1, 1);
	read_rows(&watched->before, before, KERNELS + 2);
	read_rows(&watched->now, now, KERNELS + 4);
	watched->any = true;
	watched->header = &header;
	watched->catalog = &catalog;
	watched->interval = 2 * SECOND;
	watched->elapsed = 3725 * SECOND;
	watched->label.names = catalog.names;
	return watched;
}

static struct watch_list list;

static const char *view_of(struct watched *watched, struct top_view *view)
{
	static struct strbuf text;

	list = (struct watch_list){.list = {watched}, .count = 1};
	view->list = &list;
	text.length = 0;
	top_view_put(&text, view);
	return strbuf_text(&text);
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
}

static unsigned lines_of(const char *text)
{
	unsigned lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static void test_view(void **state)
{
	struct watched *watched = new_watched();
	const char *text = view_of(watched, &(struct top_view){.every = true, .delay = 2});

	(void)state;
	expect(text, "every 2 s, 1 process, by time\n");
	expect(text, "     12    1:02:05   25.0%      390.5         821       0         -  ");
	expect(text, "\nrecords: 821, per second: 390.5, without times: 0, lost: 0, waiting: ");
	expect(text, "\ndevice: Device (0), busy: 1.25000s, now: 12.5%\n");
	expect(text, "\n  4.81%  38.440us        40      19.5     961ns     961ns     961ns  "
		     "kernel_01\n");
	expect(text, "\n  0.00%       1ns         1       0.5       1ns       1ns       1ns  "
		     "(other)\n");
	expect(text, "\nAPI calls:\n");
	expect(text, "\n100.00%     150ns         3       1.5      50ns      50ns      50ns  "
		     "kernel_40\n");
	watched->ended = true;
	text = view_of(watched, &(struct top_view){.every = true});
	expect(text, "1 process, 1 ended, by time\n");
	expect(text, "   ended          -         821 ");
	expect(text, "\nrecords: 821, without times");
	watched_close(watched);
	catalog_free(&catalog);
}

/* The first row of each order. */
static void test_sort(void **state)
{
	static const char *const first[TOP_SORTS] = {
		[TOP_TIME] = "kernel_01", [TOP_CALLS] = "kernel_01", [TOP_AVERAGE] = "kernel_40",
		[TOP_NAME] = "(other)", [TOP_RATE] = "kernel_01"};
	static const char letters[] = "tcanr";
	struct watched *watched = new_watched();

	(void)state;
	for (int i = 0; letters[i]; i++) {
		int sort = top_view_sort(letters[i]);
		const char *text, *line;

		assert_in_range(sort, 0, TOP_SORTS - 1);
		text = view_of(watched, &(struct top_view){.every = true, .sort = sort});
		line = strstr(text, "  Name\n");
		assert_non_null(line);
		line += strlen("  Name\n");
		line = strchr(line, '\n') - strlen(first[sort]);
		assert_memory_equal(line, first[sort], strlen(first[sort]));
	}
	assert_int_equal(top_view_sort('q'), -1);
	assert_int_equal(top_view_sort('\0'), -1);
	watched_close(watched);
	catalog_free(&catalog);
}

/* No more lines than the screen has, if there is room for the lines above the tables. */
static void test_height(void **state)
{
	struct watched *watched = new_watched();

	(void)state;
	for (unsigned height = 7; height < 70; height++) {
		const char *text = view_of(watched, &(struct top_view){.width = 80,
								       .height = height});

		if (lines_of(text) > height)
			fail_msg("%u lines for %u:\n%s", lines_of(text), height, text);
		if (height == 30) {
			expect(text, "GPU activities (16 of 41):\n");
			expect(text, "API calls:\n");
		}
	}
	watched_close(watched);
	catalog_free(&catalog);
}

static void test_first_reading(void **state)
{
	struct watched *watched = new_watched();
	const char *text;

	(void)state;
	watched->interval = 0;
	text = view_of(watched, &(struct top_view){.every = true});
	expect(text, "     12    1:02:05       -          -         821 ");
	expect(text, "        40         -     961ns ");
	watched_close(watched);
	catalog_free(&catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_added), cmocka_unit_test(test_sums_saturate),
		cmocka_unit_test(test_view),	       cmocka_unit_test(test_sort),
		cmocka_unit_test(test_height),	       cmocka_unit_test(test_first_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
