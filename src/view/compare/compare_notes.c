/* SPDX-License-Identifier: MIT */
#include "view/compare/compare_notes.h"

#include <string.h>

enum { BYTES_SHOWN = 5 /* rows with other bytes */ };

/* Returns true if both have the same lines, in any order. */
static bool same_lines(const struct strbuf *list, const struct strbuf *other)
{
	struct strbuf both = STRBUF_INIT;
	size_t at = 0, length;
	const char *line;
	bool same;

	strbuf_append(&both, other->data, other->length);
	while (runs_next_line(list, &at, &line, &length))
		runs_add_line(&both, line, length);
	same = both.length == other->length && list->length == other->length;
	strbuf_free(&both);
	return same;
}

/* Appends the lines, separated by semicolons. */
static void put_lines(struct strbuf *to, const struct strbuf *list)
{
	for (size_t i = 0; i + 1 < list->length; i++) {
		if (list->data[i] == '\n')
			strbuf_string(to, "; ");
		else
			strbuf_char(to, list->data[i]);
	}
	if (!list->length)
		strbuf_string(to, "unknown");
}

static void put_difference(struct strbuf *to, const char *what, const struct strbuf *a,
			   const struct strbuf *b)
{
	strbuf_printf(to, "warning: the %s: A ", what);
	put_lines(to, a);
	strbuf_string(to, ", B ");
	put_lines(to, b);
	strbuf_char(to, '\n');
}

/* Returns true if the device is in the list. Few kinds of files know the compute capability. */
static bool has_device(const struct strbuf *list, const char *device, size_t size)
{
	static const char more[] = ", compute capability ";
	size_t at = 0, length, same = size - 1 /* without the parenthesis */;
	const char *line;

	while (runs_next_line(list, &at, &line, &length))
		if (length >= size && !memcmp(line, device, same) &&
		    (length == size ||
		     (length > same + strlen(more) && !memcmp(line + same, more, strlen(more)))))
			return true;
	return false;
}

/* Returns true if the side has all devices that the other one has used. It may have more, which are
 * not in all kinds of files if they do no work. */
static bool has_used(const struct run_side *side, const struct run_side *other)
{
	size_t at = 0, length;
	const char *line;

	while (runs_next_line(&other->used, &at, &line, &length))
		if (!has_device(&side->devices, line, length))
			return false;
	return true;
}

static void put_differences(struct strbuf *to, const struct run_side *a, const struct run_side *b)
{
	if (a->devices.length && b->devices.length && (!has_used(a, b) || !has_used(b, a)))
		put_difference(to, "devices differ", &a->devices, &b->devices);
	if (a->systems.length && b->systems.length && !same_lines(&a->systems, &b->systems))
		put_difference(to, "systems differ", &a->systems, &b->systems);
}

static void put_warnings(struct strbuf *to, const struct strbuf *lines, const char *what)
{
	const char *at = lines->data, *end;
	size_t left = lines->length;

	while (left && (end = memchr(at, '\n', left))) {
		strbuf_string(to, "warning: ");
		strbuf_append(to, at, (size_t)(end - at));
		strbuf_printf(to, "%s\n", what);
		left -= (size_t)(end + 1 - at);
		at = end + 1;
	}
}

static void put_losses(struct strbuf *to, const struct run_side *side)
{
	put_warnings(to, &side->left_out, "");
	put_warnings(to, &side->notes, ": its sums are incomplete");
}

static void put_bytes(struct comparison *comparison)
{
	int shown = 0;

	for (size_t i = 1; i < comparison->count && shown < BYTES_SHOWN; i++) {
		const struct compare_row *row = &comparison->rows[i];
		double a = row->sides[RUNS_A].bytes, b = row->sides[RUNS_B].bytes;

		if (!row->sides[RUNS_A].sized || !row->sides[RUNS_B].sized || a == b)
			continue;
		compare_put_name(&comparison->notes, comparison, row, 0);
		strbuf_printf(&comparison->notes, " moves %.0f bytes in A, %.0f in B\n", a, b);
		shown++;
	}
}

/* Rows that are tested by the median for that reason. */
static void put_launches(struct comparison *comparison)
{
	size_t count = 0;

	if (comparison->options.statistics == 1u << STATISTIC_MEDIAN)
		return;
	for (size_t i = 1; i < comparison->count; i++)
		count += comparison->rows[i].tested == 1u << STATISTIC_MEDIAN;
	if (count)
		strbuf_printf(&comparison->notes,
			      "the medians of %llu %s are tested, because the numbers of launches "
			      "differ, and the minimum of more launches is smaller\n",
			      (unsigned long long)count, count == 1 ? "row" : "rows");
}

