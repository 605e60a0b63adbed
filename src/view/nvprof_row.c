/* SPDX-License-Identifier: MIT */
#include "view/nvprof.h"

#include "model/method.h"

/* CUPTI's number of the call that nvprof's readers look for: cudaLaunchKernel, cudaMemcpy,
 * cudaMemset, and the asynchronous ones. */
enum {
	CALL_COPY = 31,
	CALL_COPY_ASYNC = 41,
	CALL_FILL = 49,
	CALL_FILL_ASYNC = 51,
	CALL_LAUNCH = 211
};

/* CUpti_ActivityMemoryKind */
enum { KIND_UNKNOWN, KIND_PAGEABLE, KIND_PINNED, KIND_DEVICE, KIND_ARRAY };

enum { MEMORY_KINDS = MEMORY_ARRAY + 1 };

/* CUpti_ActivityMemcpyKind */
static const uint8_t copy_kinds[MEMORY_KINDS][MEMORY_KINDS] = {
	[MEMORY_HOST] = {[MEMORY_HOST] = 9, [MEMORY_DEVICE] = 1, [MEMORY_ARRAY] = 3},
	[MEMORY_DEVICE] = {[MEMORY_HOST] = 2, [MEMORY_DEVICE] = 8, [MEMORY_ARRAY] = 7},
	[MEMORY_ARRAY] = {[MEMORY_HOST] = 4, [MEMORY_DEVICE] = 6, [MEMORY_ARRAY] = 5},
};

/* clang-format off */
#define PLACE \
	{"deviceId", VALUE_DEVICE}, {"contextId", VALUE_CONTEXT}, {"streamId", VALUE_STREAM}, \
	{"correlationId", VALUE_CORRELATION}
#define TIME {"start", VALUE_STARTED}, {"end", VALUE_ENDED}

static const struct insert_field kernel_fields[] = {
	PLACE, TIME, {"cacheConfig", VALUE_CACHE}, {"registersPerThread", VALUE_REGISTERS},
	{"gridX", VALUE_GRID}, {"gridY", VALUE_GRID_Y}, {"gridZ", VALUE_GRID_Z},
	{"blockX", VALUE_BLOCK}, {"blockY", VALUE_BLOCK_Y}, {"blockZ", VALUE_BLOCK_Z},
	{"staticSharedMemory", VALUE_STATIC_SHARED}, {"dynamicSharedMemory", VALUE_DYNAMIC_SHARED},
	{"name", VALUE_NAME}, {"queued", VALUE_QUEUED}, {"submitted", VALUE_SUBMITTED}, {NULL, 0},
};

static const struct insert_field copy_fields[] = {
	PLACE, TIME, {"copyKind", VALUE_COPY_KIND}, {"srcKind", VALUE_SOURCE},
	{"dstKind", VALUE_TARGET}, {"flags", VALUE_FLAGS}, {"bytes", VALUE_BYTES},
	{"runtimeCorrelationId", VALUE_CORRELATION}, {NULL, 0},
};

static const struct insert_field fill_fields[] = {
	PLACE, TIME, {"flags", VALUE_FLAGS}, {"bytes", VALUE_BYTES}, {NULL, 0},
};

static const struct insert_field call_fields[] = {
	{"cbid", VALUE_CALL}, {"start", VALUE_ENTER}, {"end", VALUE_LEAVE},
	{"processId", VALUE_PROCESS}, {"threadId", VALUE_THREAD},
	{"correlationId", VALUE_CORRELATION}, {NULL, 0},
};

static const struct insert_field untimed_fields[] = {
	PLACE, {"kind", VALUE_KIND}, {"flags", VALUE_FLAGS}, {"name", VALUE_NAME},
	{"bytes", VALUE_BYTES}, {NULL, 0},
};

static const struct insert_field counter_fields[] = {
	{"correlationId", VALUE_CORRELATION}, {"deviceId", VALUE_DEVICE}, {"name", VALUE_NAME},
	{"value", VALUE_COUNT}, {NULL, 0},
};

static const struct insert_field device_fields[] = {
	{"id", VALUE_DEVICE}, {"name", VALUE_NAME}, {"numMultiprocessors", VALUE_MULTIPROCESSORS},
	{"computeCapabilityMajor", VALUE_MAJOR}, {"computeCapabilityMinor", VALUE_MINOR}, {NULL, 0},
};

