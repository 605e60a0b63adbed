/* SPDX-License-Identifier: MIT */
/* The contents of the tables in a database of nvprof. */
#include "view/sqlite/nvprof.h"

#define NONE "-- null --"

/* clang-format off */
#define PLACE \
	NVPROF_RECORD_FIELDS, \
	{"correlationId", VALUE_CORRELATION}
#define TIME {"start", NVPROF_FIELD(RECORD_STARTED, 0)}, {"end", NVPROF_FIELD(RECORD_ENDED, 0)}

static const struct insert_field kernel_fields[] = {
	PLACE, TIME, {"completed", NVPROF_FIELD(RECORD_ENDED, 0)}, {"gridId", VALUE_CORRELATION},
	{"cacheConfig", VALUE_CACHE}, NVPROF_KERNEL_FIELDS,
	{"name", VALUE_NAME}, {"queued", NVPROF_FIELD(RECORD_QUEUED, 0)},
	{"submitted", NVPROF_FIELD(RECORD_SUBMITTED, 0)}, {NULL, 0},
};

#define COPY \
	PLACE, TIME, {"copyKind", VALUE_COPY_KIND}, {"srcKind", VALUE_SOURCE}, \
	{"dstKind", VALUE_TARGET}, {"flags", VALUE_FLAGS}, NVPROF_TRANSFER_FIELDS

static const struct insert_field copy_fields[] = {
	COPY, {NULL, 0},
};

static const struct insert_field peer_copy_fields[] = {
	COPY, NVPROF_PEER_FIELDS, {NULL, 0},
};

static const struct insert_field fill_fields[] = {
	PLACE, TIME, {"flags", VALUE_FLAGS}, NVPROF_TRANSFER_FIELDS, {NULL, 0},
};

static const struct insert_field call_fields[] = {
	{"cbid", VALUE_CALL}, {"start", VALUE_ENTER}, {"end", VALUE_LEAVE},
	{"processId", VALUE_PROCESS}, {"threadId", VALUE_THREAD},
	{"correlationId", VALUE_CORRELATION}, {"returnValue", VALUE_RESULT}, {NULL, 0},
};

static const struct insert_field function_fields[] = {
	{"correlationId", VALUE_CORRELATION}, {"name", VALUE_CALL_NAME}, {NULL, 0},
};

const struct insert_field nvprof_untimed_fields[] = {
	PLACE, {"kind", NVPROF_FIELD(FRAME_KIND, 0)}, {"flags", NVPROF_FIELD(FRAME_FLAGS, 0)},
	{"name", VALUE_NAME}, NVPROF_TRANSFER_FIELDS, {NULL, 0},
};

const struct insert_field nvprof_known_fields[] = {
	{"correlationId", VALUE_CORRELATION}, {"known", VALUE_KNOWN}, {NULL, 0},
};

const struct insert_field nvprof_counter_fields[] = {
	{"correlationId", VALUE_CORRELATION}, {"deviceId", NVPROF_FIELD(RECORD_DEVICE, 0)},
	{"name", VALUE_NAME},
	{"value", VALUE_COUNT}, {"isReal", VALUE_REAL}, {NULL, 0},
};

static const struct insert_field device_fields[] = {
	{"id", VALUE_DEVICE}, {"name", VALUE_NAME}, {"numMultiprocessors", VALUE_MULTIPROCESSORS},
	{"computeCapabilityMajor", VALUE_MAJOR}, {"computeCapabilityMinor", VALUE_MINOR}, {NULL, 0},
};

static const struct insert_field context_fields[] = {
	{"contextId", VALUE_CONTEXT}, {"deviceId", VALUE_DEVICE}, {"computeApiKind", VALUE_API},
	{"nullStreamId", VALUE_NULL_STREAM}, {NULL, 0},
};

/* CUPTI's ids of counters are those of a chip and a release. The file needs no others: names are
 * in it. */
static const struct insert_field event_fields[] = {
	{"id", VALUE_NAME}, {"value", VALUE_WHOLE}, {"correlationId", VALUE_CORRELATION}, {NULL, 0},
};

static const struct insert_field metric_fields[] = {
	{"id", VALUE_NAME}, {"value", VALUE_COUNT}, {"correlationId", VALUE_CORRELATION}, {NULL, 0},
};

static const struct insert_field name_fields[] = {
	{"objectKind", VALUE_OBJECT}, {"objectId", VALUE_PROCESS}, {"name", VALUE_COMMAND},
	{NULL, 0},
};

const struct insert_field nvprof_own_device_fields[] = {
	{"deviceId", VALUE_DEVICE}, {"api", VALUE_API}, {"number", VALUE_NUMBER}, {NULL, 0},
};

const struct insert_field nvprof_own_context_fields[] = {
	{"contextId", VALUE_CONTEXT}, {"api", VALUE_API}, {"number", VALUE_NUMBER}, {NULL, 0},
};

