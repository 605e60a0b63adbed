/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_NVPROF_H
#define VIEW_SQLITE_NVPROF_H

#include "model/field.h"
#include "view/sqlite/insert.h"
#include "view/stream/stream.h"

/*
 * A database being written, of nvprof's form or of another: private to nvprof*.c and nsys*.c.
 * Memory is constant: whatever grows with the records is in the file.
 */
enum nvprof_table {
	NVPROF_KERNEL,
	NVPROF_COPY,
	NVPROF_FILL,
	NVPROF_CALL,
	NVPROF_DRIVER_CALL,
	NVPROF_FUNCTION,
	NVPROF_UNTIMED,
	NVPROF_COUNTER,
	NVPROF_DEVICE,
	NVPROF_CONTEXT,
	NVPROF_OWN_DEVICE,
	NVPROF_OWN_CONTEXT,
	NVPROF_PROCESS,
	NVPROF_TABLES
};

/*
 * What columns can have: number `index` of a field of the frame that is written, as nvprof_value
 * makes it, or what is computed. nvprof_form.c and nsys.c say which column has which.
 */
enum { NVPROF_FIELDS = 1 << 16 };
#define NVPROF_FIELD(id, index) (NVPROF_FIELDS | (index) << 8 | FIELD_##id)

enum nvprof_value {
	VALUE_API,
	VALUE_CACHE,
	VALUE_CALL,
	VALUE_CALL_NAME,
	VALUE_CONTEXT,
	VALUE_COPY_KIND,
	VALUE_CORRELATION,
	VALUE_COUNT,
	VALUE_CUT_OFF,
	VALUE_DEVICE,
	VALUE_ENDED,
	VALUE_ENTER,
	VALUE_FLAGS,
	VALUE_GLOBAL_PROCESS,
	VALUE_GLOBAL_THREAD,
	VALUE_LEAVE,
	VALUE_LOST,
	VALUE_LOST_EVENTS,
	VALUE_MACHINE,
	VALUE_MACHINE_ID,
	VALUE_MAJOR,
	VALUE_MINOR,
	VALUE_MULTIPROCESSORS,
	VALUE_NAME,
	VALUE_NUMBER,
	VALUE_PROCESS,
	VALUE_COMMAND,
	VALUE_REAL,
	VALUE_RESULT,
	VALUE_SHORT_NAME,
	VALUE_SOURCE,
	VALUE_SOURCE_MEMORY,
	VALUE_STARTED,
	VALUE_TARGET,
	VALUE_TARGET_MEMORY,
	VALUE_THREAD,
	VALUE_TOOL,
	NVPROF_VALUES
};

/* The columns that have something, and what, of each table; one without a name is not written. */
struct nvprof_form {
	const struct schema_table *schema;
	const char *begin;  /* SQL behind the tables, or NULL */
	const char *none;   /* the text of row 0 that it puts there, or NULL */
	const char *find;   /* SQL: the number of a string */
	const char *intern; /* SQL that gives it one */
	const char *each; /* SQL behind each process, the last row of CP_PROCESS; or NULL */
	const char *end;    /* SQL, once all rows are there; temp.streams has context, stream,
			       priority and flag, the other events are in nvprof_event.c's */
	bool all_names;	    /* has those of calls, and short ones */
	bool from_start;    /* times of records count from the start of the process */
	struct {
		const char *name;
		const struct insert_field *fields;
	} tables[NVPROF_TABLES];
};

extern const struct nvprof_form form_nvprof;
extern const struct nvprof_form form_nsys;

/* Tables that are in each form. */
extern const struct insert_field nvprof_untimed_fields[];
extern const struct insert_field nvprof_counter_fields[];
extern const struct insert_field nvprof_own_device_fields[];
extern const struct insert_field nvprof_own_context_fields[];
extern const struct insert_field nvprof_process_fields[];

