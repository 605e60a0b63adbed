/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_COMPARE_H
#define VIEW_COMPARE_COMPARE_H

#include "view/compare/ranktest.h"
#include "view/compare/runs.h"
#include "view/format/label.h"

/*
 * The comparison of runs of two versions of a program. Launches of one run are not independent of
 * each other, so the rank tests have one value of each run: the shortest launch, the median launch
 * or, for all activities together, the time on the GPU.
 */
enum statistic { STATISTIC_MINIMUM, STATISTIC_MEDIAN, STATISTIC_TOTAL, STATISTICS };

enum verdict {
	VERDICT_SAME,	  /* tested, and neither of the next two */
	VERDICT_SLOWER,	  /* B is slower: significant, and by the least change at least */
	VERDICT_FASTER,	  /* likewise */
	VERDICT_NEW,	  /* in B only */
	VERDICT_GONE,	  /* in A only */
	VERDICT_UNTESTED, /* too few runs for a test, or no times. All rows: inconclusive */
	VERDICTS
};

#define COMPARE_ALPHA 0.05 /* most probability of any wrong "slower", and of any wrong "faster" */

struct compare_options {
	unsigned statistics; /* of kernels, copies and fills: bits 1 << enum statistic */
	double threshold;    /* the least change, as a part of the time of A: 0.05 */
	double floor;	     /* and in nanoseconds of a launch */
};

/* The medians of the runs that have the activity. Times are nanoseconds. */
struct compare_value {
	size_t runs;
	double launches;
	double times[STATISTICS]; /* with STATISTIC_TOTAL: of all launches of the run */
	double bytes;		  /* of the runs that know them; */
	size_t sized;		  /* their number */
	double share;		  /* of the time on the GPU in all runs of the side, 0 to 1 */
};

struct compare_row {
	const struct activity_key *what; /* NULL: all activities together */
	uint32_t number;
	struct compare_value sides[RUNS_SIDES];
	double pooled;	    /* nanoseconds in all runs of both sides */
	double least, most; /* launches of a run of either side that has the activity */
	unsigned joint;	    /* bits of the statistics in the joint test, */
	unsigned measured;  /* of those with a shift, */
	unsigned tested;    /* and of those with enough values on both sides */
	struct ranktest tests[STATISTICS];
	double slower[STATISTICS]; /* probabilities; of tests those of jointtest.h */
	double faster[STATISTICS];
	enum statistic shown; /* of the test that decides, or the one to be shown */
	enum verdict verdict;
};

struct comparison {
	struct compare_options options;
	const struct runs *runs;
	struct compare_row *rows; /* the first is that of all activities; then the longest first */
	size_t count;
	size_t tests;
	size_t untested; /* rows that are in both sides and have no test */
	double untested_share;
	enum verdict verdict;
	struct strbuf notes; /* of compare_notes.h: a sentence per line without a full stop */
	struct label label;
};

/* Compares finished runs; each side has one at least. `runs` must stay valid. Returns 0, or -1
 * without memory. The caller calls compare_free in both cases. */
int compare(struct comparison *comparison, const struct runs *runs,
	    const struct compare_options *options);
void compare_free(struct comparison *comparison);

/* Returns the word for it, such as "slower". */
const char *compare_word(enum verdict verdict);
const char *compare_statistic(enum statistic statistic);

/* Returns the change of the shown statistic as a part of the time of A, -1 at least, with its
 * interval. False: it is unknown. */
bool compare_change(const struct compare_row *row, double *change, double *low, double *high);

/* Sets the values of the shown statistic, nanoseconds, one of each run of the side that has a time,
 * in the order of the runs. Returns their number. */
size_t compare_values(const struct comparison *comparison, const struct compare_row *row,
		      enum runs_side side, double values[RANKTEST_RUNS]);

/* Appends the name of a row in at most `room` columns, 0: no limit. */
void compare_put_name(struct strbuf *to, struct comparison *comparison,
		      const struct compare_row *row, size_t room);

#endif
