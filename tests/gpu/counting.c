/* SPDX-License-Identifier: MIT */
#include "counting.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuptilib.h"
#include "logtext.h"

enum { FIRST_WITH_METRICS = 75, LAST_WITH_EVENTS = 72 };
enum { FIRST_CUPTI_WITHOUT_EVENTS = 130000, FIRST_DRIVER_WITHOUT_EVENTS = 13000 };
enum { WARP = 32, ADMINISTRATOR = 21, PERFORMANCE = 38 }; /* capabilities(7) */

/* Files in /proc have no size, which logtext_load needs. */
static bool find_in_file(const char *path, const char *words, char line[LOGTEXT_VALUE])
{
	FILE *file = fopen(path, "re");
	bool found = false;

	while (file && !found && fgets(line, LOGTEXT_VALUE, file))
		found = !strncmp(line, words, strlen(words));
	if (file)
		fclose(file);
	return found;
}

static bool is_privileged(void)
{
	char line[LOGTEXT_VALUE];
	unsigned long long capabilities = 0;

	if (find_in_file("/proc/self/status", "CapEff:", line))
		capabilities = strtoull(line + strlen("CapEff:"), NULL, 16);
	return capabilities >> ADMINISTRATOR & 1 || capabilities >> PERFORMANCE & 1;
}

static bool driver_restricts(void)
{
	static const char parameters[] = "/proc/driver/nvidia/params";
	static const char *const names[] = {"RmProfilingAdminOnly:",
					    "NVreg_RestrictProfilingToAdminUsers:"};
	char line[LOGTEXT_VALUE];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (find_in_file(parameters, names[i], line))
			return strtol(line + strlen(names[i]), NULL, 10) != 0;
	}
	return false;
}

bool counting_is_refused(void)
{
	return getenv("CONFORMANCE_REFUSED") || (driver_restricts() && !is_privileged());
}

static bool has_metrics(const struct cuptilib *cupti, int capability)
{
	return cupti->ranges && capability >= FIRST_WITH_METRICS;
}

static bool has_events(const struct cuptilib *cupti, int capability)
{
	uint32_t version = 0;
	int driver = 0;

	DO(DriverGetVersion, &driver);
	return !cupti->GetVersion(&version) && version < FIRST_CUPTI_WITHOUT_EVENTS &&
	       driver < FIRST_DRIVER_WITHOUT_EVENTS && capability <= LAST_WITH_EVENTS;
}

/* Only without the profiler: with it, libcupti is in use. */
static void look_at_cupti(enum counting_need need)
{
	int capability = 10 * work_attribute(CUDA_DEVICE_MAJOR) + work_attribute(CUDA_DEVICE_MINOR);
	struct cuptilib cupti;
	bool metrics, events;

	if (cuptilib_open(&cupti))
		work_skip("no libcupti");
	metrics = has_metrics(&cupti, capability);
	events = has_events(&cupti, capability);
	if (!metrics && !events)
		work_skip("this libcupti cannot count on this device");
	if (!metrics && need == COUNTING_METRICS)
		work_skip("the device has no metrics, but events");
	if (!metrics && need == COUNTING_THREADS && capability >= 50)
		work_skip("the device does not count threads");
}

void counting_begin(enum counting_need need)
{
	work_begin();
	if (counting_is_refused())
		work_skip("who runs this may not read counters");
	if (!getenv("COMPUTE_PROFILE"))
		look_at_cupti(need);
}

static unsigned long long volume(const unsigned size[3])
{
	unsigned long long product = 1;

	for (int i = 0; i < 3; i++)
		product *= size[i] ? size[i] : 1;
	return product;
}

unsigned long long counting_blocks(const struct launch *launch)
{
	return volume(launch->grid);
}

unsigned long long counting_warps(const struct launch *launch)
{
	return volume(launch->grid) * ((volume(launch->block) + WARP - 1) / WARP);
}

void counting_launch(const struct launch *launch, const char *format, ...)
{
	struct launch with = *launch;
	char words[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(words, sizeof(words), format, arguments);
	va_end(arguments);
	with.more = words;
	work_launch(&with);
}
