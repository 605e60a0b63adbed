/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backend/cuda/cupti_events.h"
#include "cupti_fake.h"
#include "cupti_doors.h"

/* Activities: the enabled kinds, and their delivery to the client. */

enum { LAST_KIND = 55, ATTRIBUTES = 16, EXTERNAL_KINDS = 8, EXTERNALS = 64 };

static pid_t process; /* process in which the first kind was enabled */
static uint32_t thread_ids;

static bool refuses_kind(uint32_t kind)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", kind);
	return cupti_refuses(text);
}

static int set_kind(const char *function, uint32_t kind, uint32_t context, bool on)
{
	int status = cupti_gate(function, true);

	if (status)
		return status;
	if (!kind || kind > LAST_KIND || (kind == CUPTI_KIND_MEMORY2 && !release()->memory2))
		return cupti_answer(CUPTI_INVALID_KIND);
	if (on && refuses_kind(kind))
		return cupti_answer(CUPTI_NOT_COMPATIBLE);
	cupti_kind_set(kind, context, on);
	__atomic_store_n(&process, getpid(), __ATOMIC_RELAXED);
	return CUPTI_DONE;
}

int cuptiActivityEnable(uint32_t kind)
{
	return set_kind("cuptiActivityEnable", kind, 0, true);
}

int cuptiActivityDisable(uint32_t kind)
{
	return set_kind("cuptiActivityDisable", kind, 0, false);
}

static unsigned managed; /* bits, by enum managed_kind */

bool cupti_managed_is_on(uint32_t counter)
{
	return counter < CUPTI_MANAGED_KINDS &&
	       __atomic_load_n(&managed, __ATOMIC_RELAXED) >> counter & 1;
}

/* CUDA 8.0 has the kinds up to faults of devices. */
int cuptiActivityConfigureUnifiedMemoryCounter(struct cupti_managed_config *configs, uint32_t count)
{
	uint32_t last =
		release()->generation < 4 ? CUPTI_MANAGED_DEVICE_FAULT : CUPTI_MANAGED_KINDS - 1;
	int status = cupti_gate("cuptiActivityConfigureUnifiedMemoryCounter", true);
	unsigned bits = managed;

	if (status)
		return status;
	if (!configs || !count)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	for (uint32_t i = 0; i < count; i++) {
		if (!configs[i].kind || configs[i].kind > last)
			return cupti_answer(CUPTI_INVALID_PARAMETER);
		bits &= ~(1U << configs[i].kind);
		bits |= (unsigned)(configs[i].enable != 0) << configs[i].kind;
	}
	__atomic_store_n(&managed, bits, __ATOMIC_RELAXED);
	return CUPTI_DONE;
}

static int set_context_kind(const char *function, cuda_context context, uint32_t kind, bool on)
{
	uint32_t id, device;

	if (!cupti_driver() || !cupti_driver()->context((void *)context, &id, &device))
		return cupti_answer(CUPTI_INVALID_CONTEXT);
	return set_kind(function, kind, id, on);
}

int cuptiActivityEnableContext(cuda_context context, uint32_t kind)
{
	return set_context_kind("cuptiActivityEnableContext", context, kind, true);
}

int cuptiActivityDisableContext(cuda_context context, uint32_t kind)
{
	return set_context_kind("cuptiActivityDisableContext", context, kind, false);
}

static int set_api(const char *function, uint32_t domain, uint32_t callback, uint8_t enable)
{
	int status = cupti_gate(function, true);

	if (status)
		return status;
	if (!name_of_callback(domain, callback))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	cupti_api_set(domain, callback, enable);
	__atomic_store_n(&process, getpid(), __ATOMIC_RELAXED);
	return CUPTI_DONE;
}

int cuptiActivityEnableDriverApi(uint32_t callback, uint8_t enable)
{
	return set_api("cuptiActivityEnableDriverApi", CUPTI_DOMAIN_DRIVER, callback, enable);
}

int cuptiActivityEnableRuntimeApi(uint32_t callback, uint8_t enable)
{
	return set_api("cuptiActivityEnableRuntimeApi", CUPTI_DOMAIN_RUNTIME, callback, enable);
}

int cuptiActivityRegisterCallbacks(cupti_buffer_requested *requested,
				   cupti_buffer_completed *completed)
{
	int status = cupti_gate("cuptiActivityRegisterCallbacks", false);

	if (status)
		return status;
	if (!requested || !completed)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	buffers_register(requested, completed);
	return CUPTI_DONE;
}

int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, struct cupti_record **record)
{
	uint8_t *at = buffer;
	size_t left;

	if (!buffer || !record)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (*record) {
		at = (uint8_t *)*record;
		if (at < buffer || at >= buffer + valid)
			complain("a record that is asked for the next one is not in the buffer");
		at += record_size((*record)->kind);
	}
	left = valid - (size_t)(at - buffer);
	if (!left)
		return cupti_answer(CUPTI_MAX_LIMIT_REACHED);
	if (left < sizeof(struct cupti_record) ||
	    !record_size(((struct cupti_record *)(void *)at)->kind))
		return cupti_answer(CUPTI_INVALID_KIND);
	*record = (void *)at;
	return CUPTI_DONE;
}

