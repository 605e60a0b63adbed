/* SPDX-License-Identifier: MIT */
#include "viewevents.h"

/* Marks, allocations, waits, queues and overheads in nvprof's tables: every column of each. */

static void test_marks(void **state)
{
	sqlite3 *database;

	(void)state;
	begin();
	put_event(FRAME_MARK, &(struct mark){.frame.flags = MARK_START | MARK_PUSHED | MARK_COLORED,
					     .enter = 100,
					     .id = BIG,
					     .name = NAME_HOSTILE,
					     .domain = NAME_PLAIN,
					     .color = 0xff112233,
					     .category = 7,
					     .payload_kind = PAYLOAD_SIGNED,
					     .payload = (uint64_t)-2}
				       .frame);
	put_event(FRAME_MARK,
		  &(struct mark){.frame.flags = MARK_END | MARK_PUSHED, .enter = 200, .id = BIG}
			   .frame);
	put_event(FRAME_MARK, &(struct mark){.frame.flags = MARK_START,
					     .enter = 110,
					     .id = BIG + 1,
					     .name = NAME_PLAIN}
				       .frame);
	put_event(FRAME_MARK, &(struct mark){.frame.correlation = BIG + 2,
					     .enter = 120,
					     .name = NAME_PLAIN,
					     .payload_kind = PAYLOAD_DOUBLE,
					     .payload = 1}
				       .frame);
	put_event(FRAME_MARK, &(struct mark){.frame = {.flags = MARK_END, .thread = 70002},
					     .enter = 130,
					     .id = BIG + 1}
				       .frame);
	put_event(FRAME_MARK,
		  &(struct mark){
			  .frame.flags = MARK_END, .enter = 140, .id = BIG + 9, .name = NAME_PLAIN}
			   .frame);
	database = view("run.sqlite");
	assert_rows(database,
		    "SELECT m._id_, flags, timestamp - 1700000000000000000, id, objectKind, "
		    "hex(objectId), ifnull(s.value, '-'), ifnull(d.value, '-') "
		    "FROM CUPTI_ACTIVITY_KIND_MARKER m LEFT JOIN StringTable s ON s._id_ = m.name "
		    "LEFT JOIN StringTable d ON d._id_ = m.domain ORDER BY 1",
		    "1|2|100|1|2|E11000007111010000000000|"
		    "a'; DROP TABLE x;--\"\\x0a\\xff\\xfe\\x00\\x01\\x5cx41\xc3\xa9|"
		    "_Z9matrixMulPf\n"
		    "2|4|200|1|2|E11000007111010000000000|-- null --|-- null --\n"
		    "3|2|110|2|1|E11000000000000000000000|_Z9matrixMulPf|-- null --\n"
		    "4|1|120|3|2|E11000007111010000000000|_Z9matrixMulPf|-- null --\n"
		    "5|4|130|2|1|E11000000000000000000000|-- null --|-- null --\n"
		    "6|4|140|4|1|E11000000000000000000000|-- null --|-- null --\n");
	assert_rows(database,
		    "SELECT flags, id, payloadKind, hex(payload), color, category "
		    "FROM CUPTI_ACTIVITY_KIND_MARKER_DATA ORDER BY _id_",
		    "2|1|4|FEFFFFFFFFFFFFFF|4279312947|7\n"
		    "1|3|0|0100000000000000|0|0\n");
	sqlite3_close(database);
}

/* The address may be allocated again before the call that freed it returns. The last event of the
 * file may be the first in time. */
static void test_allocations(void **state)
{
	sqlite3 *database;

	(void)state;
	begin();
	put_memory(false, 12, 18, 0x1000);
	put_memory(true, 10, 20, 0x1000);
	put_memory(false, 1, 5, 0x1000);
	put_memory(true, 30, 31, 0x3000);
	put_event(FRAME_ALLOCATION, &(struct allocation){.enter = 40,
							 .leave = 41,
							 .address = 0x1000,
							 .bytes = 3,
							 .memory = MEMORY_KIND_PIPE,
							 .device = UINT32_MAX,
							 .name = NAME_PLAIN}
					     .frame);
	database = view("run.sqlite");
	assert_rows(database,
		    "SELECT memoryKind, address, bytes, start - 1700000000000000000, "
		    "CASE WHEN end THEN end - 1700000000000000000 ELSE 0 END, allocPC, freePC, "
		    "processId, deviceId, contextId, ifnull(s.value, '-') "
		    "FROM CUPTI_ACTIVITY_KIND_MEMORY m LEFT JOIN StringTable s ON s._id_ = m.name "
		    "ORDER BY m._id_",
		    "3|4096|8589934592|5|10|0|0|4321|1|4294967295|-- null --\n"
		    "3|4096|8589934592|18|0|0|0|4321|1|4294967295|-- null --\n"
		    "3|4096|3|41|0|0|0|4321|4294967295|1|_Z9matrixMulPf\n");
	sqlite3_close(database);
}

