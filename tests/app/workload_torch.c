/* SPDX-License-Identifier: MIT */
/*
 * PyTorch 2: a training step of a transformer with data parallel gradients, graphs, a loader with
 * per-thread default streams, and torch.profiler of a release that subscribes to CUPTI. From
 * pytorch/pytorch:
 *	streams		c10/cuda/CUDAStream.cpp, initDeviceStreamState: 32 streams of low and 32 of
 *			high priority at the first request, never destroyed (~LeakyStreamInternals)
 *	memory		c10/cuda/CUDACachingAllocator.cpp: segments of kSmallBuffer (2 MiB) and
 *			kLargeBuffer (20 MiB), kept until the end
 *	cuBLAS		aten/src/ATen/cuda/CublasHandlePool.cpp: a handle and a workspace for each
 *			thread and stream
 *	inputs		pinned memory that an event guards (CachingHostAllocator.cpp)
 *	graphs		aten/src/ATen/cuda/CUDAGraph.cpp: capture_begin, capture_end (instantiate,
 *then cudaGraphDestroy), replay in the current stream gradients
 *torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp, syncStream: the communication stream waits for
 *the current one; WorkNCCL::synchronizeStream: the reverse collectives	NVIDIA/nccl 5067397c,
 *src/enqueue.cc:1839: cuLaunchKernelEx, after the waits of lines 1661 and 1672 profiler
 *pytorch/kineto, libkineto/src/CuptiCallbackApi.cpp, initCallbackApi
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "workload.h"

enum { POOL = 32, HIGH = -1, LAYERS = 12, STEPS = 30, REPLAYS = 40, LOADERS = 4, BATCHES = 25 };
enum { SMALL_BUFFER = 2 << 20, LARGE_BUFFER = 20 << 20, BATCH = 64 << 10, TIMED = 0, UNTIMED = 2 };

#define AT    "_ZN2at6native"
#define LOCAL AT "12_GLOBAL__N_1"
#define VECTORIZED(functor, arrays)                                                                \
	AT "29vectorized_elementwise_kernelILi4E" functor "St5arrayIPcLm" arrays "EEEEviT0_T1_"

static const struct kernel forward[] = {
	{LOCAL "28vectorized_layer_norm_kernelIffEEviT0_PKT_S4_S4_PS2_S5_S5_", .grid = {4096},
	 .block = {32, 4}, .shared = 24},
	{"ampere_sgemm_128x64_tn", .grid = {24, 32}, .block = {128}},
	{"_ZN5flash16flash_fwd_kernelI23Flash_fwd_kernel_traitsILi64ELi128ELi128ELi4EL"
	 "b0ELb0EN7cutlass6half_tE19Flash_kernel_traitsILi64ELi128ELi128ELi4ES2_EELb0E"
	 "Lb1ELb0ELb0ELb0ELb1ELb0ELb0EEEvNS_16Flash_fwd_paramsE",
	 .grid = {8, 4, 12}, .block = {128}, .shared = 49152},
	{"_ZN7cutlass7Kernel2I52cutlass_80_tensorop_s1688gemm_128x256_16x3_nn_align4EE"
	 "vNT_6ParamsE",
	 .grid = {6, 32}, .block = {256}, .shared = 73728},
	{LOCAL "24fused_dropout_kernel_vecIffjLi4EEEvT_T0_T1_", .grid = {264}, .block = {256}},
	{VECTORIZED("NS0_15CUDAFunctor_addIfEE", "3"), .grid = {3072}, .block = {128}},
	{LOCAL "28vectorized_layer_norm_kernelIffEEviT0_PKT_S4_S4_PS2_S5_S5_", .grid = {4096},
	 .block = {32, 4}, .shared = 24},
	{"ampere_sgemm_128x128_tn", .grid = {24, 32}, .block = {256}},
	{VECTORIZED("ZZZNS0_14GeluCUDAKernelERNS_18TensorIteratorBaseEENKUlvE_clEvENKUlvE0_clEvEU"
		    "lfE_",
		    "2"),
	 .grid = {12288}, .block = {128}},
	{"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x64x8_stage3_warpsize2x2x1_"
	 "ffma_aligna4_alignc4_execute_kernel__51_cublas",
	 .grid = {12, 32}, .block = {128}, .shared = 18432},
	{"_ZN8cublasLt19splitKreduce_kernelILi32ELi16EifffEEvNS_18cublasSplitKParamsIT"
	 "2_EE",
	 .grid = {96, 2}, .block = {32, 16}},
	{VECTORIZED("NS0_15CUDAFunctor_addIfEE", "3"), .grid = {3072}, .block = {128}},
};

static const struct kernel backward[] = {
	{"ampere_sgemm_128x64_nn", .grid = {12, 32}, .block = {128}},
	{"ampere_sgemm_128x64_nt", .grid = {12, 12}, .block = {128}},
	{AT "13reduce_kernelILi512ELi1ENS0_8ReduceOpIfNS0_7MeanOpsIffffEEjfLi4ELi4EEEEEvT1_",
	 .grid = {3}, .block = {32, 16}, .shared = 16},
	{VECTORIZED("ZZZNS0_22GeluBackwardCUDAKernelERNS_18TensorIteratorBaseEENKUlvE_clEvENKUlvE"
		    "0_clEvEUlffE_",
		    "3"),
	 .grid = {12288}, .block = {128}},
	{"_ZN5flash44flash_bwd_dq_dk_dv_loop_seqk_parallel_kernelINS_23Flash_bwd_kerne"
	 "l_traitsILi64ELi128EEELb0ELb1EEEvNS_16Flash_bwd_paramsE",
	 .grid = {8, 4, 12}, .block = {256}, .shared = 147456},
	{"_ZN5flash27flash_bwd_convert_dq_kernelI23Flash_bwd_kernel_traitsILi64ELi128E"
	 "EEEvNS_16Flash_bwd_paramsEi",
	 .grid = {8, 4, 12}, .block = {256}, .shared = 16384},
	{LOCAL "39layer_norm_grad_input_kernel_vectorizedIffEEvPKT_S5_PKT0_S8_S5_PS3_i",
	 .grid = {4096}, .block = {128}, .shared = 16},
	{LOCAL "35GammaBetaBackwardCUDAKernelTemplateIffLj64ELj1ELj32ELb1ELb1ELb0EEEvxxPKT_S"
	       "5_PKT0_S8_PS3_S9_",
	 .grid = {24}, .block = {32, 1}, .shared = 8448},
	{AT "19masked_scale_kernelIffbEEvPT_PKT0_PKT1_lS2_", .grid = {264}, .block = {256}},
	{VECTORIZED("NS0_15CUDAFunctor_addIfEE", "3"), .grid = {3072}, .block = {128}},
};

static const struct kernel optimizer[] = {
	{VECTORIZED("NS0_11FillFunctorIfEE", "1"), .grid = {64}, .block = {128}},
	{LOCAL "25multi_tensor_apply_kernelINS1_18TensorListMetadataILi2EEENS1_13LpNormFunct"
	       "orIfEEJPffEEEvT_T0_DpT1_",
	 .grid = {320}, .block = {512}},
	{LOCAL "25multi_tensor_apply_kernelINS1_32FusedOptimizerTensorListMetadataILi4EEENS1"
	       "_20FusedAdamMathFunctorIfLi4EEEJPKffddddbbS8_EEEvT_T0_DpT1_",
	 .grid = {320}, .block = {512}},
};

static const struct kernel allreduce = {
	"_Z39ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgsStorageILm4096EE",
	.grid = {24}, .block = {544}, .shared = 82240};
static const struct kernel inductor[] = {
	{"triton_per_fused_add_native_layer_norm_0", .grid = {4096}, .block = {64}, .shared = 16},
	{"triton_poi_fused_add_gelu_1", .grid = {12288}, .block = {128}},
	{"triton_tem_fused_mm_2", .grid = {768}, .block = {256}, .shared = 65536},
	{"triton_red_fused__softmax_3", .grid = {49152}, .block = {256}, .shared = 32},
};
static const struct kernel loader_kernel = {
	"_ZN4dali7kernels34SliceFlipNormalizePermutePadKernelIfEEvT_i", .grid = {196},
	.block = {256}};

static void make_pool(cuda_stream low[POOL], cuda_stream high[POOL])
{
	for (int i = 0; i < POOL; i++) {
		DO(StreamCreateWithPriority, &low[i], CUDA_STREAM_NON_BLOCKING, 0);
		DO(StreamCreateWithPriority, &high[i], CUDA_STREAM_NON_BLOCKING, HIGH);
	}
}

static void ignore(void *user, uint32_t domain, uint32_t callback, const void *data)
{
	(void)user;
	(void)domain;
	(void)callback;
	(void)data;
}

/* The profiler goes on without CUPTI if it is not the first subscriber. */
static void start_profiler(void)
{
	const char *path = getenv("COMPUTEPROF_CUPTI");
	void *library = path ? dlopen(path, RTLD_NOW) : NULL;
	int (*subscribe)(cupti_subscriber *, cupti_callback_function *, void *) = NULL;
	cupti_subscriber subscriber;

	if (library)
		*(void **)&subscribe = dlsym(library, "cuptiSubscribe");
	if (subscribe)
		subscribe(&subscriber, ignore, NULL);
}

