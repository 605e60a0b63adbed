/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/number.h"
#include "model/occupancy.h"

#include "sharedlogs.h"
#include "values.h"

/* The occupancy in real logs equals computeprof's, as far as their columns have the inputs. */

/* The compute capabilities of the logs' devices; those of 1.x are not in the table. */
static uint32_t compute_of(struct log_text device)
{
	static const struct {
		const char *name;
		uint32_t compute;
	} known[] = {
		{"Tesla C2050", 20},
		{"Tesla C2070", 20},
		{"Tesla M2090", 20},
		{"GeForce GT 520", 21},
		{"GeForce GTX 560 Ti", 21},
		{"Tesla K40c", 35},
		{"GeForce RTX 2080", 75},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].name) == device.length &&
		    !memcmp(known[i].name, device.text, device.length))
			return known[i].compute;
	return 0;
}

static bool read_number(const struct logreader *reader, const char *key, uint64_t *number)
{
	struct log_text text;

	if (!logreader_value(reader, key, &text))
		return false;
	*number = number_read(text.text, NULL);
	return true;
}

static bool would_print(uint32_t compute, const struct occupancy_block *block,
			struct log_text printed)
{
	const struct occupancy_device device = {.compute = compute};
	char text[NUMBER_SIZE];
	char *end = number_float(text, occupancy(&device, block));

	return (size_t)(end - text) == printed.length &&
	       !memcmp(text, printed.text, printed.length);
}

/* Reads the block's resources, if the row has them. */
static bool read_block(const struct logreader *reader, struct occupancy_block *block)
{
	uint64_t size[3], shared, dynamic;

	if (!read_number(reader, "threadblocksizeX", &size[0]) ||
	    !read_number(reader, "threadblocksizeY", &size[1]) ||
	    !read_number(reader, "threadblocksizeZ", &size[2]) ||
	    !read_number(reader, "regperthread", &block->registers) ||
	    !read_number(reader, "stasmemperblock", &shared) ||
	    !read_number(reader, "dynsmemperblock", &dynamic))
		return false;
	block->threads = size[0] * size[1] * size[2];
	block->shared = shared + dynamic;
	return true;
}

/* Numbers of compared rows. */
static unsigned int exact, possible;

/* Returns true if it is the occupancy of that block, or, if unknown, of any block. */
static bool is_possible(const struct logreader *reader, uint32_t compute, struct log_text printed)
{
	struct occupancy_block block = {0};

	if (read_block(reader, &block)) {
		exact++;
		return would_print(compute, &block, printed);
	}
	possible++;
	for (block.threads = 32; block.threads <= 1024; block.threads += 32)
		for (block.registers = 1; block.registers < 64; block.registers++)
			if (would_print(compute, &block, printed))
				return true;
	return false;
}

static void check_occupancy(const struct strbuf *text, const char *name)
{
	struct log_text printed;
	struct logreader reader;
	uint32_t compute;
	int result;

	(void)name;
	assert_int_equal(logreader_open(&reader, text->data, text->length), 0);
	compute = compute_of(reader.header.device_name);
	while (compute && (result = logreader_next(&reader)))
		if (result > 0 && logreader_value(&reader, "occupancy", &printed) &&
		    !is_possible(&reader, compute, printed))
			fail_msg("%.*s, line %llu: no block has the occupancy %.*s",
				 (int)reader.header.device_name.length,
				 reader.header.device_name.text, (unsigned long long)reader.line,
				 (int)printed.length, printed.text);
	logreader_close(&reader);
}

static void test_real_logs(void **state)
{
	(void)state;
	each_log(check_occupancy);
	assert_true(exact >= 1);
	assert_true(possible >= 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
