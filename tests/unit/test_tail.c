/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/tail/tail_file.h"
#include "cli/tail/tail_process.h"
#include "cli/tail/tail_table.h"
#include "model/frames.h"
#include "output/unescape.h"
#include "session/ringfile.h"

#include "random.h"

/* The parts of computeprof tail: columns, whole lines, and logs in ring files. */

static char directory[] = "/tmp/test_tail.XXXXXX";

/* --- columns */

static const char head[] = "# CUDA_PROFILE_LOG_VERSION 2.0\n"
			   "timestamp,method,gputime,gridsizeX,gridsizeY,streamid\n"
			   "method=[ x ]\n";

static void begin(struct tail_table *table, struct logreader *reader, const char *text)
{
	*table = (struct tail_table){0};
	assert_int_equal(logreader_open(reader, text, strlen(text)), 0);
	tail_table_begin(table, reader);
}

static void add(struct tail_table *table, struct logreader *reader, const char *row)
{
	struct strbuf method = STRBUF_INIT;
	struct log_text value = {"", 0};

	logreader_continue(reader, row, strlen(row));
	assert_int_equal(logreader_next(reader), 1);
	logreader_value(reader, "method", &value);
	unescape_name(value, &method);
	tail_table_row(table, reader, &method);
	strbuf_free(&method);
}

static void expect(struct tail_table *table, const struct tail_form *form, const char *wanted)
{
	static const struct tail_form plain = {.styles = false};
	struct strbuf text = STRBUF_INIT;

	tail_table_put(table, &text, form ? form : &plain);
	assert_string_equal(strbuf_text(&text), wanted);
	assert_false(table->failed);
	strbuf_free(&text);
}

static void end(struct tail_table *table, struct logreader *reader)
{
	tail_table_free(table);
	logreader_close(reader);
}

static void test_columns(void **state)
{
	struct tail_table table;
	struct logreader reader;

	(void)state;
	begin(&table, &reader, head);
	expect(&table, NULL, "");
	add(&table, &reader, "timestamp=[ 1.0 ] method=[ memcopy ] gputime=[ 2.0 ] streamid=[ 1 ]");
	tail_table_aside(&table, "# \033[1m", 6);
	add(&table, &reader, "timestamp=[ 12345678.0 ] method=[ a\\x20b ] gridsize=[ 7, 8 ]");
	expect(&table, NULL,
	       " timestamp  gputime  gridSize  streamid  method\n"
	       "       1.0      2.0         -         1  memcopy\n"
	       "# \\x1b[1m\n"
	       "12345678.0        -      7, 8         -  a b\n");
	/* Widths stay, and there is no second heading. */
	add(&table, &reader, "gridSize=[ 70000, 80000 ] method=[ c ]");
	expect(&table, NULL, "         -        -  70000, 80000         -  c\n");
	/* A new column is the last one before the method, below a new heading. */
	add(&table, &reader, "method=[ d ] new=[ text ]");
	expect(&table, NULL,
	       " timestamp  gputime      gridSize  streamid   new  method\n"
	       "         -        -             -         -  text  d\n");
	/* The first of two values counts. */
	add(&table, &reader, "method=[ e ] gputime=[ 1.0 ] gputime=[ 2.0 ] method=[ f ]");
	expect(&table, NULL, "         -      1.0             -         -     -  e\n");
	end(&table, &reader);
}

static void test_csv_columns(void **state)
{
	struct tail_table table;
	struct logreader reader;

	(void)state;
	begin(&table, &reader,
	      "# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_PROFILE_CSV 1\n"
	      "method,gputime,gridsizeX,gridsizeY\nx,1\n");
	add(&table, &reader, "\xc3\xa4,1.5,,22");
	add(&table, &reader, "b,10.5");
	expect(&table, NULL,
	       "gputime  gridsizeX  gridsizeY  method\n"
	       "    1.5          -         22  \xc3\xa4\n"
	       "   10.5          -          -  b\n");
	end(&table, &reader);
}

static void test_form(void **state)
{
	static const struct tail_form form = {.styles = true, .width = 40};
	struct tail_table table;
	struct logreader reader;

	(void)state;
	begin(&table, &reader, "method=[ x ]\n");
	add(&table, &reader, "gputime=[ 1.0 ] method=[ 0123456789012345678901234567890123456789 ]");
	tail_table_aside(&table, "# x", 3);
	expect(&table, &form,
	       "\033[1mgputime  method\033[0m\n"
	       "    1.0  \033[1m01234567890123...67890123456789\033[0m\n"
	       "\033[2m# x\033[0m\n");
	end(&table, &reader);
}

/* --- whole lines */

