/* SPDX-License-Identifier: MIT */
#include "view/advise/flow.h"

#include <stdlib.h>
#include <string.h>

#include "view/advise/flow_join.h"
#include "view/advise/flow_merge.h"

#define KEYED(type, key) ((struct keyed){.key_size = sizeof(key), .entry_size = sizeof(type)})

/* The contents that a node has written. */
struct contents_key {
	uint64_t hash;
	uint64_t bytes;
	uint32_t node;
	uint32_t unused; /* 0 */
};

/* The command that has written to an object last. */
struct writer {
	uint32_t memory; /* node of the allocation */
	uint32_t node;	 /* node of the command; `memory` until a command has written */
	uint32_t before; /* the value of `node` before the command of `record` wrote */
	uint64_t record;
};

struct flow_collect {
	const struct process *process;
	struct flow_join *join;
	struct writer *writers; /* by object */
	struct keyed contents;
};

struct flow_collect *flow_collect_new(const struct process *process)
{
	struct flow_collect *collect = calloc(1, sizeof(*collect));

	if (!collect)
		return NULL;
	collect->process = process;
	collect->join = flow_join_new();
	collect->contents = KEYED(struct contents_key, struct contents_key);
	if (collect->join)
		return collect;
	flow_collect_free(collect);
	return NULL;
}

void flow_collect_free(struct flow_collect *collect)
{
	if (!collect)
		return;
	flow_join_free(collect->join);
	keyed_free(&collect->contents);
	free(collect->writers);
	free(collect);
}

int flow_collect_add(struct flow_collect *collect, const struct frame *frame, struct strbuf *error)
{
	return flow_join_add(collect->join, frame, error);
}

static bool is_there(const struct object *object, const struct use *use, uint64_t time)
{
	bool has_ended = object->flags & (OBJECT_RELEASED | OBJECT_REPLACED);

	return object->address == use->address && object->api == use->api &&
	       !(has_ended && object->released <= time);
}

/* Returns the object that is at the address at this time, or OBJECT_NONE. The list is sorted by
 * address, then by time. */
static uint32_t find_object(const struct objects *objects, const struct use *use, uint64_t time)
{
	uint32_t low = 0, high = objects->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct object *object = &objects->list[middle];
		bool is_before = object->address != use->address ? object->address < use->address
				 : object->api != use->api	 ? object->api < use->api
								 : object->allocated <= time;

		if (is_before)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || !is_there(&objects->list[low - 1], use, time))
		return OBJECT_NONE;
	return low - 1;
}

/* The state of follow_all. */
struct follow {
	struct flow_collect *collect;
	const struct objects *objects;
	struct flow *flow;
	struct strbuf *error;
	struct flow_step step;
};

static int no_memory(struct follow *follow)
{
	strbuf_string(follow->error, "out of memory for the data flow");
	return -1;
}

/* Sets `index` to that of the node with this key, which is added if there is none. */
static int get_node(struct follow *follow, const struct flow_node_key *key, uint32_t *index)
{
	*index = keyed_get(&follow->flow->nodes, key);
	return *index == KEYED_FULL ? no_memory(follow) : 0;
}

static struct flow_node_key allocation_key(const struct object *object)
{
	return (struct flow_node_key){
		.kind = FLOW_ALLOCATION,
		.stack = object->stack,
		.object = object->stack ? 0 : object->number,
		.api = object->api,
	};
}

/* Adds the nodes of all allocations, also of those that no command uses. */
static int add_allocations(struct follow *follow)
{
	const struct flow_node_key host = {.kind = FLOW_HOST};
	uint32_t index;

	if (get_node(follow, &host, &index))
		return -1;
	for (uint32_t i = 0; i < follow->objects->count; i++) {
		const struct object *object = &follow->objects->list[follow->objects->order[i]];
		struct flow_node_key key = allocation_key(object);
		struct flow_node *node;

		if (get_node(follow, &key, &index))
			return -1;
		node = keyed_at(&follow->flow->nodes, index);
		if (!node->count++)
			node->object = object->number;
		follow->collect->writers[follow->objects->order[i]] =
			(struct writer){.memory = index, .node = index, .before = index};
	}
	return 0;
}

/* What an edge gets of one use. */
struct amount {
	const struct object *object;
	const struct change *change; /* NULL: not compared */
	uint64_t bytes;
	uint32_t argument;
};

