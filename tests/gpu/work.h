/* SPDX-License-Identifier: MIT */
#ifndef GPU_WORK_H
#define GPU_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "driver.h"

/*
 * For the programs of the parts. Each writes its expectations to the file expected.PID, line by
 * line, so that those of a killed process are there, too:
 *
 *	row N KEY=VALUE ...	N rows, in launch order, which have these values (see rows.h)
 *	may N KEY=VALUE ...	the same, but they need not be there
 *	note WORD ...		data for the check
 *	skip REASON		the part is not possible here
 *
 * An error ends the process with exit code 1 and a line on stderr.
 */
void expect(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum { WORK_SKIPPED = 77 };

/* Prints the reason and exits with WORK_SKIPPED. */
void __attribute__((noreturn)) work_skip(const char *reason);
void __attribute__((noreturn)) work_fail(const char *what, int code);

/* Calls the driver; fails unless it returns 0. */
#define DO(name, ...) work_done(cu.name(__VA_ARGS__), "cu" #name)
void work_done(int result, const char *what);

/* Only opens the driver. */
void work_open(void);
/* Calls work_open and cuInit, and makes a context on device 0 with the kernels. */
void work_begin(void);
/* Waits for the context. */
void work_wait(void);

/* Loads the kernels in the current context. A thread that changes contexts loads them for each. */
struct cuda_module *work_load(void);

/* The objects of work_begin. */
extern struct cuda_module *work_module;
extern cuda_context work_context;
extern cuda_device work_device;
extern uint64_t work_memory; /* WORK_BYTES of the device */
enum { WORK_BYTES = 1 << 20 };

int work_attribute(int attribute); /* of the device */

/* Returns CLOCK_MONOTONIC ns, the clock of `call=` in expectations. */
uint64_t work_now(void);
void work_sleep(double seconds);

struct launch {
	const char *kernel;
	unsigned grid[3]; /* 0 means 1 */
	unsigned block[3];
	unsigned shared; /* dynamic */
	cuda_stream stream;
	const char *stream_name; /* as expected in streamid; NULL for the NULL stream */
	bool per_thread;	 /* uses the entry point for per-thread default streams */
	void **parameters;	 /* NULL: only work_memory */
	const char *keyword;	 /* of the expectation; NULL means "row" */
	const char *more;	 /* more keys and values, or NULL */
};

/* Launches and prints the expected row. */
void work_launch(const struct launch *launch);
/* Launches without an expectation. Returns cuLaunchKernel's result. */
int work_launch_only(const struct launch *launch);
/* Makes `count` launches of `empty` with a grid as wide as `width`, and prints their
 * expectation. */
void work_launches(const char *keyword, int count, unsigned width);

/* Starts this program again in a child: `conformance work PART STEP`. Waits and returns its
 * status. */
int work_again(const char *part, const char *step);

#endif
