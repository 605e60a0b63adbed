/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/command.h"
#include "cli/lines.h"
#include "model/frames.h"
#include "output/trace.h"

#include "random.h"

/* computeprof print, for truncated and for arbitrary files. */
enum { RECORDS = 6 };

static char directory[] = "/tmp/test_print.XXXXXX";

struct trace_sample {
	struct strbuf bytes;
	size_t ends[RECORDS]; /* of each record */
};

static void put_catalog(struct strbuf *to, const struct names *names)
{
	static const struct process process = {.pid = 1, .started = 1000};
	static const struct device device = {.api = API_OPENCL, .name = "A device"};
	static const struct context context = {.api = API_OPENCL};

	frames_put_process(to, &process);
	/* a device's name is a name, too, and must be before the device */
	frames_put_name(to, names, 1);
	frames_put_name(to, names, 2);
	frames_put_device(to, &device);
	frames_put_context(to, &context);
}

static void make_trace(struct trace_sample *sample)
{
	struct names *names = names_new();

	*sample = (struct trace_sample){0};
	names_intern(names, "A device", 8);
	names_intern(names, "kernel", 6);
	trace_put_header(&sample->bytes);
	put_catalog(&sample->bytes, names);
	for (int i = 0; i < RECORDS; i++) {
		struct record record = {
			.frame = {.size = sizeof(record), .kind = FRAME_KERNEL},
			.enter = 2000 + i * 1000,
			.leave = 2500 + i * 1000,
			.name = 2,
		};

		trace_put_record(&sample->bytes, &record);
		sample->ends[i] = sample->bytes.length;
	}
	trace_finish(&sample->bytes);
	names_free(names);
}

/* Prints the bytes with these options; the output is in `text`. Returns the exit code. */
static int print_bytes(const void *bytes, size_t size, struct flags *flags, struct strbuf *text)
{
	char from[] = "file", *arguments[] = {from, NULL};
	FILE *file = fopen(from, "w");
	int code;

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
	flags->command = COMMAND_PRINT;
	flags->arguments = arguments;
	flags->argument_count = 1;
	flags->value[FLAG_OUTPUT] = "out.log";
	unlink("out.log");
	text->length = 0;
	code = print_command(flags);
	lines_read_file(text, "out.log");
	return code;
}

static unsigned count(struct strbuf *text, const char *what)
{
	const char *at = strbuf_text(text);
	unsigned found = 0;

	while ((at = strstr(at, what))) {
		at += strlen(what);
		found++;
	}
	return found;
}

static void test_cut_trace(void **state)
{
	struct trace_sample sample;
	struct strbuf text = STRBUF_INIT;
	unsigned whole = 0;

	(void)state;
	make_trace(&sample);
	for (size_t size = 0; size <= sample.bytes.length; size++) {
		struct flags flags = {0};
		int code = print_bytes(sample.bytes.data, size, &flags, &text);

		if (whole < RECORDS && size == sample.ends[whole])
			whole++;
		assert_int_equal(count(&text, "method=[ kernel ]"), whole);
		if (whole)
			assert_int_equal(code, EXIT_DONE);
		if (size < sizeof(struct trace_header))
			assert_int_equal(code, EXIT_PROBLEM);
	}
	assert_int_equal(whole, RECORDS);
	strbuf_free(&text);
	strbuf_free(&sample.bytes);
}

/* Everything before the damage is printed, and the exit code reports it. */
static void test_damaged_trace(void **state)
{
	struct trace_sample sample;
	struct strbuf text = STRBUF_INIT;
	struct flags flags = {0};

	(void)state;
	make_trace(&sample);
	((struct frame *)(void *)(sample.bytes.data + sample.ends[2]))->size = 12;
	assert_int_equal(print_bytes(sample.bytes.data, sample.bytes.length, &flags, &text),
			 EXIT_PROBLEM);
	assert_int_equal(count(&text, "method=[ kernel ]"), 3);
	((struct trace_header *)(void *)sample.bytes.data)->version++;
	assert_int_equal(print_bytes(sample.bytes.data, sample.bytes.length, &flags, &text),
			 EXIT_PROBLEM);
	assert_int_equal(text.length, 0);
	strbuf_free(&text);
	strbuf_free(&sample.bytes);
}

static void test_any_trace(void **state)
{
	struct trace_sample sample;
	struct strbuf text = STRBUF_INIT, bytes = STRBUF_INIT;

	(void)state;
	make_trace(&sample);
	for (int i = 0; i < 3000; i++) {
		struct flags flags = {.value[FLAG_DIALECT] = i & 1 ? "cuda4" : NULL,
				      .value[FLAG_CSV] = i & 2 ? "" : NULL};

		bytes.length = 0;
		strbuf_append(&bytes, sample.bytes.data, sample.bytes.length);
		for (unsigned j = 1 + next_random() % 3; j; j--)
			bytes.data[sizeof(struct trace_header) +
				   next_random() % (bytes.length - sizeof(struct trace_header))] =
				(char)next_random();
		assert_in_range(print_bytes(bytes.data, bytes.length, &flags, &text), EXIT_DONE,
				EXIT_PROBLEM);
		unlink("out.0.log");
	}
	strbuf_free(&bytes);
	strbuf_free(&text);
	strbuf_free(&sample.bytes);
}

static void assert_printed(const char *log, enum flag_id option, const char *argument,
			   const char *expected)
{
	struct strbuf text = STRBUF_INIT;
	struct flags flags = {0};

	flags.value[option] = argument;
	assert_int_equal(print_bytes(log, strlen(log), &flags, &text), EXIT_DONE);
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_free(&text);
}

