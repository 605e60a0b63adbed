/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cupti_image.h"
#include "cupti_ranges.h"

/*
 * The Profiler Host API: metrics of chips, without a device. The errors are those of the
 * libcupti of CUDA 13.0:
 *	- a struct of another size, another profiler than that of ranges: 1; another chip: 46, and
 *	  27 for GV11B, which is in the list nevertheless
 *	- AddMetrics takes all names or none. 1: one is not known; 27: they do not go together. From
 *	  then on the object takes no more names, error 999, but what it has taken remains
 *	- names that were added apart are measured in passes apart
 *	- there is no image of no metrics: 999
 * Misuse: an object that is invalid or released; an invalid image, where the real one does not
 * look at it at all; values of ranges, or of metrics, that the image does not have.
 */
struct host_object {
	char magic[8];
	char chip[CHIP_NAME];
	bool is_broken;
	struct names names;
	unsigned passes;
	unsigned alone; /* metrics that are */
	bool lacks_device_level; /* these are not available */
	unsigned count;
	struct host_object *older; /* so that a leak checker finds them all */
};

static const char host_magic[8] = "HOSTAPI";
static struct host_object *newest;

static struct host_object *check(const char *function, struct host_object *object)
{
	if (!object || memcmp(object->magic, host_magic, sizeof(host_magic)) != 0)
		complain("%s with an invalid object, or a released one", function);
	return object;
}

/* Availability images of other sources are not supported; their length is unknown here. */
static bool is_other_chip(const uint8_t *availability, const char *chip)
{
	if (!availability)
		return false;
	if (!image_is(availability, SIZE_MAX, IMAGE_AVAILABILITY))
		complain("cuptiProfilerHostInitialize with an availability image that is none");
	return strcmp(image_head(availability).chip, chip) != 0;
}

int cuptiProfilerHostInitialize(struct host_initialize *parameters)
{
	int status = cupti_gate("cuptiProfilerHostInitialize", false);
	struct host_object *object;

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters) || parameters->profiler || !parameters->chip)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (!chip_is(parameters->chip))
		return cupti_answer(RESULT_INVALID_CHIP);
	if (!strcmp(parameters->chip, "GV11B"))
		return cupti_answer(CUPTI_NOT_SUPPORTED);
	if (is_other_chip(parameters->availability, parameters->chip))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	object = calloc(1, sizeof(*object));
	if (!object)
		abort();
	memcpy(object->magic, host_magic, sizeof(host_magic));
	snprintf(object->chip, sizeof(object->chip), "%s", parameters->chip);
	object->lacks_device_level = parameters->availability &&
				     !image_head(parameters->availability).device_level;
	object->older = __atomic_load_n(&newest, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&newest, &object->older, object, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	parameters->object = object;
	return CUPTI_DONE;
}

int cuptiProfilerHostDeinitialize(struct host_deinitialize *parameters)
{
	int status = cupti_gate("cuptiProfilerHostDeinitialize", false);
	struct host_object *object;

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	object = check("cuptiProfilerHostDeinitialize", parameters->object);
	free(object->names.text);
	memset(object->magic, 0, sizeof(object->magic));
	return CUPTI_DONE;
}

int cuptiProfilerHostGetSupportedChips(struct host_chips *parameters)
{
	int status = cupti_gate("cuptiProfilerHostGetSupportedChips", false);

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	parameters->names = chip_names(&parameters->count);
	return CUPTI_DONE;
}

static int find_metrics(const struct host_object *object, const struct host_add *add)
{
	unsigned alone = object->alone;

	for (size_t i = 0; i < add->count; i++) {
		if (!metric_is(object->chip, add->metrics[i]))
			return CUPTI_INVALID_PARAMETER;
		alone += metric_is_alone(add->metrics[i]);
	}
	if (alone && object->lacks_device_level)
		return CUPTI_NOT_SUPPORTED;
	return alone && alone < object->count + add->count ? CUPTI_NOT_SUPPORTED : CUPTI_DONE;
}

