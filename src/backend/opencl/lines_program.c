/* SPDX-License-Identifier: MIT */
#include "backend/opencl/lines_program.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/next.h"
#include "backend/opencl/opencl.h"
#include "base/text.h"

enum {
	TABLE_MOST = 64 << 20, /* bytes */
	REFUSED = 64,	       /* sources that are remembered */
	IDLE_MOST = 64,	       /* programs without kernels that are kept */
	LATE_MOST = 4,	       /* late launches of a program */
};

static struct lines_program *programs; /* those without kernels: the newest first */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;   /* of the list, and of `kernels` */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER; /* of new ones, and of the refused */

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

/* find, add, take_off and keep need the lock of the list. */

static struct lines_program *find(cl_program original)
{
	struct lines_program *program = programs;

	while (program && (program->original != original || program->is_forgotten))
		program = program->next;
	return program;
}

static void add(struct lines_program *program)
{
	program->next = programs;
	programs = program;
}

static void take_off(struct lines_program *program)
{
	struct lines_program **at = &programs;

	while (*at != program)
		at = &(*at)->next;
	*at = program->next;
}

/* Keeps a program without kernels. Returns the one that is too many, or NULL. */
static struct lines_program *keep(struct lines_program *program)
{
	unsigned idle = 0;

	take_off(program);
	add(program);
	for (; program; program = program->next)
		if (!program->kernels && ++idle > IDLE_MOST)
			break;
	if (program)
		take_off(program);
	return program;
}

static struct lines_program *take_known(cl_program original)
{
	struct lines_program *program;

	pthread_mutex_lock(&lock);
	program = find(original);
	if (program)
		program->kernels++;
	pthread_mutex_unlock(&lock);
	return program;
}

static struct lines_program *make(cl_program original, bool stays)
{
	struct lines_program *program = calloc(1, sizeof(*program));

	if (!program)
		return NULL;
	atomic_flag_clear(&program->busy);
	program->original = original;
	program->stays = stays;
	program->kernels = 1;
	if (!make_twin(program)) {
		drop_twin(program);
		if (!remembered(&program->source))
			remember(&program->source);
	}
	pthread_mutex_lock(&lock);
	add(program);
	pthread_mutex_unlock(&lock);
	return program;
}

struct lines_program *lines_program_take(cl_program original, bool stays)
{
	struct lines_program *program = take_known(original);

	if (program)
		return program;
	pthread_mutex_lock(&making);
	program = take_known(original);
	if (!program)
		program = make(original, stays);
	pthread_mutex_unlock(&making);
	return program;
}

struct lines_program *lines_program_share(struct lines_program *program)
{
	pthread_mutex_lock(&lock);
	program->kernels++;
	pthread_mutex_unlock(&lock);
	return program;
}

static uint64_t add_up(const struct lines_program *program, uint32_t site, unsigned word)
{
	const struct lines_table *table = &program->source.table;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < table->stripes; i++) {
		const uint32_t *at =
			program->counters + ((size_t)i * table->sites + site) * LINES_WORDS + word;

		sum += at[0] | (uint64_t)at[1] << 32;
	}
	return sum;
}

struct lines_sum lines_program_sum(struct lines_program *program, uint32_t site)
{
	const struct lines_sum now = {
		.count = add_up(program, site, 0),
		.zeros = add_up(program, site, 2),
		.silent = add_up(program, site, 4),
		.same = add_up(program, site, 6),
	};
	struct lines_sum *before = &program->sums[site];
	struct lines_sum added = {now.count - before->count, now.zeros - before->zeros,
				  now.silent - before->silent, now.same - before->same};

	*before = now;
	return added;
}

/* Leaves out what was added up to now. */
static void skip(struct lines_program *program)
{
	for (uint32_t i = 0; i < program->source.table.sites; i++)
		lines_program_sum(program, i);
	if (program->source.table.by_group)
		program->groups = lines_table_groups(&program->source.table, program->counters);
}

/* A late launch has ended if its counters were read back. */
static bool end_late(struct lines_program *program)
{
	cl_int status = -1;

	if (!opencl_is_gone())
		next.clGetEventInfo(program->reading, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL);
	if (status == CL_COMPLETE) {
		next.clReleaseEvent(program->reading);
		skip(program);
	} else if (status > CL_COMPLETE) {
		atomic_store(&program->is_late, true);
	}
	return status == CL_COMPLETE;
}

bool lines_program_begin(struct lines_program *program)
{
	if (!atomic_flag_test_and_set(&program->busy))
		return true;
	return atomic_exchange(&program->is_late, false) && end_late(program);
}

void lines_program_late(struct lines_program *program)
{
	if (++program->lates < LATE_MOST)
		atomic_store(&program->is_late, true);
}

/* The counters may still be written to if a launch has not ended. */
static void end(struct lines_program *program)
{
	bool is_read = lines_program_begin(program);

	drop_twin(program);
	if (is_read)
		free(program->counters);
	free(program->sums);
	lines_source_free(&program->source);
	free(program);
}

/* The driver's release of a twin may call the program back, so no lock is held. */
void lines_program_give(struct lines_program *program)
{
	struct lines_program *ended = NULL;

	pthread_mutex_lock(&lock);
	if (!--program->kernels) {
		if (program->stays && !program->is_forgotten) {
			ended = keep(program);
		} else {
			take_off(program);
			ended = program;
		}
	}
	pthread_mutex_unlock(&lock);
	if (ended)
		end(ended);
}

void lines_program_forget(cl_program original)
{
	struct lines_program *program;

	pthread_mutex_lock(&lock);
	program = find(original);
	if (program && program->kernels) {
		program->is_forgotten = true;
		program = NULL;
	} else if (program) {
		take_off(program);
	}
	pthread_mutex_unlock(&lock);
	if (program)
		end(program);
}
