/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <string.h>

#include "cupti_image.h"
#include "cupti_ranges.h"

/*
 * The support of devices. As in the real library, cuptiDeviceGetChipName and
 * cuptiProfilerGetCounterAvailability crash before cuptiProfilerInitialize has succeeded, but not
 * with the word lazyinit.
 */
static int initialized;

bool ranges_initialized(void)
{
	return __atomic_load_n(&initialized, __ATOMIC_ACQUIRE);
}

static void need_initialized(void)
{
	if (!ranges_initialized() && !script.lazyinit)
		raise(SIGSEGV);
}

int cuptiProfilerInitialize(struct range_initialize *parameters)
{
	int status = cupti_gate("cuptiProfilerInitialize", true);

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	__atomic_store_n(&initialized, 1, __ATOMIC_RELEASE);
	return CUPTI_DONE;
}

/* Enabled objects stay valid: NVIDIA's sample profiling_injection calls this for one of several
 * contexts and continues in the others. */
int cuptiProfilerDeInitialize(struct range_initialize *parameters)
{
	int status = cupti_gate("cuptiProfilerDeInitialize", true);

	if (status)
		return status;
	if (parameters->size != sizeof(*parameters))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	__atomic_store_n(&initialized, 0, __ATOMIC_RELEASE);
	return CUPTI_DONE;
}

static bool is_device(int64_t device)
{
	return device >= 0 && device < script.devices;
}

/* Devices of compute capability 7.0 are supported by releases before 13 only. */
static bool is_too_old(void)
{
	return script.cc < (release()->version < 130000 ? 70 : 75);
}

int cuptiProfilerDeviceSupported(struct range_device_supported *parameters)
{
	static const char function[] = "cuptiProfilerDeviceSupported";
	int status = cupti_gate(function, true);
	const char *why = script.unsupported ? script.unsupported : "";
	struct {
		const char *word;
		int *answer;
	} answers[] = {
		{"architecture", &parameters->architecture},
		{"sli", &parameters->sli},
		{"virtual_gpu", &parameters->virtual_gpu},
		{"confidential", &parameters->confidential},
		{"mining", &parameters->mining},
		{"wsl", &parameters->wsl},
	};

	if (status)
		return status;
	if (!ranges_initialized() && !script.lazyinit)
		return cupti_answer(CUPTI_UNKNOWN);
	if (parameters->size != RANGE_SIZE(range_device_supported, profiler) ||
	    parameters->profiler)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (!is_device(parameters->device))
		return cupti_answer(CUPTI_INVALID_DEVICE);
	parameters->supported = RANGE_SUPPORTED;
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		bool is_bad = !strcmp(why, answers[i].word) || (!i && is_too_old());

		*answers[i].answer = is_bad ? RANGE_UNSUPPORTED : RANGE_SUPPORTED;
		if (is_bad)
			parameters->supported = RANGE_UNSUPPORTED;
	}
	return CUPTI_DONE;
}

int cuptiDeviceGetChipName(struct range_chip_name *parameters)
{
	int status = cupti_gate("cuptiDeviceGetChipName", false);

	need_initialized();
	if (status)
		return status;
	if (parameters->size != sizeof(*parameters))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (!is_device((int64_t)parameters->device))
		return cupti_answer(CUPTI_INVALID_DEVICE);
	parameters->name = chip_of_devices();
	return CUPTI_DONE;
}

/* Since 13.1 a byte follows: whether metrics of the device are available, too. */
#define AVAILABILITY_SIZE RANGE_SIZE(range_availability, image)

int cuptiProfilerGetCounterAvailability(struct range_availability *parameters)
{
	int status = cupti_gate("cuptiProfilerGetCounterAvailability", false);
	struct image_head head = {.kind = IMAGE_AVAILABILITY};
	uint32_t context, device;

	need_initialized();
	if (status)
		return status;
	if (parameters->size != AVAILABILITY_SIZE &&
	    (parameters->size != AVAILABILITY_SIZE + 1 || !script.devicelevel))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (!cupti_driver()->context((void *)parameters->context, &context, &device))
		return cupti_answer(CUPTI_INVALID_CONTEXT);
	if (!parameters->image) {
		parameters->bytes = image_bytes(0, 0);
		return CUPTI_DONE;
	}
	if (parameters->bytes < image_bytes(0, 0))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	strncpy(head.chip, chip_of_devices(), sizeof(head.chip) - 1);
	head.device_level = !script.devicelevel;
	if (parameters->size > AVAILABILITY_SIZE)
		head.device_level = ((const uint8_t *)parameters)[AVAILABILITY_SIZE] != 0;
	image_make(parameters->image, &head, NULL);
	return CUPTI_DONE;
}
