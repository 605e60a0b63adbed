/* SPDX-License-Identifier: MIT */
#include "view/page/page_table.h"

#include <inttypes.h>
#include <stdio.h>

#include "view/format/quantity.h"
#include "view/format/xmltext.h"

enum {
	ROWS = 5000,	 /* further ones are one row */
	NAME_ROOM = 1000 /* characters */
};

/* A row: an activity, the sum of several, or that of all. */
struct sum {
	uint64_t total, count, bytes, sized;
};

static void add(struct sum *sum, const struct activity *activity)
{
	sum->total = amount_add(sum->total, activity->total);
	sum->count = amount_add(sum->count, activity->count);
	sum->bytes = amount_add(sum->bytes, activity->bytes);
	sum->sized = amount_add(sum->sized, activity->sized);
}

static void put_cell(struct strbuf *to, const struct quantity *quantity, uint64_t value, bool known)
{
	if (!known) {
		strbuf_string(to, "<td></td>");
		return;
	}
	strbuf_printf(to, "<td data-v=\"%" PRIu64 "\">", value);
	if (quantity)
		quantity_put(to, quantity, QUANTITY_AUTO, (double)value);
	else
		strbuf_printf(to, "%" PRIu64, value);
	strbuf_string(to, "</td>");
}

static void put_share(struct strbuf *to, uint64_t part, uint64_t whole)
{
	double percent = whole ? 100 * (double)part / (double)whole : 0;

	strbuf_printf(to, "<td data-v=\"%" PRIu64 "\">%.2f%%</td>", part, percent);
}

static void put_sum(struct strbuf *to, const struct sum *sum, const struct sum *all)
{
	put_share(to, sum->total, all->total);
	put_cell(to, &quantity_time, sum->total, true);
	put_cell(to, NULL, sum->count, true);
}

static void put_row(struct strbuf *to, const struct activity *activity, const struct sum *all,
		    struct label *shown)
{
	bool known = activity_has_percentiles(activity);
	struct strbuf name = STRBUF_INIT;
	struct sum sum = {0};

	add(&sum, activity);
	label_name(&name, activity->api, &activity->like, shown);
	label_shorten(&name, 0, NAME_ROOM);
	strbuf_string(to, "<tr>");
	put_sum(to, &sum, all);
	put_cell(to, &quantity_time, activity_average(activity), true);
	put_cell(to, &quantity_time, activity->shortest, true);
	put_cell(to, &quantity_time, activity_percentile(activity, 50), known);
	put_cell(to, &quantity_time, activity_percentile(activity, 95), known);
	put_cell(to, &quantity_time, activity_percentile(activity, 99), known);
	put_cell(to, &quantity_time, activity->longest, true);
	put_cell(to, &quantity_size, activity->bytes, activity->sized);
	strbuf_string(to, "<th scope=\"row\">");
	xml_put(to, name.data, name.length);
	strbuf_string(to, "</th></tr>\n");
	to->failed |= name.failed;
	strbuf_free(&name);
}

/* A row without an average and the like. */
static void put_last(struct strbuf *to, const struct sum *sum, const struct sum *all,
		     const char *name)
{
	strbuf_string(to, "<tr>");
	put_sum(to, sum, all);
	strbuf_string(to, "<td></td><td></td><td></td><td></td><td></td><td></td>");
	put_cell(to, &quantity_size, sum->bytes, sum->sized);
	strbuf_printf(to, "<th scope=\"row\">%s</th></tr>\n", name);
}

static void put_head(struct strbuf *to, const char *title)
{
	static const char *const names[] = {"Time(%)", "Time", "Calls", "Avg",	 "Min", "p50",
					    "p95",     "p99",  "Max",	"Bytes", "Name"};

	strbuf_printf(to, "<h3>%s</h3>\n<div class=\"wide\"><table data-title=\"%s\">\n<thead><tr>",
		      title, title);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		strbuf_printf(to, "<th scope=\"col\"%s>%s</th>",
			      i == 1 ? " aria-sort=\"descending\"" : "", names[i]);
	strbuf_string(to, "</tr></thead>\n<tbody>\n");
}

void page_table_put(struct strbuf *to, const char *title, struct activities *activities,
		    struct label *shown)
{
	struct sum all = {0}, rest = {0};
	size_t count, rows = 0, more = 0;
	char name[40];
	struct activity *const *list = activities_sorted(activities, &count);

	for (size_t i = 0; i < count; i++)
		add(&all, list[i]);
	if (!all.count)
		return;
	put_head(to, title);
	for (size_t i = 0; i < count; i++) {
		if (!list[i]->count)
			continue;
		if (rows++ < ROWS) {
			put_row(to, list[i], &all, shown);
		} else {
			add(&rest, list[i]);
			more++;
		}
	}
	if (more) {
		snprintf(name, sizeof(name), "(%zu more names)", more);
		put_last(to, &rest, &all, name);
	}
	strbuf_string(to, "</tbody>\n<tfoot>\n");
	put_last(to, &all, &all, "Total");
	strbuf_string(to, "</tfoot>\n</table></div>\n");
}
