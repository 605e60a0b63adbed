/* SPDX-License-Identifier: MIT */
#include "backend/opencl/lines.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backend/opencl/flow_pending.h"
#include "backend/opencl/lines_event.h"
#include "backend/opencl/lines_included.h"
#include "backend/opencl/lines_program.h"
#include "backend/opencl/next.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/queue.h"
#include "base/clock.h"
#include "base/say.h"
#include "session/session.h"

#define GRACE	 UINT64_C(200000000)   /* ns that counting may take in any case */
#define PATIENCE UINT64_C(10000000000) /* ns that a launch is waited for */

struct lines_kernel {
	struct lines_program *program;
	cl_kernel twin; /* NULL: it is no longer counted */
	struct lines_arguments added;
	char *name;
	uint32_t *texts; /* of the sites, 0: not known yet */
	atomic_uint launches;
	atomic_bool is_over;
	atomic_uint told; /* reasons for launches that are not counted, 1 << enum lines_left_out */
};

static atomic_bool on;
static pid_t owner; /* a forked child counts nothing */
static uint64_t began, percent, sample;
static _Atomic uint64_t spent; /* ns */

void lines_begin(const struct settings *settings)
{
	static int said;

	lines_source_keep_environment();
	if (access(lines_source_helper(), X_OK)) {
		say_once(&said, "values by source line are not recorded: %s: %m",
			 lines_source_helper());
		return;
	}
	owner = getpid();
	began = clock_monotonic();
	percent = settings->value_percent;
	sample = settings->value_sample ? settings->value_sample : 1;
	atomic_store(&on, true);
}

static bool is_on(void)
{
	return atomic_load(&on) && getpid() == owner && !opencl_is_gone();
}

void lines_build(cl_program program)
{
	if (is_on())
		lines_included_build();
	lines_forget(program);
}

void lines_forget(cl_program program)
{
	int error = errno;

	if (getpid() == owner)
		lines_program_forget(program);
	errno = error;
}

static cl_uint count_arguments(cl_kernel kernel)
{
	cl_uint count = UINT32_MAX;

	next.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL);
	return count;
}

static void free_kernel(struct lines_kernel *kernel)
{
	if (kernel->twin && !opencl_is_gone())
		next.clReleaseKernel(kernel->twin);
	if (kernel->program)
		lines_program_give(kernel->program);
	free(kernel->texts);
	free(kernel->name);
	free(kernel);
}

/* Takes the program, which may be NULL. */
static struct lines_kernel *new_kernel(const char *name, struct lines_program *program)
{
	struct lines_kernel *kernel = calloc(1, sizeof(*kernel));

	if (!kernel) {
		if (program)
			lines_program_give(program);
		return NULL;
	}
	kernel->name = strdup(name);
	kernel->program = program;
	if (kernel->program && kernel->program->twin)
		kernel->texts = calloc(kernel->program->source.table.sites, sizeof(uint32_t));
	if (kernel->name && kernel->program && (kernel->texts || !kernel->program->twin))
		return kernel;
	free_kernel(kernel);
	return NULL;
}

/* Sets the local memory for sums by work-group. */
static bool set_local(struct lines_kernel *kernel)
{
	const struct lines_arguments *added = &kernel->added;

	return !added->local || next.clSetKernelArg(kernel->twin, added->index + 1, added->local,
						    NULL) == CL_SUCCESS;
}

/* Its arguments are those of the kernel, the counters, and local memory for sums by work-group. */
static bool make_twin(struct lines_kernel *kernel, cl_kernel handle, struct strbuf *reason)
{
	struct lines_program *program = kernel->program;
	struct lines_arguments *added = &kernel->added;
	cl_uint count;
	cl_int status;

	if (!program->twin) {
		lines_table_reason(reason, strbuf_text(&program->source.reason), kernel->name);
		return false;
	}
	if (!lines_table_kernel(strbuf_text(&program->source.rewritten), kernel->name, added,
				reason))
		return false;
	count = added->index + (added->local ? 2 : 1);
	kernel->twin = next.clCreateKernel(program->twin, kernel->name, &status);
	if (kernel->twin && count_arguments(handle) == added->index &&
	    count_arguments(kernel->twin) == count &&
	    next.clSetKernelArg(kernel->twin, added->index, sizeof(program->table),
				&program->table) == CL_SUCCESS &&
	    set_local(kernel))
		return true;
	strbuf_string(reason, "the driver does not make the rewritten kernel");
	return false;
}

