/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "model/frames.h"
#include "output/tracereader.h"
#include "profiled_program.h"
#include "session/ringfile.h"

/* Recovery of all kinds of ring files; test_kill has the random moments. */

/* Attaches another API, and makes records of its device. */
static void launch_others(struct settings *settings, uint64_t count)
{
	uint32_t device, context;

	session_attach(API_CUDA, settings, &fake_source);
	device = session_device(&(struct device){.api = API_CUDA, .name = "Other"});
	context = session_context(&(struct context){.api = API_CUDA, .device = device});
	for (uint64_t i = 0; i < count; i++) {
		struct probe probe;
		struct record *record;

		probe_begin(&probe);
		record = probe_record(&probe, FRAME_COPY);
		record->device = device;
		record->context = context;
		record->bytes = i;
		record->known = KNOWN_BYTES | KNOWN_STREAM;
		probe_commit();
		probe_end(&probe);
	}
}

static void two_sources(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	launch_others(new_settings(API_CUDA, "late"), 10);
	kill(getpid(), SIGKILL);
}

static void test_later_back_end(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(two_sources), -1);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_int_equal(read_rows("late", &rows, 10), 0);
	assert_int_equal(wrong_counts(&rows, 0, 10), 0);
	free(rows.seen);
}

static void limited(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->record_limit = 100;
	start(settings);
	for (uint64_t i = 0; i < 60; i++)
		launch(1, i, FAKE_DONE);
	usleep(100000);
	for (uint64_t i = 60; i < 300; i++)
		launch(1, i, FAKE_DONE);
	kill(getpid(), SIGKILL);
}

static void test_timeout(void **state)
{
	struct recover_report report = {0};
	struct rows rows;

	(void)state;
	assert_int_equal(run(limited), -1);
	assert_int_equal(recover_ring(find_ring(), &report), RECOVER_DONE);
	assert_int_equal(report.rows, 40);
	recover_report_free(&report);
	assert_int_equal(read_rows("log", &rows, 300), 0);
	assert_int_equal(rows.count, 100);
	assert_int_equal(wrong_counts(&rows, 0, 100), 0);
	free(rows.seen);
}

static void short_run(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 20; i++)
		launch(1, i, FAKE_DONE);
	usleep(60000);
	for (uint64_t i = 20; i < 40; i++)
		launch(1, i, FAKE_DONE);
	kill(getpid(), SIGKILL);
}

static void at_once(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 20; i++)
		launch(1, i, FAKE_DONE);
	kill(getpid(), SIGKILL);
}

