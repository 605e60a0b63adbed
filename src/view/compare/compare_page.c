/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "view/compare/compare_page.h"

#include <math.h>

#include "view/compare/compare_notes.h"
#include "view/compare/compare_table.h"
#include "view/format/quantity.h"
#include "view/format/xmltext.h"
#include "view/page/page_head.h"

enum {
	ROWS = 1000, /* with pictures; the page does not have further ones */
	WIDTH = 120, /* of a picture, in pixels */
	HEIGHT = 16,
	MARGIN = 4,
	LINE_A = 5, /* the height at which runs of A are drawn, */
	LINE_B = 11 /* and those of B */
};

/* A change beyond this part of the time of A is drawn at the edge of the picture. */
#define MOST_CHANGE 0.5

static double lesser(double one, double other)
{
	return one < other ? one : other;
}

static double greater(double one, double other)
{
	return one > other ? one : other;
}

static const char *class_of(enum verdict verdict)
{
	return verdict == VERDICT_SLOWER   ? "slower"
	       : verdict == VERDICT_FASTER ? "faster"
					   : "other";
}

/* The largest change of a row, up to MOST_CHANGE, and twice the least one that counts at least; in
 * whole percents, since the page has it as a text. */
static double find_scale(const struct comparison *comparison)
{
	double scale = 2 * comparison->options.threshold, change, low, high;

	for (size_t i = 0; i < comparison->count && i < ROWS; i++) {
		if (!compare_change(&comparison->rows[i], &change, &low, &high))
			continue;
		scale = greater(scale, lesser(MOST_CHANGE, greater(low < 0 ? -low : low,
								   high < 0 ? -high : high)));
	}
	scale = (double)(uint64_t)(100 * scale + 0.999) / 100;
	return scale > 0 ? scale : MOST_CHANGE;
}

/* Returns where a value from 0 to 1 is in the picture, in pixels. */
static double place(double part)
{
	return MARGIN + lesser(1, greater(0, part)) * (WIDTH - 2 * MARGIN);
}

/* The cell is open for more attributes. */
static void begin_picture(struct strbuf *to, struct strbuf *title)
{
	strbuf_printf(to,
		      " title=\"%s\"><svg width=\"%d\" height=\"%d\" role=\"img\" "
		      "aria-label=\"%s\">",
		      strbuf_text(title), WIDTH, HEIGHT, strbuf_text(title));
}

static void put_line(struct strbuf *to, double x1, double y1, double x2, double y2,
		     const char *class)
{
	strbuf_printf(to, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>",
		      x1, y1, x2, y2, class);
}

/* The change with its interval; the line in the middle is no change. */
static void put_change_picture(struct strbuf *to, const struct compare_row *row, double scale)
{
	double change, low, high;
	struct strbuf title = STRBUF_INIT;

	if (!compare_change(row, &change, &low, &high)) {
		strbuf_string(to, "<td></td>");
		return;
	}
	compare_put_change(&title, row);
	if (row->tests[row->shown].has_interval) {
		strbuf_string(&title, ", ");
		compare_put_interval(&title, row);
	}
	strbuf_printf(to, "<td class=\"%s\" data-v=\"%.6f\"", class_of(row->verdict), change);
	begin_picture(to, &title);
	put_line(to, place(0.5), 0, place(0.5), HEIGHT, "middle");
	if (row->tests[row->shown].has_interval)
		put_line(to, place(0.5 + low / scale / 2), HEIGHT / 2.0,
			 place(0.5 + high / scale / 2), HEIGHT / 2.0, "interval");
	strbuf_printf(to, "<circle cx=\"%.1f\" cy=\"%d\" r=\"2.5\" class=\"change\"/></svg></td>",
		      place(0.5 + change / scale / 2), HEIGHT / 2);
	to->failed |= title.failed;
	strbuf_free(&title);
}

struct range {
	double least, most;
};

static void widen(struct range *range, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		range->least = lesser(range->least, values[i]);
		range->most = greater(range->most, values[i]);
	}
}

