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
#include "session/join.h"
#include "settings/settings.h"

/*
 * The log files of one process, one per device (classic) or context and device (cuda4), and its
 * trace file. Used under the drain lock only.
 */
enum {
	MAX_LOGS = 1 << 12,
	OPEN_LOGS = 16, /* at a time, in the program's table of descriptors */
	LOG_BUFFER = 1 << 16,
};

/* Why a row has no gputime. */
enum untimed {
	UNTIMED_BAD,	    /* its time stamps were zero or out of order */
	UNTIMED_FAILED,	    /* the device reported an error */
	UNTIMED_SILENT,	    /* the driver gave no time stamps */
	UNTIMED_CROWDED,    /* it was written early, to make place for others */
	UNTIMED_UNFINISHED, /* it was written at the end */
	UNTIMED_EXITING,    /* it was launched behind the last look at the device */
	UNTIMED_KINDS
};

struct log_file {
	struct output_target target;
	const struct settings *settings;
	char *path;	   /* absolute, mapped; NULL while not open */
	struct file file;
	struct strbuf buffer; /* rows not yet in the file */
	struct file_append append; /* of the buffer, which takes no rows until it is over */
	uint64_t turn;	   /* logs.turn when it was last written: who waited longest is closed */
	struct join_list order; /* records not yet in the buffer */
	uint32_t written;  /* records in the buffer, a chain through JOIN_ORDER's next */
	uint64_t size;	   /* bytes in the file */
	uint64_t rows;	   /* in the file and the buffer */
	uint64_t buffered; /* rows in the buffer */
	struct record last; /* key of the newest row: enter and correlation */
	struct log_frame *frame; /* in the spool, or NULL */
	uint64_t sequence; /* number of the last commit */
	uint8_t batch;	   /* recovery: log_batch of the dead process's last one */
	uint8_t kept_batch; /* recovery: the same of a file that is not gone on in, else 0 */
	bool recovering;   /* its program does not run any more */
	bool recovered;	   /* recovery began it, now or before it was killed itself */
	bool unnoted; /* its frame could not be put into the spool */
	bool full;   /* a limit was reached */
	bool failed; /* cannot be written; what comes is counted as lost */
};

/* What a trace lacks. struct lost_frame has these numbers in this order behind its frame. */
struct trace_losses {
	uint64_t lost; /* records that no log ever saw */
	uint64_t missing;
	uint64_t missing_events;
};

struct trace_file {
	char *path;
	struct file file;
	struct strbuf buffer;
	struct file_append append;
	struct file_overwrite overwrite; /* of its first LOST frame, with `telling` */
	uint64_t size;	   /* bytes in the file */
	uint64_t lost_at;  /* where its first LOST frame is, 0: it has none */
	uint64_t buffered; /* records and events in the buffer; those of them that are events */
	uint64_t buffered_events;
	uint64_t written; /* the same in the file */
	uint64_t written_events;
	uint64_t missing; /* records and events that are in neither; events */
	uint64_t missing_events;
	struct trace_losses told; /* that the file tells of */
	struct trace_losses telling; /* that it tells of once what is on its way has arrived: */
	bool tells; /* a LOST frame in the buffer, or else `overwrite` */
	uint64_t said_records; /* of the missing ones, by logs_tell */
	uint64_t said_events;
	uint32_t names; /* names, devices, contexts and counters up to here are in it */
	uint32_t devices;
	uint32_t contexts;
	uint32_t counters;
	bool unnoted; /* as in struct log_file */
	bool failed; /* cannot be written; what comes is missing */
};

/* Recovery for the tool that ran the process: the files that its -f allows to overwrite. */
struct logs_overwrite {
	char *patterns[2]; /* of the log and the trace, as rules.h has them; NULL: none */
	int64_t since; /* when the run began, CLOCK_REALTIME ns: what was written later stays */
};

/* A file's times come from the kernel's coarse clock: they may lie so many ns before the moment. */
enum { LOGS_COARSE = 20000000 };

/* What logs_of said last. */
struct log_recent {
	uint32_t device;
	uint32_t context;
	struct log_file *log; /* or NULL */
};

struct logs {
	const struct catalog *catalog;
	const struct settings *const *settings; /* by API; patterns absolute, only %d and %p left */
	struct spool *spool; /* where it is noted which files there are, or NULL */
	uint32_t pid;	     /* whose logs these are */
	int64_t born;	     /* when that process began, CLOCK_REALTIME ns; 0: not known */
	bool forked;	     /* names need the process id */
	bool keep_existing;  /* recovery: a file that is there already is somebody else's */
	const struct logs_overwrite *overwrite; /* recovery: but for these; or NULL */
	bool only_new;	     /* recovery of a ring of unknown origin: writes new files only */
	struct map by_key;
	struct log_recent recent;
	struct log_file *files; /* MAX_LOGS, mapped lazily */
	uint32_t count;
	struct trace_file trace;
	uint64_t turn;
	bool stalled;	   /* a file system does not answer: nothing may be put into buffers */
	bool crowded;	   /* rows are written early now, see enum untimed */
	_Atomic uint64_t exiting; /* CLOCK_MONOTONIC ns from which on the driver is not asked any
				     more, 0 while it is */
	uint64_t lost;	   /* rows that could not be written */
	uint64_t dropped;  /* of them, those whose records never came to the trace either */
	uint64_t limited;  /* rows beyond a limit the user set */
	uint64_t untimed[UNTIMED_KINDS]; /* rows without gputime */
	uint64_t said_lost; /* by logs_tell, of these and of what never got here */
	uint64_t said_limited;
	uint64_t said_untimed[UNTIMED_KINDS];
};

