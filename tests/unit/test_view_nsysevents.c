/* SPDX-License-Identifier: MIT */
#include "viewfile.h"

/* Events in the tables of Nsight Systems. */

#define FAR	     (INT64_C(1) << 40)
#define HOSTILE_TEXT "a'; DROP TABLE x;--\"\\x0a\\xff\\xfe\\x00\\x01\\x5cx41\xc3\xa9"

static struct strbuf text;

static void put_mark(struct strbuf *to, uint16_t flags, uint64_t id, uint64_t moment, uint32_t name,
		     uint32_t thread)
{
	struct mark mark = {
		.frame = {.size = sizeof(mark), .kind = FRAME_MARK, .thread = thread},
		.enter = moment,
		.id = id,
		.name = name,
		.domain = flags & MARK_COLORED ? NAME_PLAIN : 0,
		.color = 0xff00ff00,
		.payload_kind = flags & MARK_COLORED ? PAYLOAD_SIGNED : PAYLOAD_NONE,
		.payload = (uint64_t)-5,
		.category = flags & MARK_COLORED ? 9 : 0,
	};

	mark.frame.flags = flags;
	trace_put_event(to, &mark.frame);
}

static void put_others(struct strbuf *to)
{
	struct wait wait = {
		.frame = {.size = sizeof(wait), .kind = FRAME_WAIT, .thread = 70000},
		.enter = 1000000,
		.leave = 1000500,
		.event = 77,
		.device = 1,
		.context = 1,
		.kind = WAIT_FOR_STREAM,
		.stream = 3,
	};
	struct allocation allocation = {
		.frame = {.size = sizeof(allocation), .kind = FRAME_ALLOCATION},
		.enter = 1000000,
		.leave = 1000100,
		.address = 4096,
		.bytes = 1ULL << 33,
		.memory = MEMORY_KIND_MANAGED,
		.device = 1,
		.context = 1,
		.name = NAME_HOSTILE,
	};

	trace_put_event(to, &wait.frame);
	trace_put_event(to, &allocation.frame);
	allocation.frame.flags = ALLOCATION_FREED;
	trace_put_event(to, &allocation.frame);
}

static void put_queue(struct strbuf *to, uint32_t context, uint32_t stream)
{
	struct queue queue = {
		.frame = {.size = sizeof(queue), .kind = FRAME_QUEUE, .flags = QUEUE_PRIORITY},
		.device = 1,
		.context = context,
		.priority = -5,
		.stream = stream,
	};

	trace_put_event(to, &queue.frame);
}

/* A record without a known stream and two with the stream `stream`. */
static void put_records(struct strbuf *to, uint32_t stream)
{
	for (uint32_t i = 0; i < 3; i++) {
		struct record record = make_record(i);

		record.stream = i ? stream : 9;
		record.known &= i ? UINT32_MAX : ~(uint32_t)KNOWN_STREAM;
		trace_put_record(to, &record);
	}
}

static sqlite3 *view(void)
{
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;

	trace_put_header(&bytes);
	put_catalog(&bytes);
	put_mark(&bytes, MARK_START | MARK_PUSHED, FAR, 1000000, NAME_HOSTILE, 70000);
	put_mark(&bytes, MARK_START | MARK_COLORED, FAR + 1, 1000001, NAME_PLAIN, 70000);
	put_mark(&bytes, MARK_END, FAR + 1, 1000009, 0, 70001);
	put_mark(&bytes, MARK_END | MARK_PUSHED, FAR, 1000010, 0, 70000);
	put_mark(&bytes, MARK_START, FAR + 2, 1000011, NAME_PLAIN, 70000);
	put_mark(&bytes, MARK_END, FAR + 3, 1000012, 0, 70000);
	put_mark(&bytes, 0, 0, 1000013, 0, 70000);
	put_others(&bytes);
	put_queue(&bytes, 1, 3);
	put_queue(&bytes, 1, UINT32_MAX);
	put_queue(&bytes, UINT32_MAX, 3);
	put_records(&bytes, 0);
	put_records(&bytes, UINT32_MAX);
	trace_finish(&bytes);
	write_file("run.cptrace", &bytes);
	strbuf_free(&bytes);
	if (view_trace("run.cptrace", "run.nsys.sqlite", &error))
		fail_msg("%s", strbuf_text(&error));
	return open_view("run.nsys.sqlite");
}

