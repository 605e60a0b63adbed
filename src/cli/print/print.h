/* SPDX-License-Identifier: MIT */
#ifndef CLI_PRINT_PRINT_H
#define CLI_PRINT_PRINT_H

#include <stdio.h>

#include "cli/flag.h"
#include "model/catalog.h"
#include "output/logreader.h"
#include "settings/settings.h"

/* Both functions of `computeprof print` print error messages and return the exit code. */
int print_trace(const struct flags *flags, const char *path);
int print_log(const struct flags *flags, const char *path);

/* The input of one log: the records of a device (classic), or of a device in a context (cuda4). */
struct print_group {
	uint64_t records;
	uint32_t device; /* id in the catalog */
	uint32_t context;
	bool there;
	struct print_group *next; /* of another device of the context, or NULL */
};

struct print_job {
	const struct flags *flags;
	const char *path;
	struct settings settings[API_COUNT];
	enum dialect dialect;
	const struct catalog *catalog; /* complete before a log is written */
	struct caller_names *callers; /* of the column `caller`; NULL: no log has had it yet */
	struct print_group *groups;    /* indexed by the id of the device or context */
	uint32_t room;		       /* entries allocated in `groups` */
	bool failed;
	bool no_memory; /* a group is missing */
};

/* Fills the settings from the options; the environment is ignored. Returns -1 after a message if
 * they are invalid. */
int print_settings(struct print_job *job);

/* Returns true if the options select this device and context. */
bool print_wanted(const struct print_job *job, uint32_t device, uint32_t context);

/* Returns the index in `groups` for a record with these ids; and the group in the list there, NULL
 * if there is none. */
uint32_t print_key(const struct print_job *job, uint32_t device, uint32_t context);
struct print_group *print_group_of(const struct print_job *job, uint32_t device, uint32_t context);

/* Reads the trace again and writes the log of one group. Returns 0 or -1. */
int print_group(struct print_job *job, const struct print_group *group, FILE *file);

/* Returns true after a message if both paths are one file: the input is mapped and must not be
 * truncated. */
bool print_same_file(const char *from, const char *to);

/* The file that -o names. A regular file is written under another name and renamed when it is
 * complete, so an existing file stays until then. Other files are written directly. */
struct print_output {
	FILE *file;
	const char *path; /* must stay */
	bool force;
	bool renamed; /* view/newfile.h */
};

/* print_open refuses an existing file without -f, and print_close one that another print has
 * written meanwhile. Each returns 0, or -1 after one message. `failed`: the file is incomplete,
 * with the reason in errno. */
int print_open(struct print_output *output, const struct flags *flags, const char *path);
int print_close(struct print_output *output, bool failed);

/* Returns the format of the options, or `otherwise`. */
enum format print_format(const struct flags *flags, enum format otherwise);

/* The reader of a log and the format to write. */
struct print_style {
	const struct logreader *reader;
	enum format format;
	enum dialect dialect;
	enum dialect own; /* the dialect of the log */
	size_t *at;	  /* field index where print_row continues its search; 0 at the start */
};

/* Append the names of a row's values in both formats (private to print_row.c), the column line, and
 * the reader's last row. */
void print_slots(struct strbuf *slots, const struct print_style *style);
/* Returns the key that slot `index` has in KVP; without text after the last one. */
struct log_text print_slot_key(const struct strbuf *slots, size_t index);
void print_columns(struct strbuf *to, const struct strbuf *slots);
void print_row(struct strbuf *to, const struct strbuf *slots, const struct print_style *style);

/* print_method.c: returns the method's name in the requested dialect, for the current row of
 * `style->reader`. */
struct log_text print_method(const struct print_style *style, struct log_text method);

#endif
