/* SPDX-License-Identifier: MIT */
#ifndef GPU_PARTS_H
#define GPU_PARTS_H

#include "process.h"

/*
 * The suite is a list of parts. Each is a program that uses CUDA and writes its expectations
 * (`work`), and a function that checks the profiler's output about it (`check`). The runner runs
 * each part twice, alone and profiled, each time in its own process and folder, and makes the
 * checks common to all: the same exit code, no hang, no message on stderr.
 *
 * A new part is a row in parts.c, and usually only a program: rows_check is then its check.
 */
enum part_flags {
	PART_WITNESS = 1,     /* witness.so is injected instead of the profiler */
	PART_ARMED = 2,	      /* with PART_WITNESS: its constructor sets the variable */
	PART_LINKED = 4,      /* the program is linked with libcuda.so.1 */
	PART_SPEAKS = 8,      /* the profiler prints messages on stderr */
	PART_RECOVER = 16,    /* `computeprof recover` is run before the check */
	PART_TOOL = 32,	      /* started by `computeprof PROGRAM`, not by the environment alone */
	PART_LONG = 64,	      /* has its own time limit */
	PART_FEW = 128,	      /* the log has only the usual columns and the grid */
	PART_SEARCH = 256,    /* the path of libcupti is not passed to the profiler */
	PART_PLAIN = 512,     /* run by a user without rights, for any user of the suite */
	PART_ALONE = 1024,    /* never profiled: the check reads the folder of the other run */
	PART_RECORDED = 2048, /* with the recorder between the profiler and CUPTI, if it is there */
	PART_HANGS = 4096,    /* how long it takes is not checked */
};

struct run;

struct part {
	const char *name; /* T4.launch: number and variant */
	const char *title;
	const char *config;	 /* lines of the configuration file in addition to all columns, or
				  * NULL */
	const char *environment; /* one NAME=VALUE for the profiled run, or NULL */
	unsigned flags;
	/* Returns the exit code. `step` is NULL, or the argument of work_again. */
	int (*work)(const struct part *part, const char *step);
	void (*check)(const struct run *run);
	const char *skip; /* reason why the part is missing, or NULL */
};

extern const struct part parts[]; /* ends with an empty one */

/* The input of a check; paths are relative to the current directory. */
struct run {
	const struct part *part;
	const char *folder; /* of the profiled run; that of the other run is `alone` */
	const char *alone;
	struct outcome profiled;
	struct outcome native;
};

/* Returns the part of that name; NULL if there is none. */
const struct part *parts_find(const char *name);

#endif
