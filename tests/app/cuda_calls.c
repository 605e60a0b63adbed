/* SPDX-License-Identifier: MIT */
/*
 * cuda_calls [THREADS [stay]]: THREADS threads (1), each with its own context, make all kinds of
 * calls, some of which fail. Prints a line per call: the function, its result, and the kind of
 * record that it makes (7 kernel, 8 copy, 9 fill, - nothing). With "stay" it does not end.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "driver.h"
#include "kernels.h"

enum { BYTES = 1 << 12, MOST = 64, NON_BLOCKING = 1 };

static cuda_device device;

/* the call, its symbol and its record */
#define DO(name, symbol, kind, ...) printf("%s %d %s\n", symbol, cu.name(__VA_ARGS__), kind)

static void *work(void *unused)
{
	static char bytes[BYTES];
	struct cuda_function *function;
	struct cuda_event *event;
	struct cuda_module *module;
	cuda_context context;
	cuda_stream first, second;
	uint64_t memory, none;
	void *parameters[] = {&memory};

	(void)unused;
	DO(CtxCreate, "cuCtxCreate_v2", "-", &context, 0, device);
	DO(ModuleLoadData, "cuModuleLoadData", "-", &module, kernels_ptx);
	DO(ModuleGetFunction, "cuModuleGetFunction", "-", &function, module, "empty");
	DO(ModuleGetFunction, "cuModuleGetFunction", "-", &function, module, "of no such name");
	DO(ModuleGetFunction, "cuModuleGetFunction", "-", &function, module, "empty");
	DO(StreamCreate, "cuStreamCreate", "-", &first, NON_BLOCKING);
	DO(StreamCreateWithPriority, "cuStreamCreateWithPriority", "-", &second, 0, -2);
	DO(MemAlloc, "cuMemAlloc_v2", "-", &memory, BYTES);
	DO(MemAlloc, "cuMemAlloc_v2", "-", &none, 0);
	DO(MemAlloc, "cuMemAlloc_v2", "-", &none, (size_t)1 << 40);
	DO(MemcpyHtoD, "cuMemcpyHtoD_v2", "8", memory, bytes, BYTES);
	DO(MemsetD32Async, "cuMemsetD32Async", "9", memory, 1, BYTES / 4, second);
	for (int i = 0; i < 3; i++)
		DO(LaunchKernel, "cuLaunchKernel", "7", function, 1, 1, 1, 32, 1, 1, 0, first,
		   parameters, NULL);
	DO(EventCreate, "cuEventCreate", "-", &event, 0);
	DO(EventRecord, "cuEventRecord", "-", event, first);
	DO(StreamWaitEvent, "cuStreamWaitEvent", "-", second, event, 0);
	DO(EventSynchronize, "cuEventSynchronize", "-", event);
	DO(StreamSynchronize, "cuStreamSynchronize", "-", second);
	DO(CtxSynchronize, "cuCtxSynchronize", "-");
	DO(MemFree, "cuMemFree_v2", "-", memory);
	return NULL;
}

int main(int count, char **arguments)
{
	int threads = count > 1 ? atoi(arguments[1]) : 1;
	pthread_t thread[MOST];
	const char *missing = driver_open();

	if (missing || cu.Init(0) || threads < 1 || threads > MOST) {
		fprintf(stderr, "cuda_calls: no CUDA driver: %s\n", missing ? missing : "it fails");
		return 1;
	}
	DO(DeviceGet, "cuDeviceGet", "-", &device, 0);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	fflush(stdout);
	while (count > 2)
		pause();
	return 0;
}