/* A worker of the loader: its own copies and kernel in the default stream of its thread. */
static void *load_batches(void *host)
{
	workload_thread();
	for (int i = 0; i < BATCHES; i++) {
		workload_copy_per_thread(COPY_IN, host, BATCH);
		workload_run_per_thread(&loader_kernel);
		workload_copy_per_thread(COPY_OUT, host, 16);
	}
	return NULL;
}

static void start_loaders(pthread_t threads[LOADERS])
{
	for (int i = 0; i < LOADERS; i++)
		if (pthread_create(&threads[i], NULL, load_batches, malloc(BATCH)))
			workload_done(1, "pthread_create");
}

static void step(cuda_stream communication, struct cuda_event *event, struct cuda_event *end)
{
	for (int i = 0; i < LAYERS; i++)
		workload_run_all(forward, COUNT_OF(forward), NULL);
	for (int i = 0; i < LAYERS; i++) {
		workload_run_all(backward, COUNT_OF(backward), NULL);
		if (i % 3 != 2)
			continue;
		workload_wait(communication, NULL, event); /* a bucket of gradients is complete */
		workload_run_ex(&allreduce, communication);
		DO(EventRecord, end, communication);
	}
	DO(StreamWaitEvent, NULL, end, 0);
	workload_run_all(optimizer, COUNT_OF(optimizer), NULL);
}

