/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_LOGRECORD_H
#define VIEW_STREAM_LOGRECORD_H

#include "model/catalog.h"
#include "model/column.h"
#include "output/logreader.h"

/*
 * Converts a row of a log to a record. The row's call has no time on the device's clock, so the
 * record has no call (RECORD_NO_CALL).
 */
enum { LOGRECORD_FIELDS = 64, LOGRECORD_KEY = 32 };

/* The meaning of a field's key: the numbers of the column from `index` on. */
struct logrecord_place {
	char key[LOGRECORD_KEY];
	size_t length;
	size_t index;
	const struct column *column; /* NULL: a counter, or unknown */
};

/* Starts zeroed except for `no_starts`; logrecord_free releases it. */
struct logrecord {
	bool no_starts; /* no column gpustarttimestamp: records start at 0 */
	struct logrecord_place places[LOGRECORD_FIELDS]; /* of the last row, by ordinal */
	struct logrecord_place other;
	struct strbuf name;
	uint64_t rows;
	uint64_t copies_without_direction;
	bool has_others; /* a row has a value of a column that records lack: a counter, or unknown
			  */
};

/* Returns true if the row or the column line has this column. */
bool logrecord_has(const struct logreader *reader, enum column_id id);

/* Gets the start of the program of the reader's last row in nanoseconds since 1970: the row's start
 * minus its timestamp, if it has one. Returns false if the row has no start. */
bool logrecord_start(const struct logreader *reader, uint64_t *start);

/* Converts the reader's last row to `record`; a kernel's name is added to `names`. Returns 0, or -1
 * with a short constant text in `error` if the row is invalid. */
int logrecord_read(struct logrecord *state, const struct logreader *reader, struct names *names,
		   struct record *record, const char **error);
void logrecord_free(struct logrecord *state);

#endif
