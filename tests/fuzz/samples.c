/* SPDX-License-Identifier: MIT */
#include "samples.h"

#include <string.h>

#include "output/trace.h"

static const char *const names[] = {"_Z9matrixMulPfS_S_ii", "a b", "x ] y=[ \n"};

struct record seed_record(uint32_t i)
{
	return (struct record){
		.frame = {.size = sizeof(struct record),
			  .kind = (uint16_t)(FRAME_KERNEL + i % 3),
			  .correlation = i + 1,
			  .thread = 7},
		.enter = 5000 + 100 * i,
		.leave = 5050 + 100 * i,
		.queued = 6000,
		.submitted = 6001,
		.started = 6002,
		.ended = 6003 + i,
		.bytes = 4096,
		.grid = {4, 2, 1},
		.block = {64, 1, 1},
		.name = 1 + i % 3,
		.stream = i,
		.registers = 16,
		.occupancy = 0.5f,
		.known = UINT32_MAX,
		.direction = 1,
	};
}

void seed_put_catalog(struct strbuf *to, enum api api)
{
	static const struct counter_column list[] = {{"branch", false}, {"sm__x.sum", true}};
	static const struct counter_set set = {.count = 2, .columns = list, .refused = "tex\n"};
	struct names *table = names_new();

	frames_put_process(to, &(struct process){.pid = 1, .started = 1, .monotonic_to_epoch = 9});
	for (uint32_t i = 0; i < 3; i++)
		frames_put_name(to, table, names_intern(table, names[i], strlen(names[i])));
	frames_put_device(to, &(struct device){.api = api, .name = "Device"});
	frames_put_context(to, &(struct context){.api = api});
	frames_put_counters(to, &set);
	names_free(table);
}

void seed_put_record(struct strbuf *to, uint32_t i)
{
	struct {
		struct record record;
		double values[2];
	} counted = {seed_record(i), {3, 0.25}};

	if (i == 1) {
		counted.record.frame.counters = 1;
		counted.record.frame.size = sizeof(counted);
	}
	trace_put_record(to, &counted.record);
}

/* In the place of a record: a call, or another event. */
struct record seed_event(uint32_t i)
{
	struct call call = {
		.frame = {.correlation = 20 + i, .thread = 7},
		.enter = 5000,
		.made = i + 1,
		.name = 1 + i % 3,
		.api = API_CUDA,
	};
	struct record place = {0};

	memcpy(&place, &call, sizeof(call));
	place.frame.size = sizeof(place);
	place.frame.kind = (uint16_t)(FRAME_CALL + i % (FRAME_KINDS - FRAME_CALL));
	return place;
}

void seed_put_event(struct strbuf *to, struct record event)
{
	trace_put_event(to, &event.frame);
}
