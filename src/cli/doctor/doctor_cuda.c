/* SPDX-License-Identifier: MIT */
/* Checks the CUDA driver, CUPTI, and the permission to read counters. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/counters/hostapi.h"
#include "backend/cuda/counters/permission.h"
#include "backend/cuda/libcupti_path.h"
#include "cli/devices.h"
#include "cli/doctor/doctor.h"
#include "cli/lines.h"
#include "cli/sandbox.h"

enum { CUPTI_13 = 130000, OLD_DEVICES_BEFORE = 75 };

/* The result of find_cupti for a libcupti that does not support each device, or is of CUDA 13.2. */
enum { FOUND, FOUND_NONE, FOUND_TOO_NEW, FOUND_13_2 };

/* In the child: returns true if the opened libcupti is of CUDA 13 or later. From 13.2 on, none of
 * its functions may be called without a driver. */
static bool is_13(void *library)
{
	int (*get)(uint32_t * version) = NULL;
	uint32_t version = 0;

	if (hostapi_needs_driver(library))
		return true;
	*(void **)&get = dlsym(library, "cuptiGetVersion");
	return get && !get(&version) && version >= CUPTI_13;
}

struct search {
	struct strbuf *out;
	bool avoids_13;
	bool is_13;
	bool is_13_2;
};

/* Appends the path of the libcupti that the library would open first. */
static int take(const char *path, void *argument)
{
	struct search *search = argument;
	void *library;

	search->out->length = 0;
	if (sandbox_load(search->out, path))
		return 0;
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	search->is_13 = library && is_13(library);
	search->is_13_2 = library && hostapi_needs_driver(library) &&
			  !dlsym(library, "cuptiGetTimestamp_v2");
	return !search->is_13 || !search->avoids_13;
}

/* Runs in a child. `argument`: "old" if there are devices that CUPTI 13 does not support. */
static int find_cupti(struct strbuf *out, const char *argument)
{
	bool old = argument != NULL;
	struct search search = {.out = out, .avoids_13 = old && !libcupti_path_choice()};

	if (libcupti_path_walk(take, &search) != 1) {
		search.avoids_13 = false;
		if (!old || libcupti_path_walk(take, &search) != 1)
			return FOUND_NONE;
	}
	if (search.is_13 && old)
		return FOUND_TOO_NEW;
	return search.is_13_2 ? FOUND_13_2 : FOUND;
}

static bool has_old_devices(void)
{
	struct strbuf out = STRBUF_INIT;
	const char *at, *line;
	bool found = false;
	size_t length;

	if (!sandbox_run(devices_capabilities, NULL, &out)) {
		at = strbuf_text(&out);
		while ((line = lines_next(&at, &length)))
			found |= strtol(strchr(line, '\t') + 1, NULL, 10) < OLD_DEVICES_BEFORE;
	}
	strbuf_free(&out);
	return found;
}

static void check_cupti(struct doctor *doctor)
{
	struct strbuf out = STRBUF_INIT;
	int found = sandbox_run(find_cupti, has_old_devices() ? "old" : NULL, &out);

	switch (found) {
	case FOUND:
	case FOUND_13_2:
		doctor_say(doctor, VERDICT_OK, "CUPTI: %s", strbuf_text(&out));
		break;
	case FOUND_TOO_NEW:
		doctor_say(doctor, VERDICT_NOTE,
			   "CUPTI: %s does not support devices before compute capability 7.5: "
			   "they need one of CUDA 12 or 11, which COMPUTEPROF_CUPTI can name",
			   strbuf_text(&out));
		break;
	default:
		if (libcupti_path_choice())
			doctor_say(doctor, VERDICT_FAIL, "CUPTI: COMPUTEPROF_CUPTI: %s",
				   strbuf_text(&out));
		else
			doctor_say(doctor, VERDICT_NOTE,
				   "CUPTI: not found; programs that bring their own are logged, "
				   "others need COMPUTEPROF_CUPTI");
	}
	if (found == FOUND_13_2)
		doctor_say(doctor, VERDICT_NOTE,
			   "CUPTI: that of CUDA 13.2 is used only when cuInit has succeeded; "
			   "commands directly after it may be missing");
	doctor_say(doctor, VERDICT_NOTE,
		   "CUPTI: it has one client at a time; while a program is profiled, its own "
		   "profilers, such as torch.profiler, get error 39");
	strbuf_free(&out);
}

static void check_counters(struct doctor *doctor)
{
	switch (permission_of_driver(PERMISSION_FILE)) {
	case PERMISSION_UNREADABLE:
		doctor_say(doctor, VERDICT_NOTE, "counters: " PERMISSION_FILE ": %m");
		break;
	case PERMISSION_UNSAID:
		doctor_say(doctor, VERDICT_NOTE,
			   "counters: the driver does not report which users may read them");
		break;
	case PERMISSION_ALL:
		doctor_say(doctor, VERDICT_OK, "counters: every user may read them");
		break;
	case PERMISSION_ADMIN:
		doctor_say(doctor, VERDICT_NOTE,
			   "counters: only root may read them; the option "
			   "NVreg_RestrictProfilingToAdminUsers=0 of the module nvidia allows all "
			   "users");
		break;
	}
	if (permission_uses_mps(permission_mps_folder()))
		doctor_say(doctor, VERDICT_NOTE,
			   "counters: not available, because CUDA runs under MPS here");
}

void doctor_cuda(struct doctor *doctor)
{
	if (doctor_devices(doctor, &doctor->cuda, devices_cuda))
		return;
	check_cupti(doctor);
	check_counters(doctor);
}
