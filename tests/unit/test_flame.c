/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "folder.h"
#include "model/frames.h"
#include "output/trace.h"
#include "random.h"
#include "stackframes.h"
#include "view/stacks/flame.h"
#include "view/view.h"

enum { DEEP = 100000, DEEPEST = 1024, LINE = 1 << 16, DAMAGES = 400, RECORDS = 500 };

static const char *const names[] = {
	"run.folded",
	"run.svg",
	"run.speedscope.json",
#if WITH_ZLIB
	"run.pb.gz",
#endif
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

static struct strbuf trace;
static uint64_t total; /* ns of the records */

static void begin(void)
{
	struct names *texts = names_new();

	trace.length = 0;
	total = 0;
	trace_put_header(&trace);
	frames_put_process(&trace, &(struct process){.pid = 5, .started = 6});
	frames_put_name(&trace, texts, names_intern(texts, "kernel", 6));
	frames_put_name(&trace, texts, names_intern(texts, "function", 8));
	frames_put_device(&trace, &(struct device){.name = "device"});
	frames_put_context(&trace, &(struct context){.index = 0});
	names_free(texts);
}

static void put_record(uint32_t stack, uint64_t time)
{
	const struct record record = {
		.frame = {.size = sizeof(record), .kind = FRAME_KERNEL, .stack = stack},
		.started = 1000,
		.queued = 1000,
		.submitted = 1000,
		.ended = 1000 + time,
		.name = 1,
		.known = KNOWN_TIMES,
	};

	trace_put_record(&trace, &record);
	total += time;
}

static void write_trace(void)
{
	FILE *file = fopen("run.cptrace", "w");

	assert_non_null(file);
	assert_int_equal(fwrite(trace.data, trace.length, 1, file), 1);
	assert_int_equal(fclose(file), 0);
}

/* Returns view_write's result, or -1 if the trace is refused. */
static int make(const char *name, struct strbuf *error)
{
	struct stream *stream = stream_open("run.cptrace", error);
	int result = -1;

	if (stream)
		result = view_write(view_find(name), name, stream, error);
	stream_close(stream);
	return result;
}

static void make_all(void)
{
	for (size_t i = 0; i < NAMES; i++) {
		struct strbuf error = STRBUF_INIT;

		assert_int_equal(make(names[i], &error), 0);
		assert_int_equal(error.length, 0);
	}
}

/* Calls `take` with each line of the folded stacks, without its number, and that. */
static void read_folded(void (*take)(const char *stack, uint64_t number))
{
	FILE *file = fopen("run.folded", "r");
	static char line[LINE];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char *blank = strrchr(line, ' ');

		assert_non_null(blank);
		*blank = '\0';
		take(line, strtoull(blank + 1, NULL, 10));
	}
	fclose(file);
}

static uint64_t lines, deepest, truncated, sum;

static void measure(const char *stack, uint64_t number)
{
	uint64_t depth = 1;

	for (const char *at = stack; *at; at++)
		depth += *at == ';';
	deepest = depth > deepest ? depth : deepest;
	truncated += strstr(stack, ";[truncated];") != NULL;
	sum += number;
	lines++;
}

static void measure_all(void)
{
	lines = deepest = truncated = sum = 0;
	read_folded(measure);
}

/* A stack of any depth: its innermost frames are cut off. */
static void test_deep(void **state)
{
	(void)state;
	begin();
	for (uint32_t id = 1; id <= DEEP; id++) {
		put_node(&trace, &(struct stack_frame){.id = id, .parent = id - 1, .name = 2,
						       .offset = id});
		if (id % 500 == 0)
			put_record(id, 2000);
	}
	trace_finish(&trace);
	write_trace();
	make_all();
	measure_all();
	assert_int_equal(deepest, DEEPEST + 2);
	assert_int_equal(truncated, 1);
	assert_int_equal(lines, 3); /* depths 500 and 1000, and all others */
	assert_int_equal(sum, total / 1000);
}

/* Whole microseconds add up to the whole time, however the time is spread. */
static void test_sums(void **state)
{
	(void)state;
	for (int round = 0; round < 20; round++) {
		begin();
		for (uint32_t id = 1; id <= RECORDS; id++)
			put_node(&trace, &(struct stack_frame){.id = id, .parent = id / 2,
							       .name = 2, .offset = id});
		for (uint32_t i = 0; i < RECORDS; i++)
			put_record(next_random() % (RECORDS + 1), next_random() % 3000);
		trace_finish(&trace);
		write_trace();
		make_all();
		measure_all();
		assert_int_equal(sum, (total + 500) / 1000);
	}
}

