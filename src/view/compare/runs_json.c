/* SPDX-License-Identifier: MIT */
/* Runs from our own JSON: FILE.json of a run, or of several processes. */
#include <string.h>

#include "output/escape.h"
#include "output/logreader.h"
#include "output/unescape.h"
#include "view/compare/runs.h"

/* Merged sums have the number of each process, as the last element of its list. Other JSON has
 * none: its sizes are known or not. */
static uint64_t sized_of(const struct json_value *row)
{
	const struct json_value *list = json_find(row, "sums"), *at, *last;
	uint64_t sized = 0;

	if (!list || list->type != JSON_ARRAY)
		return json_find_number(row, "count");
	for (at = list->first; at; at = at->next) {
		for (last = at->first; last && last->next; last = last->next)
			continue;
		sized = amount_add(sized, last ? last->number : 0);
	}
	return sized;
}

static void add_bytes(struct run_sum *sum, const struct json_value *row)
{
	const struct json_value *bytes = json_find(row, "bytes");

	if (!bytes || bytes->type != JSON_NUMBER)
		return;
	sum->bytes = amount_add(sum->bytes, bytes->number);
	sum->sized = amount_add(sum->sized, sized_of(row));
}

static void add_times(struct run_sum *sum, const struct json_value *row)
{
	uint64_t count = json_find_number(row, "count");
	uint64_t shortest = json_find_number(row, "min_ns");
	uint64_t median = json_find_number(row, "p50_ns");

	if (count && (!sum->count || shortest < sum->shortest))
		sum->shortest = shortest;
	sum->launches =
		amount_add(sum->launches, amount_add(count, json_find_number(row, "untimed")));
	sum->count = amount_add(sum->count, count);
	sum->total = amount_add(sum->total, json_find_number(row, "total_ns"));
	add_bytes(sum, row);
	if (!count || !median)
		return;
	sum->middles += (double)median * (double)count;
	sum->middle_count = amount_add(sum->middle_count, count);
}

static void add_device(struct run_side *side, const struct json_value *row)
{
	const char *text = json_find_text(row, "device_name");
	struct log_text escaped = {.text = text, .length = strlen(text)};
	struct strbuf line = STRBUF_INIT, name = STRBUF_INIT;

	unescape_name(escaped, &name);
	if (name.length) {
		escape_put(&line, name.data, name.length, ESCAPE_SHOWN);
		strbuf_printf(&line, " (%s)", json_find_text(row, "api"));
	}
	runs_add_line(&side->devices, line.data, line.length);
	runs_add_line(&side->used, line.data, line.length);
	strbuf_free(&line);
	strbuf_free(&name);
}

/* Returns -1 without memory, or if it is no row. */
static int add_row(struct runs *runs, enum runs_side side, const struct json_value *row)
{
	struct strbuf name = STRBUF_INIT;
	struct activity_key what;
	struct run_sum *sum = NULL;
	bool selected;

	if (activity_index_read(&what, &name, row)) {
		strbuf_free(&name);
		return -1;
	}
	selected = what.like.frame.kind != FRAME_KERNEL ||
		   name_filter_selects(&runs->filter, strbuf_text(&name), name.length);
	if (!selected) {
		strbuf_free(&name);
		return 0;
	}
	if (!name.failed)
		sum = runs_place(runs, side, &what, name.data, name.length);
	if (sum)
		add_times(sum, row);
	add_device(&runs->sides[side], row);
	strbuf_free(&name);
	return sum ? 0 : -1;
}

static void add_command(struct run_side *side, const struct json_value *words)
{
	const struct json_value *word = words && words->type == JSON_ARRAY ? words->first : NULL;
	struct strbuf line = STRBUF_INIT;

	for (; word; word = word->next) {
		if (line.length)
			strbuf_char(&line, ' ');
		if (word->text)
			escape_put(&line, word->text, word->length, ESCAPE_SHOWN);
	}
	runs_add_line(&side->commands, line.data, line.length);
	strbuf_free(&line);
}

static int add_process(struct runs *runs, enum runs_side side, const struct json_value *process,
		       const char *path, struct strbuf *error)
{
	const struct json_value *rows = json_find(process, "activities");
	const struct json_value *cut = json_find(process, "cut_off");
	struct run_side *at = &runs->sides[side];

	if (!rows || rows->type != JSON_ARRAY) {
		strbuf_printf(error,
			      "%s has no totals of kernels and copies: 'computeprof print -o "
			      "FILE.json' and 'gate --save' write such files",
			      path);
		return -1;
	}
	for (const struct json_value *row = rows->first; row; row = row->next) {
		if (!add_row(runs, side, row))
			continue;
		strbuf_printf(error, "%s has a row that is no kernel, copy or fill", path);
		return -1;
	}
	at->list[at->count - 1].has_records |= rows->first != NULL;
	add_command(at, json_find(process, "command"));
	runs_add_loss(at, path, json_find_number(process, "lost"), cut && cut->type == JSON_TRUE);
	return 0;
}

int runs_add_json(struct runs *runs, enum runs_side side, const struct json_value *summary,
		  const char *path, struct strbuf *error)
{
	const struct json_value *processes = json_find(summary, "processes");
	const struct json_value *at;

	if (name_filter_check(summary, runs->kernels, runs->demangled, path, error))
		return -1;
	if (!processes || processes->type != JSON_ARRAY)
		return add_process(runs, side, summary, path, error);
	for (at = processes->first; at; at = at->next)
		if (add_process(runs, side, at, path, error))
			return -1;
	return 0;
}

/* `name` is that of the run. */
static int add_run(struct runs *runs, enum runs_side side, const struct json_value *run,
		   const char *path, const char *name, struct strbuf *error)
{
	if (runs_begin(runs, side, error) || runs_add_json(runs, side, run, path, error))
		return -1;
	runs_finish(runs, side, name);
	return 0;
}

static int add_runs(struct runs *runs, enum runs_side side, const struct json_value *list,
		    const char *path, struct strbuf *error)
{
	struct strbuf name = STRBUF_INIT;
	unsigned number = 0;
	int result = 0;

	for (const struct json_value *at = list->first; !result && at; at = at->next) {
		name.length = 0;
		strbuf_printf(&name, "run %u of %s", ++number, path);
		result = add_run(runs, side, at, path, strbuf_text(&name), error);
	}
	strbuf_free(&name);
	return result;
}

int runs_add_saved(struct runs *runs, enum runs_side side, const struct json_value *file,
		   const char *path, struct strbuf *error)
{
	const struct json_value *list = json_find(file, "runs");
	const char *system = json_find_text(file, "system");
	struct strbuf line = STRBUF_INIT;

	if (!list || list->type != JSON_ARRAY)
		return add_run(runs, side, file, path, path, error);
	escape_put(&line, system, strlen(system), ESCAPE_SHOWN);
	runs_add_line(&runs->sides[side].systems, line.data, line.length);
	strbuf_free(&line);
	return add_runs(runs, side, list, path, error);
}
