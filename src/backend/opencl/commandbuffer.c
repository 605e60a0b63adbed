/* SPDX-License-Identifier: MIT */
#include "backend/opencl/commandbuffer.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "backend/opencl/command.h"
#include "backend/opencl/device.h"
#include "backend/opencl/extension.h"
#include "backend/opencl/flow.h"
#include "backend/opencl/kernel.h"
#include "backend/opencl/next.h"
#include "backend/opencl/object.h"
#include "backend/opencl/queue.h"
#include "base/fork.h"
#include "base/sigmask.h"
#include "base/strbuf.h"
#include "session/session.h"

enum {
	NAMES = 32,	     /* distinct names per command buffer */
	NAME_LENGTH = 256,   /* bytes of a name to print */
	COMMAND_TYPE = 0x12a8, /* CL_COMMAND_COMMAND_BUFFER_KHR, which old headers lack */
};

struct entry {
	uint32_t name; /* in the session's catalog */
	uint32_t count;
};

struct opencl_command_buffer {
	/* Copied from its first queue, which the program may release. */
	struct opencl_queue queue; /* `device` is NULL if the queue is unknown */
	atomic_uint references; /* held by the program */
	_Atomic uint32_t text; /* name of its rows in the catalog, 0: not made yet */
	uint32_t used;	  /* of `entries` */
	uint64_t others; /* commands of names that have no entry */
	struct entry entries[NAMES]; /* in the order of first use */
};

/* Guards the contents of command buffers. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A signal handler may enqueue, too, and would deadlock if it interrupted the lock's owner. */
static sigset_t signals; /* of the thread that holds the lock */

static void lock_contents(void)
{
	sigset_t before;

	sigmask_all(&before);
	pthread_mutex_lock(&lock);
	signals = before;
}

