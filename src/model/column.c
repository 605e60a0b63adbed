/* SPDX-License-Identifier: MIT */
#include "model/column.h"

/* clang-format off */
#define BOTH(name)    { [API_OPENCL] = name, [API_CUDA] = name }
#define EACH(cl, cu)  { [API_OPENCL] = cl, [API_CUDA] = cu }
#define PAIR(name)    { name "=[ ", sizeof(name "=[ ") - 1, name }
#define KEY(name)     { [DIALECT_CLASSIC] = PAIR(name), [DIALECT_CUDA4] = PAIR(name) }
#define KEYS(cl, cu)  { [API_OPENCL] = KEY(cl), [API_CUDA] = KEY(cu) }
#define NAMED(name)   .header = BOTH(name), .key = KEYS(name, name)
#define NAMES(cl, cu) .header = EACH(cl, cu), .key = KEYS(cl, cu)
#define ONLY(api, name) .header = { [api] = name }, .key = { [api] = KEY(name) }
#define ALWAYS        { [DIALECT_CLASSIC] = true, [DIALECT_CUDA4] = true }
#define GRID_KEYS { \
	[API_OPENCL] = { [DIALECT_CLASSIC] = PAIR("NDRangesize"), \
			 [DIALECT_CUDA4] = PAIR("ndrangesize") }, \
	[API_CUDA] = { [DIALECT_CLASSIC] = PAIR("gridSize"), \
		       [DIALECT_CUDA4] = PAIR("gridsize") }, \
}
#define AT(member)    .offset = offsetof(struct record, member)

