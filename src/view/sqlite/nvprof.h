/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_NVPROF_H
#define VIEW_SQLITE_NVPROF_H

#include "model/api.h"
#include "model/field.h"
#include "view/sqlite/insert.h"
#include "view/stream/stream.h"

/*
 * A database being written, in nvprof's form or another one: private to nvprof*.c and nsys*.c.
 * Memory is constant, since everything that grows with the records is in the file.
 */
enum nvprof_table {
	NVPROF_KERNEL,
	NVPROF_COPY,
	NVPROF_PEER_COPY, /* without this table in the form: NVPROF_COPY */
	NVPROF_FILL,
	NVPROF_CALL,
	NVPROF_DRIVER_CALL,
	NVPROF_FUNCTION,
	NVPROF_UNTIMED,
	NVPROF_KNOWN,
	NVPROF_COUNTER,
	NVPROF_EVENT,
	NVPROF_METRIC,
	NVPROF_NAME,
	NVPROF_DEVICE,
	NVPROF_CONTEXT,
	NVPROF_OWN_DEVICE,
	NVPROF_OWN_CONTEXT,
	NVPROF_PROCESS,
	NVPROF_TABLES
};

/*
 * The values of columns: number `index` of a field of the frame being written, as nvprof_value
 * converts it, or a computed value. nvprof_form.c and nsys.c assign them to columns.
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
	VALUE_KNOWN,
	VALUE_LEAVE,
	VALUE_LOST,
	VALUE_LOST_EVENTS,
	VALUE_MACHINE,
	VALUE_MACHINE_ID,
	VALUE_MAJOR,
	VALUE_MINOR,
	VALUE_MULTIPROCESSORS,
	VALUE_NAME,
	VALUE_NULL_STREAM,
	VALUE_NUMBER,
	VALUE_OBJECT,
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
	VALUE_WHOLE,
	NVPROF_VALUES
};

/* The form of a database: the columns with a value, table by table. A table without a name is not
 * written. */
