/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include "base/strbuf.h"
#include "cli/flag.h"
#include "view/tables/tables.h"

/*
 * The tables of nvprof (view/tables/tables.h) for the command line: made from the traces of a
 * program that has run, or from a file.
 */
struct report {
	const struct flags *flags;
	struct tables_options options; /* `wanted` is 0 without tables */
	uint32_t devices[64];
	bool several; /* several inputs: each name is printed above its tables */
	FILE *to; /* NULL until a table is printed */
	int reader;	     /* keeps the FIFO's reader; or -1 */
	struct strbuf names; /* of the output files, one per line; the last one is `to` */
};

/* Returns true if an option requests a table, or for a program that is run without any file option,
 * for which the summary is the default. */
bool report_asked(const struct flags *flags);

/* Returns the tables to print (1 << enum table): those requested, else the summaries. */
unsigned report_tables(const struct flags *flags);

/* Reads the options. Returns 0, or -1 after one message. */
int report_begin(struct report *report, const struct flags *flags);

/* Checks --kernels, and options without effect on the tables. Returns 0, or -1 after one message.
 * report_check_alone is for a command line that requests no table. */
int report_check(const struct flags *flags);
int report_check_alone(const struct flags *flags);

/* Returns true if tables may be written to `path`: it is no regular file, is empty or has earlier
 * tables; any other file needs -f. Returns false after a message. */
bool report_may_write(const struct flags *flags, const char *path);

/* Parses --devices, numbers separated by commas. Returns 0, or -1 after one message. */
int report_devices(struct report *report, const char *list);

/* Prints the tables of one file, of process `pid`, or 0 for a file that is not of this run. Returns
 * 0, or -1 after one message. */
int report_print(struct report *report, const char *path, uint32_t pid);

/* Returns 0, or -1 after a message if the output is incomplete. */
int report_end(struct report *report);

void report_free(struct report *report);

/* `computeprof -i FILE`. Returns the exit code. */
int report_import(const struct flags *flags);

#endif
