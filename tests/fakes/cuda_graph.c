/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cuda_driver.h"

/* Graphs: nodes run in the order in which they were added, regardless of dependencies. */

static uint32_t new_id(void)
{
	static uint32_t last;

	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

struct graph *graph_make(void)
{
	struct graph *graph = object_make(KIND_GRAPH, sizeof(*graph));

	graph->id = new_id();
	return graph;
}

uint64_t graph_node_id(const void *node)
{
	return object_is(node, KIND_NODE) ? ((const struct node *)node)->id : 0;
}

static void tell(uint32_t callback, struct node *node, const struct node *original)
{
	struct cupti_graph data = {
		.node = (cuda_node)(void *)node,
		.original_node = (cuda_node)(uintptr_t)original,
	};

	call_resource(callback, NULL, NULL, &data);
}

struct node *graph_add(struct graph *graph, const struct work *work)
{
	struct node *node;

	if (!object_is(graph, KIND_GRAPH))
		return NULL;
	node = object_make(KIND_NODE, sizeof(*node));
	node->id = (uint64_t)graph->id << 32 | ++graph->count;
	node->work = *work;
	if (graph->last)
		graph->last->next = node;
	else
		graph->first = node;
	graph->last = node;
	tell(CUPTI_RESOURCE_GRAPHNODE_CREATED, node, NULL);
	return node;
}

int fake_cuGraphCreate(struct graph **graph, unsigned flags)
{
	*graph = graph_make();
	return CUDA_DONE;
}

int fake_cuGraphAddKernelNode(struct node **node, struct graph *graph, struct node *const *after,
			      size_t count, const struct kernel_node *parameters)
{
	struct launch launch = {.function = parameters->function, .shared = parameters->shared};
	struct work work;
	int result;

	memcpy(launch.grid, parameters->grid, sizeof(launch.grid));
	memcpy(launch.block, parameters->block, sizeof(launch.block));
	result = work_of_kernel(&work, &launch, parameters->parameters);
	if (result)
		return result;
	*node = graph_add(graph, &work);
	return *node ? CUDA_DONE : CUDA_INVALID_VALUE;
}

int fake_cuGraphAddKernelNode_v2(struct node **node, struct graph *graph, struct node *const *after,
				 size_t count, const struct kernel_node *parameters)
{
	return fake_cuGraphAddKernelNode(node, graph, after, count, parameters);
}

static uint64_t address_of(const struct copy_end *end)
{
	return (end->type == 1 ? end->host : end->device) + end->x +
	       end->pitch * (end->y + end->height * end->z);
}

int fake_cuGraphAddMemcpyNode(struct node **node, struct graph *graph, struct node *const *after,
			      size_t count, const struct copy *copy, struct context *context)
{
	struct work work = {.command = {.kind = COMMAND_COPY, .asynchronous = true}};
	struct command *command = &work.command;

	/* Copies of separate lines are not supported yet. */
	if (copy->source.array || copy->target.array || copy->height != 1 || copy->depth != 1)
		complain("a graph copies more than one line");
	work.from = address_of(&copy->source);
	work.to = address_of(&copy->target);
	command->bytes = copy->width;
	command->source = memory_kind(work.from);
	command->target = memory_kind(work.to);
	command->copy = copy_kind(command->source, command->target);
	*node = graph_add(graph, &work);
	return *node ? CUDA_DONE : CUDA_INVALID_VALUE;
}

int fake_cuGraphInstantiateWithFlags(struct executable **executable, struct graph *graph,
				     unsigned long long flags)
{
	uint32_t count = 0;
	struct node **at;

	if (!object_is(graph, KIND_GRAPH))
		return CUDA_INVALID_VALUE;
	*executable = object_make(KIND_EXECUTABLE, sizeof(**executable));
	(*executable)->id = new_id();
	at = &(*executable)->first;
	for (const struct node *node = graph->first; node; node = node->next) {
		*at = object_make(KIND_NODE, sizeof(**at));
		**at = *node;
		(*at)->next = NULL;
		(*at)->id = (uint64_t)(*executable)->id << 32 | ++count;
		tell(CUPTI_RESOURCE_GRAPHNODE_CLONED, *at, node);
		at = &(*at)->next;
	}
	return CUDA_DONE;
}

int fake_cuGraphInstantiate_v2(struct executable **executable, struct graph *graph,
			       struct node **error, char *log, size_t size)
{
	return fake_cuGraphInstantiateWithFlags(executable, graph, 0);
}

static int launch(struct executable *executable, struct stream *handle, bool per_thread)
{
	struct stream *stream = stream_of(handle, per_thread);

	if (!object_is(executable, KIND_EXECUTABLE))
		return CUDA_INVALID_VALUE;
	if (!stream)
		return CUDA_INVALID_CONTEXT;
	for (const struct node *node = executable->first; node; node = node->next)
		work_launch(stream, node, executable->id);
	return CUDA_DONE;
}

int fake_cuGraphLaunch(struct executable *executable, struct stream *stream)
{
	return launch(executable, stream, false);
}

int fake_cuGraphLaunch_ptsz(struct executable *executable, struct stream *stream)
{
	return launch(executable, stream, true);
}

int fake_cuGraphDestroy(struct graph *graph)
{
	if (!object_is(graph, KIND_GRAPH))
		return CUDA_INVALID_VALUE;
	__atomic_store_n(&graph->object.released, true, __ATOMIC_RELAXED);
	return CUDA_DONE;
}

int fake_cuGraphExecDestroy(struct executable *executable)
{
	if (!object_is(executable, KIND_EXECUTABLE))
		return CUDA_INVALID_VALUE;
	__atomic_store_n(&executable->object.released, true, __ATOMIC_RELAXED);
	return CUDA_DONE;
}