const struct insert_field nvprof_process_fields[] = {
	{"processId", VALUE_PROCESS}, {"start", VALUE_STARTED}, {"end", VALUE_ENDED},
	{"lost", VALUE_LOST}, {"cutOff", VALUE_CUT_OFF}, {"tool", VALUE_TOOL},
	{"lostEvents", VALUE_LOST_EVENTS}, {"command", VALUE_COMMAND}, {NULL, 0},
};

/* The number of the call in which row `from` of a table of events happened, 0 if none is known: the
 * last one that its thread has entered, unless that ended before. */
#define CALL_OF(from)                                                                              \
	"coalesce((SELECT CASE WHEN c.end >= " from ".end THEN c.correlationId END "              \
	"FROM temp.calls c WHERE c.threadId = " from ".thread AND c.start <= " from ".start "     \
	"ORDER BY c.start DESC, c.end DESC LIMIT 1), 0)"

/* Attribute `number` (CUdevice_attribute, or enum attribute_number) of a row of DEVICE; 0 if it is
 * not known. */
#define ATTRIBUTE(number)                                                                          \
	"coalesce((SELECT value FROM temp.attributes a WHERE a.device = "                         \
	"CUPTI_ACTIVITY_KIND_DEVICE.id AND number = " number "), 0)"

/* CUPTI's numbers for flags of marks, objects (2 thread, 1 process), payloads (as for metric
 * values) and memory. The end of an allocation is the next event with its address. Most programs
 * record no event: the table is then as if nothing had been inserted. */
static const char last[] =
	"INSERT OR IGNORE INTO temp.ranges(id) SELECT id FROM temp.marks ORDER BY rowid;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MARKER(flags, timestamp, id, objectKind, objectId, name, "
	"domain) SELECT CASE flags & 3 WHEN 0 THEN 1 WHEN 1 THEN 2 ELSE 4 END, moment, number, "
	"CASE WHEN flags & 3 AND NOT flags & 4 THEN 1 ELSE 2 END, object, name, domain "
	"FROM temp.marks m JOIN temp.ranges r ON r.id = m.id ORDER BY m.rowid;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MARKER_DATA(flags, id, payloadKind, payload, color, "
	"category) SELECT CASE WHEN flags & 8 THEN 2 ELSE 1 END, number, "
	"CASE payload_kind WHEN 2 THEN 4 WHEN 3 THEN 0 ELSE 1 END, payload, color, category "
	"FROM temp.marks m JOIN temp.ranges r ON r.id = m.id "
	"WHERE NOT flags & 2 AND (flags & 8 OR payload_kind OR category) ORDER BY m.rowid;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMORY(memoryKind, address, bytes, start, end, allocPC, "
	"freePC, processId, deviceId, contextId, name) SELECT CASE memory WHEN 7 THEN 3 "
	"ELSE memory END, address, bytes, moment, "
	"CASE WHEN next_freed THEN next_moment ELSE 0 END, 0, 0, processId, device, context, name "
	"FROM (SELECT *, lead(freed) OVER w AS next_freed, "
	"lead(moment) OVER w AS next_moment FROM temp.allocations "
	"WINDOW w AS (PARTITION BY api, address ORDER BY moment, rowid)), CP_PROCESS "
	"WHERE NOT freed ORDER BY moment;"
	"CREATE TEMP TABLE calls AS SELECT threadId, start, end, correlationId "
	"FROM (SELECT threadId, start, end, correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME "
	"UNION ALL SELECT threadId, start, end, correlationId FROM CUPTI_ACTIVITY_KIND_DRIVER) "
	"WHERE EXISTS (SELECT 1 FROM temp.pauses UNION ALL SELECT 1 FROM temp.streams "
	"WHERE thread UNION ALL SELECT 1 FROM temp.recorded);"
	"CREATE INDEX temp.calls_of_threads ON calls(threadId, start, end);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(type, start, end, correlationId, "
	"contextId, streamId, cudaEventId) SELECT kind, start, end, " CALL_OF("p") ", context, "
	"stream, event FROM temp.pauses p ORDER BY p.rowid;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD(overheadKind, objectKind, objectId, start, end) "
	"SELECT CASE WHEN kind > 1 THEN (kind - 1) << 16 ELSE kind END, "
	"CASE WHEN thread THEN 2 ELSE 1 END, object, start, end FROM temp.overheads "
	"ORDER BY rowid;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_STREAM(contextId, streamId, priority, flag, "
	"correlationId) SELECT context, stream, priority, flag, " CALL_OF("q") " "
	"FROM temp.streams q WHERE max(context, stream) < 4294967295 ORDER BY 1, 2;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT(correlationId, contextId, streamId, eventId) "
	"SELECT " CALL_OF("r") ", context, stream, event FROM temp.recorded r ORDER BY r.rowid;"
	/* Traces of versions before 0.2 have the calls alone. */
	"INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT(correlationId, contextId, streamId, eventId) "
	"SELECT c.correlationId, 4294967295, 4294967295, 4294967295 FROM CP_API_NAME f "
	"JOIN StringTable s ON s._id_ = f.name JOIN (SELECT correlationId, start, returnValue "
	"FROM CUPTI_ACTIVITY_KIND_RUNTIME UNION ALL SELECT correlationId, start, returnValue "
	"FROM CUPTI_ACTIVITY_KIND_DRIVER) c ON c.correlationId = f.correlationId "
	"WHERE returnValue = 0 AND (s.value GLOB 'cudaEventRecord*' OR "
	"s.value GLOB 'cuEventRecord*') AND NOT EXISTS (SELECT 1 FROM temp.recorded) "
	"ORDER BY start;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE(flags, deviceId, attribute, value) "
	"SELECT 1, device, key, bytes FROM temp.attributes WHERE number < 32768 "
	"GROUP BY device, number;"
	"UPDATE CUPTI_ACTIVITY_KIND_DEVICE SET flags = " ATTRIBUTE("31") " != 0, "
	"globalMemoryBandwidth = " ATTRIBUTE("36") " * " ATTRIBUTE("37") " / 4, "
	"globalMemorySize = " ATTRIBUTE("32768") ", constantMemorySize = " ATTRIBUTE("9") ", "
	"l2CacheSize = " ATTRIBUTE("38") ", numThreadsPerWarp = " ATTRIBUTE("10") ", "
	"coreClockRate = " ATTRIBUTE("13") ", numMemcpyEngines = " ATTRIBUTE("40") ", "
	"maxWarpsPerMultiprocessor = " ATTRIBUTE("39") " / max(" ATTRIBUTE("10") ", 1), "
	"maxBlocksPerMultiprocessor = " ATTRIBUTE("106") ", "
	"maxSharedMemoryPerMultiprocessor = " ATTRIBUTE("81") ", "
	"maxRegistersPerMultiprocessor = " ATTRIBUTE("82") ", "
	"maxRegistersPerBlock = " ATTRIBUTE("12") ", maxSharedMemoryPerBlock = " ATTRIBUTE("8") ", "
	"maxThreadsPerBlock = " ATTRIBUTE("1") ", maxBlockDimX = " ATTRIBUTE("2") ", "
	"maxBlockDimY = " ATTRIBUTE("3") ", maxBlockDimZ = " ATTRIBUTE("4") ", "
	"maxGridDimX = " ATTRIBUTE("5") ", maxGridDimY = " ATTRIBUTE("6") ", "
	"maxGridDimZ = " ATTRIBUTE("7") ", eccEnabled = " ATTRIBUTE("32") ", "
	"uuid = coalesce((SELECT bytes FROM temp.attributes a WHERE a.device = "
	"CUPTI_ACTIVITY_KIND_DEVICE.id AND number = 32769), uuid) "
	"WHERE id IN (SELECT device FROM temp.attributes);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER(counterKind, value, start, end, "
	"address, srcId, dstId, streamId, processId, flags) SELECT kind, value, start, end, "
	"address, source, target, stream, process, flags FROM temp.managed m "
	"ORDER BY start, m.rowid;"
	"DELETE FROM sqlite_sequence WHERE seq = 0 AND name IN ('CUPTI_ACTIVITY_KIND_CUDA_EVENT', "
	"'CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE', 'CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER');"
	"INSERT INTO Version VALUES (11)";

