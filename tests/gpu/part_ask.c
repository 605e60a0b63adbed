/* SPDX-License-Identifier: MIT */
/* Questions to CUPTI itself. Each program notes what it has seen as it goes. */
#include <stdio.h>
#include <stdlib.h>

#include "client.h"
#include "counting.h"
#include "part_question.h"
#include "rows.h"
#include "tap.h"
#include "work.h"

enum { LAUNCH = 307 /* cuLaunchKernel */, USUAL_BUFFER = 1 << 20 };

static void done(int result, const char *what)
{
	expect("note %s %d", what, result);
	if (result)
		work_fail(what, result);
}
#define ASK(name, ...) done(client.name(__VA_ARGS__), #name)

/* --- Q1: are automatic ranges there at a launch's end, and are activity records? */
enum { RANGE_LAUNCHES = 8, MOST_RANGES = 64 };

static const char *const metric[] = {"sm__ctas_launched.sum"};
static struct range_object *object;
static uint8_t *data;
static size_t data_bytes, at_exit, at_enter;

/* Returns how many ranges there are so far. */
static size_t decode(void)
{
	struct range_decode decode = {.size = sizeof(decode), .object = object};
	struct range_data_info info = {.size = sizeof(info), .data = data, .bytes = data_bytes};
	int result = client.ranges.RangeProfilerDecodeData(&decode);

	if (!result)
		result = client.ranges.RangeProfilerGetCounterDataInfo(&info);
	if (result || decode.dropped)
		expect("note decode %d dropped %zu", result, decode.dropped);
	return info.ranges;
}

/* Each is larger than the last if the range of the launch has come in between. */
static void launch_callback(void *user, uint32_t domain, uint32_t callback, const void *call)
{
	const struct cupti_call *this = call;
	static size_t launches;
	size_t ranges;

	(void)user;
	if (domain != CUPTI_DOMAIN_DRIVER || callback != LAUNCH)
		return;
	ranges = decode();
	expect("note launch %zu at %s: %zu ranges", launches + 1,
	       this->site == CUPTI_ENTER ? "ENTER" : "EXIT", ranges);
	if (this->site == CUPTI_ENTER)
		at_enter += ranges == launches;
	else
		at_exit += ranges == ++launches;
}

static struct host_object *begin_host(void)
{
	struct range_initialize begin = {.size = sizeof(begin)};
	struct range_chip_name chip = {.size = sizeof(chip)};
	struct host_initialize host = {.size = sizeof(host)};
	struct host_add add = {.size = sizeof(add), .metrics = metric, .count = 1};

	ASK(ranges.ProfilerInitialize, &begin);
	ASK(ranges.DeviceGetChipName, &chip);
	host.chip = chip.name;
	ASK(host.Initialize, &host);
	add.object = host.object;
	ASK(host.ConfigAddMetrics, &add);
	return host.object;
}

static void configure(struct host_object *host)
{
	struct host_image_size size = {.size = sizeof(size), .object = host};
	struct host_image image = {.size = sizeof(image), .object = host};
	struct range_enable enable = {.size = sizeof(enable), .context = work_context};
	struct range_data_size plan = {.size = RANGE_SIZE(range_data_size, bytes),
				       .metrics = metric,
				       .count = 1,
				       .ranges = MOST_RANGES,
				       .nodes = MOST_RANGES};
	struct range_data_initialize begin = {.size = sizeof(begin)};
	struct range_config config = {.size = RANGE_SIZE(range_config, nesting),
				      .mode = RANGE_AUTO,
				      .replay = RANGE_KERNEL_REPLAY,
				      .ranges_per_pass = MOST_RANGES,
				      .nesting_levels = 1,
				      .least_nesting = 1};

	ASK(host.GetConfigImageSize, &size);
	image.bytes = size.bytes;
	image.image = calloc(1, size.bytes);
	ASK(host.GetConfigImage, &image);
	ASK(ranges.RangeProfilerEnable, &enable);
	object = plan.object = begin.object = config.object = enable.object;
	ASK(ranges.RangeProfilerGetCounterDataSize, &plan);
	data_bytes = begin.bytes = config.data_bytes = plan.bytes;
	data = begin.data = config.data = calloc(1, data_bytes);
	ASK(ranges.RangeProfilerCounterDataImageInitialize, &begin);
	config.config = image.image;
	config.config_bytes = image.bytes;
	ASK(ranges.RangeProfilerSetConfig, &config);
}

