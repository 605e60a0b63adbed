/* SPDX-License-Identifier: MIT */
#include "part_copy.h"

#include <stdlib.h>

#include "work.h"

enum { SIZE = 100000 };

#define TO_DEVICE   " memtransferdir=0 "
#define TO_HOST	    " memtransferdir=1 "
#define ON_DEVICE   " memtransferdir=2 memtransferhostmemtype= "
#define PAGEABLE    " memtransferhostmemtype=0 "
#define PAGE_LOCKED " memtransferhostmemtype=1 "

static void copy_pageable(char *memory)
{
	DO(MemcpyHtoD, work_memory, memory, SIZE);
	expect("row 1 method=memcopy|memcpyHtoD memtransfersize=%d" TO_DEVICE PAGEABLE, SIZE);
	DO(MemcpyDtoH, memory, work_memory, SIZE + 1);
	expect("row 1 method=memcopy|memcpyDtoH memtransfersize=%d" TO_HOST PAGEABLE, SIZE + 1);
	DO(MemcpyDtoD, work_memory, work_memory + WORK_BYTES / 2, SIZE + 2);
	expect("row 1 method=memcopy|memcpyDtoD|memcpyDtoDasync memtransfersize=%d" ON_DEVICE,
	       SIZE + 2);
	DO(MemcpyHtoD, work_memory, memory, 1);
	expect("row 1 method=memcopy|memcpyHtoD memtransfersize=1" TO_DEVICE PAGEABLE);
}

static void copy_pinned(void)
{
	cuda_stream stream;
	void *memory;

	if (!cu.MemHostAlloc || !cu.MemcpyHtoDAsync || !cu.MemcpyDtoHAsync)
		return;
	DO(MemHostAlloc, &memory, 2 * SIZE, 0);
	DO(MemcpyHtoD, work_memory, memory, SIZE + 3);
	expect("row 1 method=memcopy|memcpyHtoD memtransfersize=%d" TO_DEVICE PAGE_LOCKED,
	       SIZE + 3);
	DO(MemcpyDtoH, memory, work_memory, SIZE + 4);
	expect("row 1 method=memcopy|memcpyDtoH memtransfersize=%d" TO_HOST PAGE_LOCKED, SIZE + 4);
	DO(StreamCreate, &stream, CUDA_STREAM_NON_BLOCKING);
	DO(MemcpyHtoDAsync, work_memory, memory, SIZE + 5, stream);
	expect("row 1 method=memcopy|memcpyHtoDasync memtransfersize=%d streamid=@s" TO_DEVICE
		       PAGE_LOCKED,
	       SIZE + 5);
	DO(MemcpyDtoHAsync, memory, work_memory, SIZE + 6, stream);
	expect("row 1 method=memcopy|memcpyDtoHasync memtransfersize=%d streamid=@s" TO_HOST
		       PAGE_LOCKED,
	       SIZE + 6);
	DO(StreamSynchronize, stream);
	DO(MemFreeHost, memory);
}

int copy_kinds(const struct part *part, const char *step)
{
	char *memory = calloc(2, SIZE);

	(void)part;
	(void)step;
	work_begin();
	copy_pageable(memory);
	copy_pinned();
	DO(MemsetD32, work_memory, 0x01020304, 1000);
	expect("row 1 method=memset|memsetasync memtransfersize=4000");
	if (cu.MemsetD8) {
		DO(MemsetD8, work_memory, 5, 1001);
		expect("row 1 method=memset|memsetasync memtransfersize=1001");
	}
	work_wait();
	free(memory);
	return 0;
}

/* Devices differ in their reports of copies from and to managed memory; their existence and size
 * are certain. */
int copy_managed(const struct part *part, const char *step)
{
	uint64_t managed;

	(void)part;
	(void)step;
	work_begin();
	if (!cu.MemAllocManaged || !work_attribute(CUDA_DEVICE_MANAGED_MEMORY))
		work_skip("no managed memory");
	DO(MemAllocManaged, &managed, SIZE, CUDA_MANAGED_GLOBAL);
	DO(MemcpyDtoD, managed, work_memory, SIZE);
	expect("row 1 memtransfersize=%d", SIZE);
	DO(MemcpyDtoD, work_memory, managed, SIZE - 1);
	expect("row 1 memtransfersize=%d", SIZE - 1);
	work_wait();
	return 0;
}

int copy_peer(const struct part *part, const char *step)
{
	cuda_context there;
	cuda_device other;
	uint64_t memory;
	int count = 0;

	(void)part;
	(void)step;
	work_begin();
	DO(DeviceGetCount, &count);
	if (count < 2 || !cu.MemcpyPeer)
		work_skip("one device only");
	DO(DeviceGet, &other, 1);
	DO(CtxCreate, &there, 0, other);
	DO(MemAlloc, &memory, SIZE);
	DO(CtxSetCurrent, work_context);
	DO(MemcpyPeer, memory, there, work_memory, work_context, SIZE);
	expect("row 1 method=memcopy|memcpyDtoD|memcpyDtoDasync|memcpyPtoP|memcpyPtoPasync "
	       "memtransfersize=%d",
	       SIZE);
	work_wait();
	return 0;
}

int copy_streams(const struct part *part, const char *step)
{
	static const char *const names[] = {"@first", "@second", "@third"};
	cuda_stream streams[3];

	(void)part;
	(void)step;
	work_begin();
	for (int i = 0; i < 3; i++)
		DO(StreamCreate, &streams[i], i ? CUDA_STREAM_NON_BLOCKING : 0);
	for (unsigned round = 0; round < 3; round++) {
		work_launch(&(struct launch){.kernel = "empty"});
		for (unsigned i = 0; i < 3; i++)
			work_launch(&(struct launch){.kernel = "empty",
						     .grid = {i + 1},
						     .stream = streams[(i + round) % 3],
						     .stream_name = names[(i + round) % 3]});
		if (cu.LaunchKernelPerThread)
			work_launch(&(struct launch){
				.kernel = "fixed", .per_thread = true, .stream_name = "@thread"});
	}
	DO(MemsetD32, work_memory, 1, 10);
	expect("row 1 method=memset|memsetasync streamid=1");
	work_wait();
	return 0;
}
