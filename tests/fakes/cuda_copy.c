/* SPDX-License-Identifier: MIT */
#include "cuda_driver.h"

/* Copies and memsets. */

enum { ASYNCHRONOUS = 1, PER_THREAD = 2, WAITS = 4 };

static bool is_host(enum cupti_memory memory)
{
	return memory == CUPTI_MEMORY_PAGEABLE || memory == CUPTI_MEMORY_PINNED;
}

enum cupti_copy copy_kind(enum cupti_memory from, enum cupti_memory to)
{
	if (is_host(from))
		return is_host(to) ? CUPTI_COPY_HOST_TO_HOST : CUPTI_COPY_HOST_TO_DEVICE;
	return is_host(to) ? CUPTI_COPY_DEVICE_TO_HOST : CUPTI_COPY_DEVICE_TO_DEVICE;
}

static int make(struct work *work, struct stream *handle, int flags)
{
	struct stream *stream = stream_of(handle, flags & PER_THREAD);
	int result;

	if (!stream)
		return CUDA_INVALID_CONTEXT;
	work->command.asynchronous = flags & ASYNCHRONOUS;
	result = work_do(stream, work);
	if (!result && flags & WAITS)
		stream_wait(stream);
	return result;
}

static int copy(uint64_t to, uint64_t from, size_t bytes, struct stream *stream, int flags)
{
	struct work work = {
		.command = {.kind = COMMAND_COPY, .bytes = bytes}, .to = to, .from = from};
	struct command *command = &work.command;

	command->source = memory_kind(from);
	command->target = memory_kind(to);
	command->copy = copy_kind(command->source, command->target);
	if (command->copy == CUPTI_COPY_DEVICE_TO_HOST)
		memory_to_host(from);
	return make(&work, stream, flags);
}

static uint64_t number(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

static int to_device(uint64_t to, const void *from, size_t bytes, struct stream *stream, int flags)
{
	if (!memory_is(to, bytes))
		return CUDA_INVALID_VALUE;
	return copy(to, number(from), bytes, stream, flags);
}

static int to_host(void *to, uint64_t from, size_t bytes, struct stream *stream, int flags)
{
	if (!memory_is(from, bytes))
		return CUDA_INVALID_VALUE;
	return copy(number(to), from, bytes, stream, flags);
}

int fake_cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
	return to_device(to, from, bytes, NULL, WAITS);
}

int fake_cuMemcpyHtoD_v2_ptds(uint64_t to, const void *from, size_t bytes)
{
	return to_device(to, from, bytes, NULL, WAITS | PER_THREAD);
}

int fake_cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
	return to_host(to, from, bytes, NULL, WAITS);
}

int fake_cuMemcpyDtoH_v2_ptds(void *to, uint64_t from, size_t bytes)
{
	return to_host(to, from, bytes, NULL, WAITS | PER_THREAD);
}

int fake_cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, struct stream *stream)
{
	return to_device(to, from, bytes, stream, ASYNCHRONOUS);
}

int fake_cuMemcpyHtoDAsync_v2_ptsz(uint64_t to, const void *from, size_t bytes,
				   struct stream *stream)
{
	return to_device(to, from, bytes, stream, ASYNCHRONOUS | PER_THREAD);
}

int fake_cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, struct stream *stream)
{
	return to_host(to, from, bytes, stream, ASYNCHRONOUS);
}

int fake_cuMemcpyDtoHAsync_v2_ptsz(void *to, uint64_t from, size_t bytes, struct stream *stream)
{
	return to_host(to, from, bytes, stream, ASYNCHRONOUS | PER_THREAD);
}

static int within(uint64_t to, uint64_t from, size_t bytes, struct stream *stream, int flags)
{
	if (!memory_is(from, bytes) || !memory_is(to, bytes))
		return CUDA_INVALID_VALUE;
	return copy(to, from, bytes, stream, flags);
}

int fake_cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes)
{
	return within(to, from, bytes, NULL, 0);
}

int fake_cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, struct stream *stream)
{
	return within(to, from, bytes, stream, ASYNCHRONOUS);
}

int fake_cuMemcpy(uint64_t to, uint64_t from, size_t bytes)
{
	return copy(to, from, bytes, NULL, WAITS);
}

int fake_cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, struct stream *stream)
{
	return copy(to, from, bytes, stream, ASYNCHRONOUS);
}

static int copy_peer(uint64_t to, struct context *target, uint64_t from, struct context *source,
		     size_t bytes, struct stream *stream, int flags)
{
	struct work work = {
		.command = {.kind = COMMAND_PEER, .bytes = bytes}, .to = to, .from = from};
	struct command *command = &work.command;

	if (!object_is(source, KIND_CONTEXT) || !object_is(target, KIND_CONTEXT))
		return CUDA_INVALID_CONTEXT;
	if (!memory_is(from, bytes) || !memory_is(to, bytes))
		return CUDA_INVALID_VALUE;
	command->copy = CUPTI_COPY_PEER_TO_PEER;
	command->source = memory_kind(from);
	command->target = memory_kind(to);
	command->source_context = source->id;
	command->source_device = (uint32_t)source->device;
	command->target_context = target->id;
	command->target_device = (uint32_t)target->device;
	return make(&work, stream, flags);
}

int fake_cuMemcpyPeer(uint64_t to, struct context *target, uint64_t from, struct context *source,
		      size_t bytes)
{
	return copy_peer(to, target, from, source, bytes, NULL, 0);
}

int fake_cuMemcpyPeerAsync(uint64_t to, struct context *target, uint64_t from,
			   struct context *source, size_t bytes, struct stream *stream)
{
	return copy_peer(to, target, from, source, bytes, stream, ASYNCHRONOUS);
}

/* `from` is the width of the value. */
static int set(uint64_t to, uint32_t value, size_t count, size_t width, struct stream *stream,
	       int flags)
{
	struct work work = {
		.command = {.kind = COMMAND_SET, .bytes = count * width, .value = value},
		.to = to,
		.from = width};

	if (!memory_is(to, count * width))
		return CUDA_INVALID_VALUE;
	work.command.target = memory_kind(to);
	return make(&work, stream, flags);
}

int fake_cuMemsetD8_v2(uint64_t address, unsigned char value, size_t count)
{
	return set(address, value, count, 1, NULL, 0);
}

int fake_cuMemsetD32_v2(uint64_t address, unsigned value, size_t count)
{
	return set(address, value, count, 4, NULL, 0);
}

int fake_cuMemsetD8Async(uint64_t address, unsigned char value, size_t count, struct stream *stream)
{
	return set(address, value, count, 1, stream, ASYNCHRONOUS);
}

int fake_cuMemsetD32Async(uint64_t address, unsigned value, size_t count, struct stream *stream)
{
	return set(address, value, count, 4, stream, ASYNCHRONOUS);
}
