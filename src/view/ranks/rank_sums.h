/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_SUMS_H
#define VIEW_RANKS_RANK_SUMS_H

#include "base/names.h"
#include "view/format/name_filter.h"
#include "view/ranks/rank_launches.h"
#include "view/totals/activity_index.h"
#include "view/totals/histogram.h"

/*
 * The sums of many processes of one run, such as the ranks of an MPI program: of each kernel, of
 * copies and of fills. All members are integers that are added, or the smallest and the largest, so
 * the order in which the inputs are added has no influence. Memory grows with the pairs of a
 * process and a name, not with the records.
 */

/* The sums of an activity in one or more processes. Times are nanoseconds. */
struct rank_sum {
	uint64_t count; /* launches with times; the sums are over these */
	uint64_t untimed;
	uint64_t total;
	uint64_t shortest;
	uint64_t longest;
	uint64_t bytes; /* of the copies and fills of a known size, */
	uint64_t sized; /* and their number */
};

struct rank_process {
	uint32_t path; /* of its file, in `texts` */
	uint32_t part; /* its number in the file, from 0 */
	uint32_t pid;  /* 0 if unknown */
	bool cut_off;  /* its file ends before its records do */
	bool launches; /* its file has single launches */
	bool summed;   /* of merged sums */
	bool merged;   /* a merged trace: `parts` has its processes */
	uint64_t lost; /* records; UINT64_MAX: an unknown number of them */
	/* If the file has its records: when it started, ns since 1970 by its host's clock, and
	 * their number. 0: unknown. */
	uint64_t started;
	uint64_t records;
};

struct rank_entry {
	uint32_t activity; /* its number less one */
	uint32_t process;  /* index */
	struct rank_sum sum;
};

/* A process in a merged trace. */
struct rank_part {
	uint32_t process; /* index of the merged one */
	uint32_t pid;
	uint64_t started;
};

/* An input that could not be read. */
struct rank_missing {
	uint32_t path;
	uint32_t reason; /* one sentence, in `texts` */
};

struct rank_sums {
	struct name_filter filter; /* only kernels with these names */
	const char *kernels;
	/* First line of the table, for the ranks of a job: the names of their processes end with
	 * "rank" and a number. NULL: ranks are files. */
	const char *title;
	uint64_t expected; /* with title: ranks from 0 that must be here; 0: not known */
	struct activity_index activities;
	struct histogram *times; /* of all processes, by activity */
	uint32_t times_room;
	struct names *texts;
	struct map known;	 /* processes by path and part */
	struct map starts;	 /* and by id and start (rank_identity.h), those of parts as well */
	struct strbuf processes; /* struct rank_process */
	struct strbuf parts;	 /* struct rank_part */
	struct strbuf entries;	 /* struct rank_entry */
	struct strbuf missing;	 /* struct rank_missing */
	struct strbuf launches;	 /* struct rank_launch: the longest of each input */
};

/* `kernels`, which must stay valid, is a regular expression for names of kernels, or NULL. Returns
 * 0, or -1 with one sentence in `error`. The caller calls rank_sums_close in both cases. */
int rank_sums_open(struct rank_sums *sums, const char *kernels, bool demangled,
		   struct strbuf *error);
void rank_sums_close(struct rank_sums *sums);

/* Adds `from`. Returns 0; 1 with one sentence in `error` and nothing added if a process is in
 * `sums` already, also from a copy of its file; -1 without memory, with one sentence, too. */
int rank_sums_add(struct rank_sums *sums, const struct rank_sums *from, struct strbuf *error);

/* Adds entries, histograms and launches only, of which process i of `from` is process processes[i]
 * of the sums; NULL: i. The process itself may be in neither. Returns -1 without memory; then a
 * part is added. */
int rank_sums_add_values(struct rank_sums *sums, const struct rank_sums *from,
			 const uint32_t *processes);

/* Adds an input that could not be read. Returns -1 without memory. */
int rank_sums_add_missing(struct rank_sums *sums, const char *path, const char *reason);

/* Puts processes and missing files in the order of their paths, numbers as numbers, and entries in
 * that of activities and processes, with one entry of each pair; keeps the longest launches of all.
 * Returns -1 without memory. */
int rank_sums_sort(struct rank_sums *sums);

/* Puts only the processes in this order. Returns their new indexes by the old ones, to be freed, or
 * NULL without memory. Entries and launches must be added with the new ones. */
uint32_t *rank_sums_sort_processes(struct rank_sums *sums);

/* Keeps the longest launches. The processes are in order. */
void rank_sums_trim_launches(struct rank_sums *sums);

static inline const struct rank_process *rank_sums_processes(const struct rank_sums *sums,
							     size_t *count)
{
	*count = sums->processes.length / sizeof(struct rank_process);
	return (const void *)sums->processes.data;
}

static inline const struct rank_part *rank_sums_parts(const struct rank_sums *sums, size_t *count)
{
	*count = sums->parts.length / sizeof(struct rank_part);
	return (const void *)sums->parts.data;
}

static inline const char *rank_sums_text(const struct rank_sums *sums, uint32_t text)
{
	size_t length;

	return names_text(sums->texts, text, &length);
}

const struct rank_entry *rank_sums_entries(const struct rank_sums *sums, size_t *count);
const struct rank_missing *rank_sums_missing(const struct rank_sums *sums, size_t *count);
const struct rank_launch *rank_sums_launches(const struct rank_sums *sums, size_t *count);

/* Returns the histogram of an activity, by its number less one; NULL if it has none, or not all
 * launches of `sum`. */
const struct histogram *rank_sums_times(const struct rank_sums *sums, uint32_t activity,
					const struct rank_sum *sum);

/* Adds the members. */
void rank_sum_add(struct rank_sum *to, const struct rank_sum *from);

/* For rank_read.c and rank_stream.c: begin a process, and return its index, or -1 without memory or
 * if it is there already; add a part of a process; add sums of an activity, by its number less one;
 * add a launch; return the histogram of an activity. -1 and NULL without memory. */
int rank_sums_begin(struct rank_sums *sums, const char *path, const struct rank_process *process);
int rank_sums_put_part(struct rank_sums *sums, const struct rank_part *part);
int rank_sums_put(struct rank_sums *sums, const struct rank_entry *entry);
int rank_sums_put_launch(struct rank_sums *sums, const struct rank_launch *launch);
struct histogram *rank_sums_make_times(struct rank_sums *sums, uint32_t activity);

#endif
