/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "view/page/page_events.h"

/* An event or block as it is in the file. */
struct shown {
	uint64_t name, start, end, count;
};

enum { LIMIT = 100, MOST = 4000 };

static struct page_events events;

static struct strbuf text(const char *string)
{
	struct strbuf buffer = STRBUF_INIT;

	strbuf_string(&buffer, string);
	return buffer;
}

static uint32_t name(const char *string)
{
	struct strbuf buffer = text(string);
	uint32_t id = page_events_name(&events, &buffer);

	strbuf_free(&buffer);
	return id;
}

static void add_track(uint32_t number, const struct page_place *place, const char *string)
{
	struct strbuf heading = text("<device>"), title = text(string);

	page_events_add_track(&events, number, place, &heading, &title);
	strbuf_free(&heading);
	strbuf_free(&title);
}

static uint64_t number(const char **at)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	uint64_t value = 0, digit;
	unsigned shift = 0;

	do {
		digit = (uint64_t)(strchr(digits, *(*at)++) - digits);
		value |= (digit & 31) << shift;
		shift += 5;
	} while (digit > 31);
	return value;
}

/* Reads the events of a track. Returns their number. */
static size_t read_track(size_t track, struct shown shown[MOST])
{
	struct strbuf html = STRBUF_INIT;
	uint64_t before = events.first;
	size_t count = 0;
	const char *at;

	page_events_put_track(&events, track, &html);
	for (at = strchr(strbuf_text(&html), '>') + 1; *at != '<'; count++) {
		uint64_t word = number(&at);

		assert_true(count < MOST);
		shown[count].name = word / 2;
		shown[count].start = before += number(&at);
		shown[count].end = before + number(&at);
		shown[count].count = word % 2 ? number(&at) : 1;
		assert_true(!(word % 2) || shown[count].count > 1);
	}
	strbuf_free(&html);
	return count;
}

static void test_single(void **state)
{
	static struct shown shown[MOST];
	uint32_t kernel, copy;

	(void)state;
	assert_int_equal(page_events_open(&events), 0);
	add_track(1, &(struct page_place){.group = 1}, "thread");
	add_track(2, &(struct page_place){.device = 1}, "queue");
	kernel = name("kstep");
	copy = name("c[memcpy]");
	assert_int_equal(name("kstep"), kernel);
	assert_int_not_equal(copy, kernel);
	page_events_add(&events, 2, copy, 5000, 5031);
	page_events_add(&events, 2, kernel, 1000, 1000000001000);
	page_events_add(&events, 1, kernel, 70, 71);
	page_events_add(&events, 3, kernel, 1, 2);
	page_events_end(&events);
	assert_int_equal(events.left_out, 1);
	assert_int_equal(events.all, 3);
	assert_int_equal(events.block, 0);
	assert_int_equal(read_track(0, shown), 2); /* queues are first */
	assert_memory_equal(
		shown, ((struct shown[]){{kernel, 1000, 1000000001000, 1}, {copy, 5000, 5031, 1}}),
		2 * sizeof(*shown));
	assert_int_equal(read_track(1, shown), 1);
	assert_memory_equal(shown, (&(struct shown){kernel, 70, 71, 1}), sizeof(*shown));
	page_events_close(&events);
}

/* Blocks contain all events with their times, and are at most events.block long. A longer event is
 * in no block. */
static void test_blocks(void **state)
{
	static struct shown shown[MOST];
	uint64_t all = 0, blocks = 0, last = 0;
	uint32_t names[2];
	size_t count;

	(void)state;
	assert_int_equal(page_events_open(&events), 0);
	events.limit = LIMIT;
	add_track(1, &(struct page_place){0}, "queue");
	names[0] = name("kone");
	names[1] = name("kother");
	for (uint64_t i = 0; i < MOST; i++)
		page_events_add(&events, 1, names[i & 1], i * 1000,
				i * 1000 + (i % 500 ? 600 : 900000));
	page_events_end(&events);
	count = read_track(0, shown);
	assert_true(count <= LIMIT);
	assert_int_equal(count, events.stored);
	assert_true(events.block >= 1024);
	for (size_t i = 0; i < count; i++) {
		all += shown[i].count;
		blocks += shown[i].count > 1;
		assert_true(shown[i].start >= last);
		if (shown[i].count > 1) {
			assert_true(shown[i].end - shown[i].start <= events.block);
			assert_int_equal(shown[i].name, 0); /* its events have two names */
		} else {
			assert_in_range(shown[i].name, names[0], names[1]);
		}
		if (shown[i].end - shown[i].start > events.block)
			assert_int_equal(shown[i].end - shown[i].start, 900000);
		last = shown[i].start;
	}
	assert_int_equal(all, MOST);
	assert_int_equal(events.all, MOST);
	assert_true(blocks > LIMIT / 4);
	assert_int_equal(shown[0].start, 0);
	page_events_close(&events);
}

/* If all events of a block have one name, the block has it, too. */
static void test_block_of_a_name(void **state)
{
	static struct shown shown[MOST];

	(void)state;
	assert_int_equal(page_events_open(&events), 0);
	events.limit = 1;
	add_track(1, &(struct page_place){0}, "queue");
	for (uint64_t i = 0; i < 3; i++)
		page_events_add(&events, 1, name("kone"), i * 10, i * 10 + 5);
	page_events_end(&events);
	assert_int_equal(read_track(0, shown), 1);
	assert_memory_equal(shown, (&(struct shown){name("kone"), 0, 25, 3}), sizeof(*shown));
	page_events_close(&events);
}