int cuptiProfilerHostConfigAddMetrics(struct host_add *parameters)
{
	int status = cupti_gate("cuptiProfilerHostConfigAddMetrics", false);
	struct host_object *object;

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	object = check("cuptiProfilerHostConfigAddMetrics", parameters->object);
	if (object->is_broken)
		return cupti_answer(CUPTI_UNKNOWN);
	if (!parameters->count || !parameters->metrics)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	status = find_metrics(object, parameters);
	object->is_broken = status;
	if (status)
		return cupti_answer(status);
	names_add(&object->names, parameters->metrics, parameters->count);
	object->passes += metric_passes(parameters->metrics, parameters->count);
	object->count += (unsigned)parameters->count;
	for (size_t i = 0; i < parameters->count; i++)
		object->alone += metric_is_alone(parameters->metrics[i]);
	return CUPTI_DONE;
}

int cuptiProfilerHostGetConfigImageSize(struct host_image_size *parameters)
{
	int status = cupti_gate("cuptiProfilerHostGetConfigImageSize", false);
	struct host_object *object;

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	object = check("cuptiProfilerHostGetConfigImageSize", parameters->object);
	parameters->bytes = object->count ? image_bytes(object->names.bytes, 0) : 0;
	return object->count ? CUPTI_DONE : cupti_answer(CUPTI_UNKNOWN);
}

int cuptiProfilerHostGetConfigImage(struct host_image *parameters)
{
	int status = cupti_gate("cuptiProfilerHostGetConfigImage", false);
	struct host_object *object;
	struct image_head head = {.kind = IMAGE_CONFIG};

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters) || !parameters->image)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	object = check("cuptiProfilerHostGetConfigImage", parameters->object);
	if (!parameters->bytes)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (!object->count)
		return cupti_answer(CUPTI_UNKNOWN);
	if (parameters->bytes < image_bytes(object->names.bytes, 0))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	memcpy(head.chip, object->chip, sizeof(head.chip));
	head.names = object->names.bytes;
	head.passes = object->passes;
	image_make(parameters->image, &head, object->names.text);
	return CUPTI_DONE;
}

int cuptiProfilerHostGetNumOfPasses(struct host_passes *parameters)
{
	int status = cupti_gate("cuptiProfilerHostGetNumOfPasses", false);

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (!image_is(parameters->image, parameters->bytes, IMAGE_CONFIG))
		complain("cuptiProfilerHostGetNumOfPasses of an image that is none");
	parameters->passes = image_head(parameters->image).passes;
	return CUPTI_DONE;
}

int cuptiProfilerHostEvaluateToGpuValues(struct host_evaluate *parameters)
{
	static const char function[] = "cuptiProfilerHostEvaluateToGpuValues";
	int status = cupti_gate(function, false);
	const struct host_object *object;
	struct range range;

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	object = check(function, parameters->object);
	if (!image_is(parameters->data, parameters->bytes, IMAGE_DATA) || !parameters->values)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (strcmp(image_head(parameters->data).chip, object->chip) != 0)
		complain("%s: the image is of another chip", function);
	if (parameters->range >= image_head(parameters->data).count)
		complain("%s: there is no range %zu", function, parameters->range);
	range = image_range(parameters->data, parameters->range);
	for (size_t i = 0; i < parameters->count; i++) {
		if (!image_has(parameters->data, parameters->metrics[i]))
			complain("%s: %s was not measured", function, parameters->metrics[i]);
		parameters->values[i] = metric_value(parameters->metrics[i], &range);
	}
	return CUPTI_DONE;
}

static int range_name(const char *function, struct host_range_name *parameters)
{
	int status = cupti_gate(function, false);
	char text[24];

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters) ||
	    !image_is(parameters->data, parameters->bytes, IMAGE_DATA) ||
	    parameters->range >= image_head(parameters->data).count)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	snprintf(text, sizeof(text), "%zu",
		 (size_t)image_range(parameters->data, parameters->range).index);
	parameters->name = strdup(text);
	return CUPTI_DONE;
}

int cuptiProfilerHostGetRangeName(struct host_range_name *parameters)
{
	return range_name("cuptiProfilerHostGetRangeName", parameters);
}

/* Has the same parameters. The header does not say whose the name is; here it is the client's. */
int cuptiRangeProfilerCounterDataGetRangeInfo(struct host_range_name *parameters)
{
	return range_name("cuptiRangeProfilerCounterDataGetRangeInfo", parameters);
}
