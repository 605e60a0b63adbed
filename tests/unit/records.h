/* SPDX-License-Identifier: MIT */
#ifndef TESTS_RECORDS_H
#define TESTS_RECORDS_H

#include "output/output.h"

/* Records and targets for the tests of the log formats; set_up interns their names. */

#define EVERY_COLUMN ((1U << COLUMN_COUNT) - 1)

static struct names *names;
static struct catalog catalog;

static const struct device device = {.number = 2, .name = "Tesla C2050"};
static const struct context context = {.index = 4};

static const struct record kernel = {
	.frame = {.kind = FRAME_KERNEL},
	.enter = 2155302000,
	.leave = 2155376730,
	.started = 0x114ab721d9c649e0,
	.ended = 0x114ab721d9c649e0 + 23802944,
	.grid = {4294967296, 3, 1},
	.block = {32, 8, 4},
	.stream = 7,
	.static_shared = 2068,
	.dynamic_shared = 512,
	.registers = 16,
	.occupancy = 1.0f / 3,
	.known = KNOWN_TIMES | KNOWN_GRID | KNOWN_BLOCK_GIVEN | KNOWN_STATIC_SHARED |
		 KNOWN_DYNAMIC_SHARED | KNOWN_REGISTERS | KNOWN_OCCUPANCY | KNOWN_STREAM |
		 KNOWN_CACHE | KNOWN_BLOCK,
	.block_given = 1,
	.cache_requested = 2,
	.cache_executed = 1,
};

static const struct record copy = {
	.frame = {.kind = FRAME_COPY, .flags = RECORD_ASYNCHRONOUS},
	.enter = 3000000000,
	.leave = 3000238159,
	.started = 0x114ab721d9c649e0,
	.ended = 0x114ab721d9c649e0 + 4864,
	.bytes = 8589934592,
	.stream = 7,
	.known = KNOWN_TIMES | KNOWN_STREAM | KNOWN_BYTES | KNOWN_DIRECTION | KNOWN_HOST_MEMORY,
	.direction = DIRECTION_DEVICE_TO_HOST,
	.host_memory = HOST_MEMORY_PAGE_LOCKED,
	.source = MEMORY_DEVICE,
	.target = MEMORY_HOST,
};

/* A record without known members. */
static const struct record bare = {
	.frame = {.kind = FRAME_FILL},
	.enter = 1000,
	.leave = 500,
	.started = 10,
	.ended = 20,
};

static struct output_target make_target(enum api api, enum dialect dialect, enum format format,
					uint32_t asked)
{
	return (struct output_target){
		.layout = {.api = api,
			   .dialect = dialect,
			   .format = format,
			   .columns = column_set(asked, api, dialect)},
		.catalog = &catalog,
		.device = &device,
		.context = &context,
		.warnings = "",
	};
}

static struct record with_name(const char *name, size_t length)
{
	struct record record = kernel;

	record.name = names_intern(names, name, length);
	return record;
}

static int set_up(void **state)
{
	(void)state;
	names = names_new();
	catalog.names = names;
	catalog.process.started = 2153146698;
	catalog.process.monotonic_to_epoch = (int64_t)0xfffff6a1151ceeb0;
	return names ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	names_free(names);
	return 0;
}

#endif
