/* SPDX-License-Identifier: MIT */
#ifndef CLI_TOP_WATCHED_H
#define CLI_TOP_WATCHED_H

#include "cli/top/top_rows.h"
#include "view/format/label.h"

/* A process that is watched: its totals now and at the time before, which give the rates. */
struct watched {
	struct totals_reader *reader;
	const struct ringfile_header *header; /* these two are the reader's */
	const struct catalog *catalog;
	bool any;	   /* it has totals */
	bool ended;	   /* it has ended, or executed another program: the totals are the last */
	uint64_t waiting;  /* bytes of records and calls that are not in the totals yet */
	uint64_t at;	   /* CLOCK_MONOTONIC ns of the last reading */
	uint64_t interval; /* ns between the last two readings; 0: there was one */
	uint64_t elapsed;  /* ns since the start of the process, until its end */
	struct top_rows now;
	struct top_rows before;
	struct label label;
};

/* Returns NULL with one sentence in `reason`. */
struct watched *watched_open(const char *path, struct strbuf *reason);
void watched_close(struct watched *watched);

/* Reads its totals again. Returns -1 without memory. */
int watched_update(struct watched *watched);

/* Returns `now` - `before` per second; 0 without an interval. */
double watched_rate(const struct watched *watched, uint64_t now, uint64_t before);

/* Returns the part of the interval, 0 to 1, in which the device (UINT32_MAX: any) had work. */
double watched_busy(const struct watched *watched, uint32_t device);

#endif