/* `settings` is an array by API, NULL where an API is off. 0, or -1 without memory. */
int logs_init(struct logs *logs, const struct catalog *catalog,
	      const struct settings *const *settings, struct spool *spool);

/* The log that a record belongs to, not opened yet; NULL when there are MAX_LOGS. */
struct log_file *logs_of(struct logs *logs, uint32_t device, uint32_t context);

/* Puts one record into its log's buffer (opening the log, with its header, at the first one) and
 * into the trace's. */
void logs_write(struct logs *logs, struct log_file *log, const struct record *record);

/* One half of it each, for recovery. */
void logs_write_row(struct logs *logs, struct log_file *log, const struct record *record);
void logs_write_trace(struct logs *logs, const struct log_file *log, const struct record *record);

/* Puts an event (model/event.h) into the trace. Its API's settings have one. */
void logs_write_event(struct logs *logs, const struct frame *event);

/* Opens a log that may have no record at all, for its header. */
void logs_open(struct logs *logs, struct log_file *log);

/* Opens the log, and the trace, unless they are open. True, with errno, while that cannot be done
 * but may be later: the program has every descriptor in use that it may have, and may close some;
 * or the file system does not answer (ETIMEDOUT). */
bool logs_must_wait(struct logs *logs, struct log_file *log);

/* Whether that is why a file just could not be opened: by errno. */
bool logs_may_open_later(void);

/* Closes a log, its rows written: records of its device or context get another one from now on. */
void logs_retire(struct logs *logs, struct log_file *log);

/* Gives a log that is open and empty its header. */
void logs_begin(struct logs *logs, struct log_file *log);

/* Writes out a log's buffer and notes in the spool how far it is; the trace's. If the file system
 * does not answer `stalled` is true afterwards, and the next call goes on with that. */
void logs_flush(struct logs *logs, struct log_file *log);
void logs_flush_trace(struct logs *logs);
void logs_tell_trace(struct logs *logs, uint64_t lost);

/* Says how many records were lost, also to the command line tool. */
void logs_tell_lost(uint64_t count);

/* Says on stderr what was lost since this was last called, and the trace tells it, too; `lost` are
 * all records that never got here. What stderr has not taken until now goes to the end of the first
 * log. */
void logs_tell(struct logs *logs, uint64_t lost);

/* As logs_tell, and closes all files. */
void logs_close(struct logs *logs, uint64_t lost);

/* Before an exec: has the files tell the next program in this process that they are not an earlier
 * run's, by their time. Where it is not known when the process began, the locks on them outlive the
 * exec; logs_stay_here takes that back when it has failed. */
void logs_hand_on(struct logs *logs);
void logs_stay_here(struct logs *logs);

/* Closes the files, writes nothing. */
void logs_forget(struct logs *logs);

/* In a forked child: the same, without waiting for anybody; `none`: it has no descriptors of the
 * parent's logs. */
void logs_forked(struct logs *logs, bool none);

/* Closes the log that was written longest ago where so many are open as may be: OPEN_LOGS, or what
 * a table of the file thread's own has room for. It has no lock then. */
void logs_make_room(struct logs *logs);

/* Gives all memory back; nothing may use the logs any more. */
void logs_free(struct logs *logs);

/* logtrace.c: opens the trace if these settings have one and it is not open. 0, or -1 with
 * errno. */
int logs_try_trace(struct logs *logs, const struct settings *settings);

/* logfile.c: writes the log of a program whose configuration file cannot be used. */
void logs_write_error(struct logs *logs, const struct settings *settings);

/* logname.c: picks the file name of a log (or, with log NULL, of the trace) that no other log of
 * this process and no other process uses, and opens it emptied. 0, or -1 with errno. `path`
 * becomes the mapped absolute path. */
int logs_open_name(struct logs *logs, const struct log_file *log, const char *pattern,
		   struct file *file, char **path);

/* What follows for the program where a file cannot be written: behind a sentence that says so. */
const char *logs_consequence(bool recovering);

/* Says that no such file can be written, for the reason that is in errno. */
void logs_say_refused(const struct logs *logs, const struct log_file *log, const char *pattern);

/* The path in memory of its own, as log_file.path has it; NULL without memory. */
char *logs_keep_path(const char *path, size_t length);

#endif