static void put_dots(struct strbuf *to, const double *values, size_t count,
		     const struct range *range, enum runs_side side)
{
	double span = range->most - range->least;

	for (size_t i = 0; i < count; i++)
		strbuf_printf(to, "<circle cx=\"%.1f\" cy=\"%d\" r=\"2.5\" class=\"%c\"/>",
			      place(span > 0 ? (values[i] - range->least) / span : 0.5),
			      side == RUNS_A ? LINE_A : LINE_B, 'a' + (int)side);
}

/* The value of each run, from the least to the most of both sides. */
static void put_runs_picture(struct strbuf *to, const struct comparison *comparison,
			     const struct compare_row *row)
{
	double values[RUNS_SIDES][RANKTEST_RUNS];
	struct range range = {.least = INFINITY, .most = -INFINITY};
	struct strbuf title = STRBUF_INIT;
	size_t count[RUNS_SIDES];

	for (int side = 0; side < RUNS_SIDES; side++) {
		count[side] = compare_values(comparison, row, (enum runs_side)side, values[side]);
		widen(&range, values[side], count[side]);
	}
	if (!count[RUNS_A] && !count[RUNS_B]) {
		strbuf_string(to, "<td></td>");
		return;
	}
	quantity_put(&title, &quantity_time, QUANTITY_AUTO, range.least);
	strbuf_string(&title, " to ");
	quantity_put(&title, &quantity_time, QUANTITY_AUTO, range.most);
	strbuf_string(to, "<td");
	begin_picture(to, &title);
	for (int side = 0; side < RUNS_SIDES; side++)
		put_dots(to, values[side], count[side], &range, (enum runs_side)side);
	strbuf_string(to, "</svg></td>");
	to->failed |= title.failed;
	strbuf_free(&title);
}

static void put_times(struct strbuf *to, const struct compare_row *row)
{
	for (int side = 0; side < RUNS_SIDES; side++) {
		double value = row->sides[side].times[row->shown];

		if (!row->sides[side].runs || value <= 0) {
			strbuf_string(to, "<td></td>");
			continue;
		}
		strbuf_printf(to, "<td data-v=\"%.3f\">", value);
		quantity_put(to, &quantity_time, QUANTITY_AUTO, value);
		strbuf_string(to, "</td>");
	}
}

static void put_numbers(struct strbuf *to, const struct compare_row *row)
{
	for (int side = 0; side < RUNS_SIDES; side++) {
		double launches = row->sides[side].launches;

		if (row->what && row->sides[side].runs)
			strbuf_printf(to, "<td data-v=\"%.1f\">%.*f</td>", launches,
				      launches > (double)(uint64_t)launches ? 1 : 0, launches);
		else
			strbuf_string(to, "<td></td>");
	}
	for (int side = 0; side < RUNS_SIDES; side++)
		strbuf_printf(to, "<td data-v=\"%.6f\">%.2f%%</td>", row->sides[side].share,
			      100 * row->sides[side].share);
}

/* Verdicts are sorted by what matters most. */
static int order_of(enum verdict verdict)
{
	static const int orders[VERDICTS] = {
		[VERDICT_SLOWER] = 5, [VERDICT_FASTER] = 4,   [VERDICT_NEW] = 3,
		[VERDICT_GONE] = 2,   [VERDICT_UNTESTED] = 1, [VERDICT_SAME] = 0,
	};

	return orders[verdict];
}

static void put_row(struct strbuf *to, struct comparison *comparison, const struct compare_row *row,
		    double scale)
{
	double slower = row->slower[row->shown], faster = row->faster[row->shown];
	struct strbuf name = STRBUF_INIT;

	strbuf_printf(to, "<tr><td class=\"%s\" data-v=\"%d\">%s</td>", class_of(row->verdict),
		      order_of(row->verdict), compare_word(row->verdict));
	put_change_picture(to, row, scale);
	strbuf_string(to, "<td>");
	compare_put_change(to, row);
	strbuf_string(to, "</td><td>");
	compare_put_interval(to, row);
	strbuf_string(to, "</td>");
	if (row->tested)
		strbuf_printf(to, "<td data-v=\"%.9f\">", lesser(slower, faster));
	else
		strbuf_string(to, "<td>");
	compare_put_probability(to, row);
	strbuf_printf(to, "</td><td>%s</td>", compare_statistic(row->shown));
	put_runs_picture(to, comparison, row);
	put_times(to, row);
	put_numbers(to, row);
	compare_put_name(&name, comparison, row, 0);
	strbuf_string(to, "<th scope=\"row\">");
	xml_put(to, name.data, name.length);
	strbuf_string(to, "</th></tr>\n");
	to->failed |= name.failed;
	strbuf_free(&name);
}

