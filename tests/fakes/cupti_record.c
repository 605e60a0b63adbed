/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cupti_fake.h"

/* Records at their full length. Members that computeprof's structs omit are declared here. */

struct kernel {
	struct cupti_kernel4 base;
	uint64_t node;
	uint32_t shared_limit;
	uint32_t graph;
	void *window;
	uint32_t channel;
	uint32_t channel_type;
	uint32_t cluster[3];
	uint32_t cluster_policy;
	uint64_t local_total;
	uint32_t most_clusters;
	uint32_t active_clusters;
	uint8_t is_device_launched;
	uint8_t padding[7];
};

struct memcpy_record {
	struct cupti_memcpy base;
	uint32_t runtime_correlation;
	uint32_t padding;
	void *reserved;
	uint64_t node;
	uint32_t graph;
	uint32_t channel;
	uint32_t channel_type;
	uint8_t is_device_launched;
	uint8_t padding2[3];
	uint64_t copies;
};

struct peer {
	struct cupti_memcpy_peer base;
	void *reserved;
	uint64_t node;
	uint32_t graph;
	uint32_t channel;
	uint32_t channel_type;
	uint32_t padding;
};

struct memset_record {
	struct cupti_memset base;
	void *reserved;
	uint64_t node;
	uint32_t graph;
	uint32_t channel;
	uint32_t channel_type;
	uint8_t is_device_launched;
	uint8_t padding[3];
};

struct context_record {
	struct cupti_context base;
	uint32_t parent;
	uint8_t is_green;
	uint8_t padding;
	uint16_t multiprocessors;
	uint32_t cig_mode;
	uint32_t padding2;
};

_Static_assert(sizeof(struct kernel) == 216 && offsetof(struct kernel, graph) == 156 &&
		       offsetof(struct kernel, channel) == 168 &&
		       offsetof(struct kernel, cluster) == 176 &&
		       offsetof(struct kernel, local_total) == 192 &&
		       offsetof(struct kernel, is_device_launched) == 208,
	       "kernels are those of CUDA 13.0");
_Static_assert(sizeof(struct memcpy_record) == 96 && offsetof(struct memcpy_record, node) == 64 &&
		       offsetof(struct memcpy_record, copies) == 88,
	       "copies are those of CUDA 13.0");
_Static_assert(sizeof(struct peer) == 96 && offsetof(struct peer, node) == 72,
	       "peer copies are those of CUDA 13.0");
_Static_assert(sizeof(struct memset_record) == 88 && offsetof(struct memset_record, node) == 64,
	       "memsets are those of CUDA 13.0");
_Static_assert(sizeof(struct context_record) == 32, "contexts are those of CUDA 13.0");

/* clang-format off */
static const struct release releases[] = {
	/*   version kernel memcpy peer memset context driver, runtime ids
	                                        overhead wait memory2 recorded */
	{3,        9,   120,    64,  72,    64,     16, 470, 264, 40, 40,   0, 24}, /* 8.0 */
	{4,       12,   144,    64,  72,    64,     16, 526, 322, 40, 40,   0, 24}, /* 10.2 */
	{5,       13,   160,    72,  80,    72,     16, 560, 374, 40, 40,   0, 24}, /* 11.0 */
	{6,       14,   168,    80,  88,    80,     16, 590, 400, 40, 40, 112, 24}, /* 11.2 */
	{7,       17,   176,    88,  96,    88,     16, 651, 429, 40, 40, 120, 24}, /* 11.7 */
	{8,       18,   200,    88,  96,    88,     16, 676, 440, 40, 40, 120, 24}, /* 11.8 */
	{9,       22,   208,    88,  96,    88,     24, 720, 462, 40, 40, 120, 24}, /* 12.4 */
	{10, 130001,   216,    96,  96,    88,     32, 806, 522, 56, 56, 128, 48}, /* 13.0 */
};
/* clang-format on */

const struct release *release(void)
{
	int64_t generation;
	const struct release *found = releases;

	script_start();
	generation = script.generation ? script.generation : cupti_generation;
	while (found->generation < generation && found->generation < 10)
		found++;
	return found;
}

