/* SPDX-License-Identifier: MIT */
#ifndef CLI_PRINT_EXPORT_H
#define CLI_PRINT_EXPORT_H

#include "base/strbuf.h"
#include "cli/report/report.h"
#include "cli/run/job_table.h"
#include "view/view.h"

/*
 * -o FILE for files other than logs (view/view.h), and tables (cli/report/report.h). They are made
 * from a program's traces after it has ended, or from an existing trace.
 */
struct exports {
	const struct flags *flags;
	const struct view *view; /* the view for -o, or NULL */
	struct report report;
	bool in_job; /* the last rank of the job prints the table of all */
	struct job_table job;
	bool from_totals; /* all outputs are made of running totals, and traces have only the
			     NVTX ranges */
	struct strbuf no_folder; /* why there is no folder for these, or empty */
	struct strbuf *totals;	 /* the totals of ended processes, as traces: paths, one per line */
	struct strbuf *whole;	 /* cli/run/artifacts.h */
	struct strbuf *live;	 /* as `whole`, of processes that still run */
	char *folder;		 /* folder of the traces that the user did not request, or NULL */
	struct strbuf written;	 /* files, one a line */
	struct strbuf *missing;	 /* of processes without a trace (cli/run/artifacts.h) */
	struct strbuf *unrecovered; /* cli/run/artifacts.h */
	struct strbuf *ungrown;	    /* likewise */
	struct strbuf *gone;	 /* likewise */
	struct strbuf *unwritten; /* likewise */
	int64_t since;		 /* start of the run: with -f, files written later are kept */
	bool logged;		 /* a process has a log, so there should be a trace */
	bool others;		 /* a process of another user was profiled */
	bool unknown;		 /* the list of files could not be made, so `logged` is unknown */
};

/* Call before the program runs and after flag_apply. Switches tracing or totals on. Returns 0, or
 * -1 after one message. */
int exports_begin(struct exports *exports, const struct flags *flags);

/* Appends to `others` the traces of the list, one per line, that are outside the run's folder. The
 * user requested these. */
void exports_others(const struct exports *exports, struct strbuf *traces, struct strbuf *others);

/* Makes one file from all traces in the list, or one per trace if the view holds one process or the
 * name has %p. Prints the names, then the tables; after the tables only errors are printed.
 * Temporary traces are removed, except those that failed or whose process still runs. `any_alive`:
 * such a process exists, even if its trace is not listed yet. SIGPIPE and SIGXFSZ are ignored from
 * here on. */
void exports_end(struct exports *exports, struct strbuf *traces, bool any_alive);

/* Returns true if the process had no disk space for the first bytes of the trace. */
bool export_is_empty(const char *trace);

/* Returns true if the process, which outlived the program, still locks the trace. */
bool export_is_growing(const char *trace);

/* Prints a message that there is no table or file, with the reason `why` and `advice`. */
void export_say_none(const struct exports *exports, const char *why, const char *advice);

/* Returns true with -f, or if view_is_free. `view`: NULL for a log. */
bool export_may_write(const struct flags *flags, const struct view *view, const char *path);

/* A trace that is an input of a view or of tables. */
struct export_trace {
	char *path;
	struct process process;
	bool growing; /* before it was read */
	bool incomplete; /* its process has left records that could not be recovered */
	bool totals;	 /* it has running totals, and is in memory */
	char *ranges;	 /* trace of the ranges of these totals, or NULL */
	int failed;
};

/* Sets `process` of the trace, without its command; all zero if it cannot be read. Returns -1 after
 * a message if the trace cannot be opened, or has running totals and these are not enough. */
int export_look(struct export_trace *trace, bool of_totals);

/* Sorts by start of the process; unknown starts come last. */
void export_sort(struct export_trace *traces, size_t count);

/* Writes these traces to one file with view_write_to, and prints its messages. */
int export_write(const struct view *view, const struct export_trace *traces, size_t count,
		 const struct view_target *to);

/* The same for the ranks of a program; `ranks` as for stream_set_ranks. */
int export_write_ranks(const struct view *view, const struct export_trace *traces, size_t count,
		       const struct stream_rank *ranks, const struct view_target *to);

/* `computeprof print -o FILE PATH...`. Prints error messages and returns the exit code. */
int export_print(const struct view *view, const struct flags *flags);

/* Calls `add` for each file type that -o can write, with the file name extension and a
 * description. */
void export_files(struct strbuf *to,
		  void (*add)(struct strbuf *to, const char *extension, const char *help));

#endif