static void replay(cuda_stream capture)
{
	struct workload_graph *graph;

	workload_capture(capture);
	for (int i = 0; i < LAYERS; i++)
		workload_run_all(inductor, COUNT_OF(inductor), capture);
	graph = workload_captured(capture);
	for (int i = 0; i < REPLAYS; i++) {
		workload_copy(COPY_DEVICE, NULL, 4096, NULL); /* into the static input */
		workload_launch(graph, NULL);
	}
	DO(StreamSynchronize, NULL);
	workload_forget(graph);
}

void workload_torch(void)
{
	cuda_stream low[POOL], high[POOL];
	struct cuda_event *event, *end, *guard;
	pthread_t loaders[LOADERS];
	void *pinned;
	float loss;

	/* Modules are loaded when a kernel of theirs is first used: here one for each library. */
	workload_load(forward, COUNT_OF(forward));
	workload_load(backward, COUNT_OF(backward));
	workload_load(optimizer, COUNT_OF(optimizer));
	workload_load(&allreduce, 1);
	workload_load(inductor, COUNT_OF(inductor));
	workload_load(&loader_kernel, 1);
	workload_allocate(SMALL_BUFFER);
	workload_allocate(LARGE_BUFFER);
	workload_allocate(4 << 20); /* workspace of cuBLAS */
	make_pool(low, high);
	DO(MemHostAlloc, &pinned, BATCH, 0);
	DO(EventCreate, &event, UNTIMED);
	DO(EventCreate, &end, UNTIMED);
	DO(EventCreate, &guard, UNTIMED);
	start_loaders(loaders);
	for (int i = 0; i < STEPS; i++) {
		if (i == STEPS / 2)
			start_profiler();
		workload_copy(COPY_IN, pinned, BATCH, NULL);
		DO(EventRecord, guard, NULL);
		workload_set(256, NULL);
		step(high[0], event, end);
		workload_copy(COPY_OUT, &loss, sizeof(loss), NULL); /* loss.item() */
		DO(StreamSynchronize, NULL);
		DO(EventQuery, guard);
	}
	replay(low[0]);
	for (int i = 0; i < LOADERS; i++)
		pthread_join(loaders[i], NULL);
	DO(CtxSynchronize);
}
