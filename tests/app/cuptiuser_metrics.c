/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuptiuser_metrics.h"

/* The steps of a client that uses metrics. There is one object of each kind; errors are printed. */

struct host_object *host;
const char *metrics[METRICS];
size_t metric_count;
uint8_t *config;
size_t config_bytes;
static uint8_t *availability;
static const char *chip = "GH100";

static void initialize(const char *value)
{
	struct range_initialize parameters = {.size = sizeof(parameters)};

	(void)value;
	RANGES(ProfilerInitialize, &parameters);
}

static void supported(const char *value)
{
	struct range_device_supported parameters = {
		.size = RANGE_SIZE(range_device_supported, profiler), .device = atoi(value)};

	RANGES(ProfilerDeviceSupported, &parameters);
	printf("supported %d architecture %d sli %d virtual %d confidential %d mining %d wsl %d\n",
	       parameters.supported, parameters.architecture, parameters.sli,
	       parameters.virtual_gpu, parameters.confidential, parameters.mining, parameters.wsl);
}

/* Later steps use this chip. */
static void chip_name(const char *value)
{
	struct range_chip_name parameters = {
		.size = sizeof(parameters), .device = (size_t)atoi(value), .name = "none"};

	RANGES(DeviceGetChipName, &parameters);
	chip = parameters.name;
	printf("chip %s\n", chip);
}

static void set_chip(const char *value)
{
	chip = value;
}

cuda_context current_context(void)
{
	cuda_context context = NULL;

	((int (*)(cuda_context *))driver_function("cuCtxGetCurrent"))(&context);
	return context;
}

static void available(const char *value)
{
	struct range_availability parameters = {.size = sizeof(parameters),
						.context = current_context()};

	(void)value;
	RANGES(ProfilerGetCounterAvailability, &parameters);
	availability = parameters.image = calloc(1, parameters.bytes + 1);
	RANGES(ProfilerGetCounterAvailability, &parameters);
}

static void chips(const char *value)
{
	struct host_chips parameters = {.size = sizeof(parameters)};

	(void)value;
	RANGES(ProfilerHostGetSupportedChips, &parameters);
	printf("%zu chips, the first %s\n", parameters.count, parameters.names[0]);
}

void begin_host(const char *value)
{
	struct host_initialize parameters = {.size = sizeof(parameters) + (size_t)atoi(value),
					     .chip = chip,
					     .availability = availability};

	RANGES(ProfilerHostInitialize, &parameters);
	host = parameters.object;
	metric_count = 0;
}

static void host_end(const char *value)
{
	struct host_deinitialize parameters = {.size = sizeof(parameters), .object = host};

	(void)value;
	RANGES(ProfilerHostDeinitialize, &parameters);
}

/* Adds names separated by commas in one call. */
void add_metrics(const char *value)
{
	char *text = strdup(value), *rest;
	struct host_add parameters = {
		.size = sizeof(parameters), .object = host, .metrics = metrics + metric_count};

	for (char *name = strtok_r(text, ",", &rest); name && metric_count < METRICS;
	     name = strtok_r(NULL, ",", &rest)) {
		metrics[metric_count++] = name; /* never freed: the process ends */
		parameters.count++;
	}
	RANGES(ProfilerHostConfigAddMetrics, &parameters);
}

/* Makes the configuration of all added metrics. */
void make_image(const char *value)
{
	struct host_image_size size = {.size = sizeof(size), .object = host};
	struct host_image parameters = {.size = sizeof(parameters), .object = host};

	RANGES(ProfilerHostGetConfigImageSize, &size);
	config_bytes = parameters.bytes = size.bytes + (size_t)atoi(value);
	free(config);
	config = parameters.image = calloc(1, parameters.bytes + 1);
	RANGES(ProfilerHostGetConfigImage, &parameters);
}

static void passes(const char *value)
{
	struct host_passes parameters = {.size = sizeof(parameters)};

	make_image(value);
	parameters.image = config;
	parameters.bytes = config_bytes;
	RANGES(ProfilerHostGetNumOfPasses, &parameters);
	printf("passes %zu\n", parameters.passes);
}

void print_values(const uint8_t *data, size_t bytes, size_t range)
{
	double values[METRICS];
	struct host_evaluate parameters = {.size = sizeof(parameters),
					   .object = host,
					   .data = data,
					   .bytes = bytes,
					   .range = range,
					   .metrics = metrics,
					   .count = metric_count,
					   .values = values};

	RANGES(ProfilerHostEvaluateToGpuValues, &parameters);
	printf("range %zu:", parameters.range);
	for (size_t i = 0; i < metric_count; i++)
		printf(" %.10g", values[i]);
	puts("");
}

const struct step metric_steps[] = {
	{"rangeinit", initialize}, {"supported", supported}, {"chipname", chip_name},
	{"chip", set_chip},	   {"available", available}, {"chips", chips},
	{"hostbegin", begin_host}, {"hostend", host_end},    {"add", add_metrics},
	{"image", make_image},	   {"passes", passes},	     {NULL, NULL},
};
