/* SPDX-License-Identifier: MIT */
#include "model/api.h"
#include "view/sqlite/libsqlite.h"
#include "view/sqlite/nvprofread.h"

#include <string.h>

#include "view/sqlite/nvprof.h"

/* The columns that make a record, for all tables. */
enum {
	ROW_CORRELATION, /* the order of a cursor */
	ROW_START,
	ROW_END,
	ROW_QUEUED,
	ROW_SUBMITTED,
	ROW_DEVICE,
	ROW_CONTEXT,
	ROW_NAME,
	ROW_FLAGS,
	ROW_KIND,
	ROW_COPY_KIND,
	ROW_SOURCE,
	ROW_TARGET,
	ROW_CACHE,
	ROW_SOURCE_DEVICE,
	ROW_SOURCE_CONTEXT,
	ROW_TARGET_DEVICE,
	ROW_TARGET_CONTEXT,
	ROW_FIELDS /* from here on: columns that are fields without conversion */
};

/* The same fields as nvprof_form.c writes. */
static const struct insert_field kernel_fields[] = {NVPROF_KERNEL_FIELDS};
static const struct insert_field transfer_fields[] = {NVPROF_TRANSFER_FIELDS};

#define ENTRIES(array) (sizeof(array) / sizeof((array)[0]))
enum {
	ROW_STREAM = ROW_FIELDS,
	ROW_KERNEL,
	ROW_TRANSFER = ROW_KERNEL + ENTRIES(kernel_fields),
	ROW_COLUMNS = ROW_TRANSFER + ENTRIES(transfer_fields),
};

/* clang-format off */
static const char *const row_columns[ROW_FIELDS] = {
	[ROW_CORRELATION] = "correlationId", [ROW_START] = "start", [ROW_END] = "end",
	[ROW_QUEUED] = "queued", [ROW_SUBMITTED] = "submitted", [ROW_DEVICE] = "deviceId",
	[ROW_CONTEXT] = "contextId", [ROW_NAME] = "name", [ROW_FLAGS] = "flags",
	[ROW_KIND] = "kind", [ROW_COPY_KIND] = "copyKind", [ROW_SOURCE] = "srcKind",
	[ROW_TARGET] = "dstKind", [ROW_CACHE] = "cacheConfig",
	[ROW_SOURCE_DEVICE] = "srcDeviceId", [ROW_SOURCE_CONTEXT] = "srcContextId",
	[ROW_TARGET_DEVICE] = "dstDeviceId", [ROW_TARGET_CONTEXT] = "dstContextId",
};

/* FRAME_NONE: the row has the kind. */
static const struct {
	const char *name;
	enum frame_kind kind;
	bool has_ends; /* devices and contexts of both ends of a copy */
} tables[READ_RECORDS] = {
	{NVPROF "CONCURRENT_KERNEL", FRAME_KERNEL, false},
	{NVPROF "KERNEL", FRAME_KERNEL, false},
	{NVPROF "CDP_KERNEL", FRAME_KERNEL, false}, /* kernels launched by kernels */
	{NVPROF "MEMCPY", FRAME_COPY, false},
	{NVPROF "MEMCPY2", FRAME_COPY, true},
	{NVPROF "MEMSET", FRAME_FILL, false},
	{"CP_UNTIMED", FRAME_NONE, false},
};

/* CUpti_ActivityMemcpyKind: HtoD is 1. */
static const struct {
	uint8_t source, target;
} copy_kinds[] = {
	[1] = {MEMORY_HOST, MEMORY_DEVICE}, [2] = {MEMORY_DEVICE, MEMORY_HOST},
	[3] = {MEMORY_HOST, MEMORY_ARRAY}, [4] = {MEMORY_ARRAY, MEMORY_HOST},
	[5] = {MEMORY_ARRAY, MEMORY_ARRAY}, [6] = {MEMORY_ARRAY, MEMORY_DEVICE},
	[7] = {MEMORY_DEVICE, MEMORY_ARRAY}, [8] = {MEMORY_DEVICE, MEMORY_DEVICE},
	[9] = {MEMORY_HOST, MEMORY_HOST}, [10] = {MEMORY_PEER, MEMORY_PEER},
};
/* clang-format on */