static struct lines_kernel *make(cl_kernel handle, const char *name, cl_program original,
				 bool is_held)
{
	struct strbuf reason = STRBUF_INIT;
	struct lines_kernel *kernel = NULL;
	bool done = false;

	if (original)
		kernel = new_kernel(name, lines_program_take(original, is_held));
	if (kernel)
		done = make_twin(kernel, handle, &reason);
	if (kernel && !done)
		free_kernel(kernel);
	if (!done)
		lines_event_not_counted(name, reason.length ? strbuf_text(&reason)
							    : "there is no memory");
	strbuf_free(&reason);
	return done ? kernel : NULL;
}

struct lines_kernel *lines_made(cl_kernel handle, const char *name, cl_program original,
				bool is_held)
{
	int error = errno, cancel;
	struct lines_kernel *kernel;

	if (!is_on())
		return NULL;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	kernel = make(handle, name, original, is_held);
	pthread_setcancelstate(cancel, &cancel);
	errno = error;
	return kernel;
}

/* PoCL 3.1 does not copy local arguments: a launch of the copy reads beyond the end of a buffer. */
static bool copy_twin(struct lines_kernel *kernel, const struct lines_kernel *from)
{
	cl_int status;

	kernel->added = from->added;
	kernel->twin = next.clCloneKernel(from->twin, &status);
	return kernel->twin && set_local(kernel);
}

struct lines_kernel *lines_copied(const struct lines_kernel *from)
{
	struct lines_kernel *kernel = NULL;

	if (!from || !is_on() || atomic_load(&from->is_over))
		return NULL;
	kernel = new_kernel(from->name, lines_program_share(from->program));
	if (kernel && !copy_twin(kernel, from)) {
		free_kernel(kernel);
		kernel = NULL;
	}
	if (!kernel)
		lines_event_not_counted(from->name,
					"the driver does not copy the rewritten kernel");
	return kernel;
}

void lines_ended(struct lines_kernel *kernel)
{
	if (kernel && getpid() == owner)
		free_kernel(kernel);
}

static void give_up(struct lines_kernel *kernel, const char *reason)
{
	if (!atomic_exchange(&kernel->is_over, true))
		lines_event_not_counted(kernel->name, reason);
}

static void check_set(struct lines_kernel *kernel, cl_int status)
{
	if (status != CL_SUCCESS)
		give_up(kernel, "the driver does not set an argument of the rewritten kernel");
}

static bool is_set(const struct lines_kernel *kernel)
{
	return kernel && !atomic_load(&kernel->is_over) && is_on();
}

void lines_set(struct lines_kernel *kernel, cl_uint index, size_t size, const void *value)
{
	if (is_set(kernel))
		check_set(kernel, next.clSetKernelArg(kernel->twin, index, size, value));
}

void lines_set_shared(struct lines_kernel *kernel, cl_uint index, const void *pointer)
{
	if (is_set(kernel))
		check_set(kernel, next.clSetKernelArgSVMPointer(kernel->twin, index, pointer));
}

void lines_set_info(struct lines_kernel *kernel, cl_kernel_exec_info name, size_t size,
		    const void *value)
{
	if (is_set(kernel))
		check_set(kernel, next.clSetKernelExecInfo(kernel->twin, name, size, value));
}

static bool has_time(void)
{
	uint64_t used = atomic_load(&spent), all = clock_monotonic() - began;

	return percent && (used < GRACE || (used < all && used * 100 < percent * (all - used)));
}

/* Returns true if the launch is to be counted. Without a known size the driver may choose another
 * one for the twin. */
static bool begin(struct lines_kernel *kernel, const size_t *local)
{
	enum lines_left_out why;

	if (!is_set(kernel))
		return false;
	if (!local && !kernel->program->source.is_free)
		why = LINES_LEFT_NO_SIZE;
	else if (atomic_fetch_add(&kernel->launches, 1) % sample)
		return false;
	else if (!has_time())
		why = LINES_LEFT_TIME;
	else if (flow_pending_may_wait())
		why = LINES_LEFT_WAITING;
	else if (!lines_program_begin(kernel->program))
		why = LINES_LEFT_BUSY;
	else
		return true;
	lines_event_left_out(kernel->name, &kernel->told, why);
	return false;
}

