/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cupti_fake.h"
#include "cupti_doors.h"

/* Names of callbacks and of errors. */

static const char *const drivers[CALLBACKS] = {
#define NAME(id, name) [id] = #name,
#define DRIVER
#include "cupti_names.def"
#undef DRIVER
};

static const char *const runtimes[CALLBACKS] = {
#include "cupti_names.def"
#undef NAME
};

/* Every id up to the release's last has a name; unused ids share one. */
const char *name_of_callback(uint32_t domain, uint32_t callback)
{
	const struct release *this = release();

	if (domain == CUPTI_DOMAIN_DRIVER && callback <= this->drivers)
		return drivers[callback] ? drivers[callback] : "cuOther";
	if (domain == CUPTI_DOMAIN_RUNTIME && callback <= this->runtimes)
		return runtimes[callback] ? runtimes[callback] : "cudaOther";
	return NULL;
}

static const struct error {
	int number;
	const char *name;
	const char *text;
} errors[] = {
	{CUPTI_DONE, "CUPTI_SUCCESS", "no error"},
	{CUPTI_INVALID_PARAMETER, "CUPTI_ERROR_INVALID_PARAMETER", "a parameter is wrong"},
	{CUPTI_INVALID_DEVICE, "CUPTI_ERROR_INVALID_DEVICE", "there is no such device"},
	{CUPTI_INVALID_CONTEXT, "CUPTI_ERROR_INVALID_CONTEXT", "there is no such context"},
	{CUPTI_INVALID_OPERATION, "CUPTI_ERROR_INVALID_OPERATION", "not now"},
	{CUPTI_MAX_LIMIT_REACHED, "CUPTI_ERROR_MAX_LIMIT_REACHED", "there are no more"},
	{CUPTI_NOT_COMPATIBLE, "CUPTI_ERROR_NOT_COMPATIBLE", "it does not go with the rest"},
	{CUPTI_NOT_INITIALIZED, "CUPTI_ERROR_NOT_INITIALIZED", "CUPTI is not initialized"},
	{RESULT_QUEUE_EMPTY, "CUPTI_ERROR_QUEUE_EMPTY", "there is nothing"},
	{CUPTI_INVALID_KIND, "CUPTI_ERROR_INVALID_KIND", "there is no such kind"},
	{RESULT_HARDWARE_BUSY, "CUPTI_ERROR_HARDWARE_BUSY", "somebody else has the hardware"},
	{CUPTI_NOT_SUPPORTED, "CUPTI_ERROR_NOT_SUPPORTED", "not supported"},
	{CUPTI_INSUFFICIENT_PRIVILEGES, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", "not allowed"},
	{CUPTI_LEGACY_PROFILER_NOT_SUPPORTED, "CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED",
	 "no more"},
	{CUPTI_MULTIPLE_SUBSCRIBERS, "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED",
	 "somebody else has subscribed"},
	{RESULT_INVALID_CHIP, "CUPTI_ERROR_INVALID_CHIP_NAME", "there is no such chip"},
	{CUPTI_UNKNOWN, "CUPTI_ERROR_UNKNOWN", "unknown"},
	{0, NULL, NULL},
};

static const struct error *find_error(int number)
{
	const struct error *error = errors;

	while (error->name && error->number != number)
		error++;
	return error;
}

int cuptiGetResultString(int result, const char **text)
{
	int status = cupti_gate("cuptiGetResultString", false);

	if (status == CUPTI_UNKNOWN)
		return status;
	*text = find_error(result)->name;
	return *text ? CUPTI_DONE : CUPTI_INVALID_PARAMETER;
}

int cuptiGetErrorMessage(int result, const char **text)
{
	*text = find_error(result)->text;
	return *text ? CUPTI_DONE : CUPTI_INVALID_PARAMETER;
}
