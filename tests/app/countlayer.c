/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL ICD layer that counts the commands that a program enqueues successfully, for a
 * comparison with the log. It shares no code with the profiler. It is loaded by OPENCL_LAYERS;
 * $COUNT_FILE names its result, a text with one line for each process that used it:
 *
 *   pid kernels copies fills name
 *
 * Maps, unmaps and migrations are copies; markers, barriers and waits are not counted. A line is in
 * shared memory and is updated in place, so it is right for any end of its process. Commands that
 * are enqueued by functions of extensions are not counted.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line never crosses a page. */
enum { LINE = 64, DIGITS = 10, PAGE = 4096 };

enum kind { PROCESS, KERNEL, COPY, FILL };

static struct _cl_icd_dispatch next, ours;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *line; /* of this process, NULL before it has one */

static char *add_line(int fd)
{
	char text[LINE + 1], *page;
	struct stat status;
	off_t start;

	if (flock(fd, LOCK_EX) || fstat(fd, &status))
		return NULL;
	snprintf(text, sizeof(text), "%010d %010d %010d %010d %-*.*s\n", (int)getpid(), 0, 0, 0,
		 LINE - 4 * (DIGITS + 1) - 1, LINE - 4 * (DIGITS + 1) - 1,
		 program_invocation_short_name);
	if (pwrite(fd, text, LINE, status.st_size) != LINE)
		return NULL;
	start = status.st_size / PAGE * PAGE;
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, start);
	return page == MAP_FAILED ? NULL : page + (status.st_size - start);
}

static void open_line(void)
{
	const char *path = getenv("COUNT_FILE");
	int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644) : -1;

	if (fd >= 0)
		line = add_line(fd);
	if (!line)
		fprintf(stderr, "countlayer: cannot count in COUNT_FILE: %m\n");
	close(fd);
}

static void count(enum kind kind, cl_int status)
{
	if (status != CL_SUCCESS)
		return;
	pthread_mutex_lock(&lock);
	if (!line)
		open_line();
	if (line) {
		char *digit = line + (DIGITS + 1) * kind + DIGITS - 1;

		while (*digit == '9')
			*digit-- = '0';
		++*digit;
	}
	pthread_mutex_unlock(&lock);
}

static void forked(void)
{
	pthread_mutex_init(&lock, NULL);
	line = NULL;
}

#define WAITS cl_uint waits, const cl_event *wait, cl_event *event
#define WAIT waits, wait, event
#define NUMBERS const size_t *

#define COUNT(kind, name, parameters, ...)                                                         \
	static cl_int CL_API_CALL name##_counted parameters                                        \
	{                                                                                          \
		cl_int status = next.name(__VA_ARGS__);                                            \
                                                                                                   \
		count(kind, status);                                                               \
		return status;                                                                     \
	}

/* A map returns a pointer, and the caller may pass no address for its status. */
#define COUNT_MAP(name, parameters, ...)                                                           \
	static void *CL_API_CALL name##_counted parameters                                         \
	{                                                                                          \
		cl_int status = CL_SUCCESS;                                                        \
		void *pointer = next.name(__VA_ARGS__, &status);                                   \
                                                                                                   \
		count(COPY, status);                                                               \
		if (error)                                                                         \
			*error = status;                                                           \
		return pointer;                                                                    \
	}

/* clang-format off */
COUNT(KERNEL, clEnqueueNDRangeKernel, (cl_command_queue q, cl_kernel k, cl_uint dimensions,
	NUMBERS offset, NUMBERS global, NUMBERS local, WAITS),
	q, k, dimensions, offset, global, local, WAIT)
COUNT(KERNEL, clEnqueueTask, (cl_command_queue q, cl_kernel k, WAITS), q, k, WAIT)
COUNT(KERNEL, clEnqueueNativeKernel, (cl_command_queue q, void (CL_CALLBACK *function)(void *),
	void *arguments, size_t size, cl_uint count_, const cl_mem *objects, const void **places,
	WAITS),
	q, function, arguments, size, count_, objects, places, WAIT)