static _Atomic int main_flushes;

__attribute__((destructor)) static void tell_flushes(void)
{
	if (script.countflush)
		fprintf(stderr, "flushes: %d\n", main_flushes);
}

int cuptiActivityFlushAll(uint32_t flag)
{
	pid_t started = __atomic_load_n(&process, __ATOMIC_RELAXED);
	int status;

	main_flushes += (pid_t)syscall(SYS_gettid) == getpid();
	if (cupti_forbidden)
		complain("cuptiActivityFlushAll in %s", cupti_forbidden);
	if (started && started != getpid())
		complain("cuptiActivityFlushAll in a forked child");
	status = cupti_gate("cuptiActivityFlushAll", true);
	if (status)
		return status;
	if (!buffers_registered())
		return cupti_answer(CUPTI_INVALID_OPERATION);
	buffers_lock();
	pending_collect(flag & CUPTI_FLUSH_FORCED);
	buffers_flush(flag & CUPTI_FLUSH_FORCED);
	buffers_unlock(NULL);
	thread_wait();
	if (script.slowflush)
		nanosleep(&(struct timespec){.tv_sec = script.slowflush / 1000,
					     .tv_nsec = script.slowflush % 1000 * 1000000},
			  NULL);
	return CUPTI_DONE;
}

int cuptiActivityFlushPeriod(uint32_t milliseconds)
{
	int status = cupti_gate("cuptiActivityFlushPeriod", true);

	if (!status && !script.noflushperiod)
		thread_period(milliseconds);
	return status;
}

int cuptiActivityGetNumDroppedRecords(cuda_context context, uint32_t stream, size_t *dropped)
{
	int status = cupti_gate("cuptiActivityGetNumDroppedRecords", false);
	BUFFERS_LOCKED();

	(void)context;
	(void)stream;
	*dropped = pending_dropped();
	return status;
}

int cuptiSetThreadIdType(uint32_t type)
{
	int status = cupti_gate("cuptiSetThreadIdType", true);

	if (status)
		return status;
	if (type > 1)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	cupti_thread_ids(type);
	__atomic_store_n(&thread_ids, type, __ATOMIC_RELAXED);
	return CUPTI_DONE;
}

int cuptiGetThreadIdType(uint32_t *type)
{
	*type = __atomic_load_n(&thread_ids, __ATOMIC_RELAXED);
	return cupti_gate("cuptiGetThreadIdType", true);
}

static size_t attributes[ATTRIBUTES] = {3200000, 8388608, 250, 0, 0, 0, 0, 0, 0, 1};

size_t activity_attribute(unsigned attribute)
{
	return __atomic_load_n(&attributes[attribute], __ATOMIC_RELAXED);
}

static int check_attribute(const char *function, uint32_t attribute, const size_t *size)
{
	int status = cupti_gate(function, true);

	if (status)
		return status;
	if (attribute >= ATTRIBUTES)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	return *size > sizeof(size_t) ? cupti_answer(CUPTI_INVALID_PARAMETER) : CUPTI_DONE;
}

int cuptiActivityGetAttribute(uint32_t attribute, size_t *size, void *value)
{
	int status = check_attribute("cuptiActivityGetAttribute", attribute, size);
	BUFFERS_LOCKED();

	if (!status)
		memcpy(value, &attributes[attribute], *size);
	return status;
}

int cuptiActivitySetAttribute(uint32_t attribute, size_t *size, void *value)
{
	int status = check_attribute("cuptiActivitySetAttribute", attribute, size);
	BUFFERS_LOCKED();

	if (!status)
		memcpy(&attributes[attribute], value, *size);
	return status;
}

int cuptiActivityEnableLatencyTimestamps(uint8_t enable)
{
	(void)enable;
	return cupti_gate("cuptiActivityEnableLatencyTimestamps", true);
}

int cuptiActivityEnableHWTrace(uint8_t enable)
{
	(void)enable;
	return cupti_gate("cuptiActivityEnableHWTrace", true);
}

/* External ids are stored and returned, but not recorded. */
static __thread uint64_t externals[EXTERNAL_KINDS][EXTERNALS];
static __thread unsigned external_counts[EXTERNAL_KINDS];

int cuptiActivityPushExternalCorrelationId(uint32_t kind, uint64_t id)
{
	int status = cupti_gate("cuptiActivityPushExternalCorrelationId", true);

	if (status)
		return status;
	if (kind >= EXTERNAL_KINDS || external_counts[kind] == EXTERNALS)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	externals[kind][external_counts[kind]++] = id;
	return CUPTI_DONE;
}

int cuptiActivityPopExternalCorrelationId(uint32_t kind, uint64_t *id)
{
	int status = cupti_gate("cuptiActivityPopExternalCorrelationId", true);

	if (status)
		return status;
	if (kind >= EXTERNAL_KINDS)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (!external_counts[kind])
		return cupti_answer(RESULT_QUEUE_EMPTY);
	external_counts[kind]--;
	if (id)
		*id = externals[kind][external_counts[kind]];
	return CUPTI_DONE;
}