static uint64_t least(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

static int add_edge(struct follow *follow, struct flow_edge_key key, const struct amount *amount)
{
	uint32_t index = keyed_get(&follow->flow->edges, &key);
	struct flow_edge *edge;

	if (index == KEYED_FULL)
		return no_memory(follow);
	edge = keyed_at(&follow->flow->edges, index);
	if (!edge->commands++) {
		edge->object = amount->object->number;
		edge->argument = amount->argument;
	}
	edge->has_others |= edge->object != amount->object->number;
	edge->written += amount->bytes;
	edge->objects += amount->object->bytes;
	if (!amount->change)
		return 0;
	if (key.kind != FLOW_WRITE) {
		edge->unchanged++;
		return 0;
	}
	edge->compared++;
	edge->compared_bytes += amount->bytes;
	edge->same += least(amount->change->same, amount->bytes);
	edge->same_words += least(4 * (uint64_t)amount->change->same_words, amount->bytes);
	return 0;
}

static int add_contents(struct follow *follow, uint32_t node, const struct object *object,
			const struct change *change)
{
	const struct contents_key key = {change->hash, object->bytes, node, 0};
	uint32_t before = follow->collect->contents.count;
	struct flow_node *of = keyed_at(&follow->flow->nodes, node);

	if (keyed_get(&follow->collect->contents, &key) == KEYED_FULL)
		return no_memory(follow);
	of->hashes += follow->collect->contents.count != before;
	return 0;
}

/* Sets `written`. An argument whose access is assumed counts as written if a launch has
 * changed it so far, or if no launch was compared; else as read. */
static int is_written(struct follow *follow, const struct amount *amount, bool *written)
{
	const struct use *use = &follow->step.use;
	const struct flow_argument_key key = {follow->step.node.name, use->argument, use->api};
	struct flow_argument *argument;
	uint32_t index;

	*written = use->access & USE_WRITE;
	if (!*written || !(use->frame.flags & USE_ASSUMED) || follow->step.is_only)
		return 0;
	index = keyed_get(&follow->flow->arguments, &key);
	if (index == KEYED_FULL)
		return no_memory(follow);
	argument = keyed_at(&follow->flow->arguments, index);
	if (!argument->object)
		argument->object = amount->object->number;
	argument->has_others |= argument->object != amount->object->number;
	if (amount->change) {
		argument->compared++;
		argument->changes += amount->change->changed != 0;
		argument->bytes += amount->bytes;
	}
	*written = argument->changes || !argument->compared;
	return 0;
}

/* Returns the node that last wrote the object, without writes by this command itself. */
static uint32_t source_of(const struct follow *follow, const struct writer *writer)
{
	uint64_t record = follow->step.use.record;

	return record && writer->record == record ? writer->before : writer->node;
}

static int add_read(struct follow *follow, uint32_t node, const struct writer *writer,
		    struct amount amount)
{
	const struct flow_edge_key read = {source_of(follow, writer), node, writer->memory,
					   FLOW_READ};
	const struct flow_edge_key sink = {node, 0, writer->memory, FLOW_SINK};

	if (add_edge(follow, read, &amount))
		return -1;
	return follow->step.is_sink ? add_edge(follow, sink, &amount) : 0;
}

static int add_write(struct follow *follow, uint32_t node, struct writer *writer,
		     struct amount amount)
{
	const struct flow_edge_key write = {source_of(follow, writer), node, writer->memory,
					    FLOW_WRITE};
	const struct flow_edge_key source = {0, node, 0, FLOW_READ};

	if (add_edge(follow, write, &amount))
		return -1;
	writer->before = write.from;
	writer->node = node;
	writer->record = follow->step.use.record;
	if (amount.change && add_contents(follow, node, amount.object, amount.change))
		return -1;
	amount.change = NULL;
	return follow->step.is_source ? add_edge(follow, source, &amount) : 0;
}

/* Returns true if the use reads. A kernel is assumed not to read data that nothing has written. */
static bool is_read(const struct follow *follow, const struct writer *writer, bool is_written)
{
	const struct use *use = &follow->step.use;

	if (!is_written)
		return true;
	return use->access & USE_READ &&
	       !(use->frame.flags & USE_ASSUMED && source_of(follow, writer) == writer->memory);
}

/* Returns the size of the part of the object that is used. Damaged files may have larger sizes. */
static uint64_t bytes_of(const struct use *use, const struct object *object)
{
	uint64_t most = use->offset < object->bytes ? object->bytes - use->offset : 0;

	return use->bytes && use->bytes < most ? use->bytes : most;
}

static int add_patterns(struct follow *follow, uint32_t node, uint32_t memory,
			const struct amount *amount)
{
	const struct flow_pattern found = {
		.key = {.node = node, .memory = memory, .argument = amount->argument},
		.object = amount->object->number,
		.versions = 1,
		.bytes = amount->bytes,
	};

	return flow_add_patterns(&follow->flow->patterns, &found, follow->step.values,
				 follow->step.value_count)
		       ? no_memory(follow)
		       : 0;
}

static int follow_object(struct follow *follow, uint32_t number, const struct change *change)
{
	const struct use *use = &follow->step.use;
	struct writer *writer = &follow->collect->writers[number];
	struct amount amount = {
		.object = &follow->objects->list[number],
		.change = change,
		.bytes = bytes_of(use, &follow->objects->list[number]),
		.argument = use->argument,
	};
	struct amount read = amount;
	bool written;
	uint32_t node;

	if (get_node(follow, &follow->step.node, &node) || is_written(follow, &amount, &written))
		return -1;
	((struct flow_node *)keyed_at(&follow->flow->nodes, node))->count += follow->step.is_first;
	if (add_patterns(follow, node, writer->memory, &amount))
		return -1;
	if (written)
		read.change = NULL;
	if (is_read(follow, writer, written) && add_read(follow, node, writer, read))
		return -1;
	return written ? add_write(follow, node, writer, amount) : 0;
}

static int follow_step(struct follow *follow)
{
	const struct flow_step *step = &follow->step;
	uint64_t shift = (uint64_t)follow->collect->process->monotonic_to_epoch;
	uint32_t number = find_object(follow->objects, &step->use, step->use.enter + shift);
	uint16_t reason = step->change.reason;
	bool is_compared = step->has_change && reason == CHANGE_COMPARED;

	if (step->has_change)
		follow->flow->reasons[reason < CHANGE_REASONS ? reason : CHANGE_FAILED]++;
	if (number == OBJECT_NONE)
		return 0; /* the advice counts these */
	return follow_object(follow, number, is_compared ? &step->change : NULL);
}

static int compare_contents(const void *left, const void *right)
{
	const struct contents_key *one = left, *other = right;

	if (one->hash != other->hash)
		return one->hash < other->hash ? -1 : 1;
	if (one->bytes != other->bytes)
		return one->bytes < other->bytes ? -1 : 1;
	return one->node < other->node ? -1 : one->node > other->node;
}

static int add_twin(struct follow *follow, const struct contents_key *one,
		    const struct contents_key *other)
{
	const struct flow_twin_key key = {one->node, other->node};
	uint32_t index = keyed_get(&follow->flow->twins, &key);
	struct flow_twin *twin;

	if (index == KEYED_FULL)
		return no_memory(follow);
	twin = keyed_at(&follow->flow->twins, index);
	if (twin->bytes < one->bytes)
		twin->bytes = one->bytes;
	return 0;
}

/* Of many nodes with the same contents, each is a twin of the first one only. */
static int find_twins(struct follow *follow)
{
	struct keyed *contents = &follow->collect->contents;
	const struct contents_key *first = NULL;

	if (contents->count)
		qsort(contents->entries, contents->count, contents->entry_size, compare_contents);
	for (uint32_t i = 0; i < contents->count; i++) {
		const struct contents_key *one = keyed_at(contents, i);

		if (!first || first->hash != one->hash || first->bytes != one->bytes)
			first = one;
		else if (add_twin(follow, first, one))
			return -1;
	}
	return 0;
}

static int follow_all(struct follow *follow)
{
	struct flow_join *join = follow->collect->join;
	int found;

	while ((found = flow_join_next(join, &follow->step, follow->error)) > 0)
		if (follow_step(follow))
			return -1;
	return found ? -1 : find_twins(follow);
}

int flow_collect_end(struct flow_collect *collect, const struct objects *objects, struct flow *flow,
		     struct strbuf *error)
{
	struct follow follow = {
		.collect = collect, .objects = objects, .flow = flow, .error = error};

	*flow = (struct flow){
		.nodes = KEYED(struct flow_node, struct flow_node_key),
		.edges = KEYED(struct flow_edge, struct flow_edge_key),
		.twins = KEYED(struct flow_twin, struct flow_twin_key),
		.arguments = KEYED(struct flow_argument, struct flow_argument_key),
		.patterns = KEYED(struct flow_pattern, struct flow_pattern_key),
		.examined = flow_join_patterns(collect->join),
		.changes = flow_join_changes(collect->join),
	};
	if (!flow_is_there(flow))
		return 0;
	collect->writers = calloc(objects->count + 1u, sizeof(*collect->writers));
	if (!collect->writers)
		return no_memory(&follow);
	if (add_allocations(&follow) || flow_join_begin(collect->join, error))
		return -1;
	return follow_all(&follow);
}

void flow_free(struct flow *flow)
{
	keyed_free(&flow->nodes);
	keyed_free(&flow->edges);
	keyed_free(&flow->twins);
	keyed_free(&flow->arguments);
	keyed_free(&flow->patterns);
}
