/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CUPTI_H
#define BACKEND_CUDA_CUPTI_H

#include <stddef.h>
#include <stdint.h>

/*
 * The part of CUPTI that the back end uses. It is declared here since CUPTI's headers differ
 * between releases, one of them is not C, and neither building nor running may need a toolkit.
 * Numbers and layouts are from CUPTI's documentation; tests/unit/test_cupti.c compares them with
 * installed headers.
 *
 * Releases extend records at the end and never move older members: the structs here are the common
 * prefixes of all releases since CUDA 6.5. Only cuptiActivityGetNextRecord knows the actual length
 * of a record.
 */
typedef struct cupti_subscriber *cupti_subscriber;
typedef struct cuda_context *cuda_context; /* CUcontext */
typedef struct cuda_stream *cuda_stream;   /* CUstream */
typedef struct cuda_function *cuda_function; /* CUfunction */
typedef struct cuda_node *cuda_node;	   /* CUgraphNode */
typedef int cuda_device;		   /* CUdevice */

/* Device attributes of the driver. */
enum cuda_attribute {
	CUDA_MULTIPROCESSORS = 16,
	CUDA_THREADS = 39, /* per multiprocessor, as those below */
	CUDA_COMPUTE_MAJOR = 75,
	CUDA_COMPUTE_MINOR = 76,
	CUDA_SHARED = 81,
	CUDA_REGISTERS = 82,
	CUDA_BLOCKS = 106,
	CUDA_BLOCK_REGISTERS = 12, /* per block, as those below */
	CUDA_BLOCK_SHARED = 97,
	CUDA_RESERVED_SHARED = 111,
};

/* Results of the driver about the capture of a graph. */
enum cuda_result {
	CUDA_CAPTURE_FIRST = 900,
	CUDA_CAPTURE_UNMATCHED = 903, /* no capture was begun in this stream */
	CUDA_CAPTURE_LAST = 907,
};

enum { CUDA_LAUNCH_COOPERATIVE = 2 };

struct cuda_launch_attribute { /* CUlaunchAttribute */
	uint32_t id;
	uint32_t padding;
	union {
		int cooperative; /* of CUDA_LAUNCH_COOPERATIVE: 0 is none */
		char bytes[64];
	} value;
};

struct cuda_launch_config { /* CUlaunchConfig */
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t shared;
	cuda_stream stream;
	const struct cuda_launch_attribute *attributes;
	uint32_t count;
};

enum cupti_result {
	CUPTI_DONE = 0,
	CUPTI_INVALID_PARAMETER = 1,
	CUPTI_INVALID_DEVICE = 2,
	CUPTI_INVALID_CONTEXT = 3,
	CUPTI_INVALID_OPERATION = 7,
	CUPTI_OUT_OF_MEMORY = 8,
	CUPTI_MAX_LIMIT_REACHED = 12, /* cuptiGetNextRecord: the end; before 11.0 also: there is a
				       * subscriber already */
	CUPTI_NOT_COMPATIBLE = 14,
	CUPTI_NOT_INITIALIZED = 15,
	CUPTI_INVALID_KIND = 21,
	CUPTI_HARDWARE_BUSY = 26,
	CUPTI_NOT_SUPPORTED = 27,
	CUPTI_MANAGED_NOT_SUPPORTED = 28,
	CUPTI_MANAGED_DEVICE_NOT_SUPPORTED = 29,
	CUPTI_MANAGED_NEEDS_PEERS = 30,
	CUPTI_MANAGED_NOT_WITH_MPS = 31,
	CUPTI_VIRTUALIZED_NOT_SUPPORTED = 33,
	CUPTI_INSUFFICIENT_PRIVILEGES = 35,
	CUPTI_OLD_PROFILER_INITIALIZED = 36,
	CUPTI_LEGACY_PROFILER_NOT_SUPPORTED = 38,
	CUPTI_MULTIPLE_SUBSCRIBERS = 39,
	CUPTI_VIRTUALIZED_PRIVILEGES = 40,
	CUPTI_CONFIDENTIAL = 41,
	CUPTI_MINING = 42,
	CUPTI_MIG = 43,
	CUPTI_SLI = 44,
	CUPTI_WSL = 45,
	CUPTI_INVALID_CHIP = 46,
	CUPTI_UNKNOWN = 999,
};

enum cupti_domain {
	CUPTI_DOMAIN_DRIVER = 1,
	CUPTI_DOMAIN_RUNTIME = 2,
	CUPTI_DOMAIN_RESOURCE = 3,
	CUPTI_DOMAIN_STATE = 6,
};

/* Callback ids never change their meaning; those of calls that come in versions are looked up by
 * name (calls.c). */
