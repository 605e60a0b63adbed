/* SPDX-License-Identifier: MIT */
#include "view/advise/flow_dot.h"

#include <stdlib.h>

#include "view/advise/flow_tables.h"

/* Numbers of GVProf's nodes for memory that is not of the device; a graph has all of them. */
enum { FIXED = 1 << 30, FIXED_HOST = 3, FIXED_COUNT = 5 };

static const char *const fixed_types[FIXED_COUNT] = {"SHARED", "CONSTANT", "UVM", "HOST", "LOCAL"};

static const char *const types[] = {
	[FLOW_HOST] = "HOST",	[FLOW_ALLOCATION] = "MEMORY", [FLOW_KERNEL] = "KERNEL",
	[FLOW_COPY] = "MEMCPY", [FLOW_FILL] = "MEMSET",	      [FLOW_OTHER] = "UNKNOWN",
};

/* The node of the host is the first one. */
static uint32_t id_of(uint32_t index)
{
	return index ? index : FIXED + FIXED_HOST;
}

/* Appends the rest of `to` from `start` on as a quoted text's contents. Names have no control
 * characters. */
static void escape_from(struct strbuf *to, size_t start)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_append(&text, to->data + start, to->length - start);
	to->length = start;
	for (size_t i = 0; i < text.length; i++) {
		if (text.data[i] == '"' || text.data[i] == '\\')
			strbuf_char(to, '\\');
		strbuf_char(to, text.data[i]);
	}
	to->failed |= text.failed;
	strbuf_free(&text);
}

/* A frame of GVProf's contexts: "FILE:LINE", a tab, the function, "#" and a newline. */
static void put_frame(struct strbuf *to, struct advice *advice, const struct flow_node *node)
{
	size_t start, length;
	const char *caller = advice_caller(advice, node->key.stack, &length);

	if (caller) {
		strbuf_string(to, "<unknown file>:0\t");
		start = to->length;
		strbuf_append(to, caller, length);
		escape_from(to, start);
		strbuf_string(to, "#\n");
	}
	strbuf_string(to, "<unknown file>:0\t");
	start = to->length;
	if (node->key.kind == FLOW_ALLOCATION)
		advice_put_object(to, advice, advice_object(advice, node->object - 1), 0);
	else
		flow_put_command(to, advice, node, 0);
	escape_from(to, start);
	strbuf_string(to, "#\n");
}

/* Both directions of the twins, by node. */
struct twin {
	uint32_t node, other;
};

struct twins {
	struct twin *list;
	size_t count, next; /* `next`: the first one of the nodes that follow */
};

static int compare(const void *left, const void *right)
{
	const struct twin *one = left, *other = right;

	if (one->node != other->node)
		return one->node < other->node ? -1 : 1;
	return one->other < other->other ? -1 : one->other > other->other;
}

/* Returns -1 without memory. */
static int list_twins(struct twins *twins, const struct flow *flow)
{
	twins->list = calloc(2 * (size_t)flow->twins.count + 1, sizeof(*twins->list));
	if (!twins->list)
		return -1;
	for (uint32_t i = 0; i < flow->twins.count; i++) {
		const struct flow_twin *twin = keyed_at(&flow->twins, i);

		twins->list[twins->count++] = (struct twin){twin->key.node, twin->key.other};
		twins->list[twins->count++] = (struct twin){twin->key.other, twin->key.node};
	}
	qsort(twins->list, twins->count, sizeof(*twins->list), compare);
	return 0;
}

/* TOTAL: neither has written other contents. */
static void put_twins(struct strbuf *to, const struct flow *flow, struct twins *twins,
		      uint32_t index)
{
	for (; twins->next < twins->count && twins->list[twins->next].node <= index;
	     twins->next++) {
		uint32_t other = twins->list[twins->next].other;
		bool total =
			flow_node(flow, index)->hashes == 1 && flow_node(flow, other)->hashes == 1;

		strbuf_printf(to, "%u,%s;", id_of(other), total ? "TOTAL" : "PARTIAL");
	}
}

static void put_node(struct strbuf *to, struct advice *advice, struct twins *twins, uint32_t index)
{
	const struct flow_node *node = flow_node(&advice->flow, index);

	strbuf_printf(to, "%u [node_id=%u, node_type=%s, duplicate=\"", id_of(index), id_of(index),
		      types[node->key.kind]);
	put_twins(to, &advice->flow, twins, index);
	strbuf_printf(to, "\", count=%llu, context=\"", (unsigned long long)node->count);
	put_frame(to, advice, node);
	strbuf_string(to, "\"];\n");
}

static void put_fixed_nodes(struct strbuf *to)
{
	for (int i = 0; i < FIXED_COUNT; i++)
		strbuf_printf(to,
			      "%d [node_id=%d, node_type=%s, duplicate=\"\", count=0, "
			      "context=\"\"];\n",
			      FIXED + i, FIXED + i, fixed_types[i]);
}

/* `count` is the size of the objects of all commands, in which GVProf has the share that was
 * overwritten. */
static void put_edge(struct strbuf *to, const struct flow_edge *edge)
{
	static const char *const kinds[FLOW_EDGE_KINDS] = {"WRITE", "READ", "SINK"};
	uint64_t compared = edge->key.kind == FLOW_WRITE ? edge->compared_bytes : 0;

	strbuf_printf(to,
		      "%u -> %u [edge_type=%s, memory_node_id=%u, overwrite=%.9f, redundancy=%.9f, "
		      "count=%llu];\n",
		      id_of(edge->key.from), id_of(edge->key.to), kinds[edge->key.kind],
		      id_of(edge->key.memory),
		      edge->objects ? (double)edge->written / (double)edge->objects : 0,
		      compared ? (double)edge->same / (double)compared : 0,
		      (unsigned long long)(edge->objects ? edge->objects : 1));
}

int flow_put_dot(struct strbuf *to, struct advice *advice)
{
	const struct flow *flow = &advice->flow;
	struct twins twins = {.list = NULL};

	if (list_twins(&twins, flow))
		return -1;
	strbuf_string(to, "digraph G {\n");
	put_fixed_nodes(to);
	for (uint32_t i = 1; i < flow->nodes.count; i++)
		put_node(to, advice, &twins, i);
	for (uint32_t i = 0; i < flow->edges.count; i++)
		put_edge(to, flow_edge(flow, i));
	strbuf_string(to, "}\n");
	free(twins.list);
	return 0;
}
