/* SPDX-License-Identifier: MIT */
/* The SQLite file that Nsight Systems exports, with the tables for which there is data. */
#include "view/sqlite/nvprof.h"
#include "view/sqlite/libsqlite.h"
#include "view/view.h"

/* clang-format off */
#define PLACE \
	NVPROF_RECORD_FIELDS, \
	{"correlationId", VALUE_CORRELATION}, {"globalPid", VALUE_GLOBAL_PROCESS}, \
	{"start", NVPROF_FIELD(RECORD_STARTED, 0)}, {"end", NVPROF_FIELD(RECORD_ENDED, 0)}

static const struct insert_field kernel_fields[] = {
	PLACE, {"demangledName", VALUE_NAME}, {"shortName", VALUE_SHORT_NAME},
	{"mangledName", VALUE_NAME}, {"cacheConfig", NVPROF_FIELD(RECORD_CACHE_EXECUTED, 0)},
	NVPROF_KERNEL_FIELDS,
	{NULL, 0},
};

static const struct insert_field copy_fields[] = {
	PLACE, NVPROF_TRANSFER_FIELDS, {"copyKind", VALUE_COPY_KIND},
	{"srcKind", VALUE_SOURCE_MEMORY}, {"dstKind", VALUE_TARGET_MEMORY}, {NULL, 0},
};

static const struct insert_field fill_fields[] = {
	PLACE, NVPROF_TRANSFER_FIELDS, {NULL, 0},
};

static const struct insert_field call_fields[] = {
	{"start", VALUE_ENTER}, {"end", VALUE_LEAVE}, {"globalTid", VALUE_GLOBAL_THREAD},
	{"correlationId", VALUE_CORRELATION}, {"nameId", VALUE_CALL_NAME},
	{"returnValue", VALUE_RESULT}, {NULL, 0},
};

static const struct insert_field device_fields[] = {
	{"vmId", VALUE_MACHINE_ID}, {"id", VALUE_DEVICE}, {"name", VALUE_NAME},
	{"smCount", VALUE_MULTIPROCESSORS}, {"cuDevice", VALUE_DEVICE},
	{"computeMajor", VALUE_MAJOR}, {"computeMinor", VALUE_MINOR}, {NULL, 0},
};

static const struct insert_field context_fields[] = {
	{"vmId", VALUE_MACHINE}, {"processId", VALUE_PROCESS}, {"deviceId", VALUE_DEVICE},
	{"contextId", VALUE_CONTEXT}, {NULL, 0},
};

/* Types in NVTX_EVENTS: 34 mark, 59 range on a thread's stack, 60 other range, 75 domain name. A
 * range ends with the first end of its id. SQLite's bit operators have equal precedence. */
#define GLOBAL "(1 << 48) | ((processId & 0xffffff) << 24)"
#define NEWEST "(SELECT * FROM CP_PROCESS ORDER BY _id_ DESC LIMIT 1)"
static const char each[] =
	"CREATE INDEX IF NOT EXISTS temp.mark_ends ON marks(id) WHERE flags & 2;"
	"INSERT INTO NVTX_EVENTS(start, eventType, text, globalTid, domainId) "
	"SELECT min(moment), 75, value, " GLOBAL " | "
	"(thread & 0xffffff), domain FROM (SELECT moment, thread, domain FROM temp.marks "
	"WHERE domain) JOIN StringIds ON id = domain, " NEWEST " GROUP BY domain;"
	"INSERT INTO NVTX_EVENTS(start, end, eventType, rangeId, category, color, text, "
	"globalTid, endGlobalTid, domainId, uint64Value, int64Value, doubleValue) "
	"SELECT s.moment, e.moment, CASE s.flags & 5 WHEN 5 THEN 59 WHEN 1 THEN 60 ELSE 34 END, "
	"CASE s.flags & 5 WHEN 1 THEN s.id END, nullif(s.category, 0), "
	"CASE WHEN s.flags & 8 THEN s.color END, "
	"(SELECT value FROM StringIds WHERE id = s.name), " GLOBAL " | (s.thread & 0xffffff), "
	GLOBAL " | (e.thread & 0xffffff), s.domain, "
	"CASE s.payload_kind WHEN 1 THEN s.value END, CASE s.payload_kind WHEN 2 THEN s.value END, "
	"CASE s.payload_kind WHEN 3 THEN s.value END "
	"FROM " NEWEST " CROSS JOIN temp.marks s LEFT JOIN temp.marks e ON "
	"s.flags & 1 AND e.rowid = "
	"(SELECT rowid FROM temp.marks WHERE id = s.id AND flags & 2 ORDER BY rowid LIMIT 1) "
	"WHERE NOT s.flags & 2 ORDER BY s.rowid;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start, end, "
	"deviceId, contextId, streamId, globalPid, syncType, eventId) SELECT p.start, p.end, "
	"device, context, stream, " GLOBAL ", kind, event "
	"FROM " NEWEST " CROSS JOIN temp.pauses p ORDER BY p.rowid;"
	"INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS(start, globalPid, deviceId, contextId, address, "
	"pc, bytes, memKind, memoryOperationType, name) SELECT moment, "
	GLOBAL ", device, context, address, 0, bytes, "
	"CASE memory WHEN 0 THEN 7 WHEN 7 THEN 2 ELSE memory - 1 END, freed, "
	"(SELECT value FROM StringIds WHERE id = name) "
	"FROM " NEWEST " CROSS JOIN temp.allocations a ORDER BY a.rowid;"
	"INSERT INTO TARGET_INFO_CUDA_STREAM(streamId, hwId, vmId, processId, contextId, priority, "
	"flag) SELECT stream, 0, 1, processId, context, priority, flag "
	"FROM temp.streams, " NEWEST " WHERE max(context, stream) < 4294967295 "
	"ORDER BY context, stream;"
	"UPDATE PROCESSES SET name = name || '; ' || (SELECT value FROM StringIds, " NEWEST
	" WHERE id = command) WHERE globalPid = (SELECT " GLOBAL " FROM " NEWEST ");"
	"INSERT INTO PROCESSES SELECT " GLOBAL ", processId, "
	"(SELECT value FROM StringIds WHERE id = command) FROM " NEWEST " "
	"WHERE (" GLOBAL ") NOT IN (SELECT globalPid FROM PROCESSES);"
	"DELETE FROM temp.marks; DELETE FROM temp.pauses; DELETE FROM temp.allocations;"
	"DELETE FROM temp.overheads; DELETE FROM temp.streams; DELETE FROM temp.recorded;"
	"DELETE FROM temp.attributes; DELETE FROM temp.managed;";