static void put_untested(struct comparison *comparison)
{
	struct strbuf *to = &comparison->notes;
	size_t a = comparison->runs->sides[RUNS_A].count, b = comparison->runs->sides[RUNS_B].count;
	unsigned long long needed = ranktest_needed(COMPARE_ALPHA);

	if (!comparison->untested)
		return;
	if (a == 1 && b == 1)
		strbuf_string(to, "one run a side cannot be tested: launches of one run are not "
				  "independent of each other");
	else if (!comparison->tests)
		strbuf_printf(to, "%llu and %llu runs cannot be tested", (unsigned long long)a,
			      (unsigned long long)b);
	else
		strbuf_printf(to,
			      "%llu %s with %.1f %% of the GPU time %s not tested: too few runs "
			      "have times of %s",
			      (unsigned long long)comparison->untested,
			      comparison->untested == 1 ? "row" : "rows",
			      100 * comparison->untested_share,
			      comparison->untested == 1 ? "is" : "are",
			      comparison->untested == 1 ? "it" : "them");
	strbuf_printf(to, "; %llu against %llu can test all\n", needed, needed);
}

static void put_nothing(struct comparison *comparison)
{
	size_t common = 0;

	for (size_t i = 1; i < comparison->count; i++)
		common += comparison->rows[i].sides[RUNS_A].runs &&
			  comparison->rows[i].sides[RUNS_B].runs;
	if (comparison->count == 1)
		strbuf_string(&comparison->notes, "there is no kernel, copy or fill\n");
	else if (!common)
		strbuf_string(&comparison->notes, "no kernel, copy or fill is in both A and B\n");
	if (comparison->count > 1 && comparison->rows[0].pooled <= 0)
		strbuf_string(&comparison->notes, "no kernel, copy or fill has times\n");
}

/* Returns true if the side has copies, all of them with a direction or all without one. */
static bool has_copies(const struct comparison *comparison, enum runs_side side, bool directed)
{
	bool found[2] = {false, false};

	for (size_t i = 1; i < comparison->count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (row->sides[side].runs && row->what->like.frame.kind == FRAME_COPY)
			found[row->what->like.source != MEMORY_COUNT] = true;
	}
	return found[directed] && !found[!directed];
}

/* Logs may be without the column, and their copies are other rows. */
static void put_directions(struct comparison *comparison)
{
	for (enum runs_side side = RUNS_A; side < RUNS_SIDES; side++)
		if (has_copies(comparison, side, false) &&
		    has_copies(comparison, side == RUNS_A ? RUNS_B : RUNS_A, true))
			strbuf_printf(&comparison->notes,
				      "warning: copies in %c have no direction, so they are other "
				      "rows than those in %c; computeprof -c memory adds the "
				      "column memtransferdir\n",
				      side == RUNS_A ? 'A' : 'B', side == RUNS_A ? 'B' : 'A');
}

void compare_put_notes(struct comparison *comparison)
{
	const struct run_side *a = &comparison->runs->sides[RUNS_A];
	const struct run_side *b = &comparison->runs->sides[RUNS_B];
	struct strbuf *to = &comparison->notes;

	put_differences(to, a, b);
	put_losses(to, a);
	put_losses(to, b);
	put_directions(comparison);
	put_nothing(comparison);
	put_launches(comparison);
	put_bytes(comparison);
	put_untested(comparison);
}

static void put_inconclusive(struct strbuf *to, const struct comparison *comparison)
{
	size_t a = comparison->runs->sides[RUNS_A].count, b = comparison->runs->sides[RUNS_B].count;

	if (a == 1 && b == 1)
		strbuf_string(to, "inconclusive: one run a side");
	else if (!comparison->tests)
		strbuf_string(to, "inconclusive: nothing can be tested");
	else
		strbuf_printf(to, "inconclusive: %.1f %% of the GPU time cannot be tested",
			      100 * comparison->untested_share);
}

void compare_put_verdict(struct strbuf *to, const struct comparison *comparison)
{
	const char *word = compare_word(comparison->verdict);
	size_t count = 0;

	if (comparison->verdict == VERDICT_UNTESTED) {
		put_inconclusive(to, comparison);
		return;
	}
	for (size_t i = 0; i < comparison->count; i++)
		count += comparison->rows[i].verdict == comparison->verdict;
	if (comparison->verdict == VERDICT_SAME)
		strbuf_printf(to, "same: no change of %g %% or more in %llu %s",
			      100 * comparison->options.threshold,
			      (unsigned long long)comparison->tests,
			      comparison->tests == 1 ? "test" : "tests");
	else
		strbuf_printf(to, "%s: %llu %s %s by %g %% or more", word,
			      (unsigned long long)count, count == 1 ? "row is" : "rows are", word,
			      100 * comparison->options.threshold);
}
