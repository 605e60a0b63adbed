/* SPDX-License-Identifier: MIT */
/*
 * vLLM on one device: graphs for several batch sizes are captured at the start, in pieces between
 *the attention of the layers; then requests come and go. From vllm-project/vllm: graphs
 *vllm/compilation/cuda_graph.py, CUDAGraphWrapper.__call__: captured once for each batch size,
 *replayed afterwards; piecewise around attention inputs
 *vllm/v1/worker/gpu_model_runner.py, _prepare_inputs: several small copies from pinned memory,
 *non_blocking
 *	outputs		the same, AsyncGPUModelRunnerOutput: a stream of its own for the tokens,
 *which waits for the model's, and an event that the host waits for attention
 *csrc/cache_kernels.cu, reshape_and_cache_flash_kernel; flash attention layers
 *csrc/layernorm_kernels.cu, csrc/pos_encoding_kernels.cu, csrc/activation_kernels.cu,
 *csrc/custom_all_reduce.cuh
 */
#include <stdlib.h>
#include <string.h>

#include "workload.h"

enum { LAYERS = 28, STEPS = 60, PINNED = 64 << 10, SMALL_COPIES = 7, SIZES = 4, UNTIMED = 2 };

#define VLLM "_ZN4vllm"

static const struct kernel piece[] = {
	{VLLM "25fused_add_rms_norm_kernelIN3c108BFloat16ELi8EEEvPT_lS3_PKS2_fii", .grid = {64},
	 .block = {1024}},
	{"nvjet_tst_64x32_64x16_4x2_h_bz_splitK_TNT", .grid = {66, 2}, .block = {384},
	 .shared = 213064},
	{VLLM "18act_and_mul_kernelIN3c108BFloat16EXadL_ZNS_11silu_kernelIS2_EET_RKS4_EELb1"
	      "EEEvPS3_PKS3_i",
	 .grid = {64}, .block = {1024}},
	{"nvjet_tst_128x8_64x12_4x1_v_bz_TNT", .grid = {132}, .block = {384}, .shared = 213064},
	{VLLM "23rotary_embedding_kernelIN3c108BFloat16ELb1EEEvPKlPT_S5_PKS4_illliii", .grid = {64},
	 .block = {512}},
	{"triton_poi_fused_clone_split_view_2", .grid = {256}, .block = {128}},
};
static const struct kernel attention[] = {
	{VLLM "30reshape_and_cache_flash_kernelI13__nv_bfloat16S1_LNS_18Fp8KVCacheDataTypeE"
	      "0EEEvPKT_S5_PT0_S7_PKlllllliii",
	 .grid = {64}, .block = {512}},
	/* a name that CUTLASS makes is long: made by make_long_name */
	{NULL, .grid = {132}, .block = {384}, .shared = 215040},
};
static const struct kernel sampler[] = {
	{"_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_22gpu_kernel_impl_nocastINS"
	 "0_19BFloat16CopyFunctorEEEvRNS0_18TensorIteratorBaseERKT_EUliE_EEviT1_",
	 .grid = {9504}, .block = {128}},
	{"_ZN2at6native13reduce_kernelILi512ELi1ENS0_8ReduceOpIfNS0_9ArgMaxOpsIfEEjlLi"
	 "4ELi4EEEEEvT1_",
	 .grid = {64}, .block = {512}, .shared = 16},
	{"_topk_topp_kernel", .grid = {64}, .block = {256}, .shared = 4096},
};
static const struct kernel reduce = {
	VLLM "26cross_device_reduce_1stageI13__nv_bfloat16Li2EEEvPNS_8RankDataENS_11RankSi"
	     "gnalsEPNS_6SignalEPT_ii",
	.grid = {36}, .block = {512}};

static struct kernel attend[2];
static struct workload_graph *graphs[SIZES][LAYERS + 1];

/* Such names have thousands of characters: a tile in a tile in a tile. */
static const char *make_long_name(void)
{
	enum { DEPTH = 230 };
	static const char tile[] = "NS2_I", end[] = "EE";
	static char name[64 + DEPTH * (sizeof(tile) + sizeof(end))];
	char *at = stpcpy(name, "_ZN7cutlass13device_kernelIN4cute4TileI");

	for (int i = 0; i < DEPTH; i++)
		at = stpcpy(at, tile);
	at = stpcpy(at, "f");
	for (int i = 0; i < DEPTH; i++)
		at = stpcpy(at, end);
	stpcpy(at, "EEEEvT_");
	return name;
}

static void capture_all(cuda_stream stream)
{
	for (int size = 0; size < SIZES; size++)
		for (int layer = 0; layer <= LAYERS; layer++) {
			workload_capture(stream);
			workload_run_all(piece, layer ? COUNT_OF(piece) : 2, stream);
			workload_run(&reduce, stream);
			graphs[size][layer] = workload_captured(stream);
		}
}

static void forward(int size, cuda_stream stream)
{
	for (int layer = 0; layer < LAYERS; layer++) {
		workload_launch(graphs[size][layer], stream);
		workload_run(&attend[0], stream);
		workload_run_ex(&attend[1], stream);
	}
	workload_launch(graphs[size][LAYERS], stream);
}

void workload_vllm(void)
{
	cuda_stream model, output;
	struct cuda_event *ready, *copied;
	char *pinned;

	attend[0] = attention[0];
	attend[1] = attention[1];
	attend[1].name = make_long_name();
	workload_load(piece, COUNT_OF(piece));
	workload_load(attend, COUNT_OF(attend));
	workload_load(sampler, COUNT_OF(sampler));
	workload_load(&reduce, 1);
	workload_allocate(24 << 20);
	DO(MemHostAlloc, (void **)&pinned, PINNED, 0);
	DO(StreamCreate, &model, CUDA_STREAM_NON_BLOCKING);
	DO(StreamCreateWithPriority, &output, CUDA_STREAM_NON_BLOCKING, 0);
	DO(EventCreate, &ready, UNTIMED);
	DO(EventCreate, &copied, UNTIMED);
	capture_all(model);
	for (int i = 0; i < STEPS; i++) {
		for (int copy = 0; copy < SMALL_COPIES; copy++)
			workload_copy(COPY_IN, pinned, 256U << copy, model);
		forward(i % SIZES, model);
		workload_run_all(sampler, COUNT_OF(sampler), model);
		workload_wait(output, model, ready);
		workload_copy(COPY_OUT, pinned, 512, output);
		DO(EventRecord, copied, output);
		DO(EventSynchronize, copied);
	}
	DO(CtxSynchronize);
}
