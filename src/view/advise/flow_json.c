/* SPDX-License-Identifier: MIT */
#include "view/advise/flow_json.h"

#include "model/api.h"
#include "output/jsontext.h"
#include "view/advise/flow_patterns.h"
#include "view/advise/flow_tables.h"

static void put_name(struct strbuf *to, struct advice *advice, const struct flow_node *node)
{
	struct strbuf name = STRBUF_INIT;

	flow_put_command(&name, advice, node, 0);
	strbuf_string(to, ", \"name\": ");
	json_name(to, name.data, name.length);
	to->failed |= name.failed;
	strbuf_free(&name);
}

static void put_caller(struct strbuf *to, const struct advice *advice, const struct flow_node *node)
{
	size_t length;
	const char *caller = advice_caller(advice, node->key.stack, &length);

	strbuf_string(to, ", \"caller\": ");
	if (caller)
		json_escaped(to, caller, length);
	else
		strbuf_string(to, "null");
}

static void put_node(struct strbuf *to, struct advice *advice, uint32_t index)
{
	static const char *const kinds[] = {
		[FLOW_HOST] = "host",	  [FLOW_ALLOCATION] = "allocation",
		[FLOW_KERNEL] = "kernel", [FLOW_COPY] = "copy",
		[FLOW_FILL] = "fill",	  [FLOW_OTHER] = "unknown",
	};
	const struct flow_node *node = flow_node(&advice->flow, index);

	strbuf_printf(to, "{\"node\": %u, \"kind\": \"%s\"", index, kinds[node->key.kind]);
	put_name(to, advice, node);
	json_add_known(to, "object", node->object, node->object);
	put_caller(to, advice, node);
	json_add_number(to, "count", node->count);
	strbuf_char(to, '}');
}

static void put_edge(struct strbuf *to, const struct flow_edge *edge)
{
	static const char *const kinds[FLOW_EDGE_KINDS] = {"write", "read", "sink"};

	strbuf_printf(to, "{\"from\": %u, \"to\": %u, \"memory\": %u, \"kind\": \"%s\"",
		      edge->key.from, edge->key.to, edge->key.memory, kinds[edge->key.kind]);
	json_add_number(to, "object", edge->object);
	json_add_known(to, "argument", edge->argument, edge->argument != USE_NO_ARGUMENT);
	json_add_number(to, "commands", edge->commands);
	json_add_number(to, "bytes", edge->written);
	json_add_number(to, "object_bytes", edge->objects);
	if (edge->key.kind == FLOW_WRITE) {
		json_add_number(to, "compared", edge->compared);
		json_add_number(to, "compared_bytes", edge->compared_bytes);
		json_add_number(to, "same_bytes", edge->same);
		json_add_number(to, "same_word_bytes", edge->same_words);
	} else {
		json_add_number(to, "unchanged", edge->unchanged);
	}
	strbuf_char(to, '}');
}

static void put_twin(struct strbuf *to, const struct flow_twin *twin)
{
	strbuf_printf(to, "{\"node\": %u, \"other\": %u", twin->key.node, twin->key.other);
	json_add_number(to, "bytes", twin->bytes);
	strbuf_char(to, '}');
}

static void put_argument(struct strbuf *to, struct advice *advice,
			 const struct flow_argument *argument)
{
	const struct flow_node kernel = flow_kernel(argument);

	strbuf_printf(to, "{\"argument\": %u", argument->key.argument);
	put_name(to, advice, &kernel);
	json_add_number(to, "object", argument->object);
	json_add_number(to, "compared", argument->compared);
	json_add_number(to, "changed", argument->changes);
	strbuf_char(to, '}');
}

static void put_arguments(struct strbuf *to, struct advice *advice)
{
	const char *between = "\n   ";

	strbuf_string(to, "\n  ],\n  \"arguments\": [");
	for (uint32_t i = 0; i < advice->flow.arguments.count; i++) {
		const struct flow_argument *argument = flow_argument(&advice->flow, i);

		if (argument->key.argument == USE_NO_ARGUMENT)
			continue;
		strbuf_string(to, between);
		put_argument(to, advice, argument);
		between = ",\n   ";
	}
}

static void put_counts(struct strbuf *to, const struct flow *flow)
{
	strbuf_string(to, "{\"writes\": ");
	json_number(to, flow_writes(flow));
	for (int reason = 0; reason < CHANGE_REASONS; reason++)
		json_add_number(to, flow_reason_words[reason], flow->reasons[reason]);
	strbuf_char(to, '}');
}

void flow_put_json(struct strbuf *to, struct advice *advice)
{
	const struct flow *flow = &advice->flow;

	if (!flow_is_there(flow)) {
		strbuf_string(to, ",\n \"flow\": null");
		return;
	}
	strbuf_string(to, ",\n \"flow\": {\"compared\": ");
	put_counts(to, flow);
	strbuf_string(to, ",\n  \"nodes\": [");
	for (uint32_t i = 0; i < flow->nodes.count; i++) {
		strbuf_string(to, i ? ",\n   " : "\n   ");
		put_node(to, advice, i);
	}
	strbuf_string(to, "\n  ],\n  \"edges\": [");
	for (uint32_t i = 0; i < flow->edges.count; i++) {
		strbuf_string(to, i ? ",\n   " : "\n   ");
		put_edge(to, flow_edge(flow, i));
	}
	strbuf_string(to, "\n  ],\n  \"duplicates\": [");
	for (uint32_t i = 0; i < flow->twins.count; i++) {
		strbuf_string(to, i ? ",\n   " : "\n   ");
		put_twin(to, keyed_at(&flow->twins, i));
	}
	put_arguments(to, advice);
	strbuf_string(to, "\n  ]");
	flow_put_patterns_json(to, advice);
	strbuf_char(to, '}');
}
