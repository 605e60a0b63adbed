/* SPDX-License-Identifier: MIT */
/*
 * A fake NVML, of the fake driver's devices: device N of FAKE_NVML (2 if it is not set) has the
 * UUID of device N of tests/fakes/cuda_device.c, and values that N tells. It lists the last device
 * first: the order of the real NVML is not CUDA's, either. Device 1 has no fan.
 */
#include <stdio.h>
#include <stdlib.h>

struct nvml_device;
#define FUNCTION(name, parameters) __attribute__((visibility("default"))) int nvml##name parameters;
#include "cli/run/libnvml.def"
#undef FUNCTION

enum { DONE = 0, INVALID = 2, UNSUPPORTED = 3, MOST = 8, CLOCK_MEMORY = 2 };

static struct nvml_device {
	int number;
} devices[MOST];

static unsigned int device_count(void)
{
	const char *text = getenv("FAKE_NVML");
	int count = text ? atoi(text) : 2;

	return count < 0 || count > MOST ? 0 : (unsigned int)count;
}

static int answer(unsigned int *to, unsigned int value)
{
	*to = value;
	return DONE;
}

int nvmlInit_v2(void)
{
	for (int i = 0; i < MOST; i++)
		devices[i].number = i;
	return device_count() ? DONE : INVALID;
}

int nvmlDeviceGetCount_v2(unsigned int *count)
{
	return answer(count, device_count());
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, struct nvml_device **device)
{
	*device = index < device_count() ? &devices[device_count() - 1 - index] : NULL;
	return *device ? DONE : INVALID;
}

int nvmlDeviceGetUUID(struct nvml_device *device, char *text, unsigned int size)
{
	/* "fake GPU number " and the number, in hexadecimal digits */
	snprintf(text, size, "GPU-66616b65-2047-5055-206e-756d626572%02x", '0' + device->number);
	return DONE;
}

int nvmlDeviceGetClockInfo(struct nvml_device *device, int clock, unsigned int *mhz)
{
	return answer(mhz, (clock == CLOCK_MEMORY ? 2600u : 1400u) + (unsigned int)device->number);
}

int nvmlDeviceGetCurrPcieLinkGeneration(struct nvml_device *device, unsigned int *to)
{
	return answer(to, 4u + (unsigned int)device->number);
}

int nvmlDeviceGetCurrPcieLinkWidth(struct nvml_device *device, unsigned int *to)
{
	return answer(to, device->number ? 8 : 16);
}

/* The device is idle; of device 1 only a reason that nvprof does not know. */
int nvmlDeviceGetCurrentClocksThrottleReasons(struct nvml_device *device,
					      unsigned long long *reasons)
{
	*reasons = device->number ? 0x40 : 0x41;
	return DONE;
}

int nvmlDeviceGetTemperature(struct nvml_device *device, int sensor, unsigned int *celsius)
{
	return sensor ? INVALID : answer(celsius, 40u + (unsigned int)device->number);
}

int nvmlDeviceGetPowerUsage(struct nvml_device *device, unsigned int *milliwatts)
{
	return answer(milliwatts, 61000u + (unsigned int)device->number);
}

int nvmlDeviceGetEnforcedPowerLimit(struct nvml_device *device, unsigned int *milliwatts)
{
	return answer(milliwatts, 250000u + (unsigned int)device->number);
}

int nvmlDeviceGetFanSpeed(struct nvml_device *device, unsigned int *percent)
{
	return device->number ? UNSUPPORTED : answer(percent, 33);
}
