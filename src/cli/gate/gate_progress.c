/* SPDX-License-Identifier: MIT */
#include "cli/gate/gate_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

#define SECOND 1e9

void gate_progress_show(struct gate_progress *progress, const char *which)
{
	uint64_t now = clock_monotonic();
	double left = 0;

	if (!progress->started)
		progress->started = now;
	if (progress->done)
		left = (double)(now - progress->started) / SECOND / progress->done *
		       (progress->total - progress->done);
	progress->done++;
	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r\033[K%s, %u of %u", which, progress->done, progress->total);
	if (left > 0)
		fprintf(stderr, ", %.0f s left", left);
	progress->shown = true;
}

void gate_progress_end(struct gate_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
