/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/output.h"

#include "output/unescape.h"
#include "random.h"
#include "values.h"

/* The log reader reads the outputs' logs, and arbitrary bytes do not crash it. */

static size_t random_name(char *name, size_t size)
{
	static const char alphabet[] = "] ,=[\\x5d\n\"#a\t\xc3\xa9\xe2\x80\xa8";
	size_t length = 1 + next_random() % (size - 1);

	for (size_t i = 0; i < length; i++)
		name[i] = next_random() % 4 ? alphabet[next_random() % (sizeof(alphabet) - 1)]
					    : (char)next_random();
	return length;
}

static void check_round_trip(const struct output_target *target, const struct record *record,
			     const char *name, size_t length)
{
	struct strbuf log = STRBUF_INIT, read = STRBUF_INIT;
	const struct output *output = output_formats[target->layout.format];
	struct logreader reader;
	struct log_text value;

	output->open(target, &log);
	output->write(target, record, &log);
	output->write(target, record, &log);
	assert_int_equal(logreader_open(&reader, log.data, log.length), 0);
	assert_int_equal(logreader_next(&reader), 1);
	assert_true(logreader_value(&reader, "method", &value));
	unescape_name(value, &read);
	assert_int_equal(read.length, length);
	assert_memory_equal(read.data, name, length);
	assert_value(&reader, "gputime", "23802.943");
	assert_value(&reader, "memtransfersize", "18446744073709551615");
	assert_text(reader.header.device_name, "A device");
	assert_int_equal(reader.header.csv, target->layout.format == FORMAT_CSV);
	assert_int_equal(reader.header.api, target->layout.api);
	assert_int_equal(logreader_next(&reader), 1);
	assert_int_equal(logreader_next(&reader), 0);
	logreader_close(&reader);
	strbuf_free(&read);
	strbuf_free(&log);
}

static void test_round_trip(void **state)
{
	static const struct device device = {.number = 1, .name = "A device"};
	struct catalog catalog = {.names = names_new()};
	struct record record = {.frame = {.kind = FRAME_KERNEL}, .ended = 23802944};
	struct output_target target = {.catalog = &catalog, .device = &device};
	char name[40];

	(void)state;
	record.known = KNOWN_TIMES | KNOWN_GRID | KNOWN_BYTES;
	record.bytes = UINT64_MAX;
	for (unsigned int i = 0; i < 16000; i++) {
		size_t length = random_name(name, sizeof(name));

		record.name = names_intern(catalog.names, name, length);
		target.layout.api = i & 1 ? API_CUDA : API_OPENCL;
		target.layout.dialect = i & 2 ? DIALECT_CUDA4 : DIALECT_CLASSIC;
		target.layout.format = i & 4 ? FORMAT_CSV : FORMAT_KEYVAL;
		target.layout.columns = column_set(i & 8 ? UINT32_MAX : 1U << COLUMN_ID_BYTES,
						   target.layout.api, target.layout.dialect);
		check_round_trip(&target, &record, name, length);
	}
	names_free(catalog.names);
}

/* Every prefix of a log, and logs with random bytes in them, in memory of their exact size. */
static void read_all(const char *bytes, size_t size)
{
	char *copy = malloc(size + 1);
	struct logreader reader;
	uint64_t rounds = 0;

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	copy = realloc(copy, size ? size : 1);
	if (logreader_open(&reader, copy, size) == 0) {
		while (logreader_next(&reader))
			assert_true(++rounds <= size);
	}
	logreader_close(&reader);
	free(copy);
}

static void test_any_bytes(void **state)
{
	static const char log[] = "NV_Warning: x\n# CUDA_PROFILE_LOG_VERSION 2.0\n"
				  "# CUDA_PROFILE_CSV 1\n# CUDA_DEVICE 0 A\n# CUDA_CONTEXT 1\n"
				  "# TIMESTAMPFACTOR ff\nmethod,gputime,\ncputime\n"
				  "method=[ k ] gputime=[ 1 ] a=[ 1, 2 ] \nk,1.5,3\n\n";
	static const char alphabet[] = "\n\n# ,=[]\t\r\\NV_mx0";
	char bytes[sizeof(log)];

	(void)state;
	for (size_t size = 0; size < sizeof(log); size++)
		read_all(log, size);
	for (unsigned int i = 0; i < 20000; i++) {
		memcpy(bytes, log, sizeof(log));
		for (unsigned int j = next_random() % 20; j; j--)
			bytes[next_random() % sizeof(log)] =
				alphabet[next_random() % sizeof(alphabet)];
		read_all(bytes, sizeof(bytes) - next_random() % 20);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
