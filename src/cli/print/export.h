/* SPDX-License-Identifier: MIT */
#ifndef CLI_PRINT_EXPORT_H
#define CLI_PRINT_EXPORT_H

#include "base/strbuf.h"
#include "cli/report/report.h"
#include "view/view.h"

/*
 * -o FILE for what is no log (view/view.h), and tables (cli/report/report.h): made of a program's
 * traces after it has ended, or of a trace that is there.
 */
struct exports {
	const struct flags *flags;
	const struct view *view; /* that -o asks for, or NULL */
	struct report report;
	char *folder;		 /* of traces that nobody else wants, or NULL */
	struct strbuf written;	 /* files, one a line */
	struct strbuf *missing;	 /* of processes without a trace (cli/run/artifacts.h) */
	struct strbuf *unrecovered; /* cli/run/artifacts.h */
	int64_t since;		 /* when the run began: with -f, files of later ones stay */
	bool logged;		 /* a process has a log, so there should be a trace */
	bool others;		 /* a process of another user was profiled */
	bool unknown;		 /* whether one has: there was no room for the list of files */
};

/* Before the program runs, behind flag_apply: has it traced. 0, or -1 with one sentence said. */
int exports_begin(struct exports *exports, const struct flags *flags);

/* Appends to `others` those traces of the list, one a line, that are not in the run's own folder:
 * somebody asked for them. */
void exports_others(const struct exports *exports, struct strbuf *traces, struct strbuf *others);

/* Makes a file of all traces in the list, or of each where a file holds one process or the name has
 * %p, and says so, then prints the tables, behind which only
 * problems are said; what nobody else wants of the traces is removed. A trace stays that could not
 * be made into anything, or whose process still runs; `any_alive`: one does, perhaps before its
 * trace is there. From here on SIGPIPE and SIGXFSZ are ignored. */
void exports_end(struct exports *exports, struct strbuf *traces, bool any_alive);

/* Whether its process had no room for the first bytes of the trace. */
bool export_is_empty(const char *trace);

/* Whether its process, which has outlived the program, keeps it locked. */
bool export_is_growing(const char *trace);

/* Says that there is no table, or file, and why. */
void export_say_none(const struct exports *exports, const char *why);

/* Whether -f is there, or nothing at `path`, or an empty file. */
bool export_may_write(const struct flags *flags, const char *path);

/* A trace that something is made of. */
struct export_trace {
	char *path;
	struct process process;
	bool growing; /* before it was read */
	bool incomplete; /* its process has left records that could not be recovered */
	int failed;
};

/* Sets the process whose trace it is, without its command; all 0 if that cannot be read. -1 if the
 * trace cannot be opened, which is said. */
int export_look(struct export_trace *trace);

/* In the order of their processes' starts; those that are not known are the last ones. */
void export_sort(struct export_trace *traces, size_t count);

/* As view_write_to, of these traces, to one file, and says what there is to say. */
int export_write(const struct view *view, const struct export_trace *traces, size_t count,
		 const struct view_target *to);

/* `computeprof print -o FILE PATH...`: the exit code, with the reasons said. */
int export_print(const struct view *view, const struct flags *flags);

/* Has `add` append all kinds of files that -o can write: the end of the name, and what it is. */
void export_files(struct strbuf *to,
		  void (*add)(struct strbuf *to, const char *extension, const char *help));

#endif
