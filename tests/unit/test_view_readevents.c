/* SPDX-License-Identifier: MIT */
#include "viewevents.h"

/* Events other than calls, read from databases. */

/* Queries of tables whose rows are equal after reading and writing. */
static const char *const read_back[] = {
	("SELECT flags, timestamp, id, objectKind, hex(objectId), s.value, d.value "
	 "FROM CUPTI_ACTIVITY_KIND_MARKER m LEFT JOIN StringTable s ON s._id_ = m.name "
	 "LEFT JOIN StringTable d ON d._id_ = m.domain ORDER BY m._id_"),
	("SELECT memoryKind, address, bytes, start, end, deviceId, contextId, s.value "
	 "FROM CUPTI_ACTIVITY_KIND_MEMORY m LEFT JOIN StringTable s ON s._id_ = m.name "
	 "ORDER BY m._id_"),
	("SELECT * FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ORDER BY _id_"),
	("SELECT * FROM CUPTI_ACTIVITY_KIND_STREAM ORDER BY _id_"),
	("SELECT overheadKind, objectKind, hex(objectId), start, end "
	 "FROM CUPTI_ACTIVITY_KIND_OVERHEAD ORDER BY _id_"),
};

static void put_some(void)
{
	begin();
	put_event(FRAME_MARK, &(struct mark){.frame.flags = MARK_START | MARK_PUSHED,
					     .enter = 100,
					     .id = BIG,
					     .name = NAME_HOSTILE,
					     .domain = NAME_PLAIN}
				       .frame);
	put_event(FRAME_MARK,
		  &(struct mark){.frame.flags = MARK_START, .enter = 110, .id = BIG + 1}.frame);
	put_event(FRAME_MARK, &(struct mark){.enter = 120, .name = NAME_PLAIN}.frame);
	put_event(FRAME_MARK,
		  &(struct mark){.frame.flags = MARK_END, .enter = 130, .id = BIG + 1}.frame);
	put_memory(false, 1, 5, 0x1000);
	put_memory(false, 2, 6, 0x2000);
	put_memory(true, 10, 20, 0x1000);
	put_event(FRAME_WAIT, &(struct wait){.enter = 50,
					     .leave = 60,
					     .event = BIG,
					     .context = 1,
					     .kind = WAIT_FOR_STREAM,
					     .stream = 3}
				       .frame);
	put_event(FRAME_QUEUE, &(struct queue){.frame.flags = QUEUE_UNORDERED | QUEUE_PRIORITY,
					       .context = 1,
					       .stream = 3,
					       .priority = -5}
					.frame);
	put_event(FRAME_OVERHEAD,
		  &(struct overhead){.enter = 1, .leave = 2, .kind = OVERHEAD_MANAGED}.frame);
	put_event(FRAME_OVERHEAD,
		  &(struct overhead){
			  .enter = 3, .leave = 4, .kind = OVERHEAD_COMPILER, .object = 70005}
			   .frame);
}

static void test_read(void **state)
{
	struct strbuf error = STRBUF_INIT, copied = STRBUF_INIT;
	sqlite3 *database, *copy;

	(void)state;
	put_some();
	database = view("run.sqlite");
	assert_int_equal(view_records("run.sqlite", "copy.sqlite", &error), 0);
	copy = open_view("copy.sqlite");
	for (size_t i = 0; i < sizeof(read_back) / sizeof(read_back[0]); i++) {
		assert_string_not_equal(ask(database, read_back[i], &text), "");
		assert_string_equal(ask(copy, read_back[i], &copied), strbuf_text(&text));
	}
	sqlite3_close(copy);
	sqlite3_close(database);
	strbuf_free(&copied);
}

/* Unusual values that other programs may have written. */
static void test_strange(void **state)
{
	struct strbuf error = STRBUF_INIT;
	sqlite3 *database, *copy;

	(void)state;
	put_some();
	sqlite3_close(view("run.sqlite"));
	assert_int_equal(sqlite3_open("run.sqlite", &database), SQLITE_OK);
	assert_int_equal(sqlite3_exec(database,
				      "UPDATE CUPTI_ACTIVITY_KIND_MARKER SET objectId = x'01', "
				      "flags = 0 WHERE _id_ = 1;"
				      "UPDATE CUPTI_ACTIVITY_KIND_MEMORY SET memoryKind = 'x', "
				      "contextId = -7, end = -1, name = 1e300;"
				      "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET type = -1, "
				      "streamId = 1 << 40;"
				      "UPDATE CUPTI_ACTIVITY_KIND_OVERHEAD SET overheadKind = "
				      "-1, objectId = ''; DROP TABLE CUPTI_ACTIVITY_KIND_STREAM",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(database);
	assert_int_equal(view_records("run.sqlite", "copy.sqlite", &error), 0);
	copy = open_view("copy.sqlite");
	assert_rows(copy, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MARKER", "3\n");
	assert_rows(copy, "SELECT memoryKind, contextId FROM CUPTI_ACTIVITY_KIND_MEMORY",
		    "0|4294967295\n0|4294967295\n");
	assert_rows(copy, "SELECT type, streamId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
		    "0|0\n");
	assert_rows(copy, "SELECT overheadKind, count(*) FROM CUPTI_ACTIVITY_KIND_OVERHEAD",
		    "0|2\n");
	sqlite3_close(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_strange, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
