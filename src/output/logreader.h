/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_LOGREADER_H
#define OUTPUT_LOGREADER_H

#include "base/say.h"
#include "base/strbuf.h"
#include "model/record.h"

/* A message of the profiler in a log: a comment with the text that stderr gets. */
#define LOG_COMMENT "# "
#define LOG_MESSAGE LOG_COMMENT SAY_PREFIX

/*
 * Reads a log: either dialect, either format, versions 1.0 to 2.0, also after changes by hand:
 * comments, blank lines, missing headers, wrapped column lines, CR LF, trailing blanks. It parses
 * bytes in memory only; the caller owns them and must keep them while the reader is used, since
 * every text is a slice of them.
 */
struct log_text {
	const char *text; /* not NUL-terminated, still escaped */
	size_t length;
};

struct log_field {
	struct log_text key;   /* the KVP key, or the column's name; `method` in both */
	struct log_text value; /* without surrounding blanks; a vector is one value, "32, 8, 8" */
};

/* Members that the log does not state are empty, 0 or false. */
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
	bool of_calls; /* an API log: its rows are calls (output/apilog.h) */
	bool says_name; /* the line of the device is DEVICE_NAME */
	bool timestamp_factor_known;
};

struct logreader {
	struct log_header header;
	uint64_t line;	   /* number of the line read last, from 1 */
	const char *error; /* after -1: a few words, constant */
	uint64_t left_out; /* number of warnings and remarks that were dropped for lack of room */
	uint64_t remarked_lost; /* number of lost records in the remarks; */
	bool tells_no_number; /* a remark reports losses without their number */
	bool limited; /* a remark reports rows that limits left out */
	uint64_t repeated; /* number of rows that have a key or column twice */
	uint64_t repeated_line; /* number of the first one's line */
	uint64_t more_headers;	/* number of version lines below the first row: other logs' */
	uint64_t more_columns;	/* as many column lines; rows below different columns are damage */

	/* private */
	struct log_text rest;
	struct strbuf columns;	/* struct log_text */
	struct strbuf warnings; /* struct log_text */
	struct strbuf remarks;	/* struct log_text */
	struct strbuf fields;	/* struct log_field */
	bool wrapped;		/* the column line ends in a comma */
	bool begun;		/* the first row was found */
	bool other_columns;	/* the last column line differs from the first one */
	uint64_t *seen;		/* bits of the row's keys, once it has many; or NULL */
	size_t repeats;		/* values of the row that were left out: their key was there */
};

enum {
	LOGREADER_FIELDS = 4096, /* per row; more count as damage */
	LOGREADER_ASIDES = 1024, /* stored warnings, and stored remarks */
};

/*
 * Reads everything before the first row. Returns -1, with `error`, if the bytes are not a log or
 * without memory; the reader must be closed in any case.
 */
int logreader_open(struct logreader *reader, const void *bytes, size_t size);
void logreader_close(struct logreader *reader);

/*
 * Returns 1 after reading the next row; 0 at the end; -1 for a line that is not a whole row (see
 * `line` and `error`), after which reading continues with the next line.
 */
int logreader_next(struct logreader *reader);

/*
 * Called at the end of the bytes: continues with further bytes, which are whole lines. The caller
 * must keep the bytes before the first row, but no other ones. Warnings and remarks are dropped.
 */
void logreader_continue(struct logreader *reader, const void *bytes, size_t size);

/* Returns the last row's fields, without those that are missing in a CSV row. If the row has a key
 * twice, in any letter case, only the first value is returned. Valid until the next row. */
const struct log_field *logreader_fields(const struct logreader *reader, size_t *count);

/* Gets the last row's value of `key`; false if there is none. */
bool logreader_value(const struct logreader *reader, const char *key, struct log_text *value);

/* Return the names of the column line; the NV_Warning and NV_Error lines so far. */
const struct log_text *logreader_columns(const struct logreader *reader, size_t *count);
const struct log_text *logreader_warnings(const struct logreader *reader, size_t *count);

/* Returns the profiler's messages at the end of the log: the texts of the lines that
 * begin with LOG_MESSAGE. */
const struct log_text *logreader_remarks(const struct logreader *reader, size_t *count);

/* Appends a sentence about the rows with a key twice, without a full stop, if there is one. */
void logreader_put_repeated(const struct logreader *reader, struct strbuf *to);

/* Appends a sentence about more logs in the file, without a full stop, if there are some. Their
 * rows are read as rows of the first log. */
void logreader_put_joined(const struct logreader *reader, struct strbuf *to);

/* Returns true if the header and the columns are those of the classic dialect. NVIDIA's logs
 * without a context had others: memcopy or memcpyHtoD, depending on the version. */
bool logreader_is_classic(const struct logreader *reader);

#endif