struct nvprof_form {
	const struct schema_table *schema;
	const char *begin;  /* SQL that is executed after the tables are made, or NULL */
	const char *none;   /* text of row 0, which that SQL inserts, or NULL */
	const char *find;   /* SQL that finds the number of a string */
	const char *intern; /* SQL that inserts a string */
	const char *each; /* SQL that is executed after the rows of each process, the last row of
			     CP_PROCESS; or NULL */
	const char *end;    /* SQL that is executed after all rows; temp.streams has context,
			       stream, priority and flag, the other events are in the tables of
			       nvprof_event.c */
	bool all_names;	    /* has the names of calls, and short names */
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
extern const struct insert_field nvprof_known_fields[];
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
#define NVPROF_PEER_FIELDS \
	{"srcDeviceId", NVPROF_FIELD(RECORD_SOURCE_DEVICE, 0)}, \
	{"srcContextId", NVPROF_FIELD(RECORD_SOURCE_CONTEXT, 0)}, \
	{"dstDeviceId", NVPROF_FIELD(RECORD_TARGET_DEVICE, 0)}, \
	{"dstContextId", NVPROF_FIELD(RECORD_TARGET_CONTEXT, 0)}
#define NVPROF_RECORD_FIELDS \
	{"deviceId", NVPROF_FIELD(RECORD_DEVICE, 0)}, \
	{"contextId", NVPROF_FIELD(RECORD_CONTEXT, 0)}, \
	{"streamId", NVPROF_FIELD(RECORD_STREAM, 0)}

#define NVPROF_OWN_TABLES                                             \
	[NVPROF_UNTIMED] = {"CP_UNTIMED", nvprof_untimed_fields},     \
	[NVPROF_KNOWN] = {"CP_KNOWN", nvprof_known_fields},           \
	[NVPROF_COUNTER] = {"CP_COUNTER", nvprof_counter_fields},     \
	[NVPROF_OWN_DEVICE] = {"CP_DEVICE", nvprof_own_device_fields}, \
	[NVPROF_OWN_CONTEXT] = {"CP_CONTEXT", nvprof_own_context_fields}, \
	[NVPROF_PROCESS] = {"CP_PROCESS", nvprof_process_fields}
/* clang-format on */

/* Kinds of calls that make records. */
enum nvprof_kind {
	KIND_NONE,
	KIND_LAUNCH,
	KIND_COPY,
	KIND_COPY_ASYNC,
	KIND_FILL,
	KIND_FILL_ASYNC,
	NVPROF_KINDS
};

/* A call, or the call of a record as far as the record shows it. Times are those of the trace. */
struct nvprof_call {
	uint64_t enter; /* of a record: only if `called` */
	uint64_t leave;
	int64_t number;	 /* correlationId */
	uint32_t thread;
	uint32_t name;	/* in the catalog; 0: none, its record gives the name */
	uint32_t cupti; /* CUPTI's number of the function, or 0 */
	int32_t result;
	uint8_t kind;  /* enum nvprof_kind, of a record */
	bool is_own;   /* a call in the trace, not derived from a record */
	bool called;   /* the record has the times of its call */
};

/* A device in the file. */
struct nvprof_device {
	uint64_t name; /* text_hash of its name */
	uint32_t api;
	uint32_t number; /* in its API */
	uint32_t given;	 /* in the file */
	bool is_put;	 /* its rows are written */
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
	const struct frame *frame; /* being written */
	uint64_t numbers; /* number of records so far, which is the last one's correlationId */
	bool sizeless; /* a copy or fill of a log had no size */
	bool lacks_counters; /* a log had counters, or other columns without a place */
	uint64_t others;  /* number of calls with a correlationId of their own */
	uint64_t rows;
	uint64_t last; /* latest time in any record, epoch ns */
	struct process first; /* of the stream's parts */
	bool has_first;
	uint64_t origin; /* moment from which times count, epoch ns of the part's process */
	/* Cache of names, indexed by the low bits of the id. */
	struct {
		uint32_t id;
		int64_t string, short_string;
	} names[NVPROF_NAMES];
	int64_t kinds[NVPROF_KINDS]; /* names of their calls */
	struct {
		int64_t context, stream;
		bool known;
	} streams[NVPROF_STREAMS];
	/* The numbers in the file of the catalog's devices and contexts, by id, and how many have a
	 * number. */
	struct strbuf given; /* struct nvprof_device: those of all parts */
	uint32_t device_count, context_count;
	uint32_t first_context; /* number in the file of the part's first context */
	uint32_t devices[CATALOG_DEVICES];
	uint32_t contexts[CATALOG_CONTEXTS];
	bool begun;	    /* the process of the part is known */
	struct ordered *calls; /* of the part: struct nvprof_call for calls and records */
};

/* nvprof.c: a view's write. */
int nvprof_write(const struct nvprof_form *form, const char *path, struct stream *stream,
		 struct strbuf *error);

/* nvprof_catalog.c: called at the first frame of a part, when its process is known. */
void nvprof_begin_process(struct nvprof *nvprof);

/* nvprof_insert.c: prepares the statements; converts number `index` of a field to the ids and times
 * of the file; inserts a row of nvprof->values and the fields of nvprof->frame. Each returns 0, or
 * -1 with one sentence. */
int nvprof_prepare(struct nvprof *nvprof, struct strbuf *error);
int nvprof_value(struct nvprof *nvprof, const struct field *field, const void *frame,
		 unsigned int index, int64_t *value, struct strbuf *error);
int nvprof_put(struct nvprof *nvprof, enum nvprof_table table, struct strbuf *error);

/* nvprof_known.c. A value of 0 in a row of a record may be known or not: nvprof_known_mask returns
 * the bits of record.known for these values. nvprof_known_default returns those of them that count
 * as known unless a row of CP_KNOWN has others; of the record, only values and `kind` are used. */
uint32_t nvprof_known_mask(enum frame_kind kind, bool has_times);
uint32_t nvprof_known_default(const struct record *record, const struct api_row *api);

/* nvprof_row.c: inserts a record. Returns 0, or -1 with one sentence. */
int nvprof_put_record(struct nvprof *nvprof, const struct record *record, struct strbuf *error);

/* nvprof_catalog.c. nvprof_map_ids assigns numbers to new entries of the catalog. */
void nvprof_map_ids(struct nvprof *nvprof);
void nvprof_set_process(struct nvprof *nvprof);
int nvprof_put_catalog(struct nvprof *nvprof, struct strbuf *error);

/* nvprof_callrow.c: inserts the row of a call. Returns 0, or -1 with one sentence. */
int nvprof_put_row(struct nvprof *nvprof, const struct nvprof_call *call, struct strbuf *error);

/* nvprof_call.c: collects the calls and records of a part. A call and its record have one row,
 * which is inserted when both are known, or when it is certain that the other one does not exist,
 * at the latest at the end. Each returns 0, or -1 with one sentence. */
int nvprof_begin_calls(struct nvprof *nvprof, struct strbuf *error);
int nvprof_put_call(struct nvprof *nvprof, const struct call *call, struct strbuf *error);
int nvprof_put_called(struct nvprof *nvprof, const struct record *record, struct strbuf *error);
int nvprof_end_calls(struct nvprof *nvprof, struct strbuf *error);

/* nvprof_event.c: prepares the tables; inserts an event other than a call. Each returns 0, or -1
 * with one sentence. */
int nvprof_begin_events(struct nvprof *nvprof, struct strbuf *error);
int nvprof_put_event(struct nvprof *nvprof, const struct frame *frame, struct strbuf *error);

/* nvprof_sensors.c: after all rows. Returns 0, or -1 with one sentence. */
int nvprof_put_sensors(struct nvprof *nvprof, struct strbuf *error);

/* nvprof_string.c: nvprof_string returns the number of a text in StringTable, or -1 with one
 * sentence. nvprof_set_names sets the values of a record's names, nvprof_set_name those of name
 * `id` of the catalog, whose text is `text`. nvprof_note_stream notes a stream for temp.streams.
 * These return 0, or -1 with one sentence. */
int64_t nvprof_string(struct nvprof *nvprof, const char *text, size_t length, struct strbuf *error);
int nvprof_set_names(struct nvprof *nvprof, const struct record *record, struct strbuf *error);
int nvprof_set_name(struct nvprof *nvprof, uint32_t id, const char *text, size_t length,
		    struct strbuf *error);
int nvprof_note_stream(struct nvprof *nvprof, int64_t context, int64_t stream,
		       struct strbuf *error);

#endif