static const char *in_directory(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void put(const char *path, const char *mode, const char *bytes)
{
	FILE *file = fopen(path, mode);

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, strlen(bytes), file), strlen(bytes));
	assert_int_equal(fclose(file), 0);
}

static void expect_lines(struct tail_file *file, const char *wanted)
{
	const char *lines;
	ssize_t size = tail_file_lines(file, &lines);

	assert_int_equal(size, strlen(wanted));
	if (size)
		assert_memory_equal(lines, wanted, strlen(wanted));
}

static void test_lines(void **state)
{
	const char *path = in_directory("lines"), *reason;
	struct tail_file file;

	(void)state;
	tail_file_init(&file, path);
	assert_int_equal(tail_file_check(&file), TAIL_ABSENT);
	put(path, "w", "one\ntwo\nthr");
	assert_int_equal(tail_file_check(&file), TAIL_OTHER);
	assert_int_equal(tail_file_open(&file, &reason), 0);
	expect_lines(&file, "one\ntwo\n");
	expect_lines(&file, "");
	assert_int_equal(tail_file_check(&file), TAIL_SAME);
	put(path, "a", "ee\n");
	expect_lines(&file, "three\n");
	/* An incomplete line is cut off, as recovery does. */
	put(path, "a", "fou");
	expect_lines(&file, "");
	assert_int_equal(truncate(path, 14), 0);
	assert_int_equal(tail_file_check(&file), TAIL_SAME);
	put(path, "a", "four\n");
	expect_lines(&file, "four\n");
	/* Written again: shorter, and longer with other bytes. */
	put(path, "w", "new\n");
	assert_int_equal(tail_file_check(&file), TAIL_REWRITTEN);
	expect_lines(&file, "");
	put(path, "w", "new lines that are longer\nthan before\n");
	assert_int_equal(tail_file_check(&file), TAIL_REWRITTEN);
	expect_lines(&file, "");
	assert_int_equal(tail_file_open(&file, &reason), 0);
	expect_lines(&file, "new lines that are longer\nthan before\n");
	/* Another file. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(tail_file_check(&file), TAIL_SAME);
	put(in_directory("keeps_the_inode"), "w", "");
	put(in_directory("lines"), "w", "other\n");
	assert_int_equal(tail_file_check(&file), TAIL_OTHER);
	tail_file_close(&file);
}

static void test_long_lines(void **state)
{
	const char *path = in_directory("long"), *reason, *lines;
	FILE *file = fopen(path, "w");
	struct tail_file tail;

	(void)state;
	assert_non_null(file);
	for (int i = 0; i < 3 * TAIL_FILE_BLOCK; i++)
		fputc('x', file);
	fputs("\nshort\n", file);
	for (int i = 0; i <= TAIL_FILE_LINE; i++)
		fputc('y', file);
	assert_int_equal(fclose(file), 0);
	tail_file_init(&tail, path);
	assert_int_equal(tail_file_open(&tail, &reason), 0);
	assert_int_equal(tail_file_lines(&tail, &lines), 3 * TAIL_FILE_BLOCK + 7);
	assert_memory_equal(lines + 3 * TAIL_FILE_BLOCK, "\nshort\n", 7);
	assert_int_equal(tail_file_lines(&tail, &lines), -1);
	tail_file_close(&tail);
}

/* --- ring files */

enum { SEGMENT_SIZE = 2 * RINGFILE_PAGE };

static void put_at(FILE *file, uint64_t at, const void *bytes, size_t size)
{
	assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fflush(file), 0);
}

static FILE *make_ring(const char *path)
{
	FILE *file = fopen(path, "w+");
	struct ringfile_header header = {
		.magic = RINGFILE_MAGIC,
		.version = RINGFILE_VERSION,
		.byte_order = 0x01020304,
		.pid = (uint32_t)getpid(),
		.record_size = sizeof(struct record),
		.process_start = identity_process_start((uint32_t)getpid()),
		.owner = geteuid(),
	};
	struct stat status;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	header.file_device = status.st_dev;
	header.file_inode = status.st_ino;
	header.file_born = identity_file_created(fileno(file));
	boot_id_read(header.boot);
	put_at(file, 0, &header, sizeof(header));
	return file;
}

static void put_segment(FILE *file, unsigned number, enum segment_kind kind,
			const struct strbuf *frames)
{
	struct segment segment = {.magic = SEGMENT_MAGIC, .kind = kind, .size = SEGMENT_SIZE};
	uint64_t at = RINGFILE_PAGE + (uint64_t)number * SEGMENT_SIZE;

	if (frames)
		put_at(file, at + sizeof(segment), frames->data, frames->length);
	segment.used = frames ? frames->length : 0;
	put_at(file, at, &segment, sizeof(segment));
	put_at(file, at + SEGMENT_SIZE - 1, "", 1);
}

