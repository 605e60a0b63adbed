/* SPDX-License-Identifier: MIT */
/*
 * For tests/views/tables.test. print_tables make FILE: a trace of kernels with hostile names.
 * print_tables summary|trace FILE: a table of it as CSV, on stdout. print_tables json FILE TO.
 */
#include <stdio.h>
#include <string.h>

#include "model/frames.h"
#include "output/trace.h"
#include "view/tables/tables.h"
#include "view/view.h"

enum { NAMES = 255 };

/* A function with a hostile name, called four times, of which one failed. */
static void put_calls(struct strbuf *to, struct names *names)
{
	static const char name[] = "cl\x1b\"\\\xff\n";
	struct call call = {
		.frame = {.size = sizeof(call), .kind = FRAME_CALL},
		.name = names_intern(names, name, sizeof(name) - 1),
		.api = API_OPENCL,
	};

	frames_put_name(to, names, call.name);
	for (uint64_t i = 0; i < 4; i++) {
		call.frame.correlation = NAMES + 1 + i;
		call.enter = 5000 + 1000 * i;
		call.leave = call.enter + 100 + i;
		call.result = i == 2 ? -54 : 0;
		trace_put_event(to, &call.frame);
	}
}

/* Kernel i is called "q", byte i, "\"x,\\x41" and a newline. */
static int make(const char *path)
{
	struct names *names = names_new();
	struct strbuf bytes = STRBUF_INIT;
	FILE *file = fopen(path, "w");

	if (!names || !file)
		return 1;
	trace_put_header(&bytes);
	frames_put_process(&bytes, &(struct process){.pid = 7});
	names_intern(names, "d", 1);
	frames_put_name(&bytes, names, 1);
	frames_put_device(&bytes, &(struct device){.api = API_CUDA, .name = "d"});
	frames_put_context(&bytes, &(struct context){.api = API_CUDA});
	for (int i = 1; i <= NAMES; i++) {
		char name[] = "q?\"x,\\x41\n";
		struct record record = {
			.frame = {.size = sizeof(record),
				  .kind = FRAME_KERNEL,
				  .correlation = (uint64_t)i},
			.started = 1000 + (uint64_t)i,
			.ended = 2000 + (uint64_t)i,
			.known = KNOWN_TIMES,
		};

		name[1] = (char)i;
		record.name = names_intern(names, name, sizeof(name) - 1);
		frames_put_name(&bytes, names, record.name);
		trace_put_record(&bytes, &record);
	}
	put_calls(&bytes, names);
	trace_finish(&bytes);
	fwrite(bytes.data, 1, bytes.length, file);
	names_free(names);
	strbuf_free(&bytes);
	return fclose(file) != 0;
}

static int print(const char *what, char *const *arguments)
{
	struct tables_options options = {.csv = true, .demangle = true};
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(arguments[0], &error);
	int result = -1;

	options.wanted = 1u << (strcmp(what, "trace") ? TABLE_SUMMARY : TABLE_GPU_TRACE);
	if (stream && !strcmp(what, "json"))
		result = view_write(view_find(".json"), arguments[1], stream, &error);
	else if (stream)
		result = tables_print(stdout, stream, &options, &error);
	if (result)
		fprintf(stderr, "%s\n", strbuf_text(&error));
	stream_close(stream);
	strbuf_free(&error);
	return result != 0;
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	if (!strcmp(arguments[1], "make"))
		return make(arguments[2]);
	return print(arguments[1], arguments + 2);
}
