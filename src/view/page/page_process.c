/* SPDX-License-Identifier: MIT */
#include "view/page/page_process.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/api.h"
#include "model/command.h"
#include "model/frames.h"
#include "output/escape.h"
#include "view/format/system.h"
#include "view/format/xmltext.h"
#include "view/page/page_table.h"
#include "view/tables/table_messages.h"
#include "view/tables/tablesjob.h"

struct page_process {
	struct tables_options options;
	struct tables_job job; /* its text are the messages */
};

struct page_process *page_process_new(const struct stream *stream)
{
	struct page_process *process = calloc(1, sizeof(*process));
	struct tables_job *job;

	if (!process)
		return NULL;
	process->options = (struct tables_options){
		.wanted = 1u << TABLE_SUMMARY | 1u << TABLE_API_SUMMARY,
		.demangle = true,
		.extras = true,
		.notes = true,
	};
	job = &process->job;
	job->options = &process->options;
	job->catalog = stream_catalog(stream);
	job->shown = (struct label){.names = job->catalog->names, .demangled = true};
	job->totals.no_starts = stream_no_starts(stream);
	job->totals.activities.percentiles = true;
	job->totals.call_stats.functions.percentiles = true;
	job->totals.events.ranges.percentiles = true;
	return process;
}

void page_process_free(struct page_process *process)
{
	if (!process)
		return;
	totals_close(&process->job.totals);
	label_free(&process->job.shown);
	strbuf_free(&process->job.text);
	free(process);
}

int page_process_add(struct page_process *process, const struct frame *frame, struct strbuf *error)
{
	struct totals *totals = &process->job.totals;
	const void *at = frame;

	if (frames_is_record(frame))
		return totals_add(totals, process->job.catalog, at, error) < 0 ? -1 : 0;
	return totals_add_event(totals, frame, error);
}

int page_process_end(struct page_process *process, struct strbuf *error)
{
	return totals_end(&process->job.totals, error);
}

/* Appends a pair of a list, the value as text of `value`, which is freed. Nothing without one. */
static void put_pair(struct strbuf *to, const char *name, struct strbuf *value)
{
	if (value->length) {
		strbuf_printf(to, "<dt>%s</dt><dd>", name);
		xml_put(to, value->data, value->length);
		strbuf_string(to, "</dd>\n");
	}
	to->failed |= value->failed;
	strbuf_free(value);
}

static void put_date(struct strbuf *to, const struct process *process)
{
	struct strbuf text = STRBUF_INIT;
	int64_t start = (int64_t)process->started + process->monotonic_to_epoch;
	time_t seconds = (time_t)(start / 1000000000);
	struct tm date;
	char line[64];

	if (process->started && start > 0 && gmtime_r(&seconds, &date) &&
	    strftime(line, sizeof(line), "%Y-%m-%d %H:%M:%S UTC", &date))
		strbuf_string(&text, line);
	put_pair(to, "Started", &text);
}

static void put_devices(struct strbuf *to, const struct catalog *catalog)
{
	for (uint32_t i = 0; i < catalog->device_count; i++) {
		const struct device *device = &catalog->devices[i];
		struct strbuf text = STRBUF_INIT;

		strbuf_printf(&text, "%s device %u: ", api_row(device->api)->name, device->number);
		escape_put(&text, device->name, strlen(device->name), ESCAPE_SHOWN);
		if (device->compute_major)
			strbuf_printf(&text, ", compute capability %u.%u", device->compute_major,
				      device->compute_minor);
		if (device->multiprocessors)
			strbuf_printf(&text, ", %u %s", device->multiprocessors,
				      api_row(device->api)->terms == TERMS_BLOCKS
					      ? "multiprocessors"
					      : "compute units");
		put_pair(to, "Device", &text);
	}
}

/* The file does not have these. They are those of this machine if it has not been booted since. */
static void put_system(struct strbuf *to, const struct process *process)
{
	struct strbuf host = STRBUF_INIT, driver = STRBUF_INIT;

	if (!system_has_run(process))
		return;
	system_put_host(&host);
	put_pair(to, "Host", &host);
	system_put_driver(&driver);
	put_pair(to, "Driver", &driver);
}

static void put_time(struct strbuf *to, const char *name, uint64_t time, bool known)
{
	struct strbuf text = STRBUF_INIT;

	if (known)
		quantity_put(&text, &quantity_time, QUANTITY_AUTO, (double)time);
	put_pair(to, name, &text);
}

static void put_facts(struct page_process *process, const struct stream *stream, struct strbuf *to)
{
	const struct catalog *catalog = process->job.catalog;
	const struct busy *busy = &process->job.totals.busy;
	bool spans = !busy_is_empty(busy) && !process->job.totals.no_starts;
	struct strbuf text = STRBUF_INIT, rank = STRBUF_INIT;

	strbuf_string(to, "<dl>\n");
	if (catalog->process.pid)
		strbuf_printf(&text, "%u", catalog->process.pid);
	put_pair(to, "Process", &text);
	if (catalog->process.rank)
		strbuf_printf(&rank, "%u", catalog->process.rank - 1);
	put_pair(to, "Rank", &rank);
	put_date(to, &catalog->process);
	put_devices(to, catalog);
	put_system(to, &catalog->process);
	put_time(to, "Device span", busy_span(busy), spans);
	put_time(to, "Device idle time", busy_idle(busy), spans && !stream_has_gaps(stream));
	strbuf_string(to, "</dl>\n");
}

/* Appends each line of the messages, without the prefix of tables, and empties them. */
static void put_messages(struct page_process *process, const char *class, struct strbuf *to)
{
	struct strbuf *text = &process->job.text;
	size_t prefix = strlen(tables_prefix(&process->job));
	const char *line = strbuf_text(text), *end;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		if ((size_t)(end - line) < prefix)
			continue;
		strbuf_printf(to, "<p class=\"%s\">", class);
		xml_put(to, line + prefix, (size_t)(end - line) - prefix);
		strbuf_string(to, "</p>\n");
	}
	to->failed |= text->failed;
	text->length = 0;
}

static void put_heading(struct page_process *process, struct strbuf *to)
{
	struct strbuf text = STRBUF_INIT;

	command_put(&text, &process->job.catalog->process, SIZE_MAX);
	if (!text.length)
		strbuf_string(&text, "(unknown command)");
	strbuf_string(to, "<h2>");
	xml_put(to, text.data, text.length);
	strbuf_string(to, "</h2>\n");
	to->failed |= text.failed;
	strbuf_free(&text);
}

void page_process_put_facts(struct page_process *process, const struct stream *stream,
			    struct strbuf *to)
{
	struct tables_job *job = &process->job;

	strbuf_string(to, "<section>\n");
	if (stream_parts(stream) > 1)
		put_heading(process, to);
	put_facts(process, stream, to);
	table_messages_put_warnings(job, stream);
	put_messages(process, "warning", to);
	table_messages_put_records(job, stream);
	table_messages_put_notes(job, stream);
	put_messages(process, "note", to);
	strbuf_string(to, "</section>\n");
}

void page_process_put_tables(struct page_process *process, const struct stream *stream,
			     struct strbuf *to)
{
	struct totals *totals = &process->job.totals;
	struct label *shown = &process->job.shown;

	strbuf_string(to, "<section>\n");
	if (stream_parts(stream) > 1)
		put_heading(process, to);
	page_table_put(to, "GPU activities", &totals->activities, shown);
	page_table_put(to, "API calls", &totals->call_stats.functions, shown);
	page_table_put(to, "Ranges", &totals->events.ranges, shown);
	strbuf_string(to, "</section>\n");
}