static void test_limits(void **state)
{
	char kernel[24];

	(void)state;
	assert_int_equal(page_events_open(&events), 0);
	for (uint32_t i = 1; i <= PAGE_TRACKS + 1; i++)
		add_track(i, &(struct page_place){0}, "lane");
	assert_int_equal(page_events_tracks(&events), PAGE_TRACKS);
	page_events_add(&events, PAGE_TRACKS + 1, 1, 1, 2);
	assert_int_equal(events.left_out, 1);
	for (int i = 0; i < PAGE_NAMES + 5; i++) {
		snprintf(kernel, sizeof(kernel), "k%d", i);
		assert_int_not_equal(name(kernel), 0);
	}
	assert_int_equal(events.unnamed, 5);
	assert_int_equal(name("k0"), 1);
	assert_int_equal(names_count(events.names), PAGE_NAMES + 1);
	assert_false(events.failed);
	page_events_close(&events);
}

/* If there was no memory for a track, the page is not written. */
static void test_no_memory(void **state)
{
	(void)state;
	assert_int_equal(page_events_open(&events), 0);
	assert_false(events.failed);
	events.tracks.failed = true; /* no memory for an earlier track, but for this one */
	add_track(2, &(struct page_place){0}, "lane");
	assert_true(events.failed);
	assert_int_equal(page_events_tracks(&events), 1);
	page_events_close(&events); /* frees it once */
}

/* Reads the points of a track: times and bytes. Returns their number. */
static size_t read_points(size_t track, struct shown shown[MOST])
{
	struct strbuf html = STRBUF_INIT;
	uint64_t before = events.first;
	size_t count = 0;
	const char *at;

	page_events_put_track(&events, track, &html);
	assert_non_null(strstr(strbuf_text(&html), "class=\"memory\""));
	for (at = strchr(strbuf_text(&html), '>') + 1; *at != '<'; count++) {
		assert_true(count < MOST);
		shown[count].start = before += number(&at);
		shown[count].count = number(&at);
	}
	strbuf_free(&html);
	return count;
}

/* Points are as they were added, until there are too many: then each stretch has its greatest and
 * its last value, at their times. */
static void test_points(void **state)
{
	static struct shown shown[MOST];
	uint64_t greatest = 0, last = 0;
	size_t count;

	(void)state;
	assert_int_equal(page_events_open(&events), 0);
	events.point_limit = LIMIT;
	add_track(1, &(struct page_place){.memory = true}, "memory");
	add_track(2, &(struct page_place){.memory = true, .rank = 1}, "more memory");
	page_events_add_point(&events, 3, 5, 5);
	page_events_add_point(&events, 2, 70, 9);
	for (uint64_t i = 0; i < 50; i++)
		page_events_add_point(&events, 1, 100 + i * 1000, i * i % 17);
	page_events_end(&events);
	assert_int_equal(events.left_out, 1);
	assert_int_equal(events.point_block, 0);
	assert_int_equal(read_points(0, shown), 50);
	for (size_t i = 0; i < 50; i++) {
		assert_int_equal(shown[i].start, 100 + i * 1000);
		assert_int_equal(shown[i].count, i * i % 17);
	}
	for (uint64_t i = 50; i < 5000; i++)
		page_events_add_point(&events, 1, 100 + i * 1000, i == 777 ? 1000 : i * i % 17);
	page_events_end(&events);
	assert_true(events.point_block);
	assert_int_equal(events.changes, 5001);
	count = read_points(0, shown);
	assert_in_range(count, LIMIT / 8, LIMIT);
	for (size_t i = 0; i < count; i++) {
		if (shown[i].count == 1000)
			greatest = shown[i].start;
		last = shown[i].start;
	}
	assert_int_equal(greatest, 100 + 777 * 1000);
	assert_int_equal(last, 100 + 4999 * 1000);
	assert_int_equal(shown[count - 1].count, 4999 * 4999 % 17);
	assert_int_equal(read_points(1, shown), 1);
	page_events_close(&events);
}

static void test_escaped(void **state)
{
	struct strbuf html = STRBUF_INIT;

	(void)state;
	assert_int_equal(page_events_open(&events), 0);
	add_track(1, &(struct page_place){0}, "a\"b'<&>");
	name("k</ol><!--");
	page_events_put_track(&events, 0, &html);
	page_events_put_names(&events, &html);
	assert_string_equal(strbuf_text(&html),
			    "<script type=\"text/plain\" class=\"track\" "
			    "data-heading=\"&lt;device&gt;\" "
			    "data-title=\"a&quot;b&#39;&lt;&amp;&gt;\"></script>\n"
			    "<ol id=\"names\" hidden>\n<li>k&lt;/ol&gt;&lt;!--</li>\n</ol>\n");
	strbuf_free(&html);
	page_events_close(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single),		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_block_of_a_name), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_no_memory),	cmocka_unit_test(test_escaped),
		cmocka_unit_test(test_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