static void test_others(void **state)
{
	sqlite3 *database;

	(void)state;
	begin();
	put_event(FRAME_WAIT, &(struct wait){.enter = 50,
					     .leave = 60,
					     .event = BIG,
					     .device = 1,
					     .context = 1,
					     .kind = WAIT_FOR_EVENT,
					     .stream = UINT32_MAX}
				       .frame);
	put_event(FRAME_QUEUE, &(struct queue){.device = 1,
					       .context = 1,
					       .stream = 3,
					       .priority = -5,
					       .frame.flags = QUEUE_UNORDERED | QUEUE_PRIORITY}
					.frame);
	put_event(FRAME_QUEUE,
		  &(struct queue){.device = 0, .context = 0, .stream = 1, .priority = 9}.frame);
	put_event(FRAME_QUEUE, &(struct queue){.context = 1, .stream = UINT32_MAX}.frame);
	put_event(FRAME_QUEUE, &(struct queue){.context = UINT32_MAX, .stream = 1}.frame);
	put_event(FRAME_OVERHEAD,
		  &(struct overhead){.enter = 1, .leave = 2, .kind = OVERHEAD_COMPILER}.frame);
	put_event(
		FRAME_OVERHEAD,
		&(struct overhead){.enter = 3, .leave = 4, .kind = OVERHEAD_FLUSH, .object = 70005}
			 .frame);
	put_event(FRAME_OVERHEAD,
		  &(struct overhead){.enter = 5, .leave = 6, .kind = OVERHEAD_RESOURCE}.frame);
	database = view("run.sqlite");
	assert_rows(database,
		    "SELECT type, start - 1700000000000000000, end - 1700000000000000000, "
		    "correlationId, contextId, streamId, cudaEventId "
		    "FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
		    "1|50|60|0|2|4294967295|5497558138880\n");
	assert_rows(database,
		    "SELECT contextId, streamId, priority, flag, correlationId "
		    "FROM CUPTI_ACTIVITY_KIND_STREAM",
		    "1|1|0|1|0\n2|3|-5|2|0\n");
	assert_rows(database,
		    "SELECT overheadKind, objectKind, hex(objectId), start - 1700000000000000000, "
		    "end - 1700000000000000000 FROM CUPTI_ACTIVITY_KIND_OVERHEAD ORDER BY _id_",
		    "1|1|E11000000000000000000000|1|2\n"
		    "65536|2|E11000007511010000000000|3|4\n"
		    "196608|1|E11000000000000000000000|5|6\n");
	assert_rows(database, "PRAGMA integrity_check", "ok\n");
	sqlite3_close(database);
}

static void put_call_of(uint32_t thread, uint64_t enter, uint64_t leave, uint32_t number)
{
	put_event(FRAME_CALL, &(struct call){.frame.thread = thread,
					     .enter = enter,
					     .leave = leave,
					     .name = NAME_PLAIN,
					     .number = number}
				       .frame);
}

static void put_wait_of(uint32_t thread, uint64_t enter, uint64_t leave)
{
	put_event(FRAME_WAIT, &(struct wait){.frame.thread = thread,
					     .enter = enter,
					     .leave = leave,
					     .kind = WAIT_FOR_STREAM,
					     .stream = 1}
				       .frame);
}

/* Waits and new streams have the number of their call, which is that of the same thread at that
 * time. */
static void test_calls_of_events(void **state)
{
	sqlite3 *database;

	(void)state;
	begin();
	put_call_of(71, 10, 20, 1);
	put_wait_of(71, 10, 20);
	put_wait_of(72, 12, 13);
	put_call_of(71, 30, 40, 2);
	put_call_of(72, 29, 41, 3);
	put_wait_of(71, 32, 39);
	put_wait_of(72, 30, 41);
	put_wait_of(71, 39, 42);
	put_wait_of(71, 5, 6);
	put_event(FRAME_QUEUE,
		  &(struct queue){.frame.thread = 71, .enter = 30, .leave = 40, .stream = 2}.frame);
	database = view("run.sqlite");
	assert_rows(database,
		    "SELECT s.start - 1700000000000000000, cbid "
		    "FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION s "
		    "LEFT JOIN CUPTI_ACTIVITY_KIND_RUNTIME USING (correlationId) ORDER BY s._id_",
		    "10|1\n12|\n32|2\n30|3\n39|\n5|\n");
	assert_rows(database,
		    "SELECT streamId, cbid FROM CUPTI_ACTIVITY_KIND_STREAM "
		    "JOIN CUPTI_ACTIVITY_KIND_RUNTIME USING (correlationId)",
		    "2|2\n");
	sqlite3_close(database);
}

