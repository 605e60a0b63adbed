/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_driver.h"

/* Work: its effect is immediate, its times are in the future. */

static void copy_bytes(const struct work *work)
{
	memmove((void *)(uintptr_t)work->to, (const void *)(uintptr_t)work->from,
		work->command.bytes);
}

static void set_bytes(const struct work *work)
{
	char *to = (void *)(uintptr_t)work->to;

	for (size_t i = 0; i < work->command.bytes; i += work->from)
		memcpy(to + i, &work->command.value, work->from);
}

/* Returns its least duration in ns. */
static uint64_t run(const struct work *work)
{
	switch (work->command.kind) {
	case COMMAND_KERNEL:
		return kernel_run(work);
	case COMMAND_SET:
		set_bytes(work);
		return 0;
	case COMMAND_COPY:
	case COMMAND_PEER:
		copy_bytes(work);
		return 0;
	}
	return 0;
}

/* Runs a kernel once per pass, each time with the same memory: a kernel writes only to that of its
 * first argument. Returns as `run`. */
static uint64_t run_passes(const struct work *work, unsigned passes)
{
	bool writes = work->command.kind == COMMAND_KERNEL && work->has_arguments && passes > 1;
	size_t size = writes ? memory_left(work->arguments[0]) : 0;
	void *memory = (void *)(uintptr_t)work->arguments[0];
	void *copy = size ? malloc(size) : NULL;
	uint64_t least = 0;

	if (size && !copy)
		abort();
	if (size)
		memcpy(copy, memory, size);
	for (unsigned pass = 0; pass < (passes ? passes : 1); pass++) {
		if (pass && size && !script.norestore)
			memcpy(memory, copy, size);
		least = run(work);
	}
	free(copy);
	return least;
}

/* Returns the duration of the command, given its kernel's least duration. */
static uint64_t length_of(const struct command *command, uint64_t least)
{
	uint64_t length = (uint64_t)(command->number * script.step);

	if (script.longest && length > (uint64_t)script.longest)
		length = (uint64_t)script.longest;
	return length > least ? length : least;
}

static void schedule(struct stream *stream, struct command *command, uint64_t least)
{
	static int64_t last;
	static uint64_t kernels_end[MAX_DEVICES];
	uint64_t *kernel_end = &kernels_end[command->device];
	bool is_serial = command->kind == COMMAND_KERNEL && call_is_serial();
	LOCKED();

	command->number = ++last;
	command->submitted = clock_now();
	command->start = stream->end > command->submitted ? stream->end : command->submitted;
	if (is_serial && command->start < *kernel_end)
		command->start = *kernel_end;
	command->end = command->start + length_of(command, least);
	stream->end = command->end;
	if (command->passes > 1)
		stream->end += (command->end - command->start) * (command->passes - 1);
	if (command->kind == COMMAND_KERNEL && *kernel_end < stream->end)
		*kernel_end = stream->end;
	command->due = UINT64_MAX;
	if (script_means(script.never, command->number))
		return;
	command->due = stream->end;
	if (!command->passes) /* CUPTI waits for the other commands, and so sees their end */
		command->due += (uint64_t)script.late * 1000000;
	if (stream->due < command->due)
		stream->due = command->due;
}

/* Only the first pass is reported, unless the script requests all. A measured kernel is waited
 * for. */
static void tell(struct command *command)
{
	unsigned passes = command->passes;
	uint64_t length = command->end - command->start, end = command->start + length * passes;

	call_command(command);
	command->passes = 0;
	for (unsigned pass = 1; pass < passes && script.replayrows; pass++) {
		command->start = command->end;
		command->end += length;
		call_command(command);
	}
	if (passes && command->due != UINT64_MAX)
		clock_reach(end);
}

static int begin(struct stream *stream, const struct work *work, const struct node *node,
		 uint32_t graph)
{
	struct command command = work->command;
	struct call *call = call_current();

	command.device = (uint32_t)stream->context->device;
	command.context = stream->context->id;
	command.stream = stream->id;
	command.correlation = call ? call->correlation : 0;
	command.graph = graph;
	command.node = node ? node->id : 0;
	if (command.kind == COMMAND_KERNEL) {
		memory_to_device(stream->context);
		command.passes = call_passes(stream->context);
		effort_of(work, &command.effort);
	}
	schedule(stream, &command, run_passes(work, command.passes));
	while (command.passes && !kernel_has_ended(work))
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	tell(&command);
	return CUDA_DONE;
}

int work_do(struct stream *stream, struct work *work)
{
	if (stream->capture)
		return graph_add(stream->capture, work) ? CUDA_DONE : CUDA_INVALID_VALUE;
	return begin(stream, work, NULL, 0);
}