COUNT(COPY, clEnqueueReadBuffer, (cl_command_queue q, cl_mem m, cl_bool block, size_t offset,
	size_t size, void *to, WAITS), q, m, block, offset, size, to, WAIT)
COUNT(COPY, clEnqueueWriteBuffer, (cl_command_queue q, cl_mem m, cl_bool block, size_t offset,
	size_t size, const void *from, WAITS), q, m, block, offset, size, from, WAIT)
COUNT(COPY, clEnqueueReadBufferRect, (cl_command_queue q, cl_mem m, cl_bool block, NUMBERS origin,
	NUMBERS host, NUMBERS region, size_t row, size_t slice, size_t host_row, size_t host_slice,
	void *to, WAITS),
	q, m, block, origin, host, region, row, slice, host_row, host_slice, to, WAIT)
COUNT(COPY, clEnqueueWriteBufferRect, (cl_command_queue q, cl_mem m, cl_bool block, NUMBERS origin,
	NUMBERS host, NUMBERS region, size_t row, size_t slice, size_t host_row, size_t host_slice,
	const void *from, WAITS),
	q, m, block, origin, host, region, row, slice, host_row, host_slice, from, WAIT)
COUNT(COPY, clEnqueueCopyBuffer, (cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset,
	size_t to_offset, size_t size, WAITS), q, from, to, from_offset, to_offset, size, WAIT)
COUNT(COPY, clEnqueueCopyBufferRect, (cl_command_queue q, cl_mem from, cl_mem to,
	NUMBERS from_origin, NUMBERS to_origin, NUMBERS region, size_t from_row, size_t from_slice,
	size_t to_row, size_t to_slice, WAITS),
	q, from, to, from_origin, to_origin, region, from_row, from_slice, to_row, to_slice, WAIT)
COUNT(COPY, clEnqueueReadImage, (cl_command_queue q, cl_mem m, cl_bool block, NUMBERS origin,
	NUMBERS region, size_t row, size_t slice, void *to, WAITS),
	q, m, block, origin, region, row, slice, to, WAIT)
COUNT(COPY, clEnqueueWriteImage, (cl_command_queue q, cl_mem m, cl_bool block, NUMBERS origin,
	NUMBERS region, size_t row, size_t slice, const void *from, WAITS),
	q, m, block, origin, region, row, slice, from, WAIT)
COUNT(COPY, clEnqueueCopyImage, (cl_command_queue q, cl_mem from, cl_mem to, NUMBERS from_origin,
	NUMBERS to_origin, NUMBERS region, WAITS),
	q, from, to, from_origin, to_origin, region, WAIT)
COUNT(COPY, clEnqueueCopyImageToBuffer, (cl_command_queue q, cl_mem from, cl_mem to,
	NUMBERS origin, NUMBERS region, size_t offset, WAITS),
	q, from, to, origin, region, offset, WAIT)
COUNT(COPY, clEnqueueCopyBufferToImage, (cl_command_queue q, cl_mem from, cl_mem to,
	size_t offset, NUMBERS origin, NUMBERS region, WAITS),
	q, from, to, offset, origin, region, WAIT)
COUNT_MAP(clEnqueueMapBuffer, (cl_command_queue q, cl_mem m, cl_bool block, cl_map_flags flags,
	size_t offset, size_t size, WAITS, cl_int *error), q, m, block, flags, offset, size, WAIT)
COUNT_MAP(clEnqueueMapImage, (cl_command_queue q, cl_mem m, cl_bool block, cl_map_flags flags,
	NUMBERS origin, NUMBERS region, size_t *row, size_t *slice, WAITS, cl_int *error),
	q, m, block, flags, origin, region, row, slice, WAIT)
COUNT(COPY, clEnqueueUnmapMemObject, (cl_command_queue q, cl_mem m, void *pointer, WAITS),
	q, m, pointer, WAIT)