static const struct insert_field context_fields[] = {
	{"contextId", VALUE_CONTEXT}, {"deviceId", VALUE_DEVICE}, {"computeApiKind", VALUE_API},
	{NULL, 0},
};

static const struct insert_field own_device_fields[] = {
	{"deviceId", VALUE_DEVICE}, {"api", VALUE_API}, {"number", VALUE_NUMBER}, {NULL, 0},
};

static const struct insert_field own_context_fields[] = {
	{"contextId", VALUE_CONTEXT}, {"api", VALUE_API}, {"number", VALUE_NUMBER}, {NULL, 0},
};

static const struct insert_field process_fields[] = {
	{"processId", VALUE_PROCESS}, {"start", VALUE_STARTED}, {"end", VALUE_ENDED},
	{"lost", VALUE_LOST}, {"cutOff", VALUE_CUT_OFF}, {"tool", VALUE_TOOL}, {NULL, 0},
};

static const struct {
	const char *name;
	const struct insert_field *fields;
} tables[NVPROF_TABLES] = {
	[NVPROF_KERNEL] = {"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", kernel_fields},
	[NVPROF_COPY] = {"CUPTI_ACTIVITY_KIND_MEMCPY", copy_fields},
	[NVPROF_FILL] = {"CUPTI_ACTIVITY_KIND_MEMSET", fill_fields},
	[NVPROF_CALL] = {"CUPTI_ACTIVITY_KIND_RUNTIME", call_fields},
	[NVPROF_UNTIMED] = {"CP_UNTIMED", untimed_fields},
	[NVPROF_COUNTER] = {"CP_COUNTER", counter_fields},
	[NVPROF_DEVICE] = {"CUPTI_ACTIVITY_KIND_DEVICE", device_fields},
	[NVPROF_CONTEXT] = {"CUPTI_ACTIVITY_KIND_CONTEXT", context_fields},
	[NVPROF_OWN_DEVICE] = {"CP_DEVICE", own_device_fields},
	[NVPROF_OWN_CONTEXT] = {"CP_CONTEXT", own_context_fields},
	[NVPROF_PROCESS] = {"CP_PROCESS", process_fields},
};
/* clang-format on */

int nvprof_prepare(struct nvprof *nvprof, struct strbuf *error)
{
	for (int i = 0; i < NVPROF_TABLES; i++)
		if (insert_begin(&nvprof->inserts[i], nvprof->database,
				 schema_find(nvprof_tables, tables[i].name), tables[i].fields,
				 error))
			return -1;
	return 0;
}

int nvprof_put(struct nvprof *nvprof, enum nvprof_table table, struct strbuf *error)
{
	nvprof->rows++;
	return insert_row(&nvprof->inserts[table], nvprof->values, error);
}

static int64_t memory_kind(const struct record *record, uint8_t memory)
{
	if (memory == MEMORY_DEVICE)
		return KIND_DEVICE;
	if (memory == MEMORY_ARRAY)
		return KIND_ARRAY;
	if (memory != MEMORY_HOST || !(record->known & KNOWN_HOST_MEMORY))
		return KIND_UNKNOWN;
	return record->host_memory == HOST_MEMORY_PAGE_LOCKED ? KIND_PINNED : KIND_PAGEABLE;
}

static int64_t call_of(const struct record *record)
{
	bool asynchronous = record->frame.flags & RECORD_ASYNCHRONOUS;

	if (record->frame.kind == FRAME_KERNEL)
		return CALL_LAUNCH;
	if (record->frame.kind == FRAME_COPY)
		return asynchronous ? CALL_COPY_ASYNC : CALL_COPY;
	return asynchronous ? CALL_FILL_ASYNC : CALL_FILL;
}

static void set_times(struct nvprof *nvprof, const struct record *record)
{
	uint64_t shift = (uint64_t)nvprof->catalog->process.monotonic_to_epoch;
	int64_t *values = nvprof->values;
	/* A driver that does not tell them has them made the start. */
	bool told = record->queued != record->started || record->submitted != record->started;

	values[VALUE_ENTER] = (int64_t)(record->enter + shift);
	values[VALUE_LEAVE] = (int64_t)(record->leave + shift);
	values[VALUE_QUEUED] = told ? (int64_t)record->queued : 0;
	values[VALUE_SUBMITTED] = told ? (int64_t)record->submitted : 0;
	values[VALUE_STARTED] = (int64_t)record->started;
	values[VALUE_ENDED] = (int64_t)record->ended;
	if (!(record->frame.flags & RECORD_NO_CALL) && record->leave + shift > nvprof->last)
		nvprof->last = record->leave + shift;
	if (record->known & KNOWN_TIMES && record->ended > nvprof->last)
		nvprof->last = record->ended;
}

