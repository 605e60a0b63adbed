/* SPDX-License-Identifier: MIT */
/*
 * XLA (TensorFlow, JAX): executables with modules of their own, streams for computing and for each
 * direction of copies, command buffers. From openxla/xla, xla/stream_executor/cuda, as of 138cd58b:
 *	streams		cuda_stream.cc, CreateStream: cuStreamCreate, non-blocking, and an event
 *each waits		cuda_stream.cc, CudaStream::WaitFor: cuEventRecord in the other stream and
 *			cuStreamWaitEvent
 *	copies		cuda_stream.cc, AsynchronousMemcpyH2D and D2H
 *	end		cuda_stream.cc, BlockHostUntilDone (cuStreamSynchronize), DestroyStream
 *			(cuStreamQuery, cuStreamDestroy)
 *	graphs		cuda_command_buffer.cc: nodes are made one by one (cuGraphAddKernelNode),
 *then cuGraphInstantiate
 *	modules		cuda_executor.cc: cuModuleLoadData for each executable; cuModuleUnload with
 *it memory		the BFC allocator takes one large region
 */
#include <stdio.h>
#include <stdlib.h>

#include "workload.h"

enum { EXECUTABLES = 12, FUSIONS = 14, RUNS = 25, REGION = 32 << 20, INPUT = 32 << 10, NAME = 48 };
enum { COMPUTE, HOST_TO_DEVICE, DEVICE_TO_HOST, STREAMS };

static const char *const kinds[] = {
	"loop_add_fusion",     "input_reduce_fusion",
	"gemm_fusion_dot",     "loop_multiply_subtract_fusion",
	"wrapped_transpose",   "input_concatenate_fusion",
	"loop_convert_fusion",
};
static const struct kernel library[] = {
	{"sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x32_stage4_warpsize2x2x1_"
	 "tensor16x8x16"
	 "_kernel__5x_cublas",
	 .grid = {64, 8}, .block = {128}, .shared = 65536},
	{"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x128_4x1x1_"
	 "cga1x1x1_ke"
	 "rnel0_0",
	 .grid = {16, 12, 8}, .block = {384}, .shared = 231424},
};

static struct executable {
	struct cuda_module *module;
	struct kernel kernels[FUSIONS];
	struct workload_graph *graph;
} executables[EXECUTABLES];

static cuda_stream streams[STREAMS];
static struct cuda_event *events[STREAMS];

/* Fusions are numbered in each executable, so executables share names. */
static const char *name_of(int fusion)
{
	static char *names[FUSIONS];

	if (!names[fusion] &&
	    asprintf(&names[fusion], "%s_%d", kinds[(size_t)fusion % COUNT_OF(kinds)], fusion) < 0)
		workload_done(1, "asprintf");
	return names[fusion];
}

static void compile(struct executable *executable, unsigned number)
{
	for (unsigned i = 0; i < FUSIONS; i++)
		executable->kernels[i] = (struct kernel){
			.name = name_of((int)i),
			.grid = {(number + 1) * 16 + i},
			.block = {i % 2 ? 128 : 256},
			.shared = i % 3 ? 0 : 1024 * i,
		};
	executable->module = workload_load(executable->kernels, FUSIONS);
}

/* The first half of the kernels as a command buffer, from the third run on. */
static struct workload_graph *record(const struct executable *executable)
{
	const struct kernel *nodes[FUSIONS];

	for (size_t i = 0; i < FUSIONS / 2; i++)
		nodes[i] = &executable->kernels[i];
	return workload_graph(nodes, FUSIONS / 2);
}

static void execute(struct executable *executable, int run)
{
	size_t first = run < 2 ? 0 : FUSIONS / 2;

	workload_wait(streams[COMPUTE], streams[HOST_TO_DEVICE], events[HOST_TO_DEVICE]);
	if (run == 2)
		executable->graph = record(executable);
	if (executable->graph)
		workload_launch(executable->graph, streams[COMPUTE]);
	workload_run_all(executable->kernels + first, FUSIONS - first, streams[COMPUTE]);
	workload_run(&library[0], streams[COMPUTE]);
	workload_run(&library[1], streams[COMPUTE]);
	workload_wait(streams[DEVICE_TO_HOST], streams[COMPUTE], events[COMPUTE]);
}

/* An executable is reloaded for its runs: modules of the same names come and go. */
static void run_executable(struct executable *executable, unsigned number, void *host)
{
	compile(executable, number);
	for (int run = 0; run < RUNS; run++) {
		workload_copy(COPY_IN, host, INPUT, streams[HOST_TO_DEVICE]);
		execute(executable, run);
		workload_copy(COPY_OUT, host, INPUT / 8, streams[DEVICE_TO_HOST]);
	}
	DO(StreamSynchronize, streams[DEVICE_TO_HOST]);
	DO(StreamSynchronize, streams[COMPUTE]);
	workload_forget(executable->graph);
	DO(ModuleUnload, executable->module);
}

void workload_xla(void)
{
	void *host;

	workload_allocate(REGION);
	DO(MemHostAlloc, &host, INPUT, 0);
	for (int i = 0; i < STREAMS; i++) {
		DO(StreamCreate, &streams[i], CUDA_STREAM_NON_BLOCKING);
		DO(EventCreate, &events[i], 2 /* without times */);
	}
	workload_load(library, COUNT_OF(library));
	for (unsigned i = 0; i < EXECUTABLES; i++)
		run_executable(&executables[i], i, host);
	for (int i = 0; i < STREAMS; i++) {
		DO(StreamQuery, streams[i]);
		DO(StreamDestroy, streams[i]);
	}
}
