/* SPDX-License-Identifier: MIT */
#include "backend/cuda/calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "backend/cuda/functions.h"
#include "session/session.h"

/* A row applies to names with this prefix, after cu, cuda or __cuda is removed; the first match
 * counts. */
static const struct {
	const char *begin;
	enum call_kind kind;
} rows[] = {
	{"LaunchHostFunc", CALL_OTHER},
	{"LaunchCooperativeKernelMultiDevice", CALL_LAUNCHES},
	{"LaunchCooperative", CALL_LAUNCH_COOPERATIVE},
	{"LaunchKernelEx", CALL_LAUNCH_EX},
	{"Launch", CALL_LAUNCH},
	{"GraphLaunch", CALL_GRAPH},
	{"SubgridScheduleLaunch", CALL_GRAPH}, /* in no header; CUDA 13.1 has its name */
	{"Memcpy", CALL_COPY},
	{"Memset", CALL_COPY},
	{"StreamBeginCapture", CALL_CAPTURE},
	{"StreamBeginRecapture", CALL_CAPTURE},
	{"StreamEndCapture", CALL_CAPTURE_END},
	{"CtxDestroy", CALL_FLUSH},
	{"ModuleUnload", CALL_UNLOAD},
	{"LibraryUnload", CALL_UNLOAD},
	{"DevicePrimaryCtxRelease", CALL_FLUSH},
	{"DevicePrimaryCtxReset", CALL_FLUSH},
	{"DeviceReset", CALL_FLUSH},
	{"ThreadExit", CALL_FLUSH},
	{"GreenCtxDestroy", CALL_FLUSH},
	{"ExecutionCtxDestroy", CALL_FLUSH},
};

static uint8_t kinds[2][CALL_LIMIT];
static const char *names[2][CALL_LIMIT]; /* CUPTI's strings, which stay valid */
static uint32_t ids[2][CALL_LIMIT];	 /* in the catalog; 0: not registered yet */

static bool knows_captures;

static const char *without_prefix(const char *name)
{
	while (*name == '_')
		name++;
	if (strncmp(name, "cu", 2) != 0)
		return name;
	name += 2;
	return strncmp(name, "da", 2) ? name : name + 2;
}

/* `name` is in CUPTI's spelling: cuMemcpyHtoD_v2, cudaLaunchKernel_ptsz_v7000. */
static enum call_kind kind_of_name(const char *name)
{
	name = without_prefix(name);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strncmp(name, rows[i].begin, strlen(rows[i].begin)))
			return rows[i].kind;
	return CALL_OTHER;
}

static void find(uint32_t domain, uint8_t *kinds_of_domain, const char **names_of_domain)
{
	int missing = 0;

	/* Ids have a few gaps; a long gap is the end. */
	for (uint32_t id = 1; id < CALL_LIMIT && missing < 64; id++) {
		const char *name = NULL;

		if (cupti.GetCallbackName(domain, id, &name) || !name) {
			missing++;
			continue;
		}
		missing = 0;
		names_of_domain[id] = name;
		kinds_of_domain[id] = (uint8_t)kind_of_name(name);
		knows_captures |= kinds_of_domain[id] == CALL_CAPTURE;
	}
}

void calls_find(void)
{
	find(CUPTI_DOMAIN_DRIVER, kinds[0], names[0]);
	find(CUPTI_DOMAIN_RUNTIME, kinds[1], names[1]);
}

enum call_kind calls_kind(uint32_t domain, uint32_t callback)
{
	if (callback >= CALL_LIMIT)
		return CALL_OTHER;
	return kinds[domain == CUPTI_DOMAIN_RUNTIME][callback];
}

bool calls_may_capture(uint32_t domain, uint32_t callback)
{
	return !knows_captures &&
	       (callback >= CALL_LIMIT || !names[domain == CUPTI_DOMAIN_RUNTIME][callback]);
}

/* Returns the length without the CUDA release at the end of a runtime function. _v2 belongs to the
 * name of a driver function. */
static size_t length_of(const char *name)
{
	size_t length = strlen(name), at = length;

	while (at && name[at - 1] >= '0' && name[at - 1] <= '9')
		at--;
	if (length - at < 4 || at < 2 || strncmp(name + at - 2, "_v", 2) != 0)
		return length;
	return at - 2;
}

uint32_t calls_name(uint32_t domain, uint32_t callback)
{
	bool runtime = domain == CUPTI_DOMAIN_RUNTIME;
	const char *name = callback < CALL_LIMIT ? names[runtime][callback] : NULL;

	if (!name)
		return 0;
	if (!ids[runtime][callback])
		ids[runtime][callback] = session_name(name, length_of(name));
	return ids[runtime][callback];
}
