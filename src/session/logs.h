/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LOGS_H
#define SESSION_LOGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/filejobs.h"
#include "base/map.h"
#include "model/frames.h"
#include "output/output.h"
#include "session/pending.h"
#include "settings/settings.h"

/*
 * The log files of one process, one per device (classic) or per context and device (cuda4), and its
 * trace file. Used under the drain lock only.
 */
enum {
	MAX_LOGS = 1 << 12,
	OPEN_LOGS = 16, /* open at a time, in the program's descriptor table */
	LOG_BUFFER = 1 << 16,
};

/* Reasons why a row has no gputime. */
enum untimed {
	UNTIMED_BAD,	    /* its time stamps were zero or out of order */
	UNTIMED_FAILED,	    /* the device reported an error */
	UNTIMED_SILENT,	    /* the driver gave no time stamps */
	UNTIMED_CROWDED,    /* it was written early because all pending places were in use */
	UNTIMED_UNFINISHED, /* it was still running at the end */
	UNTIMED_EXITING,    /* it was launched after the driver was called for the last time */
	UNTIMED_KINDS
};

struct log_file {
	struct output_target target;
	bool of_calls; /* an API log (session/logcalls.h): no device, no context, and `order` and
			* `written` are empty */
	uint64_t pattern; /* of an API log: frames_hash of its name's pattern */
	const struct settings *settings;
	char *path;	   /* absolute, mapped; NULL while not open */
	struct file file;
	struct strbuf buffer; /* rows not yet in the file */
	struct file_append append; /* of the buffer, which takes no rows until it is done */
	uint64_t flushed;  /* when a round last wrote the buffer, CLOCK_MONOTONIC ns */
	uint64_t turn;	   /* value of logs.turn at its last write; the smallest one is closed
			    * first */
	struct pending_list order; /* records not yet in the buffer */
	uint32_t written;  /* list of the records in the buffer, through PENDING_ORDER's next */
	uint64_t size;	   /* bytes in the file */
	uint64_t rows;	   /* in the file and the buffer */
	uint64_t buffered; /* rows in the buffer */
	uint64_t lost;	   /* rows that could not be written */
	uint64_t noted;	   /* those of `lost` that the ring file's number has */
	struct record last; /* key of the newest row: enter and correlation */
	struct log_frame *frame; /* the LOG frame in the ring file, or NULL */
	const uint64_t *lost_logs; /* the ring file's number, of an API log lost_calls, if it has
				    * the frame */
	uint64_t sequence; /* number of the last commit */
	uint8_t batch;	   /* recovery: log_batch of the dead process's last commit */
	bool recovering;   /* the program that wrote it no longer runs */
	bool recovered;	   /* created by this recovery or an earlier one */
	bool unnoted; /* its frame did not fit into the ring file */
	bool full;   /* a limit was reached */
	bool failed; /* write error; further rows are counted as lost */
	bool shortened; /* by another program, which was reported */
};

/* Losses of a trace. struct lost_frame has these members in this order after its frame. */
struct trace_losses {
	uint64_t lost; /* records that reached no log */
	uint64_t missing;
	uint64_t missing_events;
	uint64_t gaps;
};

struct trace_file {
	char *path;
	struct file file;
	struct strbuf buffer;
	struct file_append append;
	struct file_overwrite
		overwrite; /* job that rewrites its first LOST frame with `losses_after_write` */
	uint64_t size;	   /* bytes in the file, without an END frame after them */
	uint64_t frames;   /* in these bytes */
	uint64_t lost_at;  /* offset of its first LOST frame, 0: none */
	uint64_t buffered; /* records and events in the buffer; the events among them */
	uint64_t buffered_events;
	uint64_t written; /* the same in the file */
	uint64_t written_events;
	uint64_t missing; /* records and events that are in neither; events */
	uint64_t missing_events;
	struct trace_losses losses_in_file;	/* in the file */
	struct trace_losses losses_after_write; /* in the file after the write in progress: */
	bool writes_losses; /* by a LOST frame in the buffer, or by `overwrite` */
	bool ends;  /* the buffer has the END frame */
	bool ended; /* the file has it after `size`; it is cut off before the next frames */
	bool torn;  /* the file ends in a part of a frame */
	uint64_t reported_records; /* reported by logs_report */
	uint64_t reported_events;
	uint32_t names; /* names, devices, contexts and counters below these ids are in the trace */
	uint32_t devices;
	uint32_t contexts;
	uint32_t counters;
	uint32_t modules; /* and modules and nodes of stacks up to these */
	uint32_t stacks;
	uint64_t entries; /* sum of these numbers when they were last compared with the catalog's */
	bool unnoted; /* as in struct log_file */
	bool failed; /* cannot be written; further frames are missing */
	bool shortened; /* as in struct log_file */
	bool begun; /* with trace_from_ranges: a range has been started, or there are no totals */
};

/* A number of calls, and how many of them were reported. */
struct call_losses {
	uint64_t count;
	uint64_t reported;
};

/* The files that recovery may overwrite: set by the tool if it ran the process with -f. */
struct logs_overwrite {
	char *patterns[2]; /* patterns of the log and the trace, as in rules.h; NULL: none */
	int64_t since; /* start of the run, CLOCK_REALTIME ns: files written later are kept */
};

