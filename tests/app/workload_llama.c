/* SPDX-License-Identifier: MIT */
/*
 * llama.cpp: weights are read in, a prompt is processed, tokens are generated with one graph for
 *each token. From ggml-org/ggml d99724f2, src/ggml-cuda:
 *	weights		ggml-cuda.cu:789-790: a copy in the default stream of the thread, and a wait
 *	stream		common.cuh:1491, non-blocking; cuBLAS common.cuh:1503
 *	prompt		no graph: kernels one by one
 *	a token		ggml-cuda.cu:4294 captures in relaxed mode, 4197 ends that, 4212
 *instantiates, 4218 launches; the graph before is destroyed (4193). Where an update fails, the
 *			executable graph is destroyed and made again (2643-2645): here every 16th
 *token inputs		ggml-cuda.cu:2437, results 2446, both in the stream, and a wait (2533)
 *	kernels		quantize.cu:54, mmvq.cu:546, norm.cu:77, rope.cu:44, set-rows.cu:114,
 *			fattn-vec.cuh:21, binbcast.cu:34, unary.cu:263, getrows.cu:73
 */
#include <stdlib.h>

#include "workload.h"

enum {
	LAYERS = 32,
	TENSORS = 290,
	TENSOR = 256 << 10,
	TOKENS = 48,
	LOGITS = 128 << 10,
	UPDATE = 16
};

#define LOCAL	 "_ZL"
#define QUANTIZE LOCAL "13quantize_q8_1PKfPvlllljj"
#define VECTOR(type, more)                                                                         \
	LOCAL "13mul_mat_vec_qIL9ggml_type" type "ELi1ELb" more "ELb0EEvPKvS2_PKiPfj"
#define NORM LOCAL "12rms_norm_f32ILi256ELb1ELb0EEvPKfPfilllfS1_"

static const struct kernel layer[] = {
	{NORM, .grid = {1}, .block = {256}},
	{QUANTIZE, .grid = {16}, .block = {256}},
	{VECTOR("12", "0"), .grid = {4096}, .block = {32, 4}},
	{VECTOR("12", "0"), .grid = {1024}, .block = {32, 4}},
	{VECTOR("14", "0"), .grid = {1024}, .block = {32, 4}},
	{LOCAL "9rope_normILb1ELb0EfEvPKT1_PS0_iiiii", .grid = {32}, .block = {1, 256}},
	{LOCAL "10k_set_rowsIfl6__halfEvPKT_PKT0_PT1_lll", .grid = {4}, .block = {256}},
	{LOCAL "18flash_attn_ext_vecILi128ELi1EL9ggml_type1ELS0_1ELb0EEvPKcS2_S2_S2_PfP6float2f",
	 .grid = {1, 4, 32}, .block = {32, 4}, .shared = 2048},
	{LOCAL "26flash_attn_combine_resultsILi128EEvPKfPK6float2Pfi", .grid = {1, 32},
	 .block = {128}, .shared = 64},
	{QUANTIZE, .grid = {16}, .block = {256}},
	{VECTOR("12", "1"), .grid = {4096}, .block = {32, 4}},
	{NORM, .grid = {1}, .block = {256}},
	{QUANTIZE, .grid = {16}, .block = {256}},
	{VECTOR("12", "1"), .grid = {14336}, .block = {32, 4}},
	{LOCAL "21unary_gated_op_kernelIXadL_Z7op_silufEEfEvPKT0_S2_PS0_lll", .grid = {56},
	 .block = {256}},
	{VECTOR("14", "1"), .grid = {4096}, .block = {32, 4}},
};

static const struct kernel prompt_kernels[] = {
	{LOCAL "17quantize_mmq_q8_1IL18mmq_q8_1_ds_layout0EEvPKfPvlllll", .grid = {512, 8},
	 .block = {128}},
	{LOCAL "9mul_mat_qIL9ggml_type12ELi128ELb0EEvPKcPKiS4_Pfiii", .grid = {132},
	 .block = {32, 8}, .shared = 57344},
	{LOCAL "24mul_mat_q_stream_k_fixupIL9ggml_type12ELi128ELb0EEvPKiS2_PfPKfiii", .grid = {132},
	 .block = {32, 8}},
	{LOCAL "18flash_attn_ext_f16ILi128ELi128ELi64ELi1ELb0ELb0EEvPKcS1_S1_S1_PfP6float2f",
	 .grid = {132}, .block = {32, 4}, .shared = 98304},
};
static const struct kernel first = {LOCAL "16k_get_rows_floatIffEvPKT_PKiPT0_ll", .grid = {1, 16},
				    .block = {256}};
static const struct kernel add = {LOCAL "11k_bin_bcastIXadL_Z6op_addffEEfffEvPKT0_PKT1_PT2_iiii",
				  .grid = {16}, .block = {128}};

static void decode(cuda_stream stream)
{
	workload_run(&first, stream);
	for (int i = 0; i < LAYERS; i++) {
		workload_run_all(layer, COUNT_OF(layer), stream);
		workload_run(&add, stream);
	}
	workload_run(&layer[0], stream);
	workload_run(&layer[1], stream);
	workload_run(&layer[4], stream); /* the output matrix */
}

static void load_weights(void)
{
	void *file = malloc(TENSOR);

	for (int i = 0; i < TENSORS; i++) {
		workload_copy_per_thread(COPY_IN, file, TENSOR);
		DO(CtxSynchronize);
	}
	free(file);
}

static void process_prompt(cuda_stream stream)
{
	for (int i = 0; i < LAYERS; i++)
		for (int matrix = 0; matrix < 7; matrix++)
			workload_run_all(prompt_kernels, COUNT_OF(prompt_kernels), stream);
	DO(StreamSynchronize, stream);
}

void workload_llama(void)
{
	struct workload_graph *graph = NULL;
	float *logits = malloc(LOGITS);
	cuda_stream stream;
	int token = 0;

	workload_allocate(24 << 20);
	workload_load(layer, COUNT_OF(layer));
	workload_load(prompt_kernels, COUNT_OF(prompt_kernels));
	workload_load(&first, 1);
	workload_load(&add, 1);
	load_weights();
	DO(StreamCreate, &stream, CUDA_STREAM_NON_BLOCKING);
	process_prompt(stream);
	for (int i = 0; i < TOKENS; i++) {
		workload_copy(COPY_IN, &token, sizeof(token), stream);
		if (i % UPDATE == 0) {
			if (graph)
				workload_forget(graph);
			workload_capture(stream);
			decode(stream);
			graph = workload_captured(stream);
		}
		workload_launch(graph, stream);
		workload_copy(COPY_OUT, logits, LOGITS, stream);
		DO(StreamSynchronize, stream);
	}
	workload_forget(graph);
	free(logits);
}
