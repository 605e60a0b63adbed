/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_LOGREADER_H
#define OUTPUT_LOGREADER_H

#include "base/strbuf.h"
#include "model/record.h"

/*
 * Reads a log back: either dialect, either format, versions 1.0 to 2.0, and what people have made
 * of logs by hand: comments, blank lines, missing headers, wrapped column lines, CR LF, trailing
 * blanks lost or added. A parser over bytes in memory and nothing else; the bytes belong to the
 * caller and must stay while the reader is used, since every text is a slice of them.
 */
struct log_text {
	const char *text; /* not NUL-terminated, still escaped */
	size_t length;
};

struct log_field {
	struct log_text key;   /* the KVP key, or the column's name; `method` in both */
	struct log_text value; /* without the blanks around it; a vector is one value, "32, 8, 8" */
};

/* What a log does not say is empty, 0 or false. */
struct log_header {
	struct log_text version; /* "2.0" */
	struct log_text device_name;
	enum api api;
	uint32_t device;
	uint32_t context; /* as printed: from 1 */
	uint64_t timestamp_factor;
	bool api_known;
	bool csv;
	bool device_known;
	bool timestamp_factor_known;
};

struct logreader {
	struct log_header header;
	uint64_t line;	   /* number of the line read last, from 1 */
	const char *error; /* after -1: a few words, constant */
	uint64_t left_out; /* warnings and remarks that there was no room for */
	uint64_t told_lost; /* records that are lost as remarks say; */
	bool tells_no_number; /* one of them says it without a number */

	/* private */
	struct log_text rest;
	struct strbuf columns;	/* struct log_text */
	struct strbuf warnings; /* struct log_text */
	struct strbuf remarks;	/* struct log_text */
	struct strbuf fields;	/* struct log_field */
	bool wrapped;		/* the column line ended in a comma */
	bool begun;		/* the first row has been met */
};

enum {
	LOGREADER_FIELDS = 4096, /* of one row; more are taken for damage */
	LOGREADER_ASIDES = 1024, /* warnings, and remarks, that are kept at a time */
};

/*
 * Reads everything above the first row. -1, with `error`, when the bytes are no log or memory ran
 * out; the reader must be closed in any case.
 */
int logreader_open(struct logreader *reader, const void *bytes, size_t size);
void logreader_close(struct logreader *reader);

/*
 * 1 and the next row's fields; 0 at the end; -1 for a line that is no whole row (`line` and `error`
 * tell), after which reading goes on with the next line.
 */
int logreader_next(struct logreader *reader);

/*
 * At the end: goes on with the bytes that follow, which are whole lines. The bytes up to the first
 * row must stay; of the others, and of the warnings and remarks so far, nothing is kept.
 */
void logreader_continue(struct logreader *reader, const void *bytes, size_t size);

/* The last row's fields, those that are missing in a CSV row left out. Valid until the next row. */
const struct log_field *logreader_fields(const struct logreader *reader, size_t *count);

/* The last row's value of `key`; false if it has none. */
bool logreader_value(const struct logreader *reader, const char *key, struct log_text *value);

/* The names of the column line; the NV_Warning and NV_Error lines met so far, whole. */
const struct log_text *logreader_columns(const struct logreader *reader, size_t *count);
const struct log_text *logreader_warnings(const struct logreader *reader, size_t *count);

/* What the profiler has said at the end of the log: the "# computeprof: " lines met so far, from
 * behind these words on. */
const struct log_text *logreader_remarks(const struct logreader *reader, size_t *count);

/* Appends `text` with every \xNN turned back into the byte it stands for. */
void logreader_unescape(struct log_text text, struct strbuf *to);

#endif
