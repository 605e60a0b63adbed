/* SPDX-License-Identifier: MIT */
#include "tracefile.h"

#include <sys/stat.h>

static void test_every_byte_changed(void **state)
{
	static const unsigned char changes[] = {0x01, 0x80, 0xff};
	unsigned int refused = 0;

	(void)state;
	for (size_t at = 0; at < whole.length; at++) {
		for (size_t i = 0; i < sizeof(changes); i++) {
			struct result result;

			whole.data[at] = (char)((unsigned char)whole.data[at] ^ changes[i]);
			write_file(whole.data, whole.length);
			whole.data[at] = (char)((unsigned char)whole.data[at] ^ changes[i]);
			result = read_all();
			assert_true(result.records <= RECORDS);
			refused += !result.opened;
			/* A longer header is one, and a kind may have another size, or none. */
			if (at < offsetof(struct trace_header, header_size))
				assert_false(result.opened);
			if (at >= header_size)
				assert_true(result.opened);
		}
	}
	assert_in_range(refused,
			offsetof(struct trace_header, header_size) * sizeof(changes),
			header_size * sizeof(changes));
}

static void test_noise(void **state)
{
	char bytes[4096];

	(void)state;
	srandom(7);
	for (int round = 0; round < 2000; round++) {
		size_t size = (size_t)random() % sizeof(bytes);

		memcpy(bytes, whole.data, header_size);
		for (size_t i = header_size; i < size; i++)
			bytes[i] = (char)random();
		/* A plausible frame, so that the noise is read. */
		if (round % 4)
			memcpy(bytes + header_size,
			       &(struct frame){.size = (uint32_t)(random() % 64 * 8),
					       .kind = (uint16_t)(random() % FRAME_KINDS)},
			       8);
		write_file(bytes, size);
		read_all();
	}
}

/* Its owner may truncate it while it is read. */
static void test_shrinks(void **state)
{
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	const struct record *record;
	struct trace_reader *reader;
	uint64_t count = 0;
	int result;

	(void)state;
	make_long(&bytes, 30000);
	reader = trace_open(path, &error);
	assert_int_equal(trace_next(reader, &record, &error), 1);
	assert_int_equal(truncate(path, 300), 0);
	while ((result = trace_next(reader, &record, &error)) == 1)
		count++;
	assert_int_equal(result, -1);
	assert_true(count > 0 && count < 29999);
	assert_non_null(strstr(strbuf_text(&error), "is damaged at byte "));
	trace_close(reader);
	strbuf_free(&bytes);
	strbuf_free(&error);
}

/* A sparse file may have any size. No memory is allocated for the size that it claims. */
static void test_huge_frame(void **state)
{
	const struct frame huge = {.size = 0xfffffff8, .kind = FRAME_KINDS};
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	const struct record *record;
	struct trace_reader *reader;
	char place[64];

	(void)state;
	strbuf_append(&bytes, whole.data, whole.length);
	strbuf_append(&bytes, &huge, sizeof(huge));
	write_file(bytes.data, bytes.length);
	assert_int_equal(truncate(path, (off_t)5 << 30), 0);
	reader = trace_open(path, &error);
	assert_non_null(reader);
	for (int i = 0; i < RECORDS; i++)
		assert_int_equal(trace_next(reader, &record, &error), 1);
	assert_int_equal(trace_next(reader, &record, &error), -1);
	snprintf(place, sizeof(place), "damaged at byte %zu", whole.length);
	assert_non_null(strstr(strbuf_text(&error), place));
	trace_close(reader);
	strbuf_free(&bytes);
	strbuf_free(&error);
}

static void test_odd_files(void **state)
{
	struct strbuf error = STRBUF_INIT;

	(void)state;
	assert_null(trace_open("/nowhere/trace", &error));
	assert_null(trace_open("/tmp", &error));
	assert_null(trace_open("/dev/null", &error));
	unlink(path);
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_null(trace_open(path, &error));
	unlink(path);
	write_file("text\n", 5);
	error.length = 0;
	assert_null(trace_open(path, &error));
	assert_non_null(strstr(strbuf_text(&error), "is not a trace"));
	strbuf_free(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_byte_changed),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_shrinks),
		cmocka_unit_test(test_huge_frame),
		cmocka_unit_test(test_odd_files),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