enum {
	COPY_KINDS = sizeof(copy_kinds) / sizeof(copy_kinds[0]),
	KIND_PAGEABLE = 1, /* CUpti_ActivityMemoryKind */
	KIND_PINNED = 2,
};

static void set_times(struct record *record, sqlite3_stmt *row)
{
	int64_t started = sqlite.column_int64(row, ROW_START);
	int64_t ended = sqlite.column_int64(row, ROW_END);
	int64_t queued = sqlite.column_int64(row, ROW_QUEUED);
	int64_t submitted = sqlite.column_int64(row, ROW_SUBMITTED);

	if (started <= 0 || ended < started) {
		record->frame.flags |= started || ended ? RECORD_BAD_TIMES : 0;
		return;
	}
	if (queued <= 0 || submitted < queued || started < submitted)
		queued = submitted = started;
	record->queued = (uint64_t)queued;
	record->submitted = (uint64_t)submitted;
	record->started = (uint64_t)started;
	record->ended = (uint64_t)ended;
	record->known |= KNOWN_TIMES;
}

/* Values that are not positive numbers, or do not fit the field, are left at 0. */
static void set_fields(struct record *record, sqlite3_stmt *row, int first,
		       const struct insert_field *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t value = sqlite.column_int64(row, first + (int)i);

		if (value > 0)
			field_set(&field_rows[list[i].value & UINT8_MAX], record,
				  list[i].value >> 8 & UINT8_MAX, (uint64_t)value);
	}
}

static void set_kernel(struct record *record, sqlite3_stmt *row)
{
	const uint8_t *cache = sqlite.column_blob(row, ROW_CACHE);

	set_fields(record, row, ROW_KERNEL, kernel_fields, ENTRIES(kernel_fields));
	record->known |= record->registers ? KNOWN_REGISTERS : 0;
	record->known |= record->block[0] ? KNOWN_BLOCK : 0;
	/* An empty grid is (0 1 1); an unknown one has 0 in each place. */
	if (record->grid[1])
		record->known |= record->block[0] ? KNOWN_GRID : KNOWN_GRID_ALONE;
	if (!cache || sqlite.column_bytes(row, ROW_CACHE) < 1)
		return;
	record->cache_requested = *cache & 15;
	record->cache_executed = *cache >> 4;
	record->known |= KNOWN_CACHE;
}

/* Logs have no number for the direction from host to host. */
static void set_direction(struct record *record)
{
	if (record->source == MEMORY_HOST && record->target == MEMORY_HOST)
		return;
	record->direction = DIRECTION_DEVICE;
	if (record->source == MEMORY_HOST)
		record->direction = DIRECTION_HOST_TO_DEVICE;
	if (record->target == MEMORY_HOST)
		record->direction = DIRECTION_DEVICE_TO_HOST;
	record->known |= KNOWN_DIRECTION;
}

static void set_copy(struct record *record, sqlite3_stmt *row)
{
	uint32_t kind = nvprofread_number(row, ROW_COPY_KIND);
	uint32_t host;

	if (!kind || kind >= COPY_KINDS) {
		record->source = record->target = UINT8_MAX; /* unknown */
		return;
	}
	record->source = copy_kinds[kind].source;
	record->target = copy_kinds[kind].target;
	set_direction(record);
	host = nvprofread_number(row, record->source == MEMORY_HOST ? ROW_SOURCE : ROW_TARGET);
	if (host != KIND_PAGEABLE && host != KIND_PINNED)
		return;
	record->host_memory = host == KIND_PINNED ? HOST_MEMORY_PAGE_LOCKED : HOST_MEMORY_PAGEABLE;
	record->known |= KNOWN_HOST_MEMORY;
}

/* The ends of a copy, if the file has these devices and contexts. */
static void set_peers(const struct nvprofread *reader, struct record *record, sqlite3_stmt *row)
{
	struct peers peers = {
		.source_device =
			nvprofread_find_device(reader, sqlite.column_int64(row, ROW_SOURCE_DEVICE)),
		.source_context = nvprofread_find_context(
			reader, sqlite.column_int64(row, ROW_SOURCE_CONTEXT)),
		.target_device =
			nvprofread_find_device(reader, sqlite.column_int64(row, ROW_TARGET_DEVICE)),
		.target_context = nvprofread_find_context(
			reader, sqlite.column_int64(row, ROW_TARGET_CONTEXT)),
	};

	if (record->source != MEMORY_PEER || peers.source_device == UINT32_MAX ||
	    peers.source_context == UINT32_MAX || peers.target_device == UINT32_MAX ||
	    peers.target_context == UINT32_MAX)
		return;
	record->peers = peers;
	record->known |= KNOWN_PEERS;
}