static void expect_groups(struct lines_program *program, cl_uint dimensions, const size_t *global,
			  const size_t *local)
{
	uint64_t groups = 1, items = 1;

	for (cl_uint i = 0; global && i < dimensions; i++) {
		items *= global[i];
		groups *= local && local[i] ? (global[i] + local[i] - 1) / local[i] : 1;
	}
	program->groups_least = local ? groups : items > 0;
	program->groups_most = local ? groups : items;
}

cl_kernel lines_begin_launch(struct lines_kernel *kernel, cl_uint dimensions, const size_t *global,
			     const size_t *local)
{
	int error = errno;
	bool is_counted = begin(kernel, local);

	errno = error;
	if (!is_counted)
		return NULL;
	expect_groups(kernel->program, dimensions, global, local);
	kernel->program->begun = kernel->program->entered = clock_monotonic();
	return kernel->twin;
}

bool lines_launched(struct lines_kernel *kernel, cl_command_queue queue, cl_int status,
		    const cl_event *event)
{
	struct lines_program *program = kernel->program;

	program->reading = NULL;
	if (status != CL_SUCCESS) {
		atomic_flag_clear(&program->busy);
		return false;
	}
	if (next.clEnqueueReadBuffer(queue, program->table, CL_FALSE, 0,
				     lines_table_bytes(&program->source.table), program->counters,
				     1, event, &program->reading) != CL_SUCCESS)
		program->reading = NULL;
	return true;
}

void lines_refused(struct lines_kernel *kernel, cl_int status)
{
	if (status == CL_SUCCESS)
		give_up(kernel, "the driver does not launch the rewritten kernel");
}

static cl_int wait_for(cl_event event)
{
	static const struct timespec pause = {.tv_nsec = 50000};
	uint64_t limit = clock_monotonic() + PATIENCE;
	cl_int status;

	queue_flush_all(); /* the launch may wait for other queues */
	for (;;) {
		status = CL_QUEUED;
		if (opencl_is_gone() ||
		    next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL) != CL_SUCCESS)
			return -1;
		if (status <= CL_COMPLETE || clock_monotonic() > limit)
			return status;
		nanosleep(&pause, NULL);
	}
}

/* Sums by work-group are right if its work-items run one after another: then each group adds them
 * once. */
static bool has_all_groups(struct lines_program *program)
{
	uint64_t now, added;

	if (!program->source.table.by_group)
		return true;
	now = lines_table_groups(&program->source.table, program->counters);
	added = now - program->groups;
	program->groups = now;
	return added >= program->groups_least && added <= program->groups_most;
}

static void take_sums(struct lines_kernel *kernel)
{
	struct lines_program *program = kernel->program;

	if (has_all_groups(program)) {
		lines_event_sums(program, kernel->name, kernel->texts);
		return;
	}
	give_up(kernel, "the driver does not run the work-items of a group one after another");
	for (uint32_t i = 0; i < program->source.table.sites; i++)
		lines_program_sum(program, i);
}

static void end_launch(struct lines_kernel *kernel)
{
	struct lines_program *program = kernel->program;
	cl_int status = program->reading ? wait_for(program->reading) : -1;

	if (status > CL_COMPLETE) {
		give_up(kernel, "a launch has not ended within 10 seconds");
		atomic_fetch_add(&spent, clock_monotonic() - program->begun);
		lines_program_late(program);
		return;
	}
	if (status == CL_COMPLETE)
		take_sums(kernel);
	else
		give_up(kernel, "its counters cannot be read");
	if (program->reading && !opencl_is_gone())
		next.clReleaseEvent(program->reading);
	atomic_fetch_add(&spent, clock_monotonic() - program->begun);
	atomic_flag_clear(&program->busy);
}

void lines_end_launch(struct lines_kernel *kernel)
{
	int error = errno, cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	end_launch(kernel);
	pthread_setcancelstate(cancel, &cancel);
	errno = error;
}