static void put_table(struct strbuf *to, struct comparison *comparison)
{
	static const char *const heads[] = {
		"Verdict",	"Change of B", "Change", "95% interval", "p",	    "Of",
		"Runs of A, B", "A",	       "B",	 "Calls A",	 "Calls B", "Time(%) A",
		"Time(%) B",	"Name",
	};
	double scale = find_scale(comparison);

	strbuf_printf(
		to,
		"<section id=\"comparison\">\n<h2>Kernels, copies and fills</h2>\n"
		"<p>The pictures of changes reach from -%.0f %% to +%.0f %%, with the interval "
		"as a line. In those of runs, circles above are runs of A, discs below runs of "
		"B, from the least to the most time of both.</p>\n"
		"<div class=\"wide\"><table data-title=\"Comparison\">\n<thead><tr>",
		100 * scale, 100 * scale);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		strbuf_printf(to, "<th scope=\"col\">%s</th>", heads[i]);
	strbuf_string(to, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < comparison->count && i < ROWS; i++)
		put_row(to, comparison, &comparison->rows[i], scale);
	strbuf_string(to, "</tbody>\n</table></div>\n");
	if (comparison->count > ROWS)
		strbuf_printf(to,
			      "<p class=\"warning\">%zu rows with less time are not here: "
			      "computeprof diff --csv prints all.</p>\n",
			      comparison->count - ROWS);
	strbuf_string(to, "</section>\n");
}

/* Each line of a list as `before`, the line, and `after`. */
static void put_lines(struct strbuf *to, const struct strbuf *lines, const char *before,
		      const char *after)
{
	size_t at = 0, length;
	const char *line;

	while (runs_next_line(lines, &at, &line, &length)) {
		strbuf_string(to, before);
		xml_put(to, line, length);
		strbuf_string(to, after);
	}
}

static void put_side(struct strbuf *to, const struct comparison *comparison, enum runs_side side)
{
	const struct run_side *at = &comparison->runs->sides[side];

	strbuf_printf(to, "<h3>%c</h3>\n<dl>\n<dt>Runs</dt><dd>%zu</dd>\n", 'A' + (int)side,
		      at->count);
	put_lines(to, &at->devices, "<dt>Device</dt><dd>", "</dd>\n");
	put_lines(to, &at->systems, "<dt>System</dt><dd>", "</dd>\n");
	put_lines(to, &at->commands, "<dt>Command</dt><dd>", "</dd>\n");
	strbuf_string(to, "</dl>\n");
}

void compare_put_page(struct strbuf *to, struct comparison *comparison)
{
	struct strbuf title = STRBUF_INIT;

	compare_put_verdict(&title, comparison);
	page_head_put(to, &title);
	strbuf_printf(to, "<header>\n<h1 class=\"%s\">", class_of(comparison->verdict));
	xml_put(to, title.data, title.length);
	strbuf_printf(
		to,
		"</h1>\n<p>Runs B compared with runs A by " PACKAGE_STRING
		": a permutation test at a level of %.0f %%; the least change that counts is "
		"%g %%.</p>\n<noscript><p class=\"warning\">Without JavaScript the table cannot "
		"be sorted.</p></noscript>\n</header>\n<section>\n<h2>Runs</h2>\n",
		100 * COMPARE_ALPHA, 100 * comparison->options.threshold);
	for (int side = 0; side < RUNS_SIDES; side++)
		put_side(to, comparison, (enum runs_side)side);
	put_lines(to, &comparison->notes, "<p class=\"note\">", ".</p>\n");
	strbuf_string(to, "</section>\n");
	put_table(to, comparison);
	page_head_put_end(to);
	to->failed |= title.failed;
	strbuf_free(&title);
}