static void set_work(struct record *record, sqlite3_stmt *row)
{
	if (record->frame.kind == FRAME_KERNEL) {
		set_kernel(record, row);
		return;
	}
	set_fields(record, row, ROW_TRANSFER, transfer_fields, ENTRIES(transfer_fields));
	if (record->frame.kind == FRAME_COPY)
		set_copy(record, row);
}

/* Returns false if the row has no kind of record. */
static bool set_kind(struct record *record, sqlite3_stmt *row, enum frame_kind kind)
{
	uint32_t flags = nvprofread_number(row, ROW_FLAGS);

	record->frame.flags = flags & RECORD_ASYNCHRONOUS;
	if (kind == FRAME_NONE) {
		kind = (enum frame_kind)nvprofread_number(row, ROW_KIND);
		record->frame.flags = flags & (RECORD_ASYNCHRONOUS | RECORD_FAILED |
					       RECORD_BAD_TIMES | RECORD_UNFINISHED);
	}
	record->frame.kind = (uint16_t)kind;
	return kind == FRAME_KERNEL || kind == FRAME_COPY || kind == FRAME_FILL;
}

int nvprofread_open_records(struct nvprofread *reader, struct strbuf *error)
{
	const char *columns[ROW_COLUMNS + 1] = {0};

	memcpy(columns, row_columns, sizeof(row_columns));
	columns[ROW_STREAM] = "streamId";
	for (size_t i = 0; i < ENTRIES(kernel_fields); i++)
		columns[ROW_KERNEL + i] = kernel_fields[i].column;
	for (size_t i = 0; i < ENTRIES(transfer_fields); i++)
		columns[ROW_TRANSFER + i] = transfer_fields[i].column;
	for (int i = 0; i < READ_RECORDS; i++)
		if (nvprofread_open(reader, &reader->records[i], tables[i].name, columns, error))
			return -1;
	return 0;
}

/* Sets the bits of values that may be 0. nvprof writes 0 only for a size of 0. */
static int set_known(struct nvprofread *reader, struct record *record, struct strbuf *error)
{
	const struct api_row *api = api_row(catalog_device(&reader->catalog, record->device)->api);
	uint32_t mask = nvprof_known_mask(record->frame.kind, record->known & KNOWN_TIMES);
	uint32_t known = nvprof_known_default(record, api);

	known |= reader->own ? 0 : KNOWN_BYTES;
	known &= record->known & KNOWN_CACHE ? UINT32_MAX : ~(uint32_t)KNOWN_CACHE;
	if (nvprofread_known(reader, record->frame.correlation, &known, error))
		return -1;
	record->known = (record->known & ~(uint32_t)KNOWN_CACHE) | (known & mask);
	return 0;
}

int nvprofread_take_record(struct nvprofread *reader, unsigned int table, struct strbuf *error)
{
	const struct nvprofread_cursor *cursor = &reader->records[table];
	struct record record = {.frame.size = sizeof(record)};
	sqlite3_stmt *row = cursor->rows;

	if (!set_kind(&record, row, tables[table].kind))
		return 0;
	set_times(&record, row);
	set_work(&record, row);
	nvprofread_set_call(reader, &record, cursor->correlation);
	record.stream = nvprofread_number(row, ROW_STREAM);
	if (nvprofread_device(reader, sqlite.column_int64(row, ROW_DEVICE), &record.device,
			      error) ||
	    nvprofread_context(reader, sqlite.column_int64(row, ROW_CONTEXT), record.device,
			       &record.context, error) ||
	    (record.frame.kind == FRAME_KERNEL &&
	     nvprofread_name(reader, sqlite.column_int64(row, ROW_NAME), &record.name, error)))
		return -1;
	if (set_known(reader, &record, error))
		return -1;
	if (tables[table].has_ends)
		set_peers(reader, &record, row);
	reader->counted.record = record;
	return nvprofread_counters(reader, &reader->counted, error) ? -1 : 1;
}