static void whole_run(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 500; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

/* The next run's log is not cut to the killed one's size and gets none of its rows. */
static void another_run_is_left_alone(void (*killed)(void))
{
	assert_int_equal(run(killed), -1);
	assert_int_equal(run(whole_run), 0);
	assert_true(log_is_left_alone());
}

static void test_log_of_another_run(void **state)
{
	(void)state;
	another_run_is_left_alone(short_run);
	clean_up();
	another_run_is_left_alone(at_once);
}

static void test_no_ring_files(void **state)
{
	static char page[8192] = "CPSPOOL";
	FILE *stream;

	(void)state;
	assert_int_equal(recover("missing"), RECOVER_FAILED);
	mkdir("folder", 0777);
	assert_int_equal(recover("folder"), RECOVER_FAILED);
	mkfifo("fifo", 0666);
	assert_int_equal(recover("fifo"), RECOVER_FOREIGN);
	stream = fopen("short", "w");
	fputs("CPSPOOL", stream);
	fclose(stream);
	assert_int_equal(recover("short"), RECOVER_FOREIGN);
	stream = fopen("zeros", "w");
	fwrite(page, 1, sizeof(page), stream);
	fclose(stream);
	assert_int_equal(recover("zeros"), RECOVER_FOREIGN);
	assert_int_equal(symlink("zeros", "link"), 0);
	assert_int_equal(recover("link"), RECOVER_FAILED);
	assert_int_equal(access("zeros", F_OK), 0);
}

/* A truncated ring file of the process in its name. */
static enum recover_result recover_beginning(pid_t pid, const char *bytes, size_t size)
{
	char name[64];
	FILE *stream;

	snprintf(name, sizeof(name), "computeprof-%d.ring", (int)pid);
	stream = fopen(name, "w");
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	fclose(stream);
	return recover(name);
}

/* Killed before the first page was complete. */
static void test_incomplete_first_page(void **state)
{
	static char page[RINGFILE_PAGE], text[RINGFILE_PAGE];
	char name[64];
	pid_t dead = fork();

	(void)state;
	if (!dead)
		_exit(0);
	waitpid(dead, NULL, 0);
	snprintf(name, sizeof(name), "computeprof-%d.ring", (int)dead);
	memcpy(page + offsetof(struct ringfile_header, pid), &dead, sizeof(dead));
	memset(text, 'a', sizeof(text));
	assert_int_equal(recover_beginning(dead, "", 0), RECOVER_DONE);
	assert_int_equal(access(name, F_OK), -1);
	assert_int_equal(recover_beginning(dead, page, sizeof(page)), RECOVER_DONE);
	assert_int_equal(access(name, F_OK), -1);
	/* Files of others are not removed. */
	assert_int_equal(recover_beginning(dead, page, 100), RECOVER_FOREIGN);
	assert_int_equal(recover_beginning(dead, text, sizeof(text)), RECOVER_FOREIGN);
	assert_int_equal(access(name, F_OK), 0);
	assert_int_equal(recover_beginning(getpid(), "", 0), RECOVER_FOREIGN);
	snprintf(name, sizeof(name), "computeprof-%d.ring", (int)getpid());
	assert_int_equal(access(name, F_OK), 0);
}

static void recover_noise(void)
{
	struct stat status;

	if (!stat("noise", &status) && status.st_size > RINGFILE_PAGE)
		prove("noise");
	recover("noise");
	_exit(0);
}

/* With arbitrary damage: no crash and no endless loop. Texts are unchanged, so that no file name
 * leads outside. */
static void test_noise(void **state)
{
	size_t size = 0;
	char *whole;

	(void)state;
	assert_int_equal(run(short_run), -1);
	whole = read_file(find_ring(), &size);
	assert_in_range(size, 4800, SIZE_MAX);
	for (int i = 0; i < 150; i++) {
		char *bytes = malloc(size);
		FILE *stream = fopen("noise", "w");
		size_t cut = i % 3 ? size : (size_t)random() % size;

		memcpy(bytes, whole, size);
		for (int hit = 0; hit < 1 << i % 12; hit++) {
			char *at = bytes + (size_t)random() % (hit % 2 ? size : 4800);

			if (*at < ' ' && (size_t)(at - bytes) > sizeof(struct ringfile_header))
				*at = (char)(random() % 3 ? random() % ' ' : -(random() % 128));
		}
		fwrite(bytes, 1, cut, stream);
		fclose(stream);
		free(bytes);
		assert_int_equal(run(recover_noise), 0);
		assert_int_equal(system("rm -f log*"), 0);
	}
	free(whole);
}

/* The process could not remove it. */
static void test_finished(void **state)
{
	struct recover_report report = {0};
	uint32_t finished = 1;
	char ring[256];
	int fd;

	(void)state;
	assert_int_equal(run(at_once), -1);
	strcpy(ring, find_ring());
	fd = open(ring, O_WRONLY);
	assert_int_equal(
		pwrite(fd, &finished, sizeof(finished), offsetof(struct ringfile_header, finished)),
		sizeof(finished));
	close(fd);
	assert_int_equal(recover_ring(ring, &report), RECOVER_DONE);
	assert_true(report.finished);
	assert_int_equal(report.rows, 0);
	assert_int_equal(access(ring, F_OK), -1);
	recover_report_free(&report);
}

static bool kill_it;

/* Its log is a link and is not written; its trace is complete. */
static void no_log(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	if (symlink("nowhere", "log"))
		_exit(1);
	start(settings);
	for (uint64_t i = 0; i < 20; i++)
		launch(1, i, FAKE_DONE);
	usleep(2000); /* later records are not written yet */
	session_write_ended(NULL, NULL);
	if (kill_it)
		kill(getpid(), SIGKILL);
	session_stop();
	session_end();
}

static struct losses {
	uint64_t lost, events, gaps;
	enum trace_cut cut;
} losses; /* of the trace that was read last */

static uint64_t lost_in_trace(uint64_t *records)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open("trace", &error);
	const struct frame *frame;
	uint64_t lost;

	*records = 0;
	assert_non_null(reader);
	while (trace_next_frame(reader, &frame, &error) == 1)
		++*records;
	lost = trace_dropped(reader);
	losses = (struct losses){trace_lost(reader), trace_lost_events(reader), trace_gaps(reader),
				 trace_cut(reader)};
	trace_close(reader);
	strbuf_free(&error);
	return lost;
}