static const char last[] =
	"DROP INDEX strings;"
	"INSERT INTO TARGET_INFO_SESSION_START_TIME SELECT start, "
	"strftime('%Y-%m-%dT%H:%M:%S', start / 1000000000, 'unixepoch'), "
	"strftime('%Y-%m-%dT%H:%M:%S', start / 1000000000, 'unixepoch', 'localtime') "
	"FROM CP_PROCESS ORDER BY _id_ LIMIT 1;"
	"INSERT INTO ANALYSIS_DETAILS "
	"SELECT 1 << 48, max(stop - start, 0), 0, max(stop - start, 0) "
	"FROM (SELECT min(start) AS start, max(end) AS stop FROM CP_PROCESS);"
	"INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', 'computeprof'), "
	"('EXPORT_SCHEMA_VERSION', '3.13.2'), ('EXPORT_SCHEMA_VERSION_MAJOR', '3'), "
	"('EXPORT_SCHEMA_VERSION_MINOR', '13'), ('EXPORT_SCHEMA_VERSION_MICRO', '2');"
	"INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (0, 'CUDA_MEMCPY_KIND_UNKNOWN', 'Unknown'), "
	"(1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'), "
	"(2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host'), "
	"(3, 'CUDA_MEMCPY_KIND_HTOA', 'Host-to-Array'), "
	"(4, 'CUDA_MEMCPY_KIND_ATOH', 'Array-to-Host'), "
	"(5, 'CUDA_MEMCPY_KIND_ATOA', 'Array-to-Array'), "
	"(6, 'CUDA_MEMCPY_KIND_ATOD', 'Array-to-Device'), "
	"(7, 'CUDA_MEMCPY_KIND_DTOA', 'Device-to-Array'), "
	"(8, 'CUDA_MEMCPY_KIND_DTOD', 'Device-to-Device'), "
	"(9, 'CUDA_MEMCPY_KIND_HTOH', 'Host-to-Host'), "
	"(10, 'CUDA_MEMCPY_KIND_PTOP', 'Peer-to-Peer');"
	"INSERT INTO ENUM_CUDA_MEM_KIND VALUES "
	"(0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'), "
	"(1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'), "
	"(2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device'), "
	"(3, 'CUDA_MEMOPR_MEMORY_KIND_ARRAY', 'Array'), "
	"(4, 'CUDA_MEMOPR_MEMORY_KIND_MANAGED', 'Managed'), "
	"(5, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC', 'Device Static'), "
	"(7, 'CUDA_MEMOPR_MEMORY_KIND_UNKNOWN', 'Unknown')";

const struct nvprof_form form_nsys = {
	.schema = nsys_tables,
	.begin = "CREATE UNIQUE INDEX strings ON StringIds(value);",
	.find = "SELECT id FROM StringIds WHERE value = ?",
	.intern = "INSERT INTO StringIds VALUES (NULL, ?)",
	.each = each,
	.end = last,
	.all_names = true,
	.from_start = true,
	.tables = {
		[NVPROF_KERNEL] = {"CUPTI_ACTIVITY_KIND_KERNEL", kernel_fields},
		[NVPROF_COPY] = {"CUPTI_ACTIVITY_KIND_MEMCPY", copy_fields},
		[NVPROF_FILL] = {"CUPTI_ACTIVITY_KIND_MEMSET", fill_fields},
		[NVPROF_CALL] = {"CUPTI_ACTIVITY_KIND_RUNTIME", call_fields},
		[NVPROF_DEVICE] = {"TARGET_INFO_GPU", device_fields},
		[NVPROF_CONTEXT] = {"TARGET_INFO_CUDA_CONTEXT_INFO", context_fields},
		NVPROF_OWN_TABLES,
	},
};
/* clang-format on */

static int write_nsys(const char *path, struct stream *stream, struct strbuf *error)
{
	return nvprof_write(&form_nsys, path, stream, error);
}

const struct view view_nsys = {
	.extension = ".nsys.sqlite",
	.help = "a database in the form of an export of NVIDIA's Nsight Systems",
	.has = KEPT_COUNTERS,
	.holds_several = true,
	.check = libsqlite_open,
	.write = write_nsys,
};
