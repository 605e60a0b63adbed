/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuptiuser_metrics.h"

/* The steps of a client that measures metrics of kernels. There is one object of each kind; errors
 * are printed. */

static struct range_object *range;
static uint8_t *data;
static size_t data_bytes;

static void enable(const char *value)
{
	struct range_enable parameters = {.size = sizeof(parameters), .context = current_context()};

	(void)value;
	RANGES(RangeProfilerEnable, &parameters);
	range = parameters.object ? parameters.object : range;
}

static void disable(const char *value)
{
	struct range_disable parameters = {.size = sizeof(parameters), .object = range};

	(void)value;
	RANGES(RangeProfilerDisable, &parameters);
}

/* Makes counter data for that many ranges. */
static void plan(const char *value)
{
	struct range_data_size parameters = {.size = RANGE_SIZE(range_data_size, bytes),
					     .object = range,
					     .metrics = metrics,
					     .count = metric_count,
					     .ranges = (size_t)atoi(value),
					     .nodes = (uint32_t)atoi(value)};

	RANGES(RangeProfilerGetCounterDataSize, &parameters);
	data_bytes = parameters.bytes;
	free(data);
	data = calloc(1, data_bytes + 1);
}

static void empty_data(const char *value)
{
	struct range_data_initialize parameters = {.size = sizeof(parameters),
						   .object = range,
						   .bytes = data_bytes + (size_t)atoi(value),
						   .data = data};

	RANGES(RangeProfilerCounterDataImageInitialize, &parameters);
}

/* The most ranges that may wait for decoding. */
static void configure(const char *value)
{
	struct range_config parameters = {.size = RANGE_SIZE(range_config, nesting),
					  .object = range,
					  .config_bytes = config_bytes,
					  .config = config,
					  .data_bytes = data_bytes,
					  .data = data,
					  .mode = RANGE_AUTO,
					  .replay = RANGE_KERNEL_REPLAY,
					  .ranges_per_pass = (size_t)atoi(value),
					  .nesting_levels = 1,
					  .least_nesting = 1};

	RANGES(RangeProfilerSetConfig, &parameters);
}

static void start(const char *value)
{
	struct range_disable parameters = {.size = sizeof(parameters), .object = range};

	(void)value;
	RANGES(RangeProfilerStart, &parameters);
}

static void stop(const char *value)
{
	struct range_stop parameters = {.size = RANGE_SIZE(range_stop, all_passes),
					.object = range};

	(void)value;
	RANGES(RangeProfilerStop, &parameters);
}

static void decode(const char *value)
{
	struct range_decode parameters = {.size = sizeof(parameters), .object = range};

	(void)value;
	RANGES(RangeProfilerDecodeData, &parameters);
	if (parameters.dropped)
		printf("dropped %zu\n", parameters.dropped);
}

static void evaluate(const char *value)
{
	print_values(data, data_bytes, (size_t)atoi(value));
}

static void info(const char *value)
{
	struct range_data_info parameters = {.size = sizeof(parameters),
					     .data = data,
					     .bytes = data_bytes + (size_t)atoi(value)};

	RANGES(RangeProfilerGetCounterDataInfo, &parameters);
	printf("ranges %zu\n", parameters.ranges);
}

void print_ranges(const char *unused)
{
	struct range_data_info parameters = {
		.size = sizeof(parameters), .data = data, .bytes = data_bytes};

	decode(unused);
	RANGES(RangeProfilerGetCounterDataInfo, &parameters);
	for (size_t i = 0; i < parameters.ranges; i++)
		print_values(data, data_bytes, i);
	empty_data("");
}

/* In a forked child, which then ends. */
static void stop_in_child(const char *value)
{
	int status;
	pid_t child = fork();

	if (!child) {
		stop(value);
		_exit(0);
	}
	waitpid(child, &status, 0);
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/* Performs all steps before the first launch, after begin_host. */
static void measure(const char *value)
{
	add_metrics(value);
	make_image("");
	enable("");
	plan("8");
	empty_data("");
	configure("8");
	start("");
}

const struct step range_steps[] = {
	{"enablerange", enable},
	{"disablerange", disable},
	{"plan", plan},
	{"emptydata", empty_data},
	{"configure", configure},
	{"startrange", start},
	{"stoprange", stop},
	{"stopinchild", stop_in_child},
	{"decode", decode},
	{"evaluate", evaluate},
	{"info", info},
	{"ranges", print_ranges},
	{"measure", measure},
	{NULL, NULL},
};