/* ns by which a file's time may precede the write: the kernel uses a coarse clock. */
enum { LOGS_COARSE = 20000000 };

/* The last result of logs_of. */
struct log_recent {
	uint32_t device;
	uint32_t context;
	struct log_file *log; /* or NULL */
};

struct logs {
	const struct catalog *catalog;
	const struct settings *const *settings; /* by API; absolute patterns, with %d and %p only */
	struct ringfile *ringfile; /* has the frames of the files, or NULL */
	struct pending *pending;   /* of the live process, or NULL */
	uint32_t pid;	     /* of the profiled process */
	int64_t born;	     /* its start, CLOCK_REALTIME ns; 0: unknown */
	bool forked;	     /* names need the process id */
	bool keep_existing;  /* recovery: an existing file belongs to someone else */
	const struct logs_overwrite *overwrite; /* recovery: exceptions to keep_existing; or NULL */
	bool only_new;	     /* recovery of a ring of unknown origin: writes new files only */
	struct map by_key;
	struct log_recent recent;
	struct log_file *files; /* MAX_LOGS, mapped lazily */
	struct rowcache *rows; /* of all logs, or NULL */
	uint32_t count;
	struct trace_file trace;
	struct log_file *calls[API_COUNT]; /* API logs, of `files`; NULL: none yet */
	uint64_t turn;
	bool stalled;	   /* a file system does not respond: buffers are not filled */
	bool crowded;	   /* rows are written early, see enum untimed */
	_Atomic uint64_t exiting; /* CLOCK_MONOTONIC ns from which on the driver is not called, 0:
				   * not exiting */
	uint64_t lost;	   /* rows that could not be written */
	uint64_t dropped;  /* of these, rows whose records did not reach the trace either */
	uint64_t limited;  /* rows beyond a limit of the user */
	struct call_losses lost_calls; /* rows of API logs that could not be written */
	struct call_losses limited_calls; /* and those beyond a limit of the user */
	uint64_t untimed[UNTIMED_KINDS]; /* rows without gputime */
	uint64_t reported_lost;		 /* reported by logs_report, with losses before the logs; */
	uint64_t reported_lacking;	 /* those that only the logs lack */
	uint64_t reported_limited;
	uint64_t reported_untimed[UNTIMED_KINDS];
};

/* `settings` is an array by API, NULL if an API is off. Returns 0, or -1 without memory. */
int logs_init(struct logs *logs, const struct catalog *catalog,
	      const struct settings *const *settings, struct ringfile *ringfile);

/* Returns the log of a record, possibly not open yet; NULL after MAX_LOGS. */
struct log_file *logs_of(struct logs *logs, uint32_t device, uint32_t context);

/* Writes one record to its log's buffer, opening the log at the first one, and to the trace's.
 * Recovery also does each alone: logs_write_row, and logs_write_trace of logtrace.h. */
void logs_write(struct logs *logs, struct log_file *log, const struct record *record);
void logs_write_row(struct logs *logs, struct log_file *log, const struct record *record);

/* Opens a log for its header, even without records. */
void logs_open(struct logs *logs, struct log_file *log);

/* Opens the log and the trace if necessary. Returns true, with errno, if that may succeed later:
 * all descriptors of the process are in use, or the file system does not respond (ETIMEDOUT). */
bool logs_must_wait(struct logs *logs, struct log_file *log);

/* Returns true if errno, from opening a file, is one of these temporary errors. */
bool logs_may_open_later(void);

/* Returns true if a tool has started this process, and will not read what it has recorded. */
bool logs_are_unread(const struct logs *logs);

/* As logs_open, without a message. Returns 0, or -1 with errno. */
int logs_try_open(struct logs *logs, struct log_file *log);

/* Adds a log, for which there must be room; an API log has no device and context. */
struct log_file *logs_add(struct logs *logs, const struct settings *settings,
			  const struct device *device, const struct context *context);

/* Returns true if the user's limits permit the row that was just added to the buffer. */
bool logs_within_limits(struct log_file *log);

/* Flushes and closes a log: later records of its device or context get another one. */
void logs_close_for_good(struct logs *logs, struct log_file *log);

/* Writes the header of an empty open log. */
void logs_begin(struct logs *logs, struct log_file *log);

/* Counts rows that could not be written. */
void logs_lose(struct logs *logs, struct log_file *log, uint64_t count);

/* Writes a log's buffer and commits its size in the ring file. If the file system does not respond,
 * `stalled` is set, and the next call continues. */
void logs_flush(struct logs *logs, struct log_file *log);

/* As logs_report of logreport.h; then ends the trace and closes all files. */
void logs_close(struct logs *logs, uint64_t lost);

/* Called before an exec: sets the times of the files so that the next program in this process does
 * not take them for an earlier run's. If the start of the process is unknown, their locks are kept
 * over the exec instead; logs_exec_failed reverts that if the exec fails. */
void logs_before_exec(struct logs *logs);
void logs_exec_failed(struct logs *logs);

/* Closes the files without writing. */
void logs_forget(struct logs *logs);

/* Called in a forked child: as logs_forget, without waiting. `none`: it has inherited no
 * descriptors of the parent's logs. */
void logs_forked(struct logs *logs, bool none);

/* Frees all memory; the logs must not be used any more. */
void logs_free(struct logs *logs);

#endif
