/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_RUNS_H
#define VIEW_COMPARE_RUNS_H

#include "base/names.h"
#include "view/format/jsonread.h"
#include "view/format/name_filter.h"
#include "view/stream/stream.h"
#include "view/totals/activity.h"
#include "view/totals/activity_index.h"

/*
 * The sums of runs of two versions of a program, A and B. A run has any number of files, one of
 * each process. Memory grows with the runs and the distinct names.
 */
enum runs_side { RUNS_A, RUNS_B, RUNS_SIDES };

/* The sums of an activity in one run. Times are nanoseconds. */
struct run_sum {
	uint64_t launches; /* with and without times */
	uint64_t count;	   /* with times; the sums are over these */
	uint64_t total;
	uint64_t shortest;
	double median; /* after runs_finish */
	uint64_t bytes;		 /* of the launches with times and a known size, */
	uint64_t sized;		 /* and their number */
	struct histogram *times; /* until runs_finish; NULL: none */
	double middles;		 /* of inputs that have a median, but no times: the sum of these */
	uint64_t middle_count;	 /* medians, weighted by their launches, and the weights */
};

struct run {
	struct run_sum *sums; /* by the number of the activity */
	uint32_t count;	      /* of `sums`: later activities are not in this run */
	uint64_t total;	      /* nanoseconds of all activities */
	bool has_records;     /* selected by the filter or not */
	bool is_cut_off;      /* a file of it */
};

struct run_side {
	struct run *list;
	size_t count;
	/* Distinct lines: */
	struct strbuf devices;
	struct strbuf used; /* devices that have worked, without what few kinds of files know */
	struct strbuf commands;
	struct strbuf systems;	/* host, kernel, driver and so on, if known */
	struct strbuf notes;	/* what is missing in files */
	struct strbuf left_out; /* runs that cannot be compared: sentences without a full stop */
};

struct runs {
	struct activity_index activities;
	struct name_filter filter;
	const char *kernels; /* as in struct totals */
	bool demangled;
	struct run_side sides[RUNS_SIDES];
};

/* `kernels`, which must stay valid, is a regular expression for names of kernels, or NULL. Returns
 * 0, or -1 with one sentence in `error`. The caller calls runs_close in both cases. */
int runs_open(struct runs *runs, const char *kernels, bool demangled, struct strbuf *error);
void runs_close(struct runs *runs);

/* Begins another run. Returns -1 with one sentence, also if the side has RANKTEST_RUNS runs. */
int runs_begin(struct runs *runs, enum runs_side side, struct strbuf *error);

/* Add a file to the last run of the side: all parts of a stream; or the totals of our own JSON
 * (doc/FORMAT). `path` is for messages. Return 0, or -1 with one sentence in `error`. */
int runs_add_stream(struct runs *runs, enum runs_side side, struct stream *stream, const char *path,
		    struct strbuf *error);
int runs_add_json(struct runs *runs, enum runs_side side, const struct json_value *summary,
		  const char *path, struct strbuf *error);

/* Adds the runs of a JSON file, from runs_begin to runs_finish: one run, or those that 'gate
 * --save' has written. Returns as above. */
int runs_add_saved(struct runs *runs, enum runs_side side, const struct json_value *file,
		   const char *path, struct strbuf *error);

/* Ends the last run of the side: sets the medians. A run that was cut off or has no records is
 * removed again; `name` is that of the run for the sentence about it. */
void runs_finish(struct runs *runs, enum runs_side side, const char *name);

/* Appends the line to the list unless the list has it. */
void runs_add_line(struct strbuf *list, const char *line, size_t length);

/* Returns true and the line of the list at `at`, which becomes that of the next one; false at the
 * end. */
bool runs_next_line(const struct strbuf *list, size_t *at, const char **line, size_t *length);

/* Returns the activities; their number is their index. */
const struct activity_key *runs_activities(const struct runs *runs, uint32_t *count);

/* Returns the sums of an activity in a run; NULL: it is not in this run. */
const struct run_sum *runs_sum(const struct run *run, uint32_t activity);

/* Returns true if `bytes` is of all launches with times. */
bool runs_knows_bytes(const struct run_sum *sum);

/* For runs_json.c: notes that data of a file of the last run is missing, if it is; `lost` is
 * UINT64_MAX for an unknown number of records. */
void runs_add_loss(struct run_side *side, const char *path, uint64_t lost, bool cut_off);

/* For runs_json.c: the sums of the activity in the last run of the side, with a new number if it is
 * not known; NULL without memory. `name` is that of a kernel. */
struct run_sum *runs_place(struct runs *runs, enum runs_side side, const struct activity_key *what,
			   const char *name, size_t length);

#endif
