/* SPDX-License-Identifier: MIT */
/* Checks the CUDA driver, CUPTI, and the permission to read counters. */
#include "backend/cuda/counters/permission.h"
#include "backend/cuda/libcupti_path.h"
#include "cli/devices.h"
#include "cli/doctor/doctor.h"
#include "cli/sandbox.h"

/* Runs in a child: appends the path of the libcupti that the library would open first. */
static int take(const char *path, void *argument)
{
	struct strbuf *out = argument;

	out->length = 0;
	return !sandbox_load(out, path);
}

static int find_cupti(struct strbuf *out, const char *argument)
{
	(void)argument;
	return libcupti_path_walk(take, out) != 1;
}

static void check_cupti(struct doctor *doctor)
{
	struct strbuf out = STRBUF_INIT;

	if (!sandbox_run(find_cupti, NULL, &out))
		doctor_say(doctor, VERDICT_OK, "CUPTI: %s", strbuf_text(&out));
	else if (libcupti_path_choice())
		doctor_say(doctor, VERDICT_FAIL, "CUPTI: COMPUTEPROF_CUPTI: %s",
			   strbuf_text(&out));
	else
		doctor_say(doctor, VERDICT_NOTE,
			   "CUPTI: not found; programs that bring their own are logged, others "
			   "need COMPUTEPROF_CUPTI");
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
	if (permission_is_served(permission_service()))
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