static void put_attribute(uint16_t number, uint64_t value, uint64_t second)
{
	put_event(
		FRAME_ATTRIBUTE,
		&(struct attribute){.number = number, .value = {value, second}, .device = 1}.frame);
}

static void test_attributes(void **state)
{
	sqlite3 *database;

	(void)state;
	begin();
	put_attribute(10, 32, 0);
	put_attribute(39, 2048, 0);
	put_attribute(36, 877000, 0);
	put_attribute(37, 4096, 0);
	put_attribute(120, (uint64_t)-1, 0);
	put_attribute(ATTRIBUTE_MEMORY, BIG, 0);
	put_attribute(ATTRIBUTE_UUID, 0x0807060504030201, 0x0c0b0a09);
	database = view("run.sqlite");
	assert_rows(database,
		    "SELECT flags, deviceId, hex(attribute), hex(value) "
		    "FROM CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE ORDER BY _id_",
		    "1|1|0A000000|2000000000000000\n1|1|24000000|C8610D0000000000\n"
		    "1|1|25000000|0010000000000000\n1|1|27000000|0008000000000000\n"
		    "1|1|78000000|FFFFFFFFFFFFFFFF\n");
	assert_rows(database,
		    "SELECT id, numThreadsPerWarp, maxWarpsPerMultiprocessor, "
		    "globalMemoryBandwidth, globalMemorySize, l2CacheSize, hex(uuid), "
		    "numMultiprocessors FROM CUPTI_ACTIVITY_KIND_DEVICE",
		    "0|0|0|0|0|0|00000000000000000000000000000000|8\n"
		    "1|32|64|898048000|5497558138880|0|0102030405060708090A0B0C00000000|80\n");
	sqlite3_close(database);
}

static void test_recorded(void **state)
{
	sqlite3 *database;

	(void)state;
	begin();
	put_call_of(71, 10, 20, 135);
	put_event(FRAME_RECORDED, &(struct recorded){.frame.thread = 71,
						     .enter = 10,
						     .leave = 20,
						     .event = 6,
						     .device = 1,
						     .context = 1,
						     .stream = 3}
					   .frame);
	put_event(FRAME_RECORDED, &(struct recorded){.frame.thread = 72,
						     .enter = 10,
						     .leave = 20,
						     .event = 7,
						     .device = UINT32_MAX,
						     .context = UINT32_MAX,
						     .stream = UINT32_MAX}
					   .frame);
	database = view("run.sqlite");
	assert_rows(database,
		    "SELECT cbid, contextId, streamId, eventId FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT "
		    "LEFT JOIN CUPTI_ACTIVITY_KIND_RUNTIME USING (correlationId)",
		    "135|2|3|6\n|4294967295|4294967295|7\n");
	sqlite3_close(database);
}

enum { MANY = 20000 };

/* All ranges start before the first one ends; they are on different threads. */
static void test_many(void **state)
{
	sqlite3 *database;

	(void)state;
	begin();
	for (uint32_t i = 0; i < 2 * MANY; i++)
		put_event(FRAME_MARK,
			  &(struct mark){.frame = {.flags = i < MANY ? MARK_START : MARK_END,
						   .thread = 70000 + i},
					 .enter = i,
					 .id = BIG + i % MANY,
					 .name = NAME_PLAIN}
				   .frame);
	database = view("run.sqlite");
	assert_rows(database,
		    "SELECT count(*), sum(b.timestamp - a.timestamp), max(a.id) "
		    "FROM CUPTI_ACTIVITY_KIND_MARKER a JOIN CUPTI_ACTIVITY_KIND_MARKER b "
		    "ON a.id = b.id WHERE a.flags = 2 AND b.flags = 4",
		    "20000|400000000|20000\n");
	sqlite3_close(database);
}

