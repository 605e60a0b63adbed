/* SPDX-License-Identifier: MIT */
#include "cli/run/sensor_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/say.h"
#include "base/strbuf.h"
#include "view/optional_library.h"
#include "view/sensors.h"

enum { DEVICES = 64, CLOCK_SM = 1, CLOCK_MEMORY = 2, ON_DIE = 0 };

/* Reasons of NVML that nvprof's table has, with the same bits, and its bits for others. */
enum { REASONS = 15 };
#define REASON_UNKNOWN	   UINT32_C(0x80000000)
#define REASON_UNSUPPORTED UINT32_C(0x40000000)

struct nvml_device;

static struct nvml_functions {
#define FUNCTION(name, parameters) int(*name) parameters;
#include "cli/run/libnvml.def"
#undef FUNCTION
} nvml;

/* clang-format off */
static const struct optional_function list[] = {
#define FUNCTION(name, parameters) {"nvml" #name, offsetof(struct nvml_functions, name)},
#include "cli/run/libnvml.def"
#undef FUNCTION
	{NULL, 0},
};
/* clang-format on */

static struct optional_library library = {
	.title = "NVML",
	.soname = "libnvidia-ml.so.1",
	.package = "libnvidia-ml1",
	.list = list,
	.functions = &nvml,
};

static struct place {
	struct nvml_device *device;
	unsigned char uuid[SENSOR_UUID];
} places[DEVICES];
static unsigned int place_count;
static bool wanted, is_on;
static bool stop; /* under the lock */
static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static struct strbuf samples; /* struct sensor_sample */

void sensor_thread_want(void)
{
	wanted = true;
}

/* "GPU-" and 16 bytes in hexadecimal digits, with dashes between some. */
static bool read_uuid(const char *text, unsigned char *uuid)
{
	unsigned int byte;
	int used;

	if (strncmp(text, "GPU-", 4) != 0)
		return false;
	text += 4;
	for (int i = 0; i < SENSOR_UUID; i++) {
		text += *text == '-';
		if (sscanf(text, "%2x%n", &byte, &used) != 1 || used != 2)
			return false;
		uuid[i] = (unsigned char)byte;
		text += 2;
	}
	return true;
}

static void find_devices(void)
{
	unsigned int count = 0;
	char uuid[96];

	if (nvml.DeviceGetCount_v2(&count))
		return;
	for (unsigned int i = 0; i < count && place_count < DEVICES; i++) {
		struct place *place = &places[place_count];

		if (!nvml.DeviceGetHandleByIndex_v2(i, &place->device) &&
		    !nvml.DeviceGetUUID(place->device, uuid, sizeof(uuid)) &&
		    read_uuid(uuid, place->uuid))
			place_count++;
	}
}

static void add(const struct place *place, enum sensor_kind kind, const uint32_t *values)
{
	struct sensor_sample sample = {.kind = kind};
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	sample.moment = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	memcpy(sample.uuid, place->uuid, sizeof(sample.uuid));
	memcpy(sample.values, values, sizeof(sample.values));
	strbuf_append(&samples, &sample, sizeof(sample));
}

static uint32_t reasons_of(const struct place *place)
{
	unsigned long long reasons;

	if (nvml.DeviceGetCurrentClocksThrottleReasons(place->device, &reasons))
		return REASON_UNSUPPORTED;
	return (uint32_t)(reasons & REASONS) |
	       (reasons && !(reasons & REASONS) ? REASON_UNKNOWN : 0);
}

/* What a device cannot tell has no row; 0 is what is missing in one. */
static void read_device(const struct place *place)
{
	struct nvml_device *device = place->device;
	uint32_t speed[SENSOR_VALUES] = {0}, one[SENSOR_VALUES] = {0}, power[SENSOR_VALUES] = {0};

	if (!nvml.DeviceGetClockInfo(device, CLOCK_SM, &speed[0])) {
		nvml.DeviceGetClockInfo(device, CLOCK_MEMORY, &speed[1]);
		nvml.DeviceGetCurrPcieLinkGeneration(device, &speed[2]);
		nvml.DeviceGetCurrPcieLinkWidth(device, &speed[3]);
		speed[4] = reasons_of(place);
		add(place, SENSOR_SPEED, speed);
	}
	if (!nvml.DeviceGetTemperature(device, ON_DIE, &one[0]))
		add(place, SENSOR_TEMPERATURE, one);
	if (!nvml.DeviceGetPowerUsage(device, &power[0])) {
		nvml.DeviceGetEnforcedPowerLimit(device, &power[1]);
		add(place, SENSOR_POWER, power);
	}
	if (!nvml.DeviceGetFanSpeed(device, &one[0]))
		add(place, SENSOR_COOLING, one);
}

static void read_all(void)
{
	for (unsigned int i = 0; i < place_count; i++)
		read_device(&places[i]);
}

static void *run(void *unused)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	pthread_mutex_lock(&lock);
	while (!stop) {
		pthread_mutex_unlock(&lock);
		read_all();
		pthread_mutex_lock(&lock);
		until.tv_sec++;
		while (!stop && !pthread_cond_timedwait(&changed, &lock, &until))
			;
	}
	pthread_mutex_unlock(&lock);
	read_all();
	return unused;
}

/* Signals are for the tool's own thread. */
static int start(void)
{
	pthread_condattr_t attributes;
	sigset_t all, before;
	int result;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attributes);
	pthread_condattr_destroy(&attributes);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(&thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return result;
}

void sensor_thread_begin(void)
{
	struct strbuf error = STRBUF_INIT;
	int result;

	if (!wanted)
		return;
	if (optional_library_open(&library, &error)) {
		say("clocks, power and temperature are not recorded: %s", strbuf_text(&error));
		strbuf_free(&error);
		return;
	}
	result = nvml.Init_v2();
	if (!result)
		find_devices();
	if (result)
		say("clocks, power and temperature are not recorded: NVML's error %d", result);
	else if (!place_count)
		say("clocks, power and temperature are not recorded: NVML has no device");
	else if (start())
		say("clocks, power and temperature are not recorded: no thread can be started");
	else
		is_on = true;
}

void sensor_thread_end(void)
{
	struct timespec limit;

	if (!is_on)
		return;
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += 5;
	pthread_mutex_lock(&lock);
	stop = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	if (pthread_timedjoin_np(thread, NULL, &limit)) {
		say("clocks, power and temperature are not in the database: NVML does not answer");
		return;
	}
	is_on = false;
	sensors_set(&samples);
}
