/* SPDX-License-Identifier: MIT */
#include "cli/top/watched.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

#define SECOND UINT64_C(1000000000)

struct watched *watched_open(const char *path, struct strbuf *reason)
{
	struct watched *watched = calloc(1, sizeof(*watched));

	if (!watched) {
		strbuf_string(reason, "out of memory");
		return NULL;
	}
	watched->reader = totals_reader_open(path, reason);
	if (!watched->reader) {
		free(watched);
		return NULL;
	}
	watched->header = totals_reader_header(watched->reader);
	watched->catalog = totals_reader_catalog(watched->reader);
	watched->label.names = watched->catalog->names;
	watched->label.demangled = true;
	return watched;
}

void watched_close(struct watched *watched)
{
	label_free(&watched->label);
	top_rows_free(&watched->now);
	top_rows_free(&watched->before);
	totals_reader_close(watched->reader);
	free(watched);
}

static uint64_t elapsed_of(const struct watched *watched)
{
	uint64_t start = watched->header->process_start * (SECOND / (uint64_t)sysconf(_SC_CLK_TCK));
	uint64_t now = clock_read(CLOCK_BOOTTIME);

	return start && now > start ? now - start : 0;
}

int watched_update(struct watched *watched)
{
	const struct totals_rows *rows;
	struct top_rows before = watched->before;
	uint64_t at = clock_monotonic();
	bool alive;

	if (watched->ended)
		return 0;
	watched->elapsed = elapsed_of(watched);
	watched->before = watched->now;
	watched->now = before;
	watched->interval = watched->at ? at - watched->at : 0;
	watched->at = at;
	/* First, so that the totals of an ended process are its last. */
	alive = totals_reader_is_alive(watched->reader);
	rows = totals_reader_read(watched->reader);
	if (!rows || top_rows_read(&watched->now, rows))
		return -1;
	watched->ended = !alive;
	watched->any = totals_reader_has_totals(watched->reader);
	watched->waiting = totals_reader_waiting(watched->reader);
	return 0;
}

double watched_rate(const struct watched *watched, uint64_t now, uint64_t before)
{
	if (!watched->interval || now < before)
		return 0;
	return (double)(now - before) * (double)SECOND / (double)watched->interval;
}

double watched_busy(const struct watched *watched, uint32_t device)
{
	double rate = watched_rate(watched, top_rows_busy(&watched->now, device),
				   top_rows_busy(&watched->before, device)) /
		      (double)SECOND;

	return rate < 1 ? rate : 1;
}
