/* SPDX-License-Identifier: MIT */
/*
 * Usage: cuda_runtime [window]
 * A program on CUDA's runtime API: kernels made from templates, shared memory of both sorts, copies
 * from all sorts of host memory, memsets, two streams that wait for each other, and a graph that is
 * captured once and launched several times. Part of it lies between cudaProfilerStart and
 * cudaProfilerStop, the last bit behind that. Checks what the device has computed, and prints the
 * rows that it expects in the log (cuda_expect.h): with "window" only those of the part between.
 *
 * Exit code: 0 all results are right, 1 they are not or a call failed, 77 there is no CUDA device.
 */
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_expect.h"

enum { COUNT = 1 << 14, BLOCK = 128, GRID = COUNT / BLOCK, ROUNDS = 3, NO_DEVICE = 77 };

#define BYTES (COUNT * sizeof(int))

/* As the compiler mangles them. */
#define ADD_INT	    "_Z3addIiEvPT_S0_i"
#define SCALE_INT   "_Z5scaleIiEvPT_S0_i"
#define SCALE_FLOAT "_Z5scaleIfEvPT_S0_i"
#define SHIFT	    "_ZN4tile5shiftIiLi3EEEvPT_i"

template <typename T> __global__ void add(T *data, T value, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		data[i] += value;
}

template <typename T> __global__ void scale(T *data, T factor, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		data[i] *= factor;
}

namespace tile
{
/* Within each block, moves everything N places on. */
template <typename T, int N> __global__ void shift(T *data, int count)
{
	extern __shared__ int words[];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		words[threadIdx.x] = data[i];
	__syncthreads();
	if (i < count)
		data[i] = words[(threadIdx.x + blockDim.x - N) % blockDim.x];
}
} // namespace tile

/* Turns each block round. */
extern "C" __global__ void reverse(int *data)
{
	__shared__ int words[BLOCK];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	words[threadIdx.x] = data[i];
	__syncthreads();
	data[i] = words[blockDim.x - 1 - threadIdx.x];
}

static int failures;

static void check(cudaError_t status, const char *what)
{
	if (status == cudaSuccess)
		return;
	fprintf(stderr, "cuda_runtime: %s failed: %s\n", what, cudaGetErrorString(status));
	exit(EXIT_FAILURE);
}

static void find_device(void)
{
	int count = 0;
	cudaError_t status = cudaGetDeviceCount(&count);

	if (status == cudaSuccess && count > 0)
		return;
	fprintf(stderr, "cuda_runtime: there is no CUDA device here: %s\n",
		cudaGetErrorString(status == cudaSuccess ? cudaErrorNoDevice : status));
	exit(NO_DEVICE);
}

static void *device_memory(void)
{
	void *memory;

	check(cudaMalloc(&memory, BYTES), "cudaMalloc");
	return memory;
}

/* That data[i] is what(i) for all i. */
static void judge(const char *part, const int *data, int (*what)(int))
{
	for (int i = 0; i < COUNT; i++) {
		if (data[i] == what(i))
			continue;
		fprintf(stderr, "cuda_runtime: %s: number %d is %d, not %d\n", part, i, data[i],
			what(i));
		failures++;
		return;
	}
}

static int sum(int i)
{
	return i + 5;
}

/* On the NULL stream, with pageable memory. */
static void simple(void)
{
	static int host[COUNT];
	int *device = (int *)device_memory();

	for (int i = 0; i < COUNT; i++)
		host[i] = i;
	check(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice), "cudaMemcpy");
	expect_to_device(BYTES, EXPECT_PAGEABLE);
	add<int><<<GRID, BLOCK>>>(device, 5, COUNT);
	check(cudaGetLastError(), "add");
	expect_kernel(ADD_INT, GRID, BLOCK, 0, 0);
	check(cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost), "cudaMemcpy");
	expect_to_host(BYTES, EXPECT_PAGEABLE);
	judge("simple", host, sum);
	check(cudaFree(device), "cudaFree");
}

static int thrice(int i)
{
	return 3 * i;
}

/* Both sides see managed memory; it moves in pages, which are no copies. */
static void managed(void)
{
	static int host[COUNT];
	float *data;

	check(cudaMallocManaged((void **)&data, COUNT * sizeof(*data)), "cudaMallocManaged");
	for (int i = 0; i < COUNT; i++)
		data[i] = i;
	scale<float><<<GRID, BLOCK>>>(data, 3, COUNT);
	check(cudaGetLastError(), "scale");
	expect_kernel(SCALE_FLOAT, GRID, BLOCK, 0, 0);
	check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	for (int i = 0; i < COUNT; i++)
		host[i] = data[i];
	judge("managed", host, thrice);
	check(cudaFree(data), "cudaFree");
}

static int shifted_back(int i)
{
	int in_block = i % BLOCK;

	/* Its own number, three places on, and then the block turned round. */
	return i - in_block + (BLOCK - 1 - in_block + BLOCK - 3) % BLOCK;
}

