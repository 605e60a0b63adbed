/* SPDX-License-Identifier: MIT */
#include "scripted_profiler.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

struct play play;

/* The contents of memory that RangeProfilerCounterDataImageInitialize has initialized. */
struct image {
	uint64_t magic;
	size_t capacity;
	size_t count;
	double kernels[];
};

enum { MAGIC = 0x1a6e };

const uint8_t play_config[PLAY_CONFIG] = "config";

/* Logs the call. Returns true if it must fail. */
bool play_called(const char *name, const void *parameters, size_t size)
{
	size_t given;

	memcpy(&given, parameters, sizeof(given));
	assert_int_equal(given, size);
	if (strlen(play.calls) + strlen(name) + 2 < sizeof(play.calls))
		strcat(strcat(play.calls, name), " ");
	play.number++;
	return play.number == play.fails || (play.fails_always && !strcmp(play.fails_always, name));
}

cuda_context play_context(int number)
{
	return (cuda_context)(void *)&play.objects[number];
}

static struct play_object *object_of(struct range_object *handle)
{
	struct play_object *object = (struct play_object *)(void *)handle;

	assert_true(object == &play.objects[0] || object == &play.objects[1]);
	assert_true(object->enabled);
	return object;
}

static struct image *image_of(const uint8_t *data)
{
	struct image *image = (struct image *)(void *)(uintptr_t)data;

	assert_non_null(image);
	assert_int_equal(image->magic, MAGIC);
	return image;
}

static int enable(struct range_enable *parameters)
{
	struct play_object *object = (struct play_object *)(void *)parameters->context;

	if (CALLED("Enable", range_enable, object))
		return PLAY_ERROR;
	assert_false(object->enabled);
	object->enabled = true;
	parameters->object = (struct range_object *)(void *)object;
	return 0;
}

static int disable(struct range_disable *parameters)
{
	struct play_object *object = object_of(parameters->object);
	bool fails = CALLED("Disable", range_disable, object);

	object->enabled = object->started = false;
	object->data = NULL;
	object->count = 0;
	return fails ? PLAY_ERROR : 0;
}

static int start(struct range_disable *parameters)
{
	struct play_object *object = object_of(parameters->object);

	assert_non_null(object->data);
	assert_false(object->started);
	if (CALLED("Start", range_disable, object) || (play.starts_once && object->used))
		return PLAY_ERROR;
	object->started = object->used = true;
	return 0;
}

static int stop(struct range_stop *parameters)
{
	struct play_object *object = object_of(parameters->object);

	assert_true(object->started);
	object->started = false;
	if (CALLED("Stop", range_stop, all_passes))
		return PLAY_ERROR;
	play.now = PLAY_AT_STOP;
	parameters->all_passes = 1;
	return 0;
}

static int set_config(struct range_config *parameters)
{
	struct play_object *object = object_of(parameters->object);

	if (CALLED("SetConfig", range_config, nesting))
		return PLAY_ERROR;
	assert_memory_equal(parameters->config, play_config, PLAY_CONFIG);
	assert_int_equal(parameters->config_bytes, PLAY_CONFIG);
	assert_int_equal(parameters->mode, RANGE_AUTO);
	assert_int_equal(parameters->replay, RANGE_KERNEL_REPLAY);
	assert_int_equal(parameters->nesting_levels, 1);
	assert_int_equal(parameters->least_nesting, 1);
	assert_int_equal(parameters->ranges_per_pass, image_of(parameters->data)->capacity);
	object->used = false;
	object->data = parameters->data;
	object->capacity = parameters->ranges_per_pass;
	return 0;
}

static int data_size(struct range_data_size *parameters)
{
	object_of(parameters->object);
	if (CALLED("Size", range_data_size, bytes) || parameters->ranges > play.most)
		return PLAY_ERROR;
	assert_true(parameters->nodes >= parameters->ranges);
	parameters->bytes = sizeof(struct image) + parameters->ranges * sizeof(double);
	return 0;
}

static int image_initialize(struct range_data_initialize *parameters)
{
	struct image *image = (struct image *)(void *)parameters->data;

	object_of(parameters->object);
	if (CALLED("Image", range_data_initialize, data))
		return PLAY_ERROR;
	*image = (struct image){
		.magic = MAGIC,
		.capacity = (parameters->bytes - sizeof(*image)) / sizeof(double),
	};
	return 0;
}

static int decode(struct range_decode *parameters)
{
	struct play_object *object = object_of(parameters->object);
	struct image *image = image_of(object->data);

	if (CALLED("Decode", range_decode, dropped))
		return PLAY_ERROR;
	if (play.most_decoded && object->capacity > play.most_decoded)
		return PLAY_ERROR;
	parameters->dropped = 0;
	if (play.now < play.when)
		return 0;
	for (size_t i = 0; i < object->count; i++)
		if (image->count < image->capacity && (i || !play.drops_first))
			image->kernels[image->count++] = object->kernels[i];
		else
			parameters->dropped++;
	object->count = 0;
	return 0;
}

static int info(struct range_data_info *parameters)
{
	if (CALLED("Info", range_data_info, ranges))
		return PLAY_ERROR;
	parameters->ranges = image_of(parameters->data)->count;
	return 0;
}

static int host_evaluate(struct host_evaluate *parameters)
{
	const struct image *image = image_of(parameters->data);

	if (play_called("Evaluate", parameters, sizeof(*parameters)))
		return PLAY_ERROR;
	assert_true(parameters->range < image->count);
	for (size_t i = 0; i < parameters->count; i++)
		parameters->values[i] = play.infinite
						? INFINITY
						: image->kernels[parameters->range] + (double)i / 4;
	return 0;
}

const struct range_library *range_library(void)
{
	return play.too_old ? NULL : &play.library;
}

void play_kernels(int context, double first, size_t count)
{
	struct play_object *object = &play.objects[context];

	for (size_t i = 0; object->started && i < count; i++)
		object->kernels[object->count++] = first + (double)i;
}

void play_begin(void)
{
	memset(&play, 0, sizeof(play));
	play.library.call = (struct range_functions){
		.RangeProfilerEnable = enable,
		.RangeProfilerDisable = disable,
		.RangeProfilerStart = start,
		.RangeProfilerStop = stop,
		.RangeProfilerSetConfig = set_config,
		.RangeProfilerDecodeData = decode,
		.RangeProfilerGetCounterDataSize = data_size,
		.RangeProfilerCounterDataImageInitialize = image_initialize,
		.RangeProfilerGetCounterDataInfo = info,
	};
	play_begin_host();
	play.library.host.EvaluateToGpuValues = host_evaluate;
	play.most = PLAY_RANGES;
}
