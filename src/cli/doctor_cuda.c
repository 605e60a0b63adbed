/* SPDX-License-Identifier: MIT */
/* The CUDA driver, CUPTI, and whether users may read counters. */
#include <stdio.h>
#include <string.h>

#include "backend/cuda/places.h"
#include "cli/devices.h"
#include "cli/doctor.h"
#include "cli/lines.h"
#include "cli/trial.h"

#define PARAMETERS "/proc/driver/nvidia/params"

/* In a child: the path of the libcupti that the library would open first. */
static int take(const char *path, void *argument)
{
	struct strbuf *out = argument;

	out->length = 0;
	return !trial_load(out, path);
}

static int find_cupti(struct strbuf *out, const char *argument)
{
	(void)argument;
	return places_walk(take, out) != 1;
}

static void check_cupti(struct doctor *doctor)
{
	struct strbuf out = STRBUF_INIT;

	if (!trial_run(find_cupti, NULL, &out))
		doctor_say(doctor, VERDICT_OK, "CUPTI: %s", strbuf_text(&out));
	else if (places_choice())
		doctor_say(doctor, VERDICT_FAIL, "CUPTI: COMPUTEPROF_CUPTI: %s",
			   strbuf_text(&out));
	else
		doctor_say(doctor, VERDICT_NOTE,
			   "CUPTI: not where it is looked for; a program that brings its own is "
			   "logged, others need COMPUTEPROF_CUPTI to name one");
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