/* One stream fills and shifts, the other one waits for that, turns it round and takes it home. */
static void streams(void)
{
	int *device = (int *)device_memory(), *host;
	cudaStream_t first, second;
	cudaEvent_t filled;

	check(cudaHostAlloc((void **)&host, BYTES, cudaHostAllocDefault), "cudaHostAlloc");
	check(cudaStreamCreate(&first), "cudaStreamCreate");
	check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), "cudaStreamCreate");
	check(cudaEventCreate(&filled), "cudaEventCreate");
	for (int i = 0; i < COUNT; i++)
		host[i] = i;
	check(cudaMemsetAsync(device, 0xff, BYTES, first), "cudaMemsetAsync");
	expect_on_device("memset", BYTES);
	check(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, first),
	      "cudaMemcpyAsync");
	expect_to_device(BYTES, EXPECT_PAGE_LOCKED);
	tile::shift<int, 3><<<GRID, BLOCK, BLOCK * sizeof(int), first>>>(device, COUNT);
	check(cudaGetLastError(), "shift");
	expect_kernel(SHIFT, GRID, BLOCK, BLOCK * sizeof(int), 0);
	check(cudaEventRecord(filled, first), "cudaEventRecord");
	check(cudaStreamWaitEvent(second, filled, 0), "cudaStreamWaitEvent");
	reverse<<<GRID, BLOCK, 0, second>>>(device);
	check(cudaGetLastError(), "reverse");
	expect_kernel("reverse", GRID, BLOCK, 0, BLOCK * sizeof(int));
	check(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, second),
	      "cudaMemcpyAsync");
	expect_to_host(BYTES, EXPECT_PAGE_LOCKED);
	check(cudaStreamSynchronize(second), "cudaStreamSynchronize");
	judge("streams", host, shifted_back);
	check(cudaEventDestroy(filled), "cudaEventDestroy");
	check(cudaStreamDestroy(second), "cudaStreamDestroy");
	check(cudaStreamDestroy(first), "cudaStreamDestroy");
	check(cudaFreeHost(host), "cudaFreeHost");
	check(cudaFree(device), "cudaFree");
}

static cudaGraphExec_t capture(cudaStream_t stream, int *data, int *other)
{
	cudaGraph_t graph;
	cudaGraphExec_t executable;

	check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal),
	      "cudaStreamBeginCapture");
	check(cudaMemsetAsync(other, 0, BYTES, stream), "cudaMemsetAsync");
	add<int><<<GRID, BLOCK, 0, stream>>>(data, 1, COUNT);
	scale<int><<<GRID, BLOCK, 0, stream>>>(data, 2, COUNT);
	check(cudaMemcpyAsync(other, data, BYTES, cudaMemcpyDeviceToDevice, stream),
	      "cudaMemcpyAsync");
	check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
	check(cudaGraphInstantiateWithFlags(&executable, graph, 0), "cudaGraphInstantiate");
	check(cudaGraphDestroy(graph), "cudaGraphDestroy");
	return executable;
}

static int all_rounds(int i)
{
	i = 0;
	for (int round = 0; round < ROUNDS; round++)
		i = (i + 1) * 2;
	return i;
}

static void graph(void)
{
	static int host[COUNT];
	int *data = (int *)device_memory(), *other = (int *)device_memory();
	cudaGraphExec_t executable;
	cudaStream_t stream;

	check(cudaStreamCreate(&stream), "cudaStreamCreate");
	executable = capture(stream, data, other);
	check(cudaMemsetAsync(data, 0, BYTES, stream), "cudaMemsetAsync");
	expect_on_device("memset", BYTES);
	for (int round = 0; round < ROUNDS; round++) {
		check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
		expect_on_device("memset", BYTES);
		expect_kernel(ADD_INT, GRID, BLOCK, 0, 0);
		expect_kernel(SCALE_INT, GRID, BLOCK, 0, 0);
		expect_on_device("memcopy", BYTES);
	}
	check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	check(cudaMemcpy(host, other, BYTES, cudaMemcpyDeviceToHost), "cudaMemcpy");
	expect_to_host(BYTES, EXPECT_PAGEABLE);
	judge("graph", host, all_rounds);
	check(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
	check(cudaStreamDestroy(stream), "cudaStreamDestroy");
	check(cudaFree(other), "cudaFree");
	check(cudaFree(data), "cudaFree");
}

int main(int argc, char **argv)
{
	find_device();
	expect_nothing = argc > 1 && !strcmp(argv[1], "window");
	simple();
	check(cudaProfilerStart(), "cudaProfilerStart");
	expect_nothing = false;
	managed();
	streams();
	graph();
	check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	check(cudaProfilerStop(), "cudaProfilerStop");
	expect_nothing = true;
	simple();
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
