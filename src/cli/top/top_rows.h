/* SPDX-License-Identifier: MIT */
#ifndef CLI_TOP_TOP_ROWS_H
#define CLI_TOP_TOP_ROWS_H

#include "base/strbuf.h"
#include "session/totals_reader.h"

/* The totals of one process at one moment: rows of the ring file, with those of one name added. */
struct top_row {
	struct record like; /* kind, source, target and name; kind FRAME_CALL for a function; flag
			       LABEL_OTHER (view/format/label.h): all names without a row */
	enum api api;
	uint64_t count; /* with times; the sums are over these */
	uint64_t total;
	uint64_t shortest;
	uint64_t longest;
};

struct top_device {
	uint32_t id;   /* in the catalog; UINT32_MAX: all devices together */
	uint64_t busy; /* ns with work */
};

struct top_rows {
	struct strbuf rows;    /* struct top_row, in the order of their keys */
	struct strbuf devices; /* struct top_device, by id */
	uint64_t records;
	uint64_t untimed; /* records without times */
	uint64_t calls;
	uint64_t allocations;
	uint64_t in_use; /* bytes */
	uint64_t peak;
};

/* Replaces the contents. Returns -1 without memory. */
int top_rows_read(struct top_rows *to, const struct totals_rows *rows);
void top_rows_free(struct top_rows *rows);

static inline const struct top_row *top_rows_list(const struct top_rows *rows, size_t *count)
{
	*count = rows->rows.length / sizeof(struct top_row);
	return (const struct top_row *)(const void *)rows->rows.data;
}

static inline const struct top_device *top_rows_devices(const struct top_rows *rows, size_t *count)
{
	*count = rows->devices.length / sizeof(struct top_device);
	return (const struct top_device *)(const void *)rows->devices.data;
}

/* Return the count of the row with the same key, and the busy ns of a device; 0 without one. */
uint64_t top_rows_count(const struct top_rows *rows, const struct top_row *like);
uint64_t top_rows_busy(const struct top_rows *rows, uint32_t device);

#endif
