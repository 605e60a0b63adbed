/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_LOGRECORD_H
#define VIEW_STREAM_LOGRECORD_H

#include "model/catalog.h"
#include "model/column.h"
#include "output/logreader.h"

/*
 * A row of a log as a record. The row's call has no place on the device's clock, so that the record
 * is one without a call (RECORD_NO_CALL).
 */
enum { LOGRECORD_FIELDS = 64, LOGRECORD_KEY = 32 };

/* What a field's key stands for: the first of the column's numbers from `index` on. */
struct logrecord_place {
	char key[LOGRECORD_KEY];
	size_t length;
	size_t index;
	const struct column *column; /* NULL: a counter, or unknown */
};

/* Begins with zeros but for `no_starts`; logrecord_free releases it. */
struct logrecord {
	bool no_starts; /* no column gpustarttimestamp: records start at 0 */
	struct logrecord_place places[LOGRECORD_FIELDS]; /* of the last row, by ordinal */
	struct logrecord_place other;
	struct strbuf name;
	uint64_t rows;
	uint64_t copies_without_direction;
};

/* Whether the row or the column line has this column. */
bool logrecord_has(const struct logreader *reader, enum column_id id);

/* When the program of the reader's last row began, in nanoseconds since 1970: at the row's start
 * less its timestamp, if it has one. False if the row has no start. */
bool logrecord_start(const struct logreader *reader, uint64_t *start);

/* Makes `record` of the reader's last row; a kernel's name goes to `names`. 0, or -1 with a few
 * words (constant) in `error` where the row cannot be one. */
int logrecord_read(struct logrecord *state, const struct logreader *reader, struct names *names,
		   struct record *record, const char **error);
void logrecord_free(struct logrecord *state);

#endif