const struct nvprof_form form_nvprof = {
	.schema = nvprof_tables,
	/* As in nvprof: readers also look up name 0. */
	.begin = "INSERT INTO StringTable VALUES (0, '" NONE "');",
	.none = NONE,
	.find = "SELECT _id_ FROM StringTable WHERE value = ? AND _id_ > 0",
	.intern = "INSERT INTO StringTable VALUES (NULL, ?)",
	.end = last,
	.tables = {
		[NVPROF_KERNEL] = {"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", kernel_fields},
		[NVPROF_COPY] = {"CUPTI_ACTIVITY_KIND_MEMCPY", copy_fields},
		[NVPROF_PEER_COPY] = {"CUPTI_ACTIVITY_KIND_MEMCPY2", peer_copy_fields},
		[NVPROF_FILL] = {"CUPTI_ACTIVITY_KIND_MEMSET", fill_fields},
		[NVPROF_CALL] = {"CUPTI_ACTIVITY_KIND_RUNTIME", call_fields},
		[NVPROF_DRIVER_CALL] = {"CUPTI_ACTIVITY_KIND_DRIVER", call_fields},
		[NVPROF_FUNCTION] = {"CP_API_NAME", function_fields},
		[NVPROF_DEVICE] = {"CUPTI_ACTIVITY_KIND_DEVICE", device_fields},
		[NVPROF_CONTEXT] = {"CUPTI_ACTIVITY_KIND_CONTEXT", context_fields},
		[NVPROF_EVENT] = {"CUPTI_ACTIVITY_KIND_EVENT", event_fields},
		[NVPROF_METRIC] = {"CUPTI_ACTIVITY_KIND_METRIC", metric_fields},
		[NVPROF_NAME] = {"CUPTI_ACTIVITY_KIND_NAME", name_fields},
		NVPROF_OWN_TABLES,
	},
};
/* clang-format on */
