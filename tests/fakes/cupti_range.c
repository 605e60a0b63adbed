/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cupti_range_object.h"

/*
 * The Range Profiler: automatic ranges, one for each kernel that is launched in a context between
 * Start and Stop, and kernel replay. A launch waits for its kernel. DecodeData moves the ranges to
 * the counter data; those for which there is no room there, or that are more than ranges_per_pass
 * since the last time, are dropped and counted.
 *
 * What NVIDIA's header says of DecodeData is stricter than NVIDIA's samples: after Stop. The words
 * latecounters, atstop and entrydecode of FAKE_CUDA are the possible behaviours.
 *
 * On each device one context at a time: another Enable is CUPTI_INVALID_OPERATION.
 * Misuse: structs of another size; an object that is invalid, was disabled, or belongs to the
 * parent process; calls that do not follow Enable, GetCounterDataSize, CounterDataImageInitialize,
 * SetConfig, Start, Stop, Disable; images that are none, of another chip or another size, and
 * counter data of metrics that the configuration does not measure; other modes; a context that ends
 * while it is enabled.
 */
static const char object_magic[8] = "RANGES";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct range_object *range_objects;

void ranges_lock(void)
{
	pthread_mutex_lock(&lock);
}

void ranges_unlock(const int *unused)
{
	(void)unused;
	pthread_mutex_unlock(&lock);
}

static bool is_enabled(const struct range_object *object)
{
	return !memcmp(object->magic, object_magic, sizeof(object_magic));
}

void range_check_object(const char *function, const struct range_object *object)
{
	if (!object || !is_enabled(object))
		complain("%s with an invalid object, or a disabled one", function);
	if (object->process != getpid())
		complain("%s in a forked child", function);
}

void range_check_size(const char *function, size_t size, size_t wanted)
{
	if (size != wanted)
		complain("%s with %zu bytes of parameters, which are %zu", function, size, wanted);
}

struct range_object *range_find(uint32_t context, uint32_t device, bool any_context)
{
	struct range_object *object = range_objects;

	while (object && (!is_enabled(object) || object->device != device ||
			  (!any_context && object->context != context)))
		object = object->older;
	return object;
}

int cuptiRangeProfilerEnable(struct range_enable *parameters)
{
	int status = cupti_gate("cuptiRangeProfilerEnable", true);
	struct range_object *object;
	uint32_t context, device;
	LOCKED();

	range_check_size("cuptiRangeProfilerEnable", parameters->size, sizeof(*parameters));
	if (!parameters->context)
		raise(SIGSEGV); /* as the real one */
	status = status ? status : cupti_fails_taking();
	if (status)
		return cupti_answer(status);
	if (!ranges_initialized())
		return cupti_answer(CUPTI_UNKNOWN);
	if (!cupti_driver()->context((void *)parameters->context, &context, &device))
		return cupti_answer(CUPTI_INVALID_CONTEXT);
	if (range_find(0, device, true))
		return cupti_answer(CUPTI_INVALID_OPERATION);
	object = calloc(1, sizeof(*object));
	if (!object)
		abort();
	memcpy(object->magic, object_magic, sizeof(object_magic));
	object->process = getpid();
	object->context = context;
	object->device = device;
	object->end = &object->waiting;
	object->older = range_objects;
	range_objects = object;
	parameters->object = object;
	return CUPTI_DONE;
}

static void forget_waiting(struct range_object *object)
{
	while (object->waiting) {
		struct waiting *first = object->waiting;

		object->waiting = first->next;
		free(first);
	}
	object->end = &object->waiting;
	object->waiting_count = 0;
}

int cuptiRangeProfilerDisable(struct range_disable *parameters)
{
	BEGIN(RangeProfilerDisable, range_disable, object);

	if (object->is_started && !object->has_failed)
		complain("%s before Stop", function);
	forget_waiting(object);
	free(object->names.text);
	object->names = (struct names){NULL, 0};
	memset(object->magic, 0, sizeof(object->magic));
	return CUPTI_DONE;
}

int cuptiRangeProfilerGetCounterDataSize(struct range_data_size *parameters)
{
	BEGIN(RangeProfilerGetCounterDataSize, range_data_size, bytes);

	if (!parameters->count || !parameters->ranges || parameters->nodes < parameters->ranges)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	for (size_t i = 0; i < parameters->count; i++)
		if (!metric_is(chip_of_devices(), parameters->metrics[i]))
			return cupti_answer(CUPTI_INVALID_PARAMETER);
	free(object->names.text);
	object->names = (struct names){NULL, 0};
	names_add(&object->names, parameters->metrics, parameters->count);
	object->most = parameters->ranges;
	object->data_bytes = image_bytes(object->names.bytes, parameters->ranges);
	parameters->bytes = object->data_bytes;
	return CUPTI_DONE;
}

int cuptiRangeProfilerCounterDataImageInitialize(struct range_data_initialize *parameters)
{
	struct image_head head = {.kind = IMAGE_DATA};
	BEGIN(RangeProfilerCounterDataImageInitialize, range_data_initialize, data);

	if (!object->data_bytes || !parameters->data || parameters->bytes != object->data_bytes)
		complain("%s of %zu bytes, when %zu were asked for", function, parameters->bytes,
			 object->data_bytes);
	strncpy(head.chip, chip_of_devices(), sizeof(head.chip) - 1);
	head.names = object->names.bytes;
	head.most = object->most;
	image_make(parameters->data, &head, object->names.text);
	return CUPTI_DONE;
}

static void check_config(const char *function, const struct range_config *config)
{
	const char *lacking;

	if (!image_is(config->config, config->config_bytes, IMAGE_CONFIG))
		complain("%s with a configuration that is none", function);
	if (strcmp(image_head(config->config).chip, chip_of_devices()) != 0)
		complain("%s with a configuration of another chip", function);
	if (!image_is(config->data, config->data_bytes, IMAGE_DATA) ||
	    image_head(config->data).bytes != config->data_bytes)
		complain("%s with counter data that is not initialized", function);
	lacking = image_lacks(config->config, config->data);
	if (lacking)
		complain("%s: no pass measures %s", function, lacking);
	if (config->mode != RANGE_AUTO || config->replay != RANGE_KERNEL_REPLAY ||
	    config->nesting_levels != 1 || config->least_nesting != 1 || config->pass ||
	    config->nesting)
		complain("%s with something else than automatic ranges and kernel replay",
			 function);
	if (!config->ranges_per_pass)
		complain("%s with no ranges at all", function);
}

int cuptiRangeProfilerSetConfig(struct range_config *parameters)
{
	BEGIN(RangeProfilerSetConfig, range_config, nesting);

	check_config(function, parameters);
	if (object->is_started)
		complain("%s between Start and Stop", function);
	if (script.mostranges && parameters->ranges_per_pass > (size_t)script.mostranges)
		return cupti_answer(CUPTI_INVALID_OPERATION);
	object->is_used = false;
	object->passes = (unsigned)image_head(parameters->config).passes;
	object->data = parameters->data;
	object->most_waiting = parameters->ranges_per_pass;
	return CUPTI_DONE;
}
