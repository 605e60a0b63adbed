/* SPDX-License-Identifier: MIT */
#include "view/sqlite/nvprof.h"

/* CUpti_ActivityMemoryKind */
enum { KIND_UNKNOWN, KIND_PAGEABLE, KIND_PINNED, KIND_DEVICE, KIND_ARRAY };

/* The same for Nsight Systems (ENUM_CUDA_MEM_KIND). */
static const uint8_t nsys_kinds[] = {
	[KIND_UNKNOWN] = 7, [KIND_PAGEABLE] = 0, [KIND_PINNED] = 1,
	[KIND_DEVICE] = 2,  [KIND_ARRAY] = 3,
};

/* CUpti_ActivityMemcpyKind */
static const uint8_t copy_kinds[MEMORY_COUNT][MEMORY_COUNT] = {
	[MEMORY_HOST] = {[MEMORY_HOST] = 9, [MEMORY_DEVICE] = 1, [MEMORY_ARRAY] = 3},
	[MEMORY_DEVICE] = {[MEMORY_HOST] = 2, [MEMORY_DEVICE] = 8, [MEMORY_ARRAY] = 7},
	[MEMORY_ARRAY] = {[MEMORY_HOST] = 4, [MEMORY_DEVICE] = 6, [MEMORY_ARRAY] = 5},
	[MEMORY_PEER] = {[MEMORY_PEER] = 10},
};

static int64_t memory_kind(const struct record *record, uint8_t memory)
{
	if (memory == MEMORY_DEVICE || memory == MEMORY_PEER)
		return KIND_DEVICE;
	if (memory == MEMORY_ARRAY)
		return KIND_ARRAY;
	if (memory != MEMORY_HOST || !(record->known & KNOWN_HOST_MEMORY))
		return KIND_UNKNOWN;
	return record->host_memory == HOST_MEMORY_PAGE_LOCKED ? KIND_PINNED : KIND_PAGEABLE;
}

/* The latest time in a record. */
static void note_times(struct nvprof *nvprof, const struct record *record)
{
	uint64_t shift = (uint64_t)nvprof->catalog->process.monotonic_to_epoch;

	if (!(record->frame.flags & RECORD_NO_CALL) && record->leave + shift > nvprof->last)
		nvprof->last = record->leave + shift;
	if (record->known & KNOWN_TIMES && record->ended > nvprof->last)
		nvprof->last = record->ended;
}

/* Values with other numbers in CUPTI than in the fields. */
static void set_kinds(struct nvprof *nvprof, const struct record *record)
{
	int64_t *values = nvprof->values;
	uint8_t from = record->source, to = record->target;

	values[VALUE_CACHE] = (record->cache_requested & 15) | (record->cache_executed & 15) << 4;
	if (!(record->known & KNOWN_CACHE))
		values[VALUE_CACHE] = INSERT_UNKNOWN;
	values[VALUE_FLAGS] = record->frame.flags & RECORD_ASYNCHRONOUS ? 1 : 0;
	values[VALUE_COPY_KIND] =
		from < MEMORY_COUNT && to < MEMORY_COUNT ? copy_kinds[from][to] : 0;
	values[VALUE_SOURCE] = memory_kind(record, from);
	values[VALUE_TARGET] = memory_kind(record, to);
	values[VALUE_SOURCE_MEMORY] = nsys_kinds[values[VALUE_SOURCE]];
	values[VALUE_TARGET_MEMORY] = nsys_kinds[values[VALUE_TARGET]];
}

static int put_work(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	static const enum nvprof_table places[] = {
		[FRAME_KERNEL] = NVPROF_KERNEL,
		[FRAME_COPY] = NVPROF_COPY,
		[FRAME_FILL] = NVPROF_FILL,
	};

	if (!(record->known & KNOWN_TIMES))
		return nvprof_put(nvprof, NVPROF_UNTIMED, error);
	if (record->known & KNOWN_PEERS && record->frame.kind == FRAME_COPY &&
	    nvprof->form->tables[NVPROF_PEER_COPY].name)
		return nvprof_put(nvprof, NVPROF_PEER_COPY, error);
	return nvprof_put(nvprof, places[record->frame.kind], error);
}

/* The record as the row has it, where unknown values are 0. */
static void set_unknown(struct record *record)
{
	if (!field_is_known(&field_rows[FIELD_RECORD_BLOCK], record))
		record->block[0] = 0;
	if (!(record->known & KNOWN_STATIC_SHARED))
		record->static_shared = 0;
	if (!(record->known & KNOWN_DYNAMIC_SHARED))
		record->dynamic_shared = 0;
	if (!(record->known & KNOWN_BYTES))
		record->bytes = 0;
}

/* Inserts a row of CP_KNOWN if the record's row does not show which values are known. */
static int put_known(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	const struct device *device = catalog_device(nvprof->catalog, record->device);
	uint32_t mask = nvprof_known_mask(record->frame.kind, record->known & KNOWN_TIMES);
	struct record row = *record;

	set_unknown(&row);
	nvprof->values[VALUE_KNOWN] = record->known & mask;
	if (!device ||
	    (nvprof_known_default(&row, api_row(device->api)) & mask) == (record->known & mask))
		return 0;
	return nvprof_put(nvprof, NVPROF_KNOWN, error);
}

/* The value as a whole number, as far as there is one. */
static int64_t whole(double value)
{
	if (value >= 0x1p63)
		return INT64_MAX;
	return value > -0x1p63 ? (int64_t)value : -INT64_MAX;
}

static int put_counters(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	const struct counters_block *counters = record_counters(record);
	const struct counter_set *set =
		counters ? catalog_counters(nvprof->catalog, counters->set) : NULL;
	const double *values = record_values(record);

	for (uint32_t i = 0; set && i < set->count && i < record_value_count(record); i++) {
		const char *name = set->columns[i].name;

		if (__builtin_isnan(values[i])) /* SQLite has none */
			continue;
		nvprof->values[VALUE_NAME] = nvprof_string(nvprof, name, strlen(name), error);
		nvprof->values[VALUE_REAL] = set->columns[i].real;
		memcpy(&nvprof->values[VALUE_COUNT], &values[i], sizeof(values[i]));
		nvprof->values[VALUE_WHOLE] = whole(values[i]);
		if (nvprof->values[VALUE_NAME] < 0 || nvprof_put(nvprof, NVPROF_COUNTER, error) ||
		    nvprof_put(nvprof, set->columns[i].real ? NVPROF_METRIC : NVPROF_EVENT, error))
			return -1;
	}
	return 0;
}

int nvprof_put_record(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	int64_t context;

	nvprof->numbers++;
	nvprof->sizeless |= record->frame.kind != FRAME_KERNEL &&
			    !(record->known & KNOWN_BYTES) && stream_skips_damage(nvprof->stream);
	nvprof_map_ids(nvprof);
	nvprof->frame = &record->frame;
	nvprof->values[VALUE_CORRELATION] = (int64_t)nvprof->numbers;
	nvprof_set_process(nvprof);
	note_times(nvprof, record);
	set_kinds(nvprof, record);
	if (nvprof_set_names(nvprof, record, error) ||
	    nvprof_value(nvprof, &field_rows[FIELD_RECORD_CONTEXT], record, 0, &context, error) ||
	    (record->known & KNOWN_STREAM &&
	     nvprof_note_stream(nvprof, context, record->stream, error)) ||
	    put_work(nvprof, record, error) || put_known(nvprof, record, error) ||
	    put_counters(nvprof, record, error))
		return -1;
	return nvprof_put_called(nvprof, record, error);
}