/* Records that only the log lacks are in the trace, and not lost for it. */
static void test_lost_by_a_log_only(void **state)
{
	struct recover_report report = {0};
	uint64_t records;

	(void)state;
	kill_it = true;
	assert_int_equal(run(no_log), -1);
	assert_int_equal(recover_ring(find_ring(), &report), RECOVER_DONE);
	assert_int_equal(report.lost, 20);
	recover_report_free(&report);
	assert_int_equal(lost_in_trace(&records), 0);
	assert_int_equal(records, 20);
	clean_up();
	kill_it = false;
	assert_int_equal(run(no_log), 0);
	assert_int_equal(lost_in_trace(&records), 0);
	assert_int_equal(records, 20);
}

static bool lose_early;

/* Its trace lacks five events and says so before an exec, which fails. It is killed after three
 * records were lost, before the exec or later. */
static void with_losses(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	start(settings);
	for (uint64_t i = 0; i < 20; i++)
		launch(1, i, FAKE_DONE);
	session_lost_events(5);
	session_gap();
	if (lose_early)
		session_lost(3);
	session_exec();
	session_exec_failed();
	if (!lose_early)
		session_lost(3);
	kill(getpid(), SIGKILL);
}

static void tear_trace(void)
{
	FILE *stream = fopen("trace", "a");

	assert_non_null(stream);
	fwrite("\250\0\0\0\7\0\0\0\0\0\0\0", 1, 12, stream);
	fclose(stream);
}

/* Removes the END frame and the last records. */
static void cut_trace(uint64_t records)
{
	struct stat status;

	assert_int_equal(stat("trace", &status), 0);
	assert_int_equal(truncate("trace", status.st_size - (off_t)sizeof(struct end_frame) -
						   (off_t)(records * sizeof(struct record))),
			 0);
}

/* Recovery adds the losses that are not in the trace yet, also after a frame that was cut off, and
 * those of records that the log has and the trace has no more. */
static void test_losses_of_a_killed_program(void **state)
{
	uint64_t records;

	(void)state;
	for (int turn = 0; turn < 6; turn++) {
		uint64_t gone = turn / 2 == 2 ? 2 : 0;

		lose_early = turn % 2;
		assert_int_equal(run(with_losses), -1);
		assert_int_equal(lost_in_trace(&records), lose_early ? 3 : 0);
		assert_int_equal(losses.events, 5);
		if (turn / 2 == 1)
			tear_trace();
		if (gone)
			cut_trace(gone);
		assert_int_equal(recover(find_ring()), RECOVER_DONE);
		assert_int_equal(lost_in_trace(&records), 3 + gone);
		assert_int_equal(records, 20 - gone);
		assert_int_equal(losses.lost, 8 + gone);
		assert_int_equal(losses.events, 5);
		assert_int_equal(losses.gaps, 1);
		assert_int_equal(losses.cut, TRACE_WHOLE);
		clean_up();
	}
}

/* Lets the writer write all rows, then is killed with one record in its ring file. */
static void end_with_rows(void)
{
	usleep(2000); /* later records are not written yet */
	session_write_ended(NULL, NULL);
	launch(1, 20, FAKE_DONE);
	kill(getpid(), SIGKILL);
}

/* Only one of two APIs has a trace. */
static void half_traced(void)
{
	struct settings *settings = new_settings(API_CUDA, "traced");

	settings->trace = strdup("trace");
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 20; i++)
		launch(1, i, FAKE_DONE);
	launch_others(settings, 10);
	end_with_rows();
}

/* The trace begins after 19 rows. */
static void traced_from_range(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	settings->totals = settings->trace_from_ranges = true;
	start(settings);
	for (uint64_t i = 0; i < 19; i++)
		launch(1, i, FAKE_DONE);
	usleep(2000);
	session_write_ended(NULL, NULL);
	start_range();
	launch(1, 19, FAKE_DONE);
	end_with_rows();
}

/* Rows of a log that were never to be in the trace are not lost for it. */
static void test_rows_without_trace(void **state)
{
	uint64_t records;

	(void)state;
	assert_int_equal(run(half_traced), -1);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_int_equal(lost_in_trace(&records), 0);
	assert_int_equal(records, 10);
	clean_up();
	assert_int_equal(run(traced_from_range), -1);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_int_equal(lost_in_trace(&records), 0);
	assert_int_equal(records, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_later_back_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_timeout, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_log_of_another_run, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_ring_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_incomplete_first_page, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_finished, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lost_by_a_log_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_losses_of_a_killed_program, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rows_without_trace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_noise, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
