/* SPDX-License-Identifier: MIT */
#ifndef CLI_DOCTOR_DOCTOR_H
#define CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "cli/counters/chip.h"

/* One line of the doctor's answer. A failure is what keeps something from being logged. */
enum verdict { VERDICT_OK, VERDICT_NOTE, VERDICT_FAIL };

enum { DOCTOR_TEXT = 512 };

/* What becomes of programs of one API. */
struct doctor_api {
	const char *name;
	bool devices; /* there is at least one */
	bool logged;
	char cause[DOCTOR_TEXT]; /* why not, and what helps; or "" */
};

struct doctor {
	unsigned failures;
	const char *program; /* what the user asked about, or NULL */
	const struct chip *chip; /* whose counters, or NULL: those of the devices */
	bool layer;	     /* the library can be an OpenCL layer */
	struct doctor_api opencl, cuda;
	char first[DOCTOR_TEXT]; /* the first failure */
};

void doctor_say(struct doctor *doctor, enum verdict verdict, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Keeps why an API is not logged, unless a cause is known already. */
void doctor_blame(struct doctor_api *api, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Says what one of the functions of cli/devices.h finds. 0, or -1 if it finds nothing: that is a
 * cause. */
int doctor_devices(struct doctor *doctor, struct doctor_api *api,
		   int (*devices)(struct strbuf *out, const char *argument));

/* The checks, in the order in which they are made. */
void doctor_library(struct doctor *doctor);
void doctor_environment(struct doctor *doctor);
void doctor_settings(struct doctor *doctor);
void doctor_opencl(struct doctor *doctor);
void doctor_cuda(struct doctor *doctor);
void doctor_counters(struct doctor *doctor);
void doctor_any_device(struct doctor *doctor);
void doctor_configs(struct doctor *doctor);
void doctor_names(struct doctor *doctor);
void doctor_program(struct doctor *doctor);

#endif