/* clang-format off */
/* Columns that are called the same in each form, and that nvprofread_row.c reads back. */
#define NVPROF_KERNEL_FIELDS \
	{"registersPerThread", NVPROF_FIELD(RECORD_REGISTERS, 0)}, \
	{"gridX", NVPROF_FIELD(RECORD_GRID, 0)}, {"gridY", NVPROF_FIELD(RECORD_GRID, 1)}, \
	{"gridZ", NVPROF_FIELD(RECORD_GRID, 2)}, {"blockX", NVPROF_FIELD(RECORD_BLOCK, 0)}, \
	{"blockY", NVPROF_FIELD(RECORD_BLOCK, 1)}, {"blockZ", NVPROF_FIELD(RECORD_BLOCK, 2)}, \
	{"staticSharedMemory", NVPROF_FIELD(RECORD_STATIC_SHARED, 0)}, \
	{"dynamicSharedMemory", NVPROF_FIELD(RECORD_DYNAMIC_SHARED, 0)}
#define NVPROF_TRANSFER_FIELDS {"bytes", NVPROF_FIELD(RECORD_BYTES, 0)}
#define NVPROF_RECORD_FIELDS \
	{"deviceId", NVPROF_FIELD(RECORD_DEVICE, 0)}, \
	{"contextId", NVPROF_FIELD(RECORD_CONTEXT, 0)}, \
	{"streamId", NVPROF_FIELD(RECORD_STREAM, 0)}

#define NVPROF_OWN_TABLES                                             \
	[NVPROF_UNTIMED] = {"CP_UNTIMED", nvprof_untimed_fields},     \
	[NVPROF_COUNTER] = {"CP_COUNTER", nvprof_counter_fields},     \
	[NVPROF_OWN_DEVICE] = {"CP_DEVICE", nvprof_own_device_fields}, \
	[NVPROF_OWN_CONTEXT] = {"CP_CONTEXT", nvprof_own_context_fields}, \
	[NVPROF_PROCESS] = {"CP_PROCESS", nvprof_process_fields}
/* clang-format on */

/* Kinds of calls that records have; of another one a record cannot be. */
enum nvprof_kind {
	KIND_NONE,
	KIND_LAUNCH,
	KIND_COPY,
	KIND_COPY_ASYNC,
	KIND_FILL,
	KIND_FILL_ASYNC,
	NVPROF_KINDS
};

/* A call, or what a record tells of its own. Moments are those of the trace. */
struct nvprof_call {
	uint64_t enter; /* of a record: if it is called */
	uint64_t leave;
	int64_t number;	 /* correlationId */
	uint32_t thread;
	uint32_t name;	/* in the catalog; 0: none, it is told by its record */
	uint32_t cupti; /* CUPTI's number of the function, or 0 */
	int32_t result;
	uint8_t kind;  /* enum nvprof_kind, of a record */
	bool is_own;   /* a call of the trace's own */
	bool called;   /* a record that says when it was called */
};

/* What a device is called in the file. */
struct nvprof_device {
	uint64_t name; /* text_hash of it */
	uint32_t api;
	uint32_t number; /* in its API */
	uint32_t given;	 /* in the file */
	bool is_put;	 /* it has its rows */
};

enum { NVPROF_NAMES = 1 << 12, NVPROF_STREAMS = 1 << 10 };

struct nvprof {
	const struct nvprof_form *form;
	sqlite3 *database;
	struct stream *stream;
	const struct catalog *catalog;
	struct insert inserts[NVPROF_TABLES];
	sqlite3_stmt *find, *intern, *note_stream;
	sqlite3_stmt *note_events[FRAME_KINDS];
	int64_t values[NVPROF_VALUES];
	const struct frame *frame; /* that is written */
	uint64_t numbers; /* of records so far: the last one's correlationId */
	bool sizeless; /* a copy or fill of a log had no size */
	uint64_t others;  /* of calls that have no record's */
	uint64_t rows;
	uint64_t last; /* moment that any record speaks of, epoch ns */
	struct process first; /* of the stream's parts */
	bool has_first;
	uint64_t origin; /* moment from which times count, epoch ns of the part's process */
	/* What was asked for lately, by the low bits of the id. */
	struct {
		uint32_t id;
		int64_t string, short_string;
	} names[NVPROF_NAMES];
	int64_t kinds[NVPROF_KINDS]; /* names of their calls */
	struct {
		int64_t context, stream;
		bool known;
	} streams[NVPROF_STREAMS];
	/* The numbers that the file has for the devices and contexts of the catalog, by their ids,
	 * and how many have one. */
	struct strbuf given; /* struct nvprof_device: those of all parts */
	uint32_t device_count, context_count;
	uint32_t first_context; /* number of the part's first one */
	uint32_t devices[CATALOG_DEVICES];
	uint32_t contexts[CATALOG_CONTEXTS];
	bool begun;	    /* the part: its process is known */
	struct ordered *calls; /* of the part: struct nvprof_call of calls and records */
};

