/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_LINES_H
#define BACKEND_OPENCL_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/cl.h"
#include "settings/settings.h"

/*
 * Values by source line (--values lines): a kernel has a twin, of a program that
 * computeprof-rewrite has written from its source. The twin gets the same arguments, and runs in
 * place of the kernel in launches that are counted; the program's thread then waits for the launch
 * and reads the counters (struct source_line). The program sees only its own kernel.
 *
 * If anything fails, the kernel runs, and one sentence says so.
 */
void lines_begin(const struct settings *settings);

/* A program will be built. */
void lines_build(cl_program program);
/* It will be released for the last time, or it is new. */
void lines_forget(cl_program program);

/* A kernel that can be counted; NULL in struct opencl_kernel if it cannot. */
struct lines_kernel;

/* A kernel of a program was made. `is_held`: lines_forget will be called before the program's last
 * release. Does nothing without lines_begin. */
struct lines_kernel *lines_made(cl_kernel handle, const char *name, cl_program original,
				bool is_held);
/* The same of a copy of a kernel, with its arguments. */
struct lines_kernel *lines_copied(const struct lines_kernel *from);
/* It was released for the last time. */
void lines_ended(struct lines_kernel *kernel);

/* The program has set an argument, or what the kernel uses besides. */
void lines_set(struct lines_kernel *kernel, cl_uint index, size_t size, const void *value);
void lines_set_shared(struct lines_kernel *kernel, cl_uint index, const void *pointer);
void lines_set_info(struct lines_kernel *kernel, cl_kernel_exec_info name, size_t size,
		    const void *value);

/*
 * A launch. lines_begin_launch returns the twin if the launch is counted, otherwise NULL; `local`
 * is the size of work-groups, NULL if it is not known. After the twin's launch lines_launched is
 * called. If it returns false, the program's own kernel is launched, and lines_refused is called
 * with the result; otherwise lines_end_launch, after `event` was used. errno is kept.
 */
cl_kernel lines_begin_launch(struct lines_kernel *kernel, cl_uint dimensions, const size_t *global,
			     const size_t *local);
bool lines_launched(struct lines_kernel *kernel, cl_command_queue queue, cl_int status,
		    const cl_event *event);
void lines_refused(struct lines_kernel *kernel, cl_int status);
void lines_end_launch(struct lines_kernel *kernel);

#endif
