/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include "base/strbuf.h"
#include "cli/flag.h"
#include "view/tables/tables.h"

/*
 * The tables of nvprof (view/tables/tables.h) as the command line asks for them: of the traces of a
 * program that has run, or of a file.
 */
struct report {
	const struct flags *flags;
	struct tables_options options; /* wanted: 0 if no table is */
	uint32_t devices[64];
	bool several; /* files: the name of each stands above its tables */
	FILE *to; /* NULL until something is printed */
	int reader;	     /* keeps the reader of a FIFO that they go to; -1 */
	struct strbuf names; /* of the files printed to, a line each; the last one is `to` */
};

/* Whether any table is asked for; a program that is run without naming any file has its summary all
 * the same. */
bool report_asked(const struct flags *flags);

/* The tables that are printed (1 << enum table): those that are asked for, else the summaries. */
unsigned report_tables(const struct flags *flags);

/* What the options say. 0, or -1 with one sentence said. */
int report_begin(struct report *report, const struct flags *flags);

/* Whether --kernels can be used. 0, or -1 with one sentence said. So the next, for a command line
 * that asks for no table. */
int report_check(const struct flags *flags);
int report_check_alone(const struct flags *flags);

/* Whether tables may be written there: to what is no file, or an empty one, over earlier tables, as
 * ever, and over any other file with -f; or that is said. */
bool report_may_write(const struct flags *flags, const char *path);

/* Takes the devices of --devices, numbers with commas between them. 0, or -1 with one sentence
 * said. */
int report_devices(struct report *report, const char *list);

/* Prints the tables of one file, of process `pid`, or 0 for a file of long ago. 0, or -1 with one
 * sentence said. */
int report_print(struct report *report, const char *path, uint32_t pid);

/* 0, or -1 when not all of it could be written, which is said. */
int report_end(struct report *report);

void report_free(struct report *report);

/* `computeprof -i FILE`: the exit code. */
int report_import(const struct flags *flags);

#endif
