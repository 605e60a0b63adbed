/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_FOLDED_DIFF_H
#define VIEW_COMPARE_FOLDED_DIFF_H

#include "base/strbuf.h"
#include "view/compare/runs.h"

/*
 * Appends the folded stacks of both sides as difffolded.pl does, for flamegraph.pl: a line for each
 * stack with the mean time of a run of A and of B, in the unit of flame_options
 * (view/stacks/flame.h). Each path is a run. Returns 0, or -1 with one sentence in `error`.
 */
int folded_diff(struct strbuf *to, char *const *const paths[RUNS_SIDES],
		const int counts[RUNS_SIDES], struct strbuf *error);

#endif
