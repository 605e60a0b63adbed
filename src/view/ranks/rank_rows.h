/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_ROWS_H
#define VIEW_RANKS_RANK_ROWS_H

#include "view/format/label.h"
#include "view/ranks/rank_names.h"
#include "view/ranks/rank_sums.h"

/*
 * How the time of each activity is distributed over the ranks or processes. A rank without the
 * activity has a time of 0: the others wait for the slowest one all the same.
 *
 * A rank is an outlier if its time is more than 1.5 times the distance of the quartiles above the
 * third one or below the first one (Tukey, 1977), and differs by OUTLIER_LEAST of the median at
 * least: ranks that are nearly equal have no outliers. So few ranks as OUTLIER_RANKS - 1 have none.
 */
enum { OUTLIER_RANKS = 5 };
#define OUTLIER_LEAST 0.05

/* A rank, or a process. */
struct rank_unit {
	uint64_t rank;
	uint32_t process; /* index of its first one */
	uint64_t total;	  /* nanoseconds on the GPU */
};

struct rank_row {
	const struct activity_key *what; /* NULL: all activities together */
	uint32_t number;		 /* of the activity, less one */
	size_t first_entry;		 /* of its entries in the sums */
	struct rank_sum sum;		 /* of all units */
	size_t units;			 /* number of those that have the activity */
	uint64_t least;			 /* nanoseconds: the smallest time of a unit, */
	double average;			 /* the mean, */
	uint64_t most;			 /* and the largest one */
	double imbalance;		 /* most / average - 1 */
	uint32_t slowest;		 /* the first unit with the largest time */
	size_t first_outlier, outliers;	 /* in rank_rows.outliers, and their number */
	double share;			 /* of the time of all activities, 0 to 1 */
};

struct rank_rows {
	const struct rank_sums *sums;
	bool by_process;
	enum rank_source source;
	uint64_t *ranks;   /* by process */
	uint32_t *unit_of; /* likewise */
	struct rank_unit *units;
	size_t unit_count;
	struct rank_row *list; /* the first is that of all activities; then the longest first */
	size_t count;
	struct strbuf outliers; /* uint32_t: units */
	struct label label;
};

/* `sums` are sorted, have one process at least, and must stay valid. Returns 0, or -1 without
 * memory. The caller calls rank_rows_free in both cases. */
int rank_rows_make(struct rank_rows *rows, const struct rank_sums *sums, bool by_process,
		   bool demangled);
void rank_rows_free(struct rank_rows *rows);

/* Appends the name of a row in at most `room` columns, 0: no limit. */
void rank_rows_put_name(struct strbuf *to, struct rank_rows *rows, const struct rank_row *row,
			size_t room);

/* Appends the number of a rank, or the file of a process in at most `room` columns. */
void rank_rows_put_unit(struct strbuf *to, const struct rank_rows *rows, uint32_t unit,
			size_t room);

/* Appends the file of a process, or that of the first process of a rank. */
void rank_rows_put_file(struct strbuf *to, const struct rank_rows *rows, uint32_t unit);

const uint32_t *rank_rows_outliers(const struct rank_rows *rows, const struct rank_row *row);

#endif
