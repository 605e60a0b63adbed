/* SPDX-License-Identifier: MIT */
/* The CUDA driver, CUPTI, and whether users may read counters. */
#include <stdio.h>
#include <string.h>

#include "cli/devices.h"
#include "cli/doctor.h"
#include "cli/lines.h"
#include "cli/trial.h"

#define PARAMETERS "/proc/driver/nvidia/params"

/* What recent toolkits call it; older ones have the version in the name. */
static const char *const cupti_names[] = {
	"libcupti.so.13",   "libcupti.so.12",	"libcupti.so.11.8", "libcupti.so.11.7",
	"libcupti.so.11.4", "libcupti.so.10.2", "libcupti.so",
};

static void check_cupti(struct doctor *doctor)
{
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(cupti_names) / sizeof(cupti_names[0]); i++) {
		out.length = 0;
		if (trial_run(trial_load, cupti_names[i], &out))
			continue;
		doctor_say(doctor, VERDICT_OK, "CUPTI: %s", strbuf_text(&out));
		strbuf_free(&out);
		return;
	}
	doctor_say(
		doctor, VERDICT_NOTE,
		"CUPTI: not on the library search path; a program that brings its own is logged, "
		"others need the extras/CUPTI/lib64 of a CUDA toolkit in LD_LIBRARY_PATH");
	strbuf_free(&out);
}

/* The driver shows its module option NVreg_RestrictProfilingToAdminUsers under this name. */
static void check_counters(struct doctor *doctor)
{
	struct strbuf text = STRBUF_INIT;
	const char *value;

	if (lines_read_file(&text, PARAMETERS)) {
		doctor_say(doctor, VERDICT_NOTE, "counters: " PARAMETERS ": %m");
		return;
	}
	value = strstr(strbuf_text(&text), "RmProfilingAdminOnly:");
	if (value)
		value += strlen("RmProfilingAdminOnly:");
	if (!value)
		doctor_say(doctor, VERDICT_NOTE,
			   "counters: the driver does not say who may read them");
	else if (value[strspn(value, " \t")] == '0')
		doctor_say(doctor, VERDICT_OK, "counters: every user may read them");
	else
		doctor_say(doctor, VERDICT_NOTE,
			   "counters: only root may read them; the module option "
			   "NVreg_RestrictProfilingToAdminUsers=0 of nvidia lets everybody");
	strbuf_free(&text);
}

void doctor_cuda(struct doctor *doctor)
{
	if (doctor_devices(doctor, "CUDA", devices_cuda))
		return;
	check_cupti(doctor);
	check_counters(doctor);
}