int ask_ranges(const struct part *part, const char *step)
{
	struct range_stop stop = {.size = RANGE_SIZE(range_stop, all_passes)};
	cupti_subscriber subscriber;
	struct range_disable start = {.size = sizeof(start)};
	size_t at_stop;

	(void)part;
	(void)step;
	counting_begin(COUNTING_METRICS);
	client_open();
	ASK(Subscribe, &subscriber, launch_callback, NULL);
	done(client_register(USUAL_BUFFER), "ActivityRegisterCallbacks");
	ASK(ActivityEnable, CUPTI_KIND_CONCURRENT_KERNEL);
	configure(begin_host());
	start.object = stop.object = object;
	ASK(ranges.RangeProfilerStart, &start);
	ASK(EnableCallback, 1, subscriber, CUPTI_DOMAIN_DRIVER, LAUNCH);
	for (unsigned i = 1; i <= RANGE_LAUNCHES; i++)
		work_done(work_launch_only(&(struct launch){.kernel = "empty", .grid = {i}}),
			  "empty");
	work_wait();
	ASK(EnableCallback, 0, subscriber, CUPTI_DOMAIN_DRIVER, LAUNCH);
	ASK(ranges.RangeProfilerStop, &stop);
	at_stop = decode();
	expect("note stop %zu", at_stop);
	ASK(ranges.RangeProfilerDisable, &start);
	ASK(ActivityFlushAll, CUPTI_FLUSH_FORCED);
	expect("note answer of %d launches %zu ranges were there at their EXIT, %zu at the next "
	       "ENTER, %zu after Stop; %zu kernel records",
	       RANGE_LAUNCHES, at_exit, at_enter ? at_enter - 1 : 0, at_stop,
	       client_seen[0].kernels);
	return 0;
}

/* --- Q7: do CUPTI's own streams shift the numbers? */
int ask_streams(const struct part *part, const char *step)
{
	enum { STREAMS = 6 };
	cuda_stream streams[STREAMS] = {NULL}; /* the first is the NULL stream */
	char text[LOGTEXT_VALUE];
	int length = 0;

	(void)part;
	(void)step;
	work_begin();
	client_open();
	if (!client.GetStreamIdEx)
		work_skip("no cuptiGetStreamIdEx");
	done(client_register(USUAL_BUFFER), "ActivityRegisterCallbacks");
	ASK(ActivityEnable, CUPTI_KIND_CONCURRENT_KERNEL);
	for (int i = 1; i < STREAMS; i++)
		DO(StreamCreate, &streams[i], i % 2 ? CUDA_STREAM_NON_BLOCKING : 0);
	for (int i = 0; i < STREAMS; i++) {
		uint32_t id = 0;

		done(client.GetStreamIdEx(work_context, streams[i], 0, &id), "GetStreamIdEx");
		length += snprintf(text + length, sizeof(text) - (size_t)length, " %u", id);
		work_done(work_launch_only(&(struct launch){
				  .kernel = "empty", .grid = {1}, .stream = streams[i]}),
			  "empty");
		work_wait();
	}
	ASK(ActivityFlushAll, CUPTI_FLUSH_FORCED);
	expect("note answer cuptiGetStreamIdEx:%s (the first is the NULL stream)", text);
	length = 0;
	for (size_t i = 0; i < client_seen[0].kernels && i < STREAMS; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " %u",
				   client_seen[0].streams[i]);
	expect("note answer kernel records:%s", length ? text : " none");
	return 0;
}

/* --- Q10: what do buffers of these sizes cost? */
int ask_buffers(const struct part *part, const char *step)
{
	static const size_t sizes[] = {128 << 10, 1 << 20, 8 << 20};
	enum { LAUNCHES = 30000, BATCH = 1000, WARM_UP = 1000 };

	(void)part;
	(void)step;
	work_begin();
	client_open();
	done(client_register(sizes[0]), "ActivityRegisterCallbacks");
	ASK(ActivityEnable, CUPTI_KIND_CONCURRENT_KERNEL);
	work_launches("launched", WARM_UP, 1);
	work_wait();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		size_t before = client_seen[0].buffers;
		uint64_t start, longest = 0;

		client_buffer_size(sizes[i]);
		ASK(ActivityFlushAll, CUPTI_FLUSH_FORCED);
		start = work_now();
		for (int launches = 0; launches < LAUNCHES; launches++) {
			uint64_t begin = work_now(), took;

			work_done(work_launch_only(&(struct launch){.kernel = "empty"}), "empty");
			took = work_now() - begin;
			longest = took > longest ? took : longest;
			if (launches % BATCH == BATCH - 1)
				work_wait();
		}
		expect("note answer buffers of %zu KiB: a launch takes %.3f us, the longest %.0f "
		       "us; %zu were returned",
		       sizes[i] >> 10, (double)(work_now() - start) / 1000 / LAUNCHES,
		       (double)longest / 1000, client_seen[0].buffers - before);
	}
	return 0;
}

/* --- Q11: does CUPTI take a second pair of functions for buffers, and who gets which buffer? */
int ask_second(const struct part *part, const char *step)
{
	enum { LAUNCHES = 5 };
	uint32_t version = 0;

	(void)part;
	(void)step;
	work_begin();
	client_open();
	ASK(GetVersion, &version);
	done(client_register(USUAL_BUFFER), "ActivityRegisterCallbacks");
	ASK(ActivityEnable, CUPTI_KIND_CONCURRENT_KERNEL);
	work_launches("launched", LAUNCHES, 1);
	work_wait();
	expect("note answer CUPTI %u: a second cuptiActivityRegisterCallbacks returns %d", version,
	       client_register_second());
	work_launches("launched", LAUNCHES, 2);
	work_wait();
	expect("note flush %d", client.ActivityFlushAll(CUPTI_FLUSH_FORCED));
	expect("note answer of %d kernels before it and %d after it, the first pair gets %zu and "
	       "the second %zu; buffers of the other pair: %zu and %zu",
	       LAUNCHES, LAUNCHES, client_seen[0].kernels, client_seen[1].kernels,
	       client_seen[0].foreign, client_seen[1].foreign);
	return 0;
}
