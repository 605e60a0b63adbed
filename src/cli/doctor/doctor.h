/* SPDX-License-Identifier: MIT */
#ifndef CLI_DOCTOR_DOCTOR_H
#define CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "cli/counters/chip.h"
#include "cli/run/elf.h"

/* The severity of a finding. A failure prevents logging. */
enum verdict { VERDICT_OK, VERDICT_NOTE, VERDICT_FAIL };

enum { DOCTOR_TEXT = 512 };

/* The findings about programs of one API. */
struct doctor_api {
	const char *name;
	bool devices; /* at least one device was found */
	bool logged;
	char cause[DOCTOR_TEXT]; /* reason why nothing is logged, with a remedy; or "" */
};

struct doctor {
	unsigned failures;
	const char *program; /* the program to check, or NULL */
	const struct chip *chip; /* the chip of --chip, or NULL: those of the devices */
	bool layer;	     /* the library was built as an OpenCL layer */
	struct doctor_api opencl, cuda;
	char first[DOCTOR_TEXT]; /* the first failure */
};

void doctor_say(struct doctor *doctor, enum verdict verdict, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Stores the reason why an API is not logged, unless there is an earlier one. */
void doctor_blame(struct doctor_api *api, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Reports the devices found by one of the functions of cli/devices.h. Returns 0, or -1 after
 * storing a cause if there are none. */
int doctor_devices(struct doctor *doctor, struct doctor_api *api,
		   int (*devices)(struct strbuf *out, const char *argument));

/* The checks, in their order. */
void doctor_library(struct doctor *doctor);
void doctor_environment(struct doctor *doctor);
void doctor_settings(struct doctor *doctor);
void doctor_opencl(struct doctor *doctor);
void doctor_cuda(struct doctor *doctor);
void doctor_counters(struct doctor *doctor);
void doctor_any_device(struct doctor *doctor);
void doctor_configs(struct doctor *doctor);
void doctor_names(struct doctor *doctor);
void doctor_files(struct doctor *doctor);
void doctor_samples(struct doctor *doctor);
void doctor_rewrite(struct doctor *doctor);
void doctor_program(struct doctor *doctor);

/* The call stacks of the program: unwind tables and names of its file `path`, and unwind tables of
 * the libraries that it needs. */
void doctor_modules(struct doctor *doctor, const char *path, const struct elf *elf);

#endif
