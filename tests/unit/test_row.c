/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/rowcache.h"

#include "records.h"

enum { LONG_NAME = 512 * 1024 };

static void test_grid_keys(void **state)
{
	static const char *const expected[TERMS_COUNT][DIALECT_COUNT] = {
		[TERMS_WORK_GROUPS] = {" NDRangesize=[ 4294967296, 3 ] ",
				       " ndrangesize=[ 4294967296, 3 ] "},
		[TERMS_BLOCKS] = {" gridSize=[ 4294967296, 3 ] ", " gridsize=[ 4294967296, 3 ] "},
	};

	(void)state;
	for (unsigned int i = 0; i < API_COUNT * DIALECT_COUNT; i++) {
		enum api api = i / DIALECT_COUNT;
		enum dialect dialect = i % DIALECT_COUNT;
		struct output_target target =
			make_target(api, dialect, FORMAT_KEYVAL, 1U << COLUMN_ID_GRID);
		struct strbuf text = STRBUF_INIT;

		output_keyval.write(&target, &kernel, &text);
		assert_non_null(
			strstr(strbuf_text(&text), expected[api_rows[api].terms][dialect]));
		strbuf_free(&text);
	}
}

static void test_header(void **state)
{
	static const struct device forging = {.number = 0, .name = "A\nmethod=[ x ] \x1b\xff\t"};
	struct output_target target = make_target(API_CUDA, DIALECT_CLASSIC, FORMAT_KEYVAL, 0);
	struct strbuf text = STRBUF_INIT;

	(void)state;
	target.device = &forging;
	target.warnings = "NV_Warning: one\nNV_Warning: two\n";
	output_keyval.open(&target, &text);
	assert_string_equal(strbuf_text(&text),
			    "NV_Warning: one\nNV_Warning: two\n"
			    "# CUDA_PROFILE_LOG_VERSION 2.0\n"
			    "# CUDA_DEVICE_NAME 0 A\\x0amethod=[ x ] \\x1b\\xff\\x09\n"
			    "timestamp,method,gputime,cputime,occupancy\n");
	strbuf_free(&text);
}

static void test_unknown_device(void **state)
{
	static const struct device nameless = {.number = 3};
	struct output_target target = make_target(API_OPENCL, DIALECT_CUDA4, FORMAT_KEYVAL, 0);
	struct strbuf text = STRBUF_INIT;

	(void)state;
	target.device = NULL;
	target.context = NULL;
	target.warnings = NULL;
	output_keyval.open(&target, &text);
	assert_memory_equal(strbuf_text(&text),
			    "# OPENCL_PROFILE_LOG_VERSION 2.0\n"
			    "# OPENCL_DEVICE 0 unknown\n"
			    "# OPENCL_CONTEXT 1\n",
			    33 + 26 + 19);
	text.length = 0;
	target.device = &nameless;
	output_keyval.open(&target, &text);
	assert_non_null(strstr(strbuf_text(&text), "# OPENCL_DEVICE 3 unknown\n"));
	strbuf_free(&text);
}

/* A row has counters only if they are exactly those of the file's columns. */
static void test_other_counters(void **state)
{
	static const struct counter_column column[] = {{.name = "branch"}, {.name = "other"}};
	const struct counter_set set = {
		.id = 4, .count = 2, .columns = column, .refused = "", .width = 11};
	struct output_target target = make_target(API_CUDA, DIALECT_CUDA4, FORMAT_KEYVAL, 0);
	struct counted_record counted = {.record = kernel, .values = {7, 8, 9}};

	(void)state;
	target.counters = &set;
	for (uint32_t id = 3; id <= 5; id++) {
		for (uint32_t count = 0; count <= 3; count++) {
			struct strbuf text = STRBUF_INIT;
			bool fits = id == 4 && count == 2;

			counted_record_set(&counted, id, count);
			output_keyval.write(&target, &counted.record, &text);
			assert_int_equal(
				strstr(strbuf_text(&text), " branch=[ 7 ] other=[ 8 ] \n") != NULL,
				fits);
			assert_int_equal(strstr(strbuf_text(&text), "branch") != NULL, fits);
			strbuf_free(&text);
		}
	}
}