enum cupti_callback {
	CUPTI_DRIVER_PROFILER_START = 308,
	CUPTI_DRIVER_PROFILER_STOP = 309,
	CUPTI_DRIVER_PROFILER_INITIALIZE = 311,
	CUPTI_RUNTIME_DEVICE_RESET = 164,
	CUPTI_RESOURCE_CONTEXT_CREATED = 1,
	CUPTI_RESOURCE_CONTEXT_DESTROY_STARTING = 2,
	CUPTI_RESOURCE_STREAM_CREATED = 3,
	CUPTI_RESOURCE_STREAM_DESTROY_STARTING = 4,
	CUPTI_RESOURCE_MODULE_UNLOAD_STARTING = 7,
	CUPTI_RESOURCE_GRAPHNODE_CREATED = 13,
	CUPTI_RESOURCE_GRAPHNODE_CLONED = 20,
	CUPTI_STATE_FATAL_ERROR = 1,
};

enum cupti_site { CUPTI_ENTER = 0, CUPTI_EXIT = 1 };

/* The data of a callback of the domains DRIVER and RUNTIME. */
struct cupti_call {
	uint32_t site; /* enum cupti_site */
	const char *function;
	const void *parameters; /* the function's own, in a struct NAME_params */
	void *result;
	const char *symbol;
	cuda_context context;
	uint32_t context_id;
	uint64_t *correlation_data;
	uint32_t correlation;
};

/* Parameters of cuProfilerInitialize. */
struct cupti_profiler_initialize {
	const char *config;
	const char *output;
	int mode; /* 0 key and value pairs, 1 CSV */
};

/* The data of a callback of the domain RESOURCE. */
struct cupti_resource {
	cuda_context context;
	cuda_stream stream; /* for STREAM_... */
	void *descriptor;   /* for GRAPHNODE_..., a struct cupti_graph */
};

/* A node of a graph (CUpti_GraphData). */
struct cupti_graph {
	void *graph;
	void *original_graph;
	cuda_node node;
	cuda_node original_node; /* for CUPTI_RESOURCE_GRAPHNODE_CLONED */
	uint32_t type;
	cuda_node dependency;
	void *executable;
};

typedef void cupti_callback_function(void *user, uint32_t domain, uint32_t callback,
				     const void *data);
