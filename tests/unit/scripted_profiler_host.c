/* SPDX-License-Identifier: MIT */
/* The part of scripted_profiler.c that needs no context: devices and metrics. */
#include "scripted_profiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static uint8_t availability[] = "all";
static uint8_t with_device[] = "dev"; /* the answer to the query of 13.1 */

static int host_initialize(struct host_initialize *parameters)
{
	if (play_called("Host", parameters, sizeof(*parameters)) ||
	    strcmp(parameters->chip, "GX100"))
		return PLAY_ERROR;
	play.hosts++;
	play.availability = parameters->availability;
	parameters->object = (struct host_object *)(void *)&play;
	return 0;
}

static int host_deinitialize(struct host_deinitialize *parameters)
{
	assert_true(play.hosts > 0);
	play.hosts--;
	return play_called("EndHost", parameters, sizeof(*parameters)) ? PLAY_ERROR : 0;
}

static int host_add(struct host_add *parameters)
{
	return play_called("Add", parameters, sizeof(*parameters)) ? PLAY_ERROR : 0;
}

static int host_image_size(struct host_image_size *parameters)
{
	parameters->bytes = PLAY_CONFIG;
	return play_called("ConfigSize", parameters, sizeof(*parameters)) ? PLAY_ERROR : 0;
}

static int host_image(struct host_image *parameters)
{
	assert_int_equal(parameters->bytes, PLAY_CONFIG);
	memcpy(parameters->image, play_config, PLAY_CONFIG);
	return play_called("Config", parameters, sizeof(*parameters)) ? PLAY_ERROR : 0;
}

static int host_passes(struct host_passes *parameters)
{
	parameters->passes = play.passes;
	return play_called("Passes", parameters, sizeof(*parameters)) ? PLAY_ERROR : 0;
}

static int host_chips(struct host_chips *parameters)
{
	static const char *const names[] = {"GV100", "GX100"};

	*parameters = (struct host_chips){.count = play.chips, .names = names};
	return 0;
}

static int device_supported(struct range_device_supported *parameters)
{
	if (CALLED("Supported", range_device_supported, profiler))
		return PLAY_ERROR;
	assert_int_equal(parameters->device, 7);
	*parameters = play.support;
	return 0;
}

static int chip_name(struct range_chip_name *parameters)
{
	if (CALLED("Chip", range_chip_name, name))
		return PLAY_ERROR;
	assert_int_equal(parameters->device, 3);
	parameters->name = play.chip;
	return 0;
}

static int get_availability(struct range_availability *parameters)
{
	bool extended = parameters->size > RANGE_SIZE(range_availability, image);

	if (extended && !play.knows_device_level)
		return CUPTI_INVALID_PARAMETER;
	if (extended ? CALLED("Availability", range_device_availability, device_level)
		     : CALLED("Availability", range_availability, image))
		return PLAY_ERROR;
	if (!play.has_availability)
		return PLAY_ERROR;
	if (parameters->image)
		memcpy(parameters->image, extended ? with_device : availability,
		       sizeof(availability));
	parameters->bytes = sizeof(availability);
	return 0;
}

void play_begin_host(void)
{
	play.library.call.ProfilerDeviceSupported = device_supported;
	play.library.call.ProfilerGetCounterAvailability = get_availability;
	play.library.call.DeviceGetChipName = chip_name;
	play.library.host = (struct hostapi){
		.Initialize = host_initialize,
		.Deinitialize = host_deinitialize,
		.GetSupportedChips = host_chips,
		.ConfigAddMetrics = host_add,
		.GetConfigImageSize = host_image_size,
		.GetConfigImage = host_image,
		.GetNumOfPasses = host_passes,
	};
	play.passes = 2;
	play.chip = "GX100";
	play.chips = 2;
	play.support = (struct range_device_supported){
		.supported = RANGE_SUPPORTED,
		.architecture = RANGE_SUPPORTED,
		.sli = RANGE_SUPPORTED,
		.virtual_gpu = RANGE_SUPPORTED,
		.confidential = RANGE_SUPPORTED,
		.mining = RANGE_SUPPORTED,
		.wsl = RANGE_SUPPORTED,
	};
}