/* nvprof.c: a view's write. */
int nvprof_write(const struct nvprof_form *form, const char *path, struct stream *stream,
		 struct strbuf *error);

/* nvprof_catalog.c: at a part's first frame, when its process is known. */
void nvprof_begin_process(struct nvprof *nvprof);

/* nvprof_insert.c: the statements; what number `index` of a field is in the file, ids and times
 * those of the file; a row of nvprof->values and of the fields of nvprof->frame. Each 0, or -1 with
 * one sentence. */
int nvprof_prepare(struct nvprof *nvprof, struct strbuf *error);
int nvprof_value(struct nvprof *nvprof, const struct field *field, const void *frame,
		 unsigned int index, int64_t *value, struct strbuf *error);
int nvprof_put(struct nvprof *nvprof, enum nvprof_table table, struct strbuf *error);

/* nvprof_row.c: 0, or -1 with one sentence. */
int nvprof_put_record(struct nvprof *nvprof, const struct record *record, struct strbuf *error);

/* nvprof_catalog.c. nvprof_map_ids gives numbers to what is new in the catalog. */
void nvprof_map_ids(struct nvprof *nvprof);
void nvprof_set_process(struct nvprof *nvprof);
int nvprof_put_catalog(struct nvprof *nvprof, struct strbuf *error);

/* nvprof_callrow.c: the correlationId of a call that made no record. */
int64_t nvprof_other_number(struct nvprof *nvprof);

/* The same: a row of a call, and of one with its record. Each 0, or -1 with one sentence. */
int nvprof_put_row(struct nvprof *nvprof, const struct nvprof_call *call, struct strbuf *error);
int nvprof_put_pair(struct nvprof *nvprof, const struct nvprof_call *call,
		    const struct nvprof_call *record, struct strbuf *error);

/* nvprof_call.c: a call, and a record, for the part's rows of calls: one for both, when they are
 * known or it is clear that there is but one of them, at the latest at the end. Each 0, or -1 with
 * one sentence. */
int nvprof_begin_calls(struct nvprof *nvprof, struct strbuf *error);
int nvprof_put_call(struct nvprof *nvprof, const struct call *call, struct strbuf *error);
int nvprof_put_called(struct nvprof *nvprof, const struct record *record, struct strbuf *error);
int nvprof_end_calls(struct nvprof *nvprof, struct strbuf *error);

/* nvprof_event.c: the start; an event that is no call. 0, or -1 with one sentence. */
int nvprof_begin_events(struct nvprof *nvprof, struct strbuf *error);
int nvprof_put_event(struct nvprof *nvprof, const struct frame *frame, struct strbuf *error);

/* nvprof_string.c: the number of a text in StringTable, or -1 with one sentence; the values of a
 * record's names; those of a name of the catalog, which has this text; and that there is such a
 * stream. */
int64_t nvprof_string(struct nvprof *nvprof, const char *text, size_t length, struct strbuf *error);
int nvprof_set_names(struct nvprof *nvprof, const struct record *record, struct strbuf *error);
int nvprof_set_name(struct nvprof *nvprof, uint32_t id, const char *text, size_t length,
		    struct strbuf *error);
int nvprof_note_stream(struct nvprof *nvprof, int64_t context, int64_t stream,
		       struct strbuf *error);

#endif
