/* SPDX-License-Identifier: MIT */
#include "backend/opencl/lines_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/device.h"
#include "backend/opencl/next.h"
#include "base/child.h"
#include "base/env.h"
#include "base/text.h"

#ifndef COMPUTEPROF_REWRITE
#define COMPUTEPROF_REWRITE "/usr/local/libexec/computeprof/computeprof-rewrite"
#endif

#define PATIENCE UINT64_C(30000000000) /* ns that rewriting may take */

enum {
	OUTPUT_MOST = 64 << 20,
	WORDS = 512, /* of the build options, at most */
	FIXED_WORDS = 12,
	EXIT_ORIGINAL = 1, /* of computeprof-rewrite */
};

/* Of the helper: libraries, and the folder of its cache. */
static const char *const variables[] = {
	"LD_LIBRARY_PATH",
	"COMPUTEPROF_CACHE",
	"XDG_CACHE_HOME",
	"HOME",
};

enum { VARIABLES = sizeof(variables) / sizeof(variables[0]) };

void lines_source_keep_environment(void)
{
	env_keep("COMPUTEPROF_REWRITE");
	for (int i = 0; i < VARIABLES; i++)
		env_keep(variables[i]);
}

const char *lines_source_helper(void)
{
	const char *given = env_kept("COMPUTEPROF_REWRITE");

	return given && *given ? given : COMPUTEPROF_REWRITE;
}

static bool no_memory(struct lines_source *source)
{
	source->reason.length = 0;
	strbuf_string(&source->reason, "there is no memory");
	return false;
}

static cl_int ask_source(cl_program program, cl_device_id device, size_t size, void *value,
			 size_t *size_ret)
{
	(void)device;
	return next.clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, value, size_ret);
}

static cl_int ask_options(cl_program program, cl_device_id device, size_t size, void *value,
			  size_t *size_ret)
{
	return next.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, size, value,
					  size_ret);
}

static cl_int ask_extensions(cl_program program, cl_device_id device, size_t size, void *value,
			     size_t *size_ret)
{
	(void)program;
	return next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, value, size_ret);
}

/* Reads a text of the driver. Returns false if there is none. */
static bool read_text(struct strbuf *to, cl_program program, cl_device_id device,
		      cl_int (*ask)(cl_program program, cl_device_id device, size_t size,
				    void *value, size_t *size_ret))
{
	size_t size = 0;
	char *room;

	if (ask(program, device, 0, NULL, &size) != CL_SUCCESS || !size)
		return false;
	room = strbuf_reserve(to, size);
	if (!room || ask(program, device, size, room, NULL) != CL_SUCCESS)
		return false;
	to->length = strnlen(room, size);
	return true;
}

/* The words of the options are separated in `text`. */
static bool split(char *text, char **words, size_t *count)
{
	for (char *at = text; *at;) {
		at += strspn(at, " \t\r\n");
		if (!*at)
			break;
		if (*count == WORDS)
			return false;
		words[(*count)++] = at;
		at += strcspn(at, " \t\r\n");
		if (*at)
			*at++ = '\0';
	}
	words[*count] = NULL;
	return true;
}

/* Without the name of the program that has written them, and without full stops. */
static void put_lines(struct strbuf *to, const char *from)
{
	static const char name[] = "computeprof-rewrite: ";
	size_t length;

	while (*from) {
		from += strncmp(from, name, sizeof(name) - 1) ? 0 : sizeof(name) - 1;
		length = strcspn(from, "\n");
		strbuf_append(to, from, length && from[length - 1] == '.' ? length - 1 : length);
		from += length;
		if (*from++)
			strbuf_char(to, '\n');
		else
			break;
	}
}

/* Stores copies of these variables, and NULL behind them. */
static void copy_variables(struct strbuf *copies, char **environment)
{
	const char *value;

	for (int i = 0; i < VARIABLES; i++) {
		value = env_kept(variables[i]);
		if (!value)
			continue;
		strbuf_printf(&copies[i], "%s=%s", variables[i], value);
		*environment++ = (char *)(uintptr_t)strbuf_text(&copies[i]);
	}
	*environment = NULL;
}

static bool run(struct lines_source *source, char *const *words)
{
	struct strbuf copies[VARIABLES] = {STRBUF_INIT}, messages = STRBUF_INIT;
	char locale[] = "LC_ALL=C";
	char *environment[VARIABLES + 2] = {locale};
	struct child child = {
		.path = lines_source_helper(),
		.arguments = words,
		.environment = environment,
		.input = source->original.data,
		.input_size = source->original.length,
		.output_most = OUTPUT_MOST,
		.limit = PATIENCE,
	};
	int code;

	copy_variables(copies, environment + 1);
	code = child_run(&child, &source->rewritten, &messages);
	if (code && !messages.length)
		strbuf_printf(&source->reason, "%s ended without a message", child.path);
	else if (code < 0 || code > EXIT_ORIGINAL)
		strbuf_printf(&source->reason, "%s: ", child.path);
	if (code)
		put_lines(&source->reason, strbuf_text(&messages));
	strbuf_free(&messages);
	for (int i = 0; i < VARIABLES; i++)
		strbuf_free(&copies[i]);
	return !code;
}