/* Stacks with equal names are one stack, whatever else differs. */
static void test_merged(void **state)
{
	(void)state;
	begin();
	put_module(&trace, 1, "/nowhere/liba.so", "", 0);
	put_module(&trace, 2, "/elsewhere/liba.so", "", 0);
	put_node(&trace, &(struct stack_frame){.id = 1, .module = 1, .offset = 5});
	put_node(&trace, &(struct stack_frame){.id = 2, .module = 2, .offset = 6});
	put_node(&trace, &(struct stack_frame){.id = 3, .module = 2, .parent = 1, .offset = 7});
	for (uint32_t id = 1; id <= 3; id++)
		put_record(id, 1000);
	trace_finish(&trace);
	write_trace();
	make_all();
	measure_all();
	assert_int_equal(lines, 1);
	assert_int_equal(sum, 3);
}

static char messages[1024];

static void make_folded(void)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open("run.cptrace", &error);

	assert_non_null(stream);
	assert_int_equal(view_write(view_find(names[0]), names[0], stream, &error), 0);
	snprintf(messages, sizeof(messages), "%s", stream_messages(stream));
	stream_close(stream);
}

static void take_wait(const char *stack, uint64_t number)
{
	sum += strstr(stack, "[CPU_wait]") ? number : 0;
	lines += strstr(stack, "[CPU_wait]kernel") != NULL;
}

/* If there are too many waits, their time is counted without names, and a message has their
 * number. */
static void test_many_waits(void **state)
{
	const struct wait wait = {
		.frame = {.kind = FRAME_WAIT},
		.enter = 100,
		.leave = 7000100,
		.device = UINT32_MAX,
		.context = UINT32_MAX,
		.stream = UINT32_MAX,
		.kind = WAIT_FOR_CONTEXT,
	};

	(void)state;
	begin();
	for (int i = 0; i < 5; i++) {
		put_record(0, 1000);
		trace_put_event(&trace, &wait.frame);
	}
	trace_finish(&trace);
	write_trace();
	for (flame_options.waits = 2; flame_options.waits <= 5; flame_options.waits += 3) {
		bool all = flame_options.waits == 5;

		sum = lines = 0;
		make_folded();
		read_folded(take_wait);
		assert_int_equal(sum, 5 * 7000);
		assert_int_equal(lines, 1);
		assert_non_null(strstr(messages, "Waits: 5"));
		assert_true(all == !strstr(messages, "5: of its waits for the GPU, 3 are "));
		assert_true(all == !strstr(messages, "2 kernels and copies only; 3 more "));
	}
	flame_options.waits = 0;
}

/* A damaged trace gives a file of what is before the damage, or a message. */
static void test_damaged(void **state)
{
	struct strbuf whole = STRBUF_INIT;
	size_t start;

	(void)state;
	begin();
	start = trace.length;
	put_module(&trace, 1, "/bin/sh", "\1\2\3\4", 4);
	for (uint32_t id = 1; id <= 30; id++) {
		put_node(&trace, &(struct stack_frame){.id = id, .parent = id - 1, .offset = id,
						       .module = id % 2});
		put_record(id, 1000 * id);
	}
	trace_finish(&trace);
	strbuf_append(&whole, trace.data, trace.length);
	for (int i = 0; i < DAMAGES; i++) {
		struct strbuf error = STRBUF_INIT;
		const char *name = names[i % NAMES];
		int result;

		trace.length = 0;
		strbuf_append(&trace, whole.data, whole.length);
		for (uint32_t j = 0; j <= next_random() % 3; j++)
			trace.data[start + next_random() % (trace.length - start)] =
				(char)next_random();
		write_trace();
		unlink(name);
		result = make(name, &error);
		assert_true((result != 0) == (error.length > 0));
		assert_true((result < 0) == (access(name, F_OK) != 0));
		strbuf_free(&error);
	}
	strbuf_free(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_deep, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sums, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_merged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_waits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
	};
	int result = cmocka_run_group_tests(tests, NULL, NULL);

	strbuf_free(&trace);
	return result;
}