/* A mark with the text of nvprof's row 0: readers require that each text occurs once. */
static void test_reserved(void **state)
{
	static const char sql[] = "SELECT name > 0, value FROM CUPTI_ACTIVITY_KIND_MARKER m "
				  "JOIN StringTable s ON s._id_ = m.name";
	static const char reserved[] = "-- null --";
	struct names *names = names_new();
	struct strbuf error = STRBUF_INIT;
	sqlite3 *database;

	(void)state;
	begin();
	for (uint32_t i = 1; i <= NAME_COUNT; i++)
		names_intern(names, name_texts[i].text, name_texts[i].length);
	names_intern(names, reserved, strlen(reserved));
	frames_put_name(&trace, names, NAME_COUNT + 1);
	names_free(names);
	put_event(FRAME_MARK, &(struct mark){.enter = 100, .name = NAME_COUNT + 1}.frame);
	database = view("run.sqlite");
	assert_rows(database, sql, "1|\\x2d- null --\n");
	sqlite3_close(database);
	/* Reading restores the name, which is then written as before. */
	assert_int_equal(view_records("run.sqlite", "again.sqlite", &error), 0);
	database = open_view("again.sqlite");
	assert_rows(database, sql, "1|\\x2d- null --\n");
	sqlite3_close(database);
}

static void put_managed(uint8_t kind, uint64_t enter, bool moment)
{
	put_event(FRAME_MANAGED, &(struct managed){.frame.flags = moment ? MANAGED_MOMENT : 0,
						   .enter = enter,
						   .leave = moment ? enter : enter + 5,
						   .value = BIG,
						   .address = 4096,
						   .api = API_CUDA,
						   .kind = kind,
						   .cause = 2,
						   .source = UINT32_MAX,
						   .target = 1,
						   .stream = 9}
					  .frame);
}

static void test_managed(void **state)
{
	static const char sql[] =
		"SELECT counterKind, value, start - 1700000000000000000, "
		"end - 1700000000000000000 * (end > 0), address, srcId, dstId, streamId, "
		"processId, flags FROM CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER ORDER BY _id_";
	static const char rows[] = "3|5497558138880|20|0|4096|4294967295|1|9|4321|2\n"
				   "1|5497558138880|30|35|4096|4294967295|1|9|4321|2\n";
	struct strbuf error = STRBUF_INIT;
	sqlite3 *database;

	(void)state;
	begin();
	put_managed(MANAGED_HOST_TO_DEVICE, 30, false);
	put_managed(MANAGED_HOST_FAULT, 20, true);
	database = view("run.sqlite");
	assert_rows(database, sql, rows);
	sqlite3_close(database);
	assert_int_equal(view_records("run.sqlite", "again.sqlite", &error), 0);
	database = open_view("again.sqlite");
	assert_rows(database, sql, rows);
	sqlite3_close(database);
}

/* A copy between devices, numbered `number`. */
static void put_peer_copy(uint32_t number, uint32_t known, uint32_t source, uint32_t target)
{
	struct record record = make_record(1);

	record.frame.correlation += number;
	record.known = (record.known & ~(uint32_t)KNOWN_HOST_MEMORY) | known;
	record.direction = DIRECTION_DEVICE;
	record.source = record.target = MEMORY_PEER;
	record.peers = (struct peers){source, source, target, target};
	trace_put_record(&trace, &record);
}

static void assert_peer_copies(const char *path, const char *peers)
{
	sqlite3 *database = open_view(path);

	assert_rows(database,
		    "SELECT correlationId, copyKind, srcKind, dstKind, flags, end - start, "
		    "deviceId, contextId, streamId, srcDeviceId, srcContextId, dstDeviceId, "
		    "dstContextId FROM CUPTI_ACTIVITY_KIND_MEMCPY2",
		    peers);
	/* Without its ends it is in this table, as in files of older versions. */
	assert_rows(database,
		    "SELECT correlationId, copyKind, srcKind, dstKind "
		    "FROM CUPTI_ACTIVITY_KIND_MEMCPY",
		    "2|10|3|3\n");
	sqlite3_close(database);
}

/* Each copy between devices is in one table. */
static void test_peer_copies(void **state)
{
	struct strbuf error = STRBUF_INIT;

	(void)state;
	begin();
	put_peer_copy(1, KNOWN_PEERS, 1, 0);
	put_peer_copy(2, 0, 0, 0);
	sqlite3_close(view("run.sqlite"));
	assert_peer_copies("run.sqlite", "1|10|3|3|1|1001|0|1|1|1|2|0|1\n");
	assert_int_equal(view_records("run.sqlite", "again.sqlite", &error), 0);
	assert_peer_copies("again.sqlite", "1|10|3|3|1|1001|0|1|1|1|2|0|1\n");
	/* The catalog has no such device. */
	begin();
	put_peer_copy(1, KNOWN_PEERS, 1, 99);
	put_peer_copy(2, 0, 0, 0);
	sqlite3_close(view("other.sqlite"));
	assert_peer_copies("other.sqlite", "1|10|3|3|1|1001|0|1|1|1|2|4294967295|4294967295\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_marks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_allocations, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_others, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_calls_of_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_attributes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_recorded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_managed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_peer_copies, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_reserved, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