void work_launch(struct stream *stream, const struct node *node, uint32_t graph)
{
	begin(stream, &node->work, node, graph);
}

static bool fits(const struct launch *launch)
{
	const unsigned *block = launch->block, *grid = launch->grid;
	unsigned shared = launch->function->dynamic_shared ? launch->function->dynamic_shared
							   : 49152 - launch->function->shared;

	for (int i = 0; i < 3; i++)
		if (!block[i] || !grid[i] || block[i] > 1024)
			return false;
	return block[0] * block[1] * block[2] <= 1024 && launch->shared <= shared;
}

int work_of_kernel(struct work *work, const struct launch *launch, void **parameters)
{
	struct function *function = launch->function;
	struct command *command = &work->command;

	if (!object_is(function, KIND_FUNCTION))
		return CUDA_INVALID_HANDLE;
	if (!fits(launch))
		return CUDA_INVALID_VALUE;
	memset(work, 0, sizeof(*work));
	work->function = function;
	command->kind = COMMAND_KERNEL;
	command->name = function->name;
	memcpy(command->grid, launch->grid, sizeof(command->grid));
	memcpy(command->block, launch->block, sizeof(command->block));
	command->static_shared = function->shared;
	command->dynamic_shared = launch->shared;
	command->registers = (uint16_t)script.registers;
	command->cache = (uint8_t)(function->cache | function->cache << 4);
	command->launch_type = launch->type;
	kernel_arguments(work, parameters);
	return CUDA_DONE;
}

static int launch_kernel(const struct launch *launch, struct stream *handle, bool per_thread,
			 void **parameters)
{
	struct stream *stream = stream_of(handle, per_thread);
	struct work work;
	int result;

	if (!stream)
		return CUDA_INVALID_CONTEXT;
	result = work_of_kernel(&work, launch, parameters);
	return result ? result : work_do(stream, &work);
}

const char *launch_symbol(uint32_t call, const void *parameters)
{
	const struct function *function = NULL;
	const void *const *given = parameters;

	if (call == 307 || call == 442 || call == 477 || call == 478)
		function = given[0];
	else if (call == 652 || call == 653)
		function = given[1];
	return object_is(function, KIND_FUNCTION) ? function->name : NULL;
}

#define LAUNCH(kind)                                                                               \
	((struct launch){                                                                          \
		function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, kind})

int fake_cuLaunchKernel(struct function *function, unsigned grid_x, unsigned grid_y,
			unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
			unsigned shared, struct stream *stream, void **parameters, void **extra)
{
	return launch_kernel(&LAUNCH(0), stream, false, parameters);
}

int fake_cuLaunchKernel_ptsz(struct function *function, unsigned grid_x, unsigned grid_y,
			     unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
			     unsigned shared, struct stream *stream, void **parameters,
			     void **extra)
{
	return launch_kernel(&LAUNCH(0), stream, true, parameters);
}

int fake_cuLaunchCooperativeKernel(struct function *function, unsigned grid_x, unsigned grid_y,
				   unsigned grid_z, unsigned block_x, unsigned block_y,
				   unsigned block_z, unsigned shared, struct stream *stream,
				   void **parameters)
{
	return launch_kernel(&LAUNCH(1), stream, false, parameters);
}

int fake_cuLaunchCooperativeKernel_ptsz(struct function *function, unsigned grid_x, unsigned grid_y,
					unsigned grid_z, unsigned block_x, unsigned block_y,
					unsigned block_z, unsigned shared, struct stream *stream,
					void **parameters)
{
	return launch_kernel(&LAUNCH(1), stream, true, parameters);
}

static int launch_config(const struct launch_config *config, struct function *function,
			 bool per_thread, void **parameters)
{
	struct launch launch = {.function = function, .shared = config->shared};

	for (unsigned i = 0; i < config->count; i++)
		if (config->attributes[i].id == 2)
			launch.type = config->attributes[i].value.cooperative != 0;
	memcpy(launch.grid, config->grid, sizeof(launch.grid));
	memcpy(launch.block, config->block, sizeof(launch.block));
	return launch_kernel(&launch, config->stream, per_thread, parameters);
}

int fake_cuLaunchKernelEx(const struct launch_config *config, struct function *function,
			  void **parameters, void **extra)
{
	return launch_config(config, function, false, parameters);
}

int fake_cuLaunchKernelEx_ptsz(const struct launch_config *config, struct function *function,
			       void **parameters, void **extra)
{
	return launch_config(config, function, true, parameters);
}
