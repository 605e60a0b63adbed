/* SPDX-License-Identifier: MIT */
#ifndef TESTS_ADVICE_RUN_H
#define TESTS_ADVICE_RUN_H

#include "advise_script.h"
#include "folder.h"
#include "model/frames.h"
#include "output/trace.h"
#include "view/advise/advice.h"

/* The advice of a trace with the frames of the script. */
enum { START = 1000000 }; /* of the process */

/* Of the device's clock. */
#define SHIFT UINT64_C(5000000000)

#define US(time) (START + UINT64_C(1000) * (time))

static struct strbuf trace, error;
static struct stream *stream;
static struct advice advice;

static inline int set_up_script(void **state)
{
	script_begin();
	return set_up(state);
}

static inline int tear_down_advice(void **state)
{
	advice_free(&advice);
	stream_close(stream);
	stream = NULL;
	strbuf_free(&error);
	return tear_down(state);
}

static inline void put_frames(void)
{
	for (size_t i = 0; i < script_length; i++) {
		struct record record = script[i].record;

		record.queued = record.submitted = record.started += SHIFT;
		record.ended += SHIFT;
		if (frames_is_record(&script[i].frame))
			trace_put_record(&trace, &record);
		else
			trace_put_event(&trace, &script[i].frame);
	}
}

static inline void begin_trace(void)
{
	struct names *names = names_new();
	struct stacks stacks = {0};
	static char command[] = "app\0--fast";

	trace.length = 0;
	trace_put_header(&trace);
	frames_put_process(&trace, &(struct process){.pid = 42,
						     .started = START,
						     .monotonic_to_epoch = SHIFT,
						     .command = command,
						     .command_length = sizeof(command)});
	frames_put_name(&trace, names, names_intern(names, "scale<&>", 8));
	frames_put_name(&trace, names, names_intern(names, "a \"b\\c", 6));
	stacks_add_module(&stacks, &(struct stack_module){.path = "/none/\"x\"", .length = 9});
	frames_put_module(&trace, &stacks, 1);
	for (uint32_t i = 1; i <= 2; i++) {
		stacks_add_node(&stacks, &(struct stack_node){.module = 1, .offset = 16 * i});
		frames_put_stack(&trace, &stacks, i);
	}
	frames_put_device(&trace, &(struct device){.name = "Card <1>"});
	frames_put_context(&trace, &(struct context){.index = 0});
	names_free(names);
	stacks_free(&stacks);
}

/* Writes the script with `lost` before the end, and reads it. */
static inline void read_trace(const struct lost_frame *lost, bool is_whole)
{
	const struct advice_options options = {.idle = 1, .demangle = true};
	FILE *file;

	begin_trace();
	put_frames();
	if (lost)
		frames_put_lost(&trace, lost->count, lost->missing, lost->events)->gaps =
			lost->gaps;
	if (is_whole)
		trace_finish(&trace);
	file = fopen("run.cptrace", "w");
	assert_non_null(file);
	assert_int_equal(fwrite(trace.data, trace.length, 1, file), 1);
	assert_int_equal(fclose(file), 0);
	stream = stream_open("run.cptrace", &error);
	assert_non_null(stream);
	assert_int_equal(advice_read(&advice, stream, &options, &error), 0);
}

#endif
