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

void seed_put_stacks(struct strbuf *to)
{
	const struct stack_module modules[] = {
		{.path = "/bin/program", .length = 12},
		{.path = "[vdso]", .length = 6, .build_id_length = 2, .build_id = {1, 2}},
	};
	const struct stack_node nodes[SEED_STACKS] = {
		{.module = 1, .offset = 0x1234},
		{.parent = 1, .name = 1, .offset = (UINT64_C(2) << 32) | 5},
		{.parent = 2, .offset = 0x7fff0000, .exact = true},
	};
	struct stacks stacks = {0};

	for (uint32_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		stacks_add_module(&stacks, &modules[i]);
		frames_put_module(to, &stacks, i + 1);
	}
	for (uint32_t i = 0; i < SEED_STACKS; i++) {
		stacks_add_node(&stacks, &nodes[i]);
		frames_put_stack(to, &stacks, i + 1);
	}
	stacks_free(&stacks);
}

void seed_put_header_1(struct strbuf *to)
{
	const uint32_t numbers[] = {1, TRACE_BYTE_ORDER, 24, 168};

	strbuf_append(to, TRACE_MAGIC, sizeof(TRACE_MAGIC));
	strbuf_append(to, numbers, sizeof(numbers));
}

void seed_put_header(struct strbuf *to, int more)
{
	size_t start = to->length;
	struct trace_header *header;
	struct trace_kind *kinds;

	trace_put_header(to);
	header = (void *)(to->data + start);
	kinds = (void *)(header + 1);
	for (uint32_t i = 0; i < header->kind_count; i++)
		kinds[i].size += (uint32_t)more;
}

void seed_put_frames(struct strbuf *to, const struct strbuf *frames, int more)
{
	static const char added[64] = "what a later version has";

	for (size_t at = 0; at < frames->length;) {
		const struct frame *frame = (const void *)(frames->data + at);
		uint32_t fixed = frames_fixed_size((enum frame_kind)frame->kind);
		struct frame head = *frame;

		head.size += (uint32_t)more;
		strbuf_append(to, &head, sizeof(head));
		strbuf_append(to, frame + 1, fixed - sizeof(head) - (size_t)(more < 0 ? -more : 0));
		strbuf_append(to, added, (size_t)(more > 0 ? more : 0));
		strbuf_append(to, (const char *)frame + fixed, frame->size - fixed);
		at += frame->size;
	}
}

void seed_put_record(struct strbuf *to, uint32_t i)
{
	struct counted_record counted = {.record = seed_record(i), .values = {3, 0.25}};

	if (i == 1)
		counted_record_set(&counted, 0, 2);
	trace_put_record(to, &counted.record);
}

/* Returns a call or another event, which is stored in a struct record. */
struct record seed_event(uint32_t i)
{
	static const uint16_t event_kinds[] = {
#define EVENT(kind, ...) FRAME_##kind,
#include "model/events.def"
#undef EVENT
	};
	struct call call = {
		.frame = {.correlation = 20 + i, .thread = 7},
		.enter = 5000,
		.made = i + 1,
		.name = 1 + i % 3,
		.api = API_CUDA,
	};
	struct record place = {0};

	memcpy(&place, &call, sizeof(call));
	place.frame.kind = event_kinds[i % SEED_EVENT_KINDS];
	place.frame.size = frames_fixed_size((enum frame_kind)place.frame.kind);
	return place;
}

void seed_put_event(struct strbuf *to, struct record event)
{
	trace_put_event(to, &event.frame);
}
