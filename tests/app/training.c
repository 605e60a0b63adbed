/* SPDX-License-Identifier: MIT */
/*
 * training: two steps as in the training of a network, with work of each kind that nvprof has a
 * table for: streams, events, a graph, managed memory, NVTX ranges, and a copy to a second device.
 */
#include <stdio.h>
#include <string.h>

#include "driver.h"
#include "kernels.h"
#include "marker.h"

enum { BYTES = 1 << 12, STEPS = 2 };

static cuda_context first, second;
static uint64_t weights, gradients, inputs, others;
static cuda_stream compute, transfer;
static struct cuda_event *loaded;
static struct cuda_executable *optimizer;

#define DO(name, ...) done(cu.name(__VA_ARGS__), #name)

static void done(int result, const char *what)
{
	if (!result)
		return;
	fprintf(stderr, "training: cu%s: error %d\n", what, result);
	exit(1);
}

static struct cuda_function *kernel(const char *name)
{
	static struct cuda_module *module;
	struct cuda_function *function;

	if (!module)
		DO(ModuleLoadData, &module, kernels_ptx);
	DO(ModuleGetFunction, &function, module, name);
	return function;
}

static void make_optimizer(void)
{
	void *parameters[] = {&weights};
	struct cuda_kernel_node node = {
		.function = kernel("fixed"),
		.grid = {4, 1, 1},
		.block = {128, 1, 1},
		.parameters = parameters,
	};
	struct cuda_graph *graph;
	struct cuda_node *made;

	DO(GraphCreate, &graph, 0);
	DO(GraphAddKernelNode, &made, graph, NULL, 0, &node);
	DO(GraphInstantiate, &optimizer, graph, 0);
}

static void begin(void)
{
	cuda_device device;

	DO(DeviceGet, &device, 1);
	DO(CtxCreate, &second, 0, device);
	DO(MemAlloc, &others, BYTES);
	DO(DeviceGet, &device, 0);
	DO(CtxCreate, &first, 0, device);
	DO(StreamCreateWithPriority, &compute, CUDA_STREAM_NON_BLOCKING, -1);
	DO(StreamCreate, &transfer, 0);
	DO(EventCreate, &loaded, 0);
	DO(MemAllocManaged, &weights, BYTES, CUDA_MANAGED_GLOBAL);
	DO(MemAlloc, &gradients, BYTES);
	DO(MemAlloc, &inputs, BYTES);
	make_optimizer();
}

static void step(void)
{
	static char batch[BYTES];
	void *parameters[] = {&inputs};

	DO(MemcpyHtoDAsync, inputs, batch, BYTES, transfer);
	DO(EventRecord, loaded, transfer);
	DO(StreamWaitEvent, compute, loaded, 0);
	DO(MemsetD32Async, gradients, 0, BYTES / 4, compute);
	DO(LaunchKernel, kernel("empty"), 2, 2, 1, 64, 1, 1, 256, compute, parameters, NULL);
	DO(GraphLaunch, optimizer, compute);
	DO(StreamSynchronize, compute);
	DO(EventSynchronize, loaded);
	DO(MemcpyDtoH, batch, weights, 8);
	DO(MemcpyPeer, others, second, gradients, first, BYTES / 2);
}

/* With a value, as PyTorch's and RAPIDS' marks have. */
static void mark_loss(uint64_t loss)
{
	const struct nvtx_attributes attributes = {
		.version = 3,
		.size = sizeof(attributes),
		.color_type = NVTX_ARGB,
		.color = 0xff00ff00,
		.payload_type = NVTX_UINT64,
		.payload.uint64 = loss,
		.message_type = NVTX_ASCII,
		.message.text = "loss",
	};

	mark_ex(&attributes);
}

int main(void)
{
	const char *missing = driver_open();
	bool marks = !marker_load();

	if (missing || cu.Init(0)) {
		fprintf(stderr, "training: no CUDA driver: %s\n", missing ? missing : "it fails");
		return 1;
	}
	begin();
	for (int i = 0; i < STEPS; i++) {
		if (marks)
			push(i ? "second step" : "first step");
		step();
		if (marks)
			pop();
	}
	if (marks)
		mark_loss(7);
	DO(CtxSynchronize);
	DO(MemFree, inputs);
	return 0;
}
