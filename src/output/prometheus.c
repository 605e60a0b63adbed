/* SPDX-License-Identifier: MIT */
#include "output/prometheus.h"

#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "model/api.h"

static const char *const directions[DIRECTION_COUNT] = {
	[DIRECTION_HOST_TO_DEVICE] = "host_to_device",
	[DIRECTION_DEVICE_TO_HOST] = "device_to_host",
	[DIRECTION_DEVICE] = "device",
};

static void put_seconds(struct strbuf *to, uint64_t nanoseconds)
{
	char text[NUMBER_SIZE], *end = number_decimal(text, nanoseconds % 1000000000);

	strbuf_decimal(to, nanoseconds / 1000000000);
	strbuf_char(to, '.');
	for (size_t digits = (size_t)(end - text); digits < 9; digits++)
		strbuf_char(to, '0');
	strbuf_append(to, text, (size_t)(end - text));
}

/* A value may have any bytes: control characters and invalid UTF-8 are made visible first. */
static void put_label(struct strbuf *to, const char *name, const char *value)
{
	const char *separator = to->data && to->data[to->length - 1] == '{' ? "" : ",";
	size_t left = strlen(value), taken, length;
	char text[256];

	strbuf_string(to, separator);
	strbuf_string(to, name);
	strbuf_string(to, "=\"");
	for (; left; left -= taken, value += taken) {
		length = text_visible(text, sizeof(text), value, left, &taken);
		for (size_t i = 0; i < length; i++) {
			if (text[i] == '\\' || text[i] == '"')
				strbuf_char(to, '\\');
			strbuf_char(to, text[i]);
		}
		if (!taken)
			break;
	}
	strbuf_char(to, '"');
}

static void put_head(struct strbuf *to, const char *name, const char *type, const char *help)
{
	strbuf_string(to, "# HELP ");
	strbuf_string(to, name);
	strbuf_char(to, ' ');
	strbuf_string(to, help);
	strbuf_string(to, "\n# TYPE ");
	strbuf_string(to, name);
	strbuf_char(to, ' ');
	strbuf_string(to, type);
	strbuf_char(to, '\n');
}

/* Appends the name and the labels of the process; further labels and the value follow. */
static void begin(struct strbuf *to, const struct prometheus_values *values, const char *name)
{
	char pid[NUMBER_SIZE];

	*number_decimal(pid, values->catalog->process.pid) = '\0';
	strbuf_string(to, name);
	strbuf_char(to, '{');
	put_label(to, "pid", pid);
	put_label(to, "host", values->host);
	put_label(to, "rank", values->rank);
}

static void begin_device(struct strbuf *to, const struct prometheus_values *values,
			 const char *name, uint32_t id)
{
	const struct device *device = catalog_device(values->catalog, id);
	char number[NUMBER_SIZE];

	*number_decimal(number, device->number) = '\0';
	begin(to, values, name);
	put_label(to, "api", api_rows[device->api].word);
	put_label(to, "device", number);
}

enum unit { UNIT_COUNT, UNIT_SECONDS };

static void end(struct strbuf *to, uint64_t value, enum unit unit)
{
	strbuf_string(to, "} ");
	if (unit == UNIT_SECONDS)
		put_seconds(to, value);
	else
		strbuf_decimal(to, value);
	strbuf_char(to, '\n');
}

/* Returns the share of the time in billionths, so that it is written as seconds are. */
static uint64_t share(uint64_t part, uint64_t whole)
{
	if (!whole || part >= whole)
		return whole ? 1000000000 : 0;
	return (uint64_t)((double)part / (double)whole * 1e9);
}

static void put_devices(struct strbuf *to, const struct prometheus_values *values, const char *name,
			enum unit unit,
			uint64_t (*value)(const struct prometheus_values *,
					  const struct prometheus_device *))
{
	for (uint32_t id = 0; id < values->device_count; id++) {
		if (!values->devices[id])
			continue;
		begin_device(to, values, name, id);
		end(to, value(values, values->devices[id]), unit);
	}
}

static uint64_t kernels_of(const struct prometheus_values *values,
			   const struct prometheus_device *device)
{
	(void)values;
	return device->kernels;
}

static uint64_t kernel_time_of(const struct prometheus_values *values,
			       const struct prometheus_device *device)
{
	(void)values;
	return device->kernel_time;
}

