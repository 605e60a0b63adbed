/* SPDX-License-Identifier: MIT */
#ifndef CLI_TAIL_TAIL_LOG_H
#define CLI_TAIL_TAIL_LOG_H

#include "cli/tail/tail_file.h"
#include "cli/tail/tail_table.h"
#include "view/format/name_filter.h"

/* A followed log: its header, and its rows as they come. */

/* What the user has requested. */
struct tail_options {
	struct name_filter filter; /* of methods */
	uint64_t last;		   /* rows that are printed first, UINT64_MAX: all; */
	uint64_t from;		   /* or from this row on, from 1; 0: `last` counts */
	bool raw;		   /* lines are printed unchanged */
	bool demangle;
	bool follow;
};

/* Where lines go. Text is collected and written by tail_output_flush. */
struct tail_output {
	struct strbuf text;
	struct tail_form form;
	bool terminal;
	bool names;		     /* name the log above its rows */
	const struct tail_log *last; /* the log that was printed last, or NULL */
	bool failed;		     /* a write failed, with a message by main() */
};

struct tail_log {
	struct tail_file file;
	char *path; /* the log's own copy */

	/* private */
	bool begun;	    /* the reader has reached the first row */
	bool reported_missing; /* a message said that there is no file */
	bool useless;	    /* not a log, or not readable: passed over until it is replaced, */
	bool refused;	    /* and a message said so */
	bool whole;	    /* rows are printed from the first one: the log came later */
	bool before;	    /* nothing is printed yet: lines before the requested rows */
	uint64_t skip;	    /* number of selected rows that are not printed */
	struct strbuf head; /* the lines up to the first row, which the reader needs */
	size_t head_put;    /* bytes of it that were printed */
	struct logreader reader;
	struct tail_table table;
	struct strbuf method;
};

/* `whole`: rows are printed from the first one, whatever the options say. Returns NULL without
 * memory. */
struct tail_log *tail_log_new(const char *path, bool whole);
void tail_log_free(struct tail_log *log);

/* Prints what has come since the last call; says so if the log does not exist, was replaced, or
 * cannot be read. Returns 1 if the file at the path was opened, else 0. */
int tail_log_follow(struct tail_log *log, const struct tail_options *options,
		    struct tail_output *output);

/* Returns true if a message said that the log cannot be printed. */
bool tail_log_has_failed(const struct tail_log *log);

/* Writes the collected text to the standard output. */
void tail_output_flush(struct tail_output *output);

#endif