const struct column columns[COLUMN_COUNT] = {
	[COLUMN_ID_TIMESTAMP] = {
		.option = "timestamp", NAMED("timestamp"),
		.type = COLUMN_SINCE_START, .count = 1, .always = { [DIALECT_CLASSIC] = true },
		.help = "Time of the call, in microseconds since the profiler started",
	},
	[COLUMN_ID_GPU_START] = {
		.option = "gpustarttimestamp", NAMED("gpustarttimestamp"),
		.type = COLUMN_EPOCH_HEX, .count = 1, AT(started), .known = KNOWN_TIMES,
		.help = "Start on the device, in nanoseconds since 1970, hexadecimal",
	},
	[COLUMN_ID_GPU_END] = {
		.option = "gpuendtimestamp", NAMED("gpuendtimestamp"),
		.type = COLUMN_EPOCH_HEX, .count = 1, AT(ended), .known = KNOWN_TIMES,
		.help = "End on the device, in nanoseconds since 1970, hexadecimal",
	},
	[COLUMN_ID_METHOD] = {
		NAMED("method"), .type = COLUMN_METHOD, .count = 1, .always = ALWAYS,
		.help = "Name of the kernel, or kind of the copy or fill",
	},
	[COLUMN_ID_GPU] = {
		NAMED("gputime"), .type = COLUMN_GPU_TIME, .count = 1, .known = KNOWN_TIMES,
		.always = ALWAYS, .help = "Time on the device, in microseconds",
	},
	[COLUMN_ID_CPU] = {
		NAMED("cputime"), .type = COLUMN_CPU_TIME, .count = 1, .always = ALWAYS,
		.unless = RECORD_NO_CALL,
		.help = "Time the call spent in the driver, in microseconds",
	},
	[COLUMN_ID_GRID] = {
		.option = "gridsize", .alias = "ndrangesize",
		.header = EACH("ndrangesizeX,ndrangesizeY", "gridsizeX,gridsizeY"),
		.key = GRID_KEYS, .type = COLUMN_UINT64, .count = 2, AT(grid), .known = KNOWN_GRID,
		.help = "Number of blocks (work-groups) along X and Y",
	},
	[COLUMN_ID_GRID3D] = {
		.option = "gridsize3d", .alias = "ndrangesize3d",
		.header = EACH("ndrangesizeX,ndrangesizeY,ndrangesizeZ",
			       "gridsizeX,gridsizeY,gridsizeZ"),
		.key = GRID_KEYS, .type = COLUMN_UINT64, .count = 3, AT(grid), .known = KNOWN_GRID,
		.replaces = 1U << COLUMN_ID_GRID,
		.help = "Number of blocks (work-groups) along X, Y and Z",
	},
	[COLUMN_ID_BLOCK] = {
		.option = "threadblocksize", .alias = "workgroupsize",
		.header = EACH("workgroupsizeX,workgroupsizeY,workgroupsizeZ",
			       "threadblocksizeX,threadblocksizeY,threadblocksizeZ"),
		.key = KEYS("workgroupsize", "threadblocksize"),
		.type = COLUMN_UINT32, .count = 3, AT(block), .known = KNOWN_BLOCK | KNOWN_GRID,
		.help = "Number of threads of a block (work-items of a group) along X, Y and Z",
	},
	[COLUMN_ID_LOCAL_BLOCK] = {
		.option = "localblocksize", ONLY(API_OPENCL, "localblocksize"),
		.type = COLUMN_UINT8, .count = 1, AT(block_given), .known = KNOWN_BLOCK_GIVEN,
		.help = "1 if the program chose the work-group size, otherwise 0 (OpenCL only)",
	},
	[COLUMN_ID_DYNAMIC_SHARED] = {
		.option = "dynsmemperblock", ONLY(API_CUDA, "dynsmemperblock"),
		.type = COLUMN_UINT32, .count = 1, AT(dynamic_shared),
		.known = KNOWN_DYNAMIC_SHARED,
		.help = "Dynamically allocated shared memory per block, in bytes (CUDA only)",
	},
	[COLUMN_ID_STATIC_SHARED] = {
		.option = "stasmemperblock", .alias = "stapmemperworkgroup",
		NAMES("stapmemperworkgroup", "stasmemperblock"),
		.type = COLUMN_UINT32, .count = 1, AT(static_shared), .known = KNOWN_STATIC_SHARED,
		.help = "Statically allocated shared (local) memory per block, in bytes",
	},
	[COLUMN_ID_REGISTERS] = {
		.option = "regperthread", .alias = "regperworkitem",
		NAMES("regperworkitem", "regperthread"),
		.type = COLUMN_UINT32, .count = 1, AT(registers), .known = KNOWN_REGISTERS,
		.help = "Registers per thread (work-item)",
	},
	[COLUMN_ID_OCCUPANCY] = {
		NAMED("occupancy"), .type = COLUMN_RATIO, .count = 1, AT(occupancy),
		.known = KNOWN_OCCUPANCY, .always = ALWAYS,
		.help = "Active warps per multiprocessor divided by the maximum",
	},
	[COLUMN_ID_STREAM] = {
		.option = "streamid", NAMED("streamid"),
		.type = COLUMN_UINT32, .count = 1, AT(stream), .known = KNOWN_STREAM,
		.help = "Number of the stream (command queue)",
	},
	[COLUMN_ID_CACHE_EXECUTED] = {
		.option = "cacheconfigexecuted", ONLY(API_CUDA, "cacheconfigexecuted"),
		.type = COLUMN_UINT8, .count = 1, AT(cache_executed), .known = KNOWN_CACHE,
		.help = "Cache setting in the run of the kernel: 0 none, 1 shared, 2 L1, 3 equal "
			"(CUDA only)",
	},
	[COLUMN_ID_CACHE_REQUESTED] = {
		.option = "cacheconfigrequested", ONLY(API_CUDA, "cacheconfigrequested"),
		.type = COLUMN_UINT8, .count = 1, AT(cache_requested), .known = KNOWN_CACHE,
		.help = "Cache setting that the program requested: 0 none, 1 shared, 2 L1, 3 equal "
			"(CUDA only)",
	},
	[COLUMN_ID_BYTES] = {
		.option = "memtransfersize", NAMED("memtransfersize"),
		.type = COLUMN_UINT64, .count = 1, AT(bytes), .known = KNOWN_BYTES,
		.help = "Size of the memory transfer, in bytes",
	},
	[COLUMN_ID_DIRECTION] = {
		.option = "memtransferdir", NAMED("memtransferdir"),
		.type = COLUMN_UINT8, .count = 1, AT(direction), .known = KNOWN_DIRECTION,
		.help = "Direction of the transfer: 0 host to device, 1 device to host, 2 within "
			"devices",
	},
	[COLUMN_ID_HOST_MEMORY] = {
		.option = "memtransferhostmemtype", NAMED("memtransferhostmemtype"),
		.type = COLUMN_UINT8, .count = 1, AT(host_memory), .known = KNOWN_HOST_MEMORY,
		.help = "Host memory of the transfer: 0 pageable, 1 page-locked",
	},
};
/* clang-format on */

_Static_assert(COLUMN_COUNT <= 32, "a set of columns is the bits of a uint32_t");

/* strcasecmp asks the host's locale, in which I may not be the capital of i. */
static char lower(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter | 0x20) : letter;
}

static bool same_word(const char *word, const char *option)
{
	if (!word)
		return false;
	while (*word && *word == lower(*option)) {
		word++;
		option++;
	}
	return *word == lower(*option);
}

const struct column *column_find(const char *option)
{
	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		if (same_word(columns[i].option, option) || same_word(columns[i].alias, option))
			return &columns[i];
	}
	return NULL;
}

uint32_t column_set(uint32_t asked, enum api api, enum dialect dialect)
{
	uint32_t set = 0, hidden = 0;

	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		bool wanted = columns[i].always[dialect] || (asked >> i & 1);

		if (!wanted || !columns[i].header[api])
			continue;
		set |= 1U << i;
		hidden |= columns[i].replaces;
	}
	return set & ~hidden;
}