COUNT(COPY, clEnqueueMigrateMemObjects, (cl_command_queue q, cl_uint count_, const cl_mem *objects,
	cl_mem_migration_flags flags, WAITS), q, count_, objects, flags, WAIT)
COUNT(FILL, clEnqueueFillBuffer, (cl_command_queue q, cl_mem m, const void *pattern, size_t width,
	size_t offset, size_t size, WAITS), q, m, pattern, width, offset, size, WAIT)
COUNT(FILL, clEnqueueFillImage, (cl_command_queue q, cl_mem m, const void *color, NUMBERS origin,
	NUMBERS region, WAITS), q, m, color, origin, region, WAIT)
COUNT(COPY, clEnqueueSVMMemcpy, (cl_command_queue q, cl_bool block, void *to, const void *from,
	size_t size, WAITS), q, block, to, from, size, WAIT)
COUNT(FILL, clEnqueueSVMMemFill, (cl_command_queue q, void *to, const void *pattern, size_t width,
	size_t size, WAITS), q, to, pattern, width, size, WAIT)
COUNT(COPY, clEnqueueSVMMap, (cl_command_queue q, cl_bool block, cl_map_flags flags, void *pointer,
	size_t size, WAITS), q, block, flags, pointer, size, WAIT)
COUNT(COPY, clEnqueueSVMUnmap, (cl_command_queue q, void *pointer, WAITS), q, pointer, WAIT)
COUNT(COPY, clEnqueueSVMMigrateMem, (cl_command_queue q, cl_uint count_, const void **pointers,
	NUMBERS sizes, cl_mem_migration_flags flags, WAITS),
	q, count_, pointers, sizes, flags, WAIT)

#define EACH(take)                                                                                 \
	take(clEnqueueNDRangeKernel) take(clEnqueueTask) take(clEnqueueNativeKernel)               \
	take(clEnqueueReadBuffer) take(clEnqueueWriteBuffer) take(clEnqueueReadBufferRect)         \
	take(clEnqueueWriteBufferRect) take(clEnqueueCopyBuffer) take(clEnqueueCopyBufferRect)     \
	take(clEnqueueReadImage) take(clEnqueueWriteImage) take(clEnqueueCopyImage)                \
	take(clEnqueueCopyImageToBuffer) take(clEnqueueCopyBufferToImage)                          \
	take(clEnqueueMapBuffer) take(clEnqueueMapImage) take(clEnqueueUnmapMemObject)             \
	take(clEnqueueMigrateMemObjects) take(clEnqueueFillBuffer) take(clEnqueueFillImage)        \
	take(clEnqueueSVMMemcpy) take(clEnqueueSVMMemFill) take(clEnqueueSVMMap)                   \
	take(clEnqueueSVMUnmap) take(clEnqueueSVMMigrateMem)
/* clang-format on */

#define TAKE(name)                                                                                 \
	if (next.name)                                                                             \
		ours.name = name##_counted;

#define SHOWN __attribute__((visibility("default")))

SHOWN cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value,
					size_t *needed)
{
	static const char text[] = "countlayer";
	const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	const void *answer = name == CL_LAYER_NAME ? (const void *)text : &version;
	size_t length = name == CL_LAYER_NAME ? sizeof(text) : sizeof(version);

	if (name != CL_LAYER_NAME && name != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (value && size < length)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, answer, length);
	if (needed)
		*needed = length;
	return CL_SUCCESS;
}

SHOWN cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
				     cl_uint *entries_ret, const cl_icd_dispatch **layer_ret)
{
	size_t size = entries * sizeof(void *);

	if (!target || !entries_ret || !layer_ret)
		return CL_INVALID_VALUE;
	memcpy(&next, target, size < sizeof(next) ? size : sizeof(next));
	ours = next;
	EACH(TAKE)
	pthread_atfork(NULL, NULL, forked);
	open_line();
	*entries_ret = sizeof(ours) / sizeof(void *);
	if (*entries_ret > entries)
		*entries_ret = entries;
	*layer_ret = &ours;
	return CL_SUCCESS;
}
