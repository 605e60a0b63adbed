/* SPDX-License-Identifier: MIT */
#include "view/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define SECOND UINT64_C(1000000000)

static void show(void *context, uint64_t records)
{
	struct progress *progress = context;
	uint64_t now = clock_monotonic();

	if (now < progress->next)
		return;
	fprintf(stderr, "\r%llu records", (unsigned long long)records);
	progress->next = now + SECOND / 4;
	progress->shown = true;
}

void progress_begin(struct progress *progress, struct stream *stream)
{
	*progress = (struct progress){.next = clock_monotonic() + SECOND};
	if (isatty(STDERR_FILENO))
		stream_on_progress(stream, show, progress);
}

void progress_end(struct progress *progress, struct stream *stream)
{
	stream_on_progress(stream, NULL, NULL);
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