static uint64_t busy_of(const struct prometheus_values *values,
			const struct prometheus_device *device)
{
	(void)values;
	return busy_time(&device->busy);
}

static uint64_t busy_share_of(const struct prometheus_values *values,
			      const struct prometheus_device *device)
{
	return share(busy_time(&device->busy), values->recorded);
}

static uint64_t copies_of(const struct prometheus_copies *copies)
{
	return copies->count;
}

static uint64_t copied_of(const struct prometheus_copies *copies)
{
	return copies->bytes;
}

static uint64_t copy_time_of(const struct prometheus_copies *copies)
{
	return copies->time;
}

static void put_copies(struct strbuf *to, const struct prometheus_values *values, const char *name,
		       enum unit unit, uint64_t (*value)(const struct prometheus_copies *))
{
	for (uint32_t id = 0; id < values->device_count; id++)
		for (int i = 0; values->devices[id] && i < DIRECTION_COUNT; i++) {
			begin_device(to, values, name, id);
			put_label(to, "direction", directions[i]);
			end(to, value(&values->devices[id]->copies[i]), unit);
		}
}

static void put_functions(struct strbuf *to, const struct prometheus_values *values,
			  const char *name, enum unit unit)
{
	for (uint32_t i = 0; i < values->function_room; i++) {
		const struct prometheus_function *function = &values->functions[i];

		if (!function->name)
			continue;
		begin(to, values, name);
		put_label(to, "function", names_text(values->catalog->names, function->name, NULL));
		end(to, unit == UNIT_SECONDS ? function->time : function->calls, unit);
	}
}

static void put_process(struct strbuf *to, const struct prometheus_values *values, const char *name,
			uint64_t value)
{
	begin(to, values, name);
	end(to, value, UNIT_COUNT);
}

void prometheus_put(struct strbuf *to, const struct prometheus_values *values)
{
	put_head(to, "computeprof_kernels_total", "counter", "Kernels that have ended.");
	put_devices(to, values, "computeprof_kernels_total", UNIT_COUNT, kernels_of);
	put_head(to, "computeprof_kernel_seconds_total", "counter",
		 "Time of these kernels on the device.");
	put_devices(to, values, "computeprof_kernel_seconds_total", UNIT_SECONDS, kernel_time_of);
	put_head(to, "computeprof_copies_total", "counter", "Copies that have ended.");
	put_copies(to, values, "computeprof_copies_total", UNIT_COUNT, copies_of);
	put_head(to, "computeprof_copy_bytes_total", "counter", "Size of these copies.");
	put_copies(to, values, "computeprof_copy_bytes_total", UNIT_COUNT, copied_of);
	put_head(to, "computeprof_copy_seconds_total", "counter",
		 "Time of these copies on the device.");
	put_copies(to, values, "computeprof_copy_seconds_total", UNIT_SECONDS, copy_time_of);
	put_head(to, "computeprof_device_busy_seconds_total", "counter",
		 "Time in which the device had at least one kernel, copy or fill of the process.");
	put_devices(to, values, "computeprof_device_busy_seconds_total", UNIT_SECONDS, busy_of);
	put_head(to, "computeprof_device_busy_ratio", "gauge",
		 "Share of this time since the process is recorded.");
	put_devices(to, values, "computeprof_device_busy_ratio", UNIT_SECONDS, busy_share_of);
	put_head(to, "computeprof_memory_used_bytes", "gauge", "Memory that is allocated now.");
	put_process(to, values, "computeprof_memory_used_bytes", values->memory);
	put_head(to, "computeprof_memory_peak_bytes", "gauge", "Most memory so far.");
	put_process(to, values, "computeprof_memory_peak_bytes", values->peak);
	put_head(to, "computeprof_api_calls_total", "counter", "Calls of a function.");
	put_functions(to, values, "computeprof_api_calls_total", UNIT_COUNT);
	put_head(to, "computeprof_api_seconds_total", "counter",
		 "Time of the host in these calls.");
	put_functions(to, values, "computeprof_api_seconds_total", UNIT_SECONDS);
	put_head(to, "computeprof_records_lost_total", "counter",
		 "Kernels, copies, fills and calls that were lost.");
	put_process(to, values, "computeprof_records_lost_total", values->lost);
}