/* The longest possible row has room, in each format. */
static void test_many_counters(void **state)
{
	enum { LONG = 60 };
	static struct counter_column column[COUNTER_COLUMNS];
	static struct counted_record counted;
	char name[LONG + 1];
	struct counter_set set = {.id = 0, .count = COUNTER_COLUMNS, .columns = column,
				  .refused = "", .width = COUNTER_COLUMNS * LONG};

	(void)state;
	memset(name, 'n', LONG);
	name[LONG] = '\0';
	counted.record = kernel;
	counted_record_set(&counted, 0, COUNTER_COLUMNS);
	for (int i = 0; i < COUNTER_COLUMNS; i++) {
		column[i] = (struct counter_column){.name = name, .real = true};
		counted.values[i] = -1e19;
	}
	for (int format = 0; format < FORMAT_COUNT; format++) {
		struct output_target target =
			make_target(API_CUDA, DIALECT_CLASSIC, (enum format)format, EVERY_COLUMN);
		struct strbuf text = STRBUF_INIT;

		target.counters = &set;
		output_formats[format]->write(&target, &counted.record, &text);
		assert_in_range(text.length, COUNTER_COLUMNS * 20, text.capacity);
		assert_int_equal(text.data[text.length - 1], '\n');
		/* After other rows, with one byte of room missing. */
		text.length = text.capacity - text.length + 1;
		output_formats[format]->write(&target, &counted.record, &text);
		assert_true(text.length <= text.capacity);
		strbuf_free(&text);
	}
}

static void test_long_name(void **state)
{
	struct output_target target = make_target(API_CUDA, DIALECT_CUDA4, FORMAT_KEYVAL, 0);
	struct strbuf text = STRBUF_INIT;
	char *name = malloc(LONG_NAME);
	struct record record;

	(void)state;
	assert_non_null(name);
	memset(name, ' ', LONG_NAME);
	record = with_name(name, LONG_NAME);
	output_keyval.write(&target, &record, &text);
	assert_int_equal(text.length,
			 LONG_NAME * 4 + strlen("method=[  ] gputime=[ 23802.943 ] "
						"cputime=[ 74.730 ] occupancy=[ 0.333 ] \n"));
	strbuf_free(&text);
	free(name);
}

static uint64_t pick(unsigned count)
{
	return (uint64_t)random() % count;
}

/* Changes some members of a record, and all its times; few values, so that rows repeat. */
static void vary(struct record *record, const uint32_t *some_names)
{
	static const struct record *const kinds[] = {&kernel, &copy, &bare};

	if (!pick(3))
		*record = *kinds[pick(3)];
	record->enter = catalog.process.started + pick(1 << 30);
	record->leave = record->enter + pick(1 << 28);
	record->started = kernel.started + pick(1 << 30);
	record->ended = record->started + pick(1 << 28) - pick(1 << 10);
	if (record->frame.kind == FRAME_KERNEL)
		record->name = some_names[pick(3)];
	switch (pick(40)) {
	case 0:
		record->bytes = pick(3);
		break;
	case 1:
		record->known ^= 1U << pick(13);
		break;
	case 2:
		record->frame.flags ^= (uint16_t)(1U << pick(6));
		break;
	case 3:
		record->stream = (uint32_t)pick(2);
		break;
	case 4:
		record->target = (uint8_t)pick(MEMORY_COUNT);
		break;
	case 5:
		record->cache_executed = (uint8_t)pick(3);
		break;
	default:
		break;
	}
}

static bool is_used(const struct rowcache *cache)
{
	for (int i = 0; i < ROWCACHE_SLOTS; i++)
		if (cache->slots[i].length)
			return true;
	return false;
}

/* A cache changes no row: of two logs that share it, with names that need escapes. */
static void test_cache(void **state)
{
	enum { ROWS = 200000, LONG_WORD = 2 * ROWCACHE_TEXT };
	static struct rowcache cache;
	static char word[LONG_WORD];
	uint32_t some_names[3];

	(void)state;
	memset(word, 'w', sizeof(word));
	some_names[0] = names_intern(names, "add", 3);
	some_names[1] = names_intern(names, "a, \"b\" ]", 9);
	some_names[2] = names_intern(names, word, sizeof(word));
	for (int form = 0; form < 2 * FORMAT_COUNT * DIALECT_COUNT; form++) {
		enum format format = form / 2 % FORMAT_COUNT;
		uint32_t asked = form % 2 ? EVERY_COLUMN & ~(1U << COLUMN_ID_CALLER) : 0;
		struct output_target with = make_target(API_CUDA, form / 2 / FORMAT_COUNT, format,
							asked), without = with;
		struct record record = kernel;
		struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;

		memset(&cache, 0, sizeof(cache)); /* it identifies targets by their address */
		with.cache = &cache;
		for (int i = 0; i < ROWS / 8; i++) {
			vary(&record, some_names);
			one.length = other.length = 0;
			output_formats[format]->write(&with, &record, &one);
			output_formats[format]->write(&without, &record, &other);
			assert_string_equal(strbuf_text(&one), strbuf_text(&other));
		}
		strbuf_free(&one);
		strbuf_free(&other);
		assert_true(is_used(&cache));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grid_keys),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_unknown_device),
		cmocka_unit_test(test_other_counters),
		cmocka_unit_test(test_many_counters),
		cmocka_unit_test(test_long_name),
		cmocka_unit_test(test_cache),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
