/* SPDX-License-Identifier: MIT */
#include "backend/opencl/lines_program.h"

#include <stdlib.h>
#include <string.h>

#include "backend/opencl/next.h"
#include "backend/opencl/opencl.h"
#include "base/text.h"

enum {
	TABLE_MOST = 64 << 20, /* bytes */
	REFUSED = 64,	       /* sources that are remembered */
};

static struct lines_program *programs;

/* Programs make and release kernels in loops: a source that was not rewritten is not tried again.
 */
static struct refused {
	uint64_t source, options; /* hashes */
	char *reason;
} refused[REFUSED];
static unsigned refused_next;

static void remember(struct lines_source *source)
{
	struct refused *entry = &refused[refused_next++ % REFUSED];

	free(entry->reason);
	entry->reason = strdup(strbuf_text(&source->reason));
	entry->source = text_hash(source->original.data, source->original.length);
	entry->options = text_hash(source->options.data, source->options.length);
}

/* Returns the reason, or NULL. */
static const char *remembered(const struct lines_source *source)
{
	uint64_t text = text_hash(source->original.data, source->original.length);
	uint64_t options = text_hash(source->options.data, source->options.length);

	for (unsigned i = 0; i < REFUSED; i++)
		if (refused[i].reason && refused[i].source == text && refused[i].options == options)
			return refused[i].reason;
	return NULL;
}

static bool refuse(struct lines_program *program, const char *reason)
{
	program->source.reason.length = 0;
	strbuf_string(&program->source.reason, reason);
	return false;
}

static bool make_table(struct lines_program *program, cl_context context)
{
	size_t bytes = lines_table_bytes(&program->source.table);
	cl_int status = CL_SUCCESS;

	if (bytes > TABLE_MOST)
		return refuse(program, "its counters would need more than 64 MiB");
	program->counters = calloc(1, bytes);
	program->sums = calloc(program->source.table.sites, sizeof(*program->sums));
	if (!program->counters || !program->sums)
		return refuse(program, "there is no memory for its counters");
	program->table = next.clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
					     bytes, program->counters, &status);
	if (!program->table)
		return refuse(program, "the driver makes no buffer for its counters");
	return true;
}

/* Conditions of the source are decided before the driver's compiler sees the result: it must have
 * the same macros. */
static bool check_conditions(struct lines_program *program)
{
	struct strbuf kernels = STRBUF_INIT;
	size_t size = 0, length;
	const char *name;
	char *room;
	bool same = false;

	next.clGetProgramInfo(program->twin, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size);
	room = size ? strbuf_reserve(&kernels, size) : NULL;
	if (!room || next.clGetProgramInfo(program->twin, CL_PROGRAM_KERNEL_NAMES, size, room,
					   NULL) != CL_SUCCESS) {
		refuse(program, "the driver does not name the kernels of the rewritten source");
	} else {
		kernels.length = strnlen(room, size);
		name = lines_table_difference(strbuf_text(&kernels), &length);
		same = !name;
		if (name) {
			refuse(program, "");
			strbuf_printf(&program->source.reason,
				      "a condition of its source depends on %.*s, a macro of the "
				      "compiler",
				      (int)length, name);
		}
	}
	strbuf_free(&kernels);
	return same;
}

/* The driver has printed the warnings of the source already. */
static bool build(struct lines_program *program, cl_context context, cl_device_id device)
{
	const char *text = strbuf_text(&program->source.rewritten);
	struct strbuf options = STRBUF_INIT;
	cl_int status = CL_SUCCESS;

	strbuf_printf(&options, "%s -w -DCOMPUTEPROF_CONDITIONS",
		      strbuf_text(&program->source.options));
	program->twin = next.clCreateProgramWithSource(context, 1, &text, NULL, &status);
	if (program->twin && !options.failed)
		status = next.clBuildProgram(program->twin, 1, &device, strbuf_text(&options), NULL,
					     NULL);
	else
		status = CL_OUT_OF_HOST_MEMORY;
	strbuf_free(&options);
	if (status != CL_SUCCESS)
		return refuse(program, "the driver does not build the rewritten source");
	return check_conditions(program);
}

static bool make_twin(struct lines_program *program)
{
	cl_device_id devices[2] = {NULL, NULL};
	cl_context context = NULL;
	const char *reason;
	size_t size = 0;

	if (next.clGetProgramInfo(program->original, CL_PROGRAM_DEVICES, 0, NULL, &size) !=
		    CL_SUCCESS ||
	    size != sizeof(*devices))
		return refuse(program, "its program is for several devices");
	if (next.clGetProgramInfo(program->original, CL_PROGRAM_DEVICES, size, devices, NULL) !=
		    CL_SUCCESS ||
	    next.clGetProgramInfo(program->original, CL_PROGRAM_CONTEXT, sizeof(context), &context,
				  NULL) != CL_SUCCESS)
		return refuse(program, "the driver gives no information about its program");
	if (!lines_source_read(&program->source, program->original, devices[0]))
		return false;
	reason = remembered(&program->source);
	if (reason)
		return refuse(program, reason);
	return lines_source_rewrite(&program->source, program->original, devices[0]) &&
	       build(program, context, devices[0]) && make_table(program, context);
}

static void drop_twin(struct lines_program *program)
{
	bool may_call = !opencl_is_gone();

	if (program->table && may_call)
		next.clReleaseMemObject(program->table);
	if (program->twin && may_call)
		next.clReleaseProgram(program->twin);
	program->table = NULL;
	program->twin = NULL;
}

static struct lines_program *find(cl_program original)
{
	struct lines_program *program = programs;

	while (program && program->original != original)
		program = program->next;
	return program;
}

struct lines_program *lines_program_take(cl_program original)
{
	struct lines_program *program = find(original);

	if (!program) {
		program = calloc(1, sizeof(*program));
		if (!program)
			return NULL;
		atomic_flag_clear(&program->busy);
		program->original = original;
		if (!make_twin(program)) {
			drop_twin(program);
			if (!remembered(&program->source))
				remember(&program->source);
		}
		program->next = programs;
		programs = program;
	}
	program->kernels++;
	return program;
}

/* The counters may still be written to if a launch has not ended. */
static void end(struct lines_program *program)
{
	bool is_read = !atomic_flag_test_and_set(&program->busy);

	drop_twin(program);
	if (is_read)
		free(program->counters);
	free(program->sums);
	lines_source_free(&program->source);
	free(program);
}

void lines_program_give(struct lines_program *program)
{
	struct lines_program **at = &programs;

	if (--program->kernels)
		return;
	while (*at != program)
		at = &(*at)->next;
	*at = program->next;
	end(program);
}