static void assert_rows(sqlite3 *database, const char *sql, const char *expected)
{
	assert_string_equal(ask(database, sql, &text), expected);
}

static void test_marks(void **state)
{
	sqlite3 *database = view();

	(void)state;
	assert_rows(database,
		    "SELECT start, end, eventType, rangeId - (1 << 40), category, color, text, "
		    "globalTid - ((1 << 48) | (4321 << 24)), "
		    "endGlobalTid - ((1 << 48) | (4321 << 24)), domainId > 0, int64Value, "
		    "uint64Value FROM NVTX_EVENTS",
		    "100001||75||||_Z9matrixMulPf|70000||1||\n"
		    "100000|100010|59||||" HOSTILE_TEXT "|70000|70000|0||\n"
		    "100001|100009|60|1|9|4278255360|_Z9matrixMulPf|70000|70001|1|-5|\n"
		    "100011||60|2|||_Z9matrixMulPf|70000||0||\n"
		    "100013||34|||||70000||0||\n");
	sqlite3_close(database);
}

static void test_others(void **state)
{
	sqlite3 *database = view();

	(void)state;
	assert_rows(database,
		    "SELECT start, end, deviceId, contextId, streamId, correlationId, "
		    "globalPid - ((1 << 48) | (4321 << 24)), syncType, eventId "
		    "FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
		    "100000|100500|1|2|3||0|3|77\n");
	assert_rows(database,
		    "SELECT start, deviceId, contextId, address, bytes, label, "
		    "memoryOperationType, m.name LIKE 'a''; DROP%' "
		    "FROM CUDA_GPU_MEMORY_USAGE_EVENTS m JOIN ENUM_CUDA_MEM_KIND k "
		    "ON k.id = memKind",
		    "100100|1|2|4096|8589934592|Managed|0|1\n"
		    "100000|1|2|4096|8589934592|Managed|1|1\n");
	assert_rows(database, "PRAGMA integrity_check", "ok\n");
	sqlite3_close(database);
}

/* Each kind of memory has a name in the table of kinds; that of pipes is the device's. */
static void test_kinds_of_memory(void **state)
{
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	sqlite3 *database;

	(void)state;
	trace_put_header(&bytes);
	put_catalog(&bytes);
	for (uint16_t kind = 0; kind < MEMORY_KINDS; kind++) {
		struct allocation allocation = {
			.frame = {.size = sizeof(allocation), .kind = FRAME_ALLOCATION},
			.address = kind,
			.memory = kind,
		};

		trace_put_event(&bytes, &allocation.frame);
	}
	trace_finish(&bytes);
	write_file("kinds.cptrace", &bytes);
	strbuf_free(&bytes);
	if (view_trace("kinds.cptrace", "kinds.nsys.sqlite", &error))
		fail_msg("%s", strbuf_text(&error));
	database = open_view("kinds.nsys.sqlite");
	assert_rows(database,
		    "SELECT address, label FROM CUDA_GPU_MEMORY_USAGE_EVENTS "
		    "LEFT JOIN ENUM_CUDA_MEM_KIND k ON k.id = memKind ORDER BY address",
		    "0|Unknown\n1|Pageable\n2|Pinned\n3|Device\n4|Array\n5|Managed\n"
		    "6|Device Static\n7|Device\n");
	sqlite3_close(database);
}

/* A stream or a context that is not known is no stream. */
static void test_streams(void **state)
{
	sqlite3 *database = view();

	(void)state;
	assert_rows(database,
		    "SELECT contextId, streamId, priority, flag, vmId, processId "
		    "FROM TARGET_INFO_CUDA_STREAM",
		    "1|0|0|0|1|4321\n"
		    "2|3|-5|1|1|4321\n");
	sqlite3_close(database);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {TEST(test_marks), TEST(test_others),
					   TEST(test_kinds_of_memory), TEST(test_streams)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