static void put_log(struct strbuf *frames, const char *path)
{
	static const struct layout layout = {.api = API_CUDA};
	static const struct device device = {.api = API_CUDA};
	static const struct context context = {.api = API_CUDA};

	frames_put_log(frames, &layout, &device, &context, NULL, path);
}

static void take(void *argument, const struct tail_ring *ring, const char *log)
{
	if (ring->file.header.pid == (uint32_t)getpid()) /* others may be profiled at this time */
		strbuf_printf(argument, "%s ", log);
}

static void expect_logs(struct tail_processes *processes, const char *wanted)
{
	struct strbuf logs = STRBUF_INIT;

	tail_processes_look(processes, take, &logs);
	assert_string_equal(strbuf_text(&logs), wanted);
	strbuf_free(&logs);
}

/* Others may be profiled at this time. */
static void forget_others(struct tail_processes *processes)
{
	for (size_t i = processes->count; i--;) {
		struct tail_ring *ring = &processes->rings[i];

		if (ring->file.header.pid == (uint32_t)getpid())
			continue;
		ringfile_live_close(&ring->file);
		free(ring->path);
		*ring = processes->rings[--processes->count];
	}
}

/* The ring file is in the working directory, where those of all processes are looked for. */
static void test_rings(void **state)
{
	struct tail_processes processes;
	struct strbuf frames = STRBUF_INIT, others = STRBUF_INIT;
	FILE *file;

	(void)state;
	assert_int_equal(chdir(directory), 0);
	assert_int_equal(tail_processes_init(&processes, 0), 0);
	file = fopen("computeprof-1.ring", "w");
	assert_non_null(file);
	fclose(file);
	file = make_ring("computeprof-2.ring");
	expect_logs(&processes, "");
	put_segment(file, 0, SEGMENT_RING, NULL);
	frames_put_trace(&frames, "/trace");
	put_log(&frames, "/one");
	put_segment(file, 1, SEGMENT_FRAMES, &frames);
	expect_logs(&processes, "/one ");
	expect_logs(&processes, "");
	/* One more in this segment, and one in the next, before the next look. */
	put_log(&frames, "/two");
	put_segment(file, 1, SEGMENT_FRAMES, &frames);
	put_segment(file, 2, SEGMENT_PENDING, NULL);
	put_log(&others, "/three");
	put_segment(file, 3, SEGMENT_FRAMES, &others);
	expect_logs(&processes, "/two /three ");
	put_log(&others, "/four");
	put_segment(file, 3, SEGMENT_FRAMES, &others);
	assert_int_equal(unlink("computeprof-2.ring"), 0);
	expect_logs(&processes, "/four ");
	assert_true(tail_processes_run(&processes));
	forget_others(&processes);
	assert_int_equal(processes.count, 1);
	assert_false(tail_processes_left(&processes));
	fclose(file);
	tail_processes_free(&processes);
	strbuf_free(&frames);
	strbuf_free(&others);
}

static void ignore(void *argument, const struct tail_ring *ring, const char *log)
{
	if (ring->file.header.pid == (uint32_t)getpid())
		*(size_t *)argument += strlen(log);
}

/* Any bytes behind the header: the look ends, and reads nothing outside. */
static void test_damaged_rings(void **state)
{
	struct tail_processes processes;
	struct strbuf frames = STRBUF_INIT;
	size_t length = 0;

	(void)state;
	put_log(&frames, "/one");
	put_log(&frames, "/two");
	for (int i = 0; i < 2000; i++) {
		FILE *file = make_ring("computeprof-3.ring");

		put_segment(file, 0, SEGMENT_FRAMES, &frames);
		for (int j = 0; j < 3; j++) {
			uint32_t at = next_random() % (sizeof(struct segment) + 200);
			uint32_t value = next_random();

			put_at(file, RINGFILE_PAGE + at, &value, 1 + value % 4);
		}
		assert_int_equal(tail_processes_init(&processes, 0), 0);
		tail_processes_look(&processes, ignore, &length);
		tail_processes_free(&processes);
		fclose(file);
		unlink("computeprof-3.ring");
	}
	assert_int_not_equal(length, 0);
	strbuf_free(&frames);
}

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	char command[300];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns),	      cmocka_unit_test(test_csv_columns),
		cmocka_unit_test(test_form),	      cmocka_unit_test(test_lines),
		cmocka_unit_test(test_long_lines),    cmocka_unit_test(test_rings),
		cmocka_unit_test(test_damaged_rings),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