#define HEAD	 "# OPENCL_PROFILE_LOG_VERSION 2.0\n"
#define CSV_HEAD HEAD "# OPENCL_PROFILE_CSV 1\n"

static void test_logs(void **state)
{
	(void)state;
	assert_printed(HEAD "method,gputime,ndrangesizeX,ndrangesizeY\n"
			    "method=[ k ] gputime=[ 1.5 ] NDRangesize=[ 5, 6 ] \n",
		       FLAG_CSV, "",
		       CSV_HEAD "method,gputime,ndrangesizeX,ndrangesizeY\nk,1.5,5,6\n");
	/* values that are missing */
	assert_printed(CSV_HEAD "method,gputime,cputime\nk,,3\nl\n", FLAG_KEYVAL, "",
		       HEAD "method,gputime,cputime\nmethod=[ k ] cputime=[ 3 ] \nmethod=[ l ] \n");
	/* characters that one format permits must not end a value in the other one */
	assert_printed(HEAD "method,gputime\nmethod=[ f(int,int) ] gputime=[ 1 ] \n", FLAG_CSV, "",
		       CSV_HEAD "method,gputime\nf(int\\x2cint),1\n");
	assert_printed(CSV_HEAD "method,gputime\nk ] gputime=[ 9 ],1\n", FLAG_KEYVAL, "",
		       HEAD
		       "method,gputime\n"
		       "method=[ k\\x20\\x5d\\x20gputime=[\\x209\\x20\\x5d ] gputime=[ 1 ] \n");
	assert_printed(HEAD "method,gputime\nmethod=[ #k ] gputime=[ 1 ] \n", FLAG_CSV, "",
		       CSV_HEAD "method,gputime\n\\x23k,1\n");
	assert_printed(HEAD "method,gputime\nmethod=[ NV_Error ] gputime=[ 1 ] \n"
			    "method=[ NV_Warning: w ] gputime=[ 2 ] \n",
		       FLAG_CSV, "",
		       CSV_HEAD "method,gputime\n\\x4eV_Error,1\n\\x4eV_Warning: w,2\n");
	assert_printed(HEAD "method,gputime\nmethod=[ NBody ] gputime=[ 1 ] \n", FLAG_CSV, "",
		       CSV_HEAD "method,gputime\nNBody,1\n");
}

static void test_dialects(void **state)
{
	(void)state;
	assert_printed("# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE_NAME 0 A B\n"
		       "method,gridsizeX,gridsizeY,memtransferdir\n"
		       "method=[ memcopy ] memtransferdir=[ 1 ] \nmethod=[ memcopy ] \n"
		       "method=[ k ] gridSize=[ 1, 2 ] \n",
		       FLAG_DIALECT, "cuda4",
		       "# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE 0 A B\n# CUDA_CONTEXT 1\n"
		       "method,gridsizeX,gridsizeY,memtransferdir\n"
		       "method=[ memcpyDtoH ] memtransferdir=[ 1 ] \nmethod=[ memcopy ] \n"
		       "method=[ k ] gridsize=[ 1, 2 ] \n");
	assert_printed("# OPENCL_PROFILE_LOG_VERSION 2.0\n# OPENCL_CONTEXT 3\nmethod\n"
		       "method=[ memcpyHtoDasync ] \nmethod=[ memsetasync ] \n"
		       "method=[ memcpyXtoD ] \nmethod=[ memcpyHtoDasyn_ ] \n",
		       FLAG_DIALECT, "classic",
		       "# OPENCL_PROFILE_LOG_VERSION 2.0\nmethod\nmethod=[ memcopy ] \n"
		       "method=[ memset ] \nmethod=[ memcpyXtoD ] \nmethod=[ memcpyHtoDasyn_ ] \n");
}

static void test_cut_logs(void **state)
{
	static const char log[] =
		"NV_Warning: w\n# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE 0 A\n# CUDA_CONTEXT "
		"1\n"
		"# TIMESTAMPFACTOR ff\nmethod,gputime,gridsizeX,gridsizeY,memtransferdir\n"
		"method=[ k ] gputime=[ 1 ] gridsize=[ 1, 2 ] \n"
		"method=[ memcpyHtoD ] gputime=[ 1 ] memtransferdir=[ 0 ] \n";
	struct strbuf text = STRBUF_INIT;

	(void)state;
	for (size_t size = 0; size < sizeof(log); size++) {
		struct flags flags = {.value[FLAG_CSV] = size & 1 ? "" : NULL,
				      .value[FLAG_DIALECT] = size & 2 ? "classic" : NULL};
		int code = print_bytes(log, size, &flags, &text);

		assert_in_range(code, EXIT_DONE, EXIT_PROBLEM);
		assert_true(text.length <= sizeof(log) + 40);
	}
	strbuf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_trace), cmocka_unit_test(test_damaged_trace),
		cmocka_unit_test(test_any_trace), cmocka_unit_test(test_logs),
		cmocka_unit_test(test_dialects),  cmocka_unit_test(test_cut_logs),
	};
	int result;

	if (!mkdtemp(directory) || chdir(directory))
		return 99;
	if (!freopen("/dev/null", "w", stderr)) /* a message for every file */
		return 99;
	result = cmocka_run_group_tests(tests, NULL, NULL);
	unlink("file");
	unlink("out.log");
	rmdir(directory);
	return result;
}