/* PoCL runs the work-items of a group one after another on processors: sums by work-group are the
 * fastest there. */
static bool is_sequential(cl_device_id device)
{
	const struct opencl_device *known = device_of(device);
	cl_device_type type = 0;

	next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
	return known && known->is_pocl && (type & CL_DEVICE_TYPE_CPU);
}

/* __OPENCL_VERSION__ is the compiler's own macro, but the device tells its value. */
static bool rewrite(struct lines_source *source, cl_program program, cl_device_id device)
{
	const struct opencl_device *known = device_of(device);
	struct strbuf options = STRBUF_INIT, extensions = STRBUF_INIT, version = STRBUF_INIT;
	char *words[WORDS + FIXED_WORDS + 1];
	size_t count = 0;
	bool done;

	strbuf_string(&options, strbuf_text(&source->options));
	read_text(&extensions, program, device, ask_extensions);
	strbuf_printf(&version, "-D__OPENCL_VERSION__=%u", known ? known->version : 0);
	words[count++] = (char *)(uintptr_t) "computeprof-rewrite";
	words[count++] = (char *)(uintptr_t) "--cache";
	words[count++] = (char *)(uintptr_t) "--file";
	words[count++] = source->file;
	words[count++] = (char *)(uintptr_t) "--extensions";
	words[count++] = (char *)(uintptr_t)strbuf_text(&extensions);
	words[count++] = (char *)(uintptr_t) "--sums";
	words[count++] = (char *)(uintptr_t)(is_sequential(device) ? "work-group" : "work-item");
	words[count++] = (char *)(uintptr_t) "--";
	words[count++] = (char *)(uintptr_t)strbuf_text(&version);
	done = split((char *)(uintptr_t)strbuf_text(&options), words, &count);
	if (!done)
		strbuf_string(&source->reason, "it has too many build options");
	else if (options.failed || extensions.failed || version.failed)
		done = no_memory(source);
	else
		done = run(source, words);
	strbuf_free(&options);
	strbuf_free(&extensions);
	strbuf_free(&version);
	return done;
}

bool lines_source_texts(struct strbuf *source, struct strbuf *options, cl_program program,
			cl_device_id device)
{
	if (!read_text(source, program, device, ask_source) || !source->length)
		return false;
	read_text(options, program, device, ask_options);
	return true;
}

bool lines_source_read(struct lines_source *source, cl_program program, cl_device_id device)
{
	*source = (struct lines_source){.original = STRBUF_INIT};
	if (!lines_source_texts(&source->original, &source->options, program, device)) {
		strbuf_string(&source->reason,
			      "the driver does not have its source, as of a program from a cache "
			      "(PYOPENCL_NO_CACHE=1 turns off PyOpenCL's)");
		return false;
	}
	snprintf(source->file, sizeof(source->file), "%08x.cl",
		 (unsigned)text_hash(source->original.data, source->original.length));
	source->is_free = lines_table_is_free(strbuf_text(&source->original)) &&
			  lines_table_is_free(strbuf_text(&source->options));
	return true;
}

/* Reads the included files, and checks them as the source itself. Returns false with a reason. */
static bool read_included(struct lines_source *source)
{
	struct strbuf room = STRBUF_INIT;
	const char *obstacle =
		lines_included_read(&source->included, strbuf_text(&source->rewritten), &room);

	for (struct lines_included *at = source->included; at && !obstacle; at = at->next) {
		source->is_free &= lines_table_is_free(strbuf_text(&at->text));
		obstacle = lines_table_obstacle(strbuf_text(&at->text), "", &room);
	}
	if (obstacle)
		strbuf_string(&source->reason, obstacle);
	strbuf_free(&room);
	return !obstacle;
}

bool lines_source_rewrite(struct lines_source *source, cl_program program, cl_device_id device)
{
	struct strbuf room = STRBUF_INIT;
	const char *obstacle;
	bool done = false;

	obstacle = lines_table_obstacle(strbuf_text(&source->original),
					strbuf_text(&source->options), &room);
	if (obstacle)
		strbuf_string(&source->reason, obstacle);
	else
		done = rewrite(source, program, device);
	if (done && !lines_table_read(&source->table, strbuf_text(&source->rewritten))) {
		strbuf_printf(&source->reason, "%s has written no table", lines_source_helper());
		done = false;
	}
	done = done && read_included(source);
	strbuf_free(&room);
	return done && (!source->rewritten.failed || no_memory(source));
}

const char *lines_source_text(struct lines_source *source, const struct lines_site *site)
{
	const char *file = strbuf_text(&source->rewritten) + site->file_at, *text;

	if (strlen(source->file) == site->file_length &&
	    !memcmp(file, source->file, site->file_length))
		return strbuf_text(&source->original);
	text = lines_included_text(source->included, file, site->file_length);
	return text ? text : "";
}

void lines_source_free(struct lines_source *source)
{
	lines_included_free(source->included);
	strbuf_free(&source->original);
	strbuf_free(&source->options);
	strbuf_free(&source->rewritten);
	strbuf_free(&source->reason);
	free(source->table.list);
}