static void make_kernel(const struct command *command, uint32_t kind, struct kernel *kernel)
{
	uint32_t shared = script.carveout ? (uint32_t)script.carveout : cupti_driver()->shared();

	kernel->base = (struct cupti_kernel4){
		.base = {.kind = kind,
			 .cache = command->cache,
			 .registers = command->registers,
			 .start = command->start,
			 .end = command->end,
			 .completed = command->end,
			 .device = command->device,
			 .context = command->context,
			 .stream = command->stream,
			 .static_shared = (int32_t)command->static_shared,
			 .dynamic_shared = (int32_t)command->dynamic_shared,
			 .local_thread = command->local,
			 .correlation = command->correlation,
			 .grid_id = command->number,
			 .name = script.noname ? NULL : command->name},
		.launch_type = command->launch_type,
		.shared_executed = shared,
	};
	memcpy(kernel->base.base.grid, command->grid, sizeof(command->grid));
	memcpy(kernel->base.base.block, command->block, sizeof(command->block));
	kernel->node = command->node;
	kernel->graph = command->graph;
	kernel->channel = 8;
	kernel->channel_type = 1;
}

static void make_memcpy(const struct command *command, struct memcpy_record *copy)
{
	copy->base = (struct cupti_memcpy){
		.kind = CUPTI_KIND_MEMCPY,
		.copy = (uint8_t)command->copy,
		.source = (uint8_t)command->source,
		.target = (uint8_t)command->target,
		.flags = command->asynchronous,
		.bytes = command->bytes,
		.start = command->start,
		.end = command->end,
		.device = command->device,
		.context = command->context,
		.stream = command->stream,
		.correlation = command->correlation,
	};
	copy->node = command->node;
	copy->graph = command->graph;
	copy->channel = 9;
	copy->channel_type = 2;
	copy->copies = 1;
}

static void make_peer(const struct command *command, struct peer *peer)
{
	peer->base = (struct cupti_memcpy_peer){
		.kind = CUPTI_KIND_MEMCPY_PEER,
		.copy = (uint8_t)command->copy,
		.source = (uint8_t)command->source,
		.target = (uint8_t)command->target,
		.flags = command->asynchronous,
		.bytes = command->bytes,
		.start = command->start,
		.end = command->end,
		.device = command->device,
		.context = command->context,
		.stream = command->stream,
		.source_device = command->source_device,
		.source_context = command->source_context,
		.target_device = command->target_device,
		.target_context = command->target_context,
		.correlation = command->correlation,
	};
	peer->node = command->node;
	peer->graph = command->graph;
	peer->channel = 9;
	peer->channel_type = 2;
}

static void make_memset(const struct command *command, struct memset_record *set)
{
	set->base = (struct cupti_memset){
		.kind = CUPTI_KIND_MEMSET,
		.value = command->value,
		.bytes = command->bytes,
		.start = command->start,
		.end = command->end,
		.device = command->device,
		.context = command->context,
		.stream = command->stream,
		.correlation = command->correlation,
		.flags = command->asynchronous,
		.memory = (uint16_t)command->target,
	};
	set->node = command->node;
	set->graph = command->graph;
	set->channel = 9;
	set->channel_type = 2;
}

size_t record_of_command(const struct command *command, uint32_t kind, uint8_t *record)
{
	union {
		uint8_t bytes[RECORD_SIZE];
		struct kernel kernel;
		struct memcpy_record copy;
		struct peer peer;
		struct memset_record set;
	} whole;

	memset(&whole, 0, sizeof(whole));
	switch (command->kind) {
	case COMMAND_KERNEL:
		make_kernel(command, kind, &whole.kernel);
		break;
	case COMMAND_COPY:
		make_memcpy(command, &whole.copy);
		break;
	case COMMAND_PEER:
		make_peer(command, &whole.peer);
		break;
	case COMMAND_SET:
		make_memset(command, &whole.set);
		break;
	}
	memcpy(record, &whole, record_size(kind));
	return record_size(kind);
}

size_t record_of_context(uint32_t id, uint32_t device, uint8_t *record)
{
	union {
		uint8_t bytes[RECORD_SIZE];
		struct context_record context;
	} whole;

	memset(&whole, 0, sizeof(whole));
	whole.context.base = (struct cupti_context){
		.kind = CUPTI_KIND_CONTEXT,
		.context = id,
		.device = device,
		.api = 1,
		.null_stream = (uint16_t)cupti_driver()->null_stream(id),
	};
	memcpy(record, &whole, record_size(CUPTI_KIND_CONTEXT));
	return record_size(CUPTI_KIND_CONTEXT);
}