static void unlock_contents(void)
{
	sigset_t before = signals;

	pthread_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void before_fork(void)
{
	lock_contents();
	fork_note_mask(&signals);
}

static void after_fork(void)
{
	fork_note_mask(NULL);
	unlock_contents();
}

void commandbuffer_prepare(void)
{
	fork_watch(before_fork, after_fork, after_fork);
}

static struct opencl_command_buffer *buffer_of(const void *handle)
{
	return object_find(OBJECT_COMMAND_BUFFER, handle);
}

/* The caller holds the lock. */
static void count(struct opencl_command_buffer *buffer, uint32_t name)
{
	buffer->text = 0;
	for (uint32_t i = 0; i < buffer->used; i++) {
		if (buffer->entries[i].name != name)
			continue;
		buffer->entries[i].count++;
		return;
	}
	if (buffer->used < NAMES)
		buffer->entries[buffer->used++] = (struct entry){name, 1};
	else
		buffer->others++;
}

static void put_entry(struct strbuf *text, const char *name, uint64_t times, bool first)
{
	if (!first)
		strbuf_string(text, "+");
	if (times != 1)
		strbuf_printf(text, "%llu*", (unsigned long long)times);
	strbuf_printf(text, "%.*s", (int)NAME_LENGTH, *name ? name : "unknown_kernel");
}

/* Writes for example command_buffer(memset+2*sum+memcopy). */
static void write_text(const struct opencl_command_buffer *buffer, struct strbuf *text)
{
	strbuf_string(text, "command_buffer(");
	for (uint32_t i = 0; i < buffer->used; i++)
		put_entry(text, session_name_text(buffer->entries[i].name),
			  buffer->entries[i].count, !i);
	if (buffer->others)
		put_entry(text, "other", buffer->others, false);
	strbuf_string(text, ")");
}

static uint32_t text_of(struct opencl_command_buffer *buffer)
{
	struct strbuf text = STRBUF_INIT;
	uint32_t id = atomic_load(&buffer->text);

	if (id)
		return id;
	lock_contents();
	if (!buffer->text && (buffer->used || buffer->others)) {
		write_text(buffer, &text);
		if (!text.failed)
			buffer->text = session_contents(text.data, text.length);
		strbuf_free(&text);
	}
	id = buffer->text;
	unlock_contents();
	return id;
}

static void made(const void *handle, cl_uint count, const cl_command_queue *queues,
		 const void *like)
{
	const struct opencl_queue *queue = count && queues ? queue_of(queues[0]) : NULL;
	struct opencl_command_buffer buffer = {.references = 1};
	const struct opencl_command_buffer *from = like ? buffer_of(like) : NULL;

	if (from) {
		lock_contents();
		memcpy(&buffer, from, sizeof(buffer));
		unlock_contents();
		buffer.references = 1;
	}
	if (queue)
		buffer.queue = *queue;
	object_put(OBJECT_COMMAND_BUFFER, handle, &buffer, sizeof(buffer));
}

static cl_platform_id platform_of(const struct opencl_command_buffer *buffer)
{
	return buffer && buffer->queue.device ? buffer->queue.device->platform : NULL;
}

/* The function of the command buffer's platform. */
#define REAL(name, buffer)                                                                         \
	((name##_function)extension_real(EXTENSION_##name, platform_of(buffer)))

void *extension_clCreateCommandBufferKHR(cl_uint queue_count, const cl_command_queue *queues,
					 const cl_properties *properties, cl_int *error)
{
	cl_command_queue queue = queue_count && queues ? queues[0] : NULL;
	void *handle = ((clCreateCommandBufferKHR_function)extension_real(
		EXTENSION_clCreateCommandBufferKHR,
		extension_platform(queue)))(queue_count, queues, properties, error);

	if (handle)
		made(handle, queue_count, queues, NULL);
	return handle;
}

/* Makes a copy of the command buffer for other queues. */
void *extension_clRemapCommandBufferKHR(void *from, cl_bool automatic, cl_uint queue_count,
					const cl_command_queue *queues, cl_uint command_count,
					const void *commands, void *new_commands, cl_int *error)
{
	void *handle = REAL(clRemapCommandBufferKHR, buffer_of(from))(
		from, automatic, queue_count, queues, command_count, commands, new_commands, error);

	if (handle)
		made(handle, queue_count, queues, from);
	return handle;
}

cl_int extension_clRetainCommandBufferKHR(void *handle)
{
	struct opencl_command_buffer *buffer = buffer_of(handle);
	cl_int status = REAL(clRetainCommandBufferKHR, buffer)(handle);

	if (buffer && status == CL_SUCCESS)
		atomic_fetch_add(&buffer->references, 1);
	return status;
}

cl_int extension_clReleaseCommandBufferKHR(void *handle)
{
	struct opencl_command_buffer *buffer = buffer_of(handle);
	clReleaseCommandBufferKHR_function real = REAL(clReleaseCommandBufferKHR, buffer);
	unsigned before = buffer ? object_release(OBJECT_COMMAND_BUFFER, handle,
						  &buffer->references)
				 : 0;
	cl_int status = real(handle);

	if (status != CL_SUCCESS && buffer)
		object_undo_release(OBJECT_COMMAND_BUFFER, handle, &buffer->references, before);
	return status;
}

cl_int extension_clEnqueueCommandBufferKHR(cl_uint queue_count, cl_command_queue *queues,
					   void *handle, cl_uint wait_count, const cl_event *wait,
					   cl_event *event)
{
	static struct command_name unknown = {.text = "command_buffer"};
	struct opencl_command_buffer *buffer = buffer_of(handle);
	struct command_name name = {.text = unknown.text, .id = buffer ? text_of(buffer) : 0};
	const struct opencl_queue *queue = buffer && buffer->queue.device ? &buffer->queue : NULL;
	cl_platform_id platform = platform_of(buffer);
	struct command command;
	cl_int status;

	if (queue_count && queues)
		queue = queue_of(queues[0]);
	if (queue)
		platform = queue->device->platform;
	command_begin_in(&command, queue, event, __builtin_return_address(0));
	status = ((clEnqueueCommandBufferKHR_function)extension_real(
		EXTENSION_clEnqueueCommandBufferKHR, platform))(queue_count, queues, handle,
								wait_count, wait, command.event);
	command_end_named(&command, status, name.id ? &name : &unknown);
	if (flow_is_on() && status == CL_SUCCESS && queue)
		flow_opaque(queue->handle);
	return status;
}

static void recorded(void *handle, cl_int status, uint32_t name)
{
	struct opencl_command_buffer *buffer = buffer_of(handle);

	if (status != CL_SUCCESS || !buffer)
		return;
	lock_contents();
	count(buffer, name);
	unlock_contents();
}

static uint32_t id_of(struct command_name *name)
{
	if (!name->id)
		name->id = session_name(name->text, strlen(name->text));
	return name->id;
}

/*
 * Versions 0.9.5 and later of the extension have one more parameter in the middle. The program's
 * version is unknown, so all words of the longer version are passed on unchanged. Only the first
 * four, which have the same meaning in both versions, are used.
 */
#define RECORDED(function, word)                                                                   \
	cl_int extension_##function(COMMAND_PARAMETERS)                                            \
	{                                                                                          \
		static struct command_name name = {.text = (word)};                                \
		void *handle = (void *)a1;                                                         \
		cl_int status = REAL(function, buffer_of(handle))(COMMAND_ARGUMENTS);              \
                                                                                                   \
		recorded(handle, status, id_of(&name));                                            \
		return status;                                                                     \
	}

RECORDED(clCommandBarrierWithWaitListKHR, "barrier")
RECORDED(clCommandCopyBufferKHR, "memcopy")
RECORDED(clCommandCopyBufferRectKHR, "memcopy")
RECORDED(clCommandCopyBufferToImageKHR, "memcopy")
RECORDED(clCommandCopyImageKHR, "memcopy")
RECORDED(clCommandCopyImageToBufferKHR, "memcopy")
RECORDED(clCommandFillBufferKHR, "memset")
RECORDED(clCommandFillImageKHR, "memset")
RECORDED(clCommandSVMMemcpyKHR, "memcopy")
RECORDED(clCommandSVMMemFillKHR, "memset")

cl_int extension_clCommandNDRangeKernelKHR(COMMAND_PARAMETERS)
{
	const struct opencl_kernel *kernel = kernel_of((cl_kernel)a4);
	uint32_t name = kernel ? kernel->name : 0;
	void *handle = (void *)a1;
	cl_int status = REAL(clCommandNDRangeKernelKHR, buffer_of(handle))(COMMAND_ARGUMENTS);

	recorded(handle, status, name);
	return status;
}

/* PoCL's event belongs to a command after those of the command buffer; drivers that emulate the
 * extension return a marker's event. */
bool commandbuffer_event_has_times(const struct record *record)
{
	cl_event event = (cl_event)(uintptr_t)record->handle;
	const struct opencl_device *device = device_by_id(record->device);
	cl_command_type type = 0;

	next.clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
	return type == CL_COMMAND_NATIVE_KERNEL ||
	       (type == COMMAND_TYPE && device && !device->is_pocl);
}