static void set_kernel(struct nvprof *nvprof, const struct record *record)
{
	int64_t *values = nvprof->values;

	for (int i = 0; i < 3; i++) {
		values[VALUE_GRID + i] = (int64_t)record->grid[i];
		values[VALUE_BLOCK + i] = record->block[i];
	}
	values[VALUE_REGISTERS] = record->registers;
	values[VALUE_STATIC_SHARED] = record->static_shared;
	values[VALUE_DYNAMIC_SHARED] = record->dynamic_shared;
	values[VALUE_CACHE] = (record->cache_requested & 15) | (record->cache_executed & 15) << 4;
}

static void set_transfer(struct nvprof *nvprof, const struct record *record)
{
	int64_t *values = nvprof->values;
	uint8_t from = record->source, to = record->target;

	values[VALUE_BYTES] = (int64_t)record->bytes;
	values[VALUE_FLAGS] = record->frame.flags & RECORD_ASYNCHRONOUS ? 1 : 0;
	values[VALUE_COPY_KIND] =
		from < MEMORY_KINDS && to < MEMORY_KINDS ? copy_kinds[from][to] : 0;
	values[VALUE_SOURCE] = memory_kind(record, from);
	values[VALUE_TARGET] = memory_kind(record, to);
}

static void set_place(struct nvprof *nvprof, const struct record *record)
{
	int64_t *values = nvprof->values;

	values[VALUE_CORRELATION] = (int64_t)nvprof->records;
	values[VALUE_PROCESS] = nvprof->catalog->process.pid;
	values[VALUE_THREAD] = record->frame.thread;
	values[VALUE_CALL] = call_of(record);
	values[VALUE_DEVICE] =
		record->device < nvprof->device_count ? nvprof->devices[record->device] : 0;
	values[VALUE_CONTEXT] =
		record->context < nvprof->context_count ? nvprof->contexts[record->context] : 0;
	values[VALUE_STREAM] = record->stream;
}

static int put_work(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	static const enum nvprof_table places[] = {
		[FRAME_KERNEL] = NVPROF_KERNEL,
		[FRAME_COPY] = NVPROF_COPY,
		[FRAME_FILL] = NVPROF_FILL,
	};

	if (record->known & KNOWN_TIMES)
		return nvprof_put(nvprof, places[record->frame.kind], error);
	nvprof->values[VALUE_KIND] = record->frame.kind;
	nvprof->values[VALUE_FLAGS] = record->frame.flags;
	return nvprof_put(nvprof, NVPROF_UNTIMED, error);
}

static int put_counters(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	const struct counter_set *set =
		record->frame.counters
			? catalog_counters(nvprof->catalog, record->frame.counters - 1)
			: NULL;
	const double *values = record_values(record);

	for (uint32_t i = 0; set && i < set->count && i < record_value_count(record); i++) {
		const char *name = set->columns[i].name;

		nvprof->values[VALUE_NAME] = nvprof_string(nvprof, name, strlen(name), error);
		memcpy(&nvprof->values[VALUE_COUNT], &values[i], sizeof(values[i]));
		if (nvprof->values[VALUE_NAME] < 0 || nvprof_put(nvprof, NVPROF_COUNTER, error))
			return -1;
	}
	return 0;
}

int nvprof_put_record(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	nvprof->records++;
	nvprof_learn(nvprof);
	set_place(nvprof, record);
	set_times(nvprof, record);
	set_transfer(nvprof, record);
	set_kernel(nvprof, record);
	nvprof->values[VALUE_NAME] = nvprof_name(nvprof, record, error);
	if (nvprof->values[VALUE_NAME] < 0 || nvprof_note_stream(nvprof, error) ||
	    put_work(nvprof, record, error))
		return -1;
	if (!(record->frame.flags & RECORD_NO_CALL) && nvprof_put(nvprof, NVPROF_CALL, error))
		return -1;
	return put_counters(nvprof, record, error);
}
