/* SPDX-License-Identifier: MIT */
#ifndef CLI_PRINT_PRINT_H
#define CLI_PRINT_PRINT_H

#include <stdio.h>

#include "cli/flag.h"
#include "model/catalog.h"
#include "output/logreader.h"
#include "settings/settings.h"

/* `computeprof print`: each returns the exit code, with the reasons said. */
int print_trace(const struct flags *flags, const char *path);
int print_log(const struct flags *flags, const char *path);

/* What becomes one log: the records of a device (classic) or of a context (cuda4). */
struct print_group {
	uint64_t records;
	uint32_t device; /* ids in the catalog */
	uint32_t context;
	bool there;
};

struct print_job {
	const struct flags *flags;
	const char *path;
	struct settings settings[API_COUNT];
	enum dialect dialect;
	const struct catalog *catalog; /* complete */
	struct print_group *groups;    /* by the id of the device or context */
	uint32_t room;		       /* of `groups` */
	bool failed;
};

/* Fills the settings from the options, the user's own environment left out. -1 if it was said why
 * they cannot be used. */
int print_settings(struct print_job *job);

/* Whether the options leave this device and context in. */
bool print_wanted(const struct print_job *job, uint32_t device, uint32_t context);

/* The key in `groups` of a record with these ids. */
uint32_t print_key(const struct print_job *job, uint32_t device, uint32_t context);

/* Reads the trace again and writes one group's log. 0 or -1. */
int print_group(struct print_job *job, const struct print_group *group, FILE *file);

/* Whether both are one file, which is said: what is read is mapped, and must not be emptied. */
bool print_same_file(const char *from, const char *to);

/* What -o names. It is put in place once it is whole, and what was there before stays until then,
 * but for what is no regular file. */
struct print_output {
	FILE *file;
	const char *path; /* must stay */
	bool force;
	bool renamed; /* view/newfile.h */
};

/* A file that is there, or that another print has put there meanwhile, is only overwritten with -f.
 * Each: 0, or -1 with one sentence said. `failed`: with errno, and the file is not whole. */
int print_open(struct print_output *output, const struct flags *flags, const char *path);
int print_close(struct print_output *output, bool failed);

/* The format that the options ask for, or `otherwise`. */
enum format print_format(const struct flags *flags, enum format otherwise);

/* For logs: what is read and how it is to be written. */
struct print_style {
	const struct logreader *reader;
	enum format format;
	enum dialect dialect;
	enum dialect own; /* the log's */
	size_t *at;	  /* where print_row looks for the next value; 0 first */
};

/* What a row's values are called in both formats (private to print_row.c), the column line, and
 * the reader's last row. Each appends. */
void print_slots(struct strbuf *slots, const struct print_style *style);
void print_columns(struct strbuf *to, const struct strbuf *slots);
void print_row(struct strbuf *to, const struct strbuf *slots, const struct print_style *style);

/* print_method.c: what a row of `style->reader` with this method has in the dialect asked for. */
struct log_text print_method(const struct print_style *style, struct log_text method);

#endif
