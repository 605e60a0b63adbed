/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_FLOW_H
#define VIEW_ADVISE_FLOW_H

#include "view/advise/objects.h"
#include "view/stacks/keyed.h"

/*
 * The data flow of one process, as a graph: which commands read the data that other commands wrote,
 * and how many of the written bytes did not change. Nodes and edges are those of GVProf's
 * data_flow.dot (https://github.com/GVProf/redshow, src/analysis/data_flow.cpp): commands with the
 * same call stack are one node.
 */
enum flow_node_kind {
	FLOW_HOST, /* the memory of the host; always the first node */
	FLOW_ALLOCATION,
	FLOW_KERNEL,
	FLOW_COPY,
	FLOW_FILL,
	FLOW_OTHER, /* the trace does not have the command */
};

/* What identifies a node: no two nodes have the same key. */
struct flow_node_key {
	uint32_t kind;
	uint32_t name;	    /* of a kernel */
	uint32_t stack;	    /* of the call, 0: none */
	uint32_t object;    /* of an allocation without a stack: its number, else 0 */
	uint32_t direction; /* of a copy: enum memory of source and target, in 16 bits each */
	uint32_t api;
};

struct flow_node {
	struct flow_node_key key;
	uint32_t object; /* of an allocation: that of the first one, from 1 */
	uint32_t hashes; /* number of different contents that it has written */
	uint64_t count;	 /* of commands or allocations */
};

enum flow_edge_kind { FLOW_WRITE, FLOW_READ, FLOW_SINK, FLOW_EDGE_KINDS };

struct flow_edge_key {
	uint32_t from, to; /* indices of nodes */
	uint32_t memory;   /* index of the allocation's node, or of the host */
	uint32_t kind;	   /* enum flow_edge_kind */
};

/* All in bytes, of all commands of the edge. */
struct flow_edge {
	struct flow_edge_key key;
	uint64_t commands;   /* a kernel counts for each of its arguments */
	uint64_t compared;   /* those whose writes were compared */
	uint64_t written;    /* or read */
	uint64_t same;	     /* of those that were compared, as before: single bytes */
	uint64_t same_words; /* and bytes of words of 4 that are completely as before */
	uint64_t compared_bytes;
	uint64_t unchanged; /* reads by arguments that the kernel could have written */
	uint64_t objects;   /* sizes of the objects, of each command */
	uint32_t object;    /* number of the first object, from 1 */
	uint32_t argument;  /* of the kernel, of the first command */
	bool has_others;    /* commands have further objects */
};

/* An argument whose access is assumed. It counts as written if a launch has changed it, or if
 * no launch was compared. */
struct flow_argument_key {
	uint32_t name; /* of the kernel */
	uint32_t argument;
	uint32_t api;
};

struct flow_argument {
	struct flow_argument_key key;
	uint32_t object;   /* number of the first object */
	bool has_others;   /* launches have had further objects */
	uint64_t compared; /* launches whose result was compared */
	uint64_t changes;  /* those of them that have changed it */
	uint64_t bytes;	   /* of all that were compared */
};

/* Two nodes that have written the same contents at least once. */
struct flow_twin_key {
	uint32_t node, other; /* node < other */
};

struct flow_twin {
	struct flow_twin_key key;
	uint64_t bytes; /* of the contents, the largest */
};

/* Contents of kernels' arguments with the same patterns: before or after the commands of one node,
 * in the objects of one allocation's node. */
struct flow_pattern_key {
	uint32_t node, memory; /* of the command, of the allocation */
	uint32_t argument;
	uint16_t kinds, rounded_kinds; /* enum pattern_kind */
	uint8_t type, width, level;    /* as in struct pattern */
	uint8_t flags;		       /* PATTERN_BEFORE, PATTERN_ASSUMED */
};

enum { FLOW_TOP = 10 };

/* A value that all contents have at this place of their lists of frequent values. */
struct flow_value {
	uint64_t value;		     /* in the bits of its type */
	uint64_t count, least_count; /* elements with it: the most and the least of any contents */
};

/* Statistics of the exact values, or of the rounded ones. */
struct flow_values {
	uint32_t least_distinct;   /* the most is in struct pattern */
	uint32_t count;		   /* of the list */
	bool differ;		   /* behind these the lists of the contents differ */
	bool all_have_more;	   /* all contents have more different values than are counted */
	bool are_few;		   /* in all contents, at most a tenth of the elements */
	double share, least_share; /* of the elements that have the most frequent value */
	struct flow_value list[FLOW_TOP];
};

/* What holds for all contents. */
struct flow_pattern {
	struct flow_pattern_key key;
	uint32_t object;	/* number of the first object */
	uint64_t versions;	/* contents with the patterns */
	uint64_t bytes;		/* of all */
	struct pattern pattern; /* the most elements and different values, the widest types, MANY if
				   any has it */
	uint64_t least_elements;
	struct flow_values exact, rounded;
	double slope, start, error; /* PATTERN_LINEAR; the largest error */
	bool lines_differ;
};

struct flow {
	struct keyed nodes;		  /* struct flow_node */
	struct keyed edges;		  /* struct flow_edge */
	struct keyed twins;		  /* struct flow_twin */
	struct keyed arguments;		  /* struct flow_argument */
	struct keyed patterns;		  /* struct flow_pattern */
	uint64_t examined;		  /* contents whose patterns are in the trace */
	uint64_t changes;		  /* in the trace; 0: it was recorded without them */
	uint64_t reasons[CHANGE_REASONS]; /* writes by enum change_reason */
};

/* Collects the records, uses, changes and patterns of a process in any order. Memory as in
 * objects.h, and about 100 bytes for each node and edge. */
struct flow_collect;

struct flow_collect *flow_collect_new(const struct process *process);
void flow_collect_free(struct flow_collect *collect); /* NULL: does nothing */

/* Return 0, or -1 with one sentence in `error`. The caller frees the flow in both cases. */
int flow_collect_add(struct flow_collect *collect, const struct frame *frame, struct strbuf *error);
int flow_collect_end(struct flow_collect *collect, const struct objects *objects, struct flow *flow,
		     struct strbuf *error);
void flow_free(struct flow *flow);

static inline const struct flow_node *flow_node(const struct flow *flow, uint32_t index)
{
	return keyed_at(&flow->nodes, index);
}

static inline const struct flow_argument *flow_argument(const struct flow *flow, uint32_t index)
{
	return keyed_at(&flow->arguments, index);
}

static inline const struct flow_pattern *flow_pattern(const struct flow *flow, uint32_t index)
{
	return keyed_at(&flow->patterns, index);
}

/* Returns true if the trace has a data flow. */
static inline bool flow_is_there(const struct flow *flow)
{
	return flow->changes || flow->examined;
}

/* The kernel of an argument, as far as it has a name. */
static inline struct flow_node flow_kernel(const struct flow_argument *argument)
{
	return (struct flow_node){
		.key = {.kind = FLOW_KERNEL, .name = argument->key.name, .api = argument->key.api}};
}

static inline const struct flow_edge *flow_edge(const struct flow *flow, uint32_t index)
{
	return keyed_at(&flow->edges, index);
}

#endif
