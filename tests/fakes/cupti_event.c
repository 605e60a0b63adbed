/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cupti_event.h"
#include "cupti_doors.h"

/* The available events. */

enum { FIRST_OF_13 = 130000, LAST_CAPABILITY = 72, ID_STEP = 1000, DRIVER_13 = 13000 };

static const struct event_domain domains[] = {
	{.id = 0x51, .instances = 8, .counted = 8, .registers = 8}, /* multiprocessors */
	{.id = 0x52, .instances = 8, .counted = 2, .registers = 4}, /* their caches */
	{.id = 0x53, .instances = 2, .counted = 2, .registers = 4}, /* slices of the L2 cache */
	{.id = 0x54, .instances = 1, .counted = 1, .registers = 4}, /* the whole device */
};
#define SM (&domains[0])
#define L1 (&domains[1])
#define L2 (&domains[2])
#define PM (&domains[3])

static const struct event_row rows[] = {
#define EVENT(number, name, domain, first, last, quantity)                                         \
	{number, #name, domain, first, last, quantity},
#include "cupti_events.def"
#undef EVENT
};

static bool is_there(const struct event_row *event)
{
	return script.cc >= event->first && script.cc <= event->last;
}

/* Every compute capability has its own ids. */
uint32_t event_id(const struct event_row *event)
{
	return (uint32_t)script.cc * ID_STEP + event->number;
}

const struct event_row *event_of(uint32_t id)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (event_id(&rows[i]) == id && is_there(&rows[i]))
			return &rows[i];
	return NULL;
}

uint32_t event_registers(const struct event_domain *domain)
{
	return script.eventslots ? (uint32_t)script.eventslots : domain->registers;
}

int event_gate(const char *function)
{
	script_start();
	if (script.legacy38 || release()->version >= FIRST_OF_13 || script.driver >= DRIVER_13 ||
	    script.cc > LAST_CAPABILITY)
		return cupti_answer(CUPTI_LEGACY_PROFILER_NOT_SUPPORTED);
	return cupti_gate(function, true);
}

static int gate_of_device(const char *function, cuda_device device)
{
	int status = event_gate(function);

	if (!status && (device < 0 || device >= script.devices))
		status = cupti_answer(CUPTI_INVALID_DEVICE);
	return status;
}

int cuptiEventGetIdFromName(cuda_device device, const char *name, uint32_t *event)
{
	int status = gate_of_device("cuptiEventGetIdFromName", device);

	if (status)
		return status;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (strcmp(rows[i].name, name) != 0 || !is_there(&rows[i]))
			continue;
		*event = event_id(&rows[i]);
		return CUPTI_DONE;
	}
	return cupti_answer(RESULT_INVALID_EVENT_NAME);
}

int cuptiDeviceGetEventDomainAttribute(cuda_device device, uint32_t domain, uint32_t attribute,
				       size_t *size, void *value)
{
	int status = gate_of_device("cuptiDeviceGetEventDomainAttribute", device);
	const struct event_domain *found = domains;
	uint32_t number;

	if (status)
		return status;
	while (found < domains + sizeof(domains) / sizeof(*domains) && found->id != domain)
		found++;
	if (found == domains + sizeof(domains) / sizeof(*domains))
		return cupti_answer(RESULT_INVALID_DOMAIN);
	if (attribute != CUPTI_DOMAIN_INSTANCES && attribute != CUPTI_DOMAIN_TOTAL_INSTANCES)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (*size < sizeof(number))
		complain("an attribute of a domain has no room in %zu bytes", *size);
	number = attribute == CUPTI_DOMAIN_INSTANCES ? found->counted : found->instances;
	memcpy(value, &number, sizeof(number));
	*size = sizeof(number);
	return CUPTI_DONE;
}