typedef void cupti_buffer_requested(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void cupti_buffer_completed(cuda_context context, uint32_t stream, uint8_t *buffer,
				    size_t size, size_t valid);

enum cupti_kind {
	CUPTI_KIND_MEMCPY = 1,
	CUPTI_KIND_MEMSET = 2,
	CUPTI_KIND_KERNEL = 3, /* kernels run one at a time */
	CUPTI_KIND_DRIVER = 4,
	CUPTI_KIND_RUNTIME = 5,
	CUPTI_KIND_CONTEXT = 9,
	CUPTI_KIND_CONCURRENT_KERNEL = 10,
	CUPTI_KIND_MEMCPY_PEER = 22,
};

enum { CUPTI_FLUSH_FORCED = 1, CUPTI_BUFFER_ALIGNMENT = 8 };

/* Times are nanoseconds of CUPTI's clock (cuptiGetTimestamp); 0 where none was taken. */

struct cupti_record {
	uint32_t kind;
};

struct cupti_kernel { /* CUPTI_KIND_KERNEL and CUPTI_KIND_CONCURRENT_KERNEL */
	uint32_t kind;
	uint8_t cache; /* bits 0-3 requested, 4-7 executed: enum cupti_cache */
	uint8_t shared_config;
	uint16_t registers; /* per thread */
	uint32_t partitioned_requested;
	uint32_t partitioned_executed;
	uint64_t start;
	uint64_t end;
	uint64_t completed;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	int32_t grid[3];
	int32_t block[3];
	int32_t static_shared;	/* bytes per block */
	int32_t dynamic_shared; /* bytes per block */
	uint32_t local_thread;
	uint32_t local_total;
	uint32_t correlation;
	int64_t grid_id;
	const char *name; /* mangled; CUPTI's own */
	void *reserved;
};

/* Additional members since CUDA 9.0 (CUpti_ActivityKernel4). */
struct cupti_kernel4 {
	struct cupti_kernel base;
	uint64_t queued;
	uint64_t submitted;
	uint8_t launch_type;
	uint8_t carveout_is_requested;
	uint8_t carveout_requested;
	uint8_t padding;
	uint32_t shared_executed; /* bytes of shared memory of the multiprocessor */
};

/* Additional members since CUDA 11.0 (CUpti_ActivityKernel5). */
struct cupti_kernel5 {
	struct cupti_kernel4 base;
	uint64_t graph_node; /* 0: not of a graph */
};

enum cupti_cache { CUPTI_CACHE_NONE, CUPTI_CACHE_SHARED, CUPTI_CACHE_L1, CUPTI_CACHE_EQUAL };

enum cupti_copy {
	CUPTI_COPY_HOST_TO_DEVICE = 1,
	CUPTI_COPY_DEVICE_TO_HOST = 2,
	CUPTI_COPY_HOST_TO_ARRAY = 3,
	CUPTI_COPY_ARRAY_TO_HOST = 4,
	CUPTI_COPY_ARRAY_TO_ARRAY = 5,
	CUPTI_COPY_ARRAY_TO_DEVICE = 6,
	CUPTI_COPY_DEVICE_TO_ARRAY = 7,
	CUPTI_COPY_DEVICE_TO_DEVICE = 8,
	CUPTI_COPY_HOST_TO_HOST = 9,
	CUPTI_COPY_PEER_TO_PEER = 10,
};

enum cupti_memory {
	CUPTI_MEMORY_UNKNOWN = 0,
	CUPTI_MEMORY_PAGEABLE = 1,
	CUPTI_MEMORY_PINNED = 2,
	CUPTI_MEMORY_DEVICE = 3,
	CUPTI_MEMORY_ARRAY = 4,
	CUPTI_MEMORY_MANAGED = 5,
	CUPTI_MEMORY_DEVICE_STATIC = 6,
	CUPTI_MEMORY_MANAGED_STATIC = 7,
};

enum { CUPTI_ASYNCHRONOUS = 1 }; /* bit of the flags of copies and memsets */

struct cupti_memcpy { /* CUPTI_KIND_MEMCPY */
	uint32_t kind;
	uint8_t copy;	/* enum cupti_copy */
	uint8_t source; /* enum cupti_memory */
	uint8_t target; /* enum cupti_memory */
	uint8_t flags;
	uint64_t bytes;
	uint64_t start;
	uint64_t end;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t correlation;
};

/* Additional members since CUDA 11.0 (CUpti_ActivityMemcpy3). */
struct cupti_memcpy3 {
	struct cupti_memcpy base;
	uint32_t runtime_correlation;
	uint32_t padding;
	void *reserved;
	uint64_t graph_node; /* 0: not of a graph */
};

struct cupti_memcpy_peer { /* CUPTI_KIND_MEMCPY_PEER */
	uint32_t kind;
	uint8_t copy;
	uint8_t source;
	uint8_t target;
	uint8_t flags;
	uint64_t bytes;
	uint64_t start;
	uint64_t end;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t source_device;
	uint32_t source_context;
	uint32_t target_device;
	uint32_t target_context;
	uint32_t correlation;
};

/* Additional members since CUDA 11.0 (CUpti_ActivityMemcpyPtoP2). */
struct cupti_memcpy_peer2 {
	struct cupti_memcpy_peer base;
	void *reserved;
	uint64_t graph_node; /* 0: not of a graph */
};

struct cupti_memset { /* CUPTI_KIND_MEMSET */
	uint32_t kind;
	uint32_t value;
	uint64_t bytes;
	uint64_t start;
	uint64_t end;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t correlation;
	uint16_t flags;
	uint16_t memory; /* enum cupti_memory */
};

/* Additional members since CUDA 11.0 (CUpti_ActivityMemset2). */
struct cupti_memset2 {
	struct cupti_memset base;
	void *reserved;
	uint64_t graph_node; /* 0: not of a graph */
};

struct cupti_api { /* CUPTI_KIND_DRIVER and CUPTI_KIND_RUNTIME */
	uint32_t kind;
	uint32_t callback;
	uint64_t start;
	uint64_t end;
	uint32_t process;
	uint32_t thread; /* pthread_self or gettid, selected by cuptiSetThreadIdType */
	uint32_t correlation;
	uint32_t result; /* 0 is success */
};

/* What is recorded of managed memory (CUpti_ActivityUnifiedMemoryCounterConfig). */
struct cupti_managed_config {
	uint32_t scope;
	uint32_t kind; /* enum cupti_managed_kind */
	uint32_t device;
	uint32_t enable;
};

enum { CUPTI_MANAGED_ONE_DEVICE = 1 }; /* scope, which has no effect since CUDA 7.0 */

struct cupti_context { /* CUPTI_KIND_CONTEXT */
	uint32_t kind;
	uint32_t context;
	uint32_t device;
	uint16_t api;
	uint16_t null_stream; /* id of the default stream */
};

_Static_assert(sizeof(struct cupti_kernel) == 120 && sizeof(struct cupti_kernel4) == 144,
	       "kernels are laid out as CUPTI writes them");
_Static_assert(sizeof(struct cupti_memcpy) == 48 && sizeof(struct cupti_memcpy_peer) == 64,
	       "copies are laid out as CUPTI writes them");
_Static_assert(offsetof(struct cupti_memset, memory) == 50 && sizeof(struct cupti_api) == 40 &&
		       sizeof(struct cupti_context) == 16,
	       "memsets, calls and contexts are laid out as CUPTI writes them");

#endif
