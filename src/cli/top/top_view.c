/* SPDX-License-Identifier: MIT */
#include "cli/top/top_view.h"

#include <stdio.h>
#include <time.h>

#include "output/escape.h"
#include "view/format/printer.h"

#define SECOND UINT64_C(1000000000)

enum { WIDE = 1 << 0, WIDE_LEAST = 100 /* columns of a terminal with all columns */ };
enum { PROCESSES_SHARE = 3 /* the part of the screen that lines of processes may take */ };

static void put_command(struct strbuf *to, const struct watched *watched)
{
	const struct process *process = &watched->catalog->process;
	size_t start = 0;

	for (size_t i = 0; i <= process->command_length; i++) {
		if (i < process->command_length && process->command[i])
			continue;
		if (start)
			strbuf_char(to, ' ');
		escape_put(to, process->command + start, i - start, ESCAPE_SHOWN);
		start = i + 1;
	}
	if (!process->command_length)
		strbuf_string(to, "unknown");
}

static void put_name(struct strbuf *to, const void *row, size_t room)
{
	size_t start = to->length;

	put_command(to, row);
	if (room)
		label_cut(to, start, room);
}

static void put_pid(struct strbuf *to, const struct printer_column *column, const void *row)
{
	const struct watched *watched = row;

	(void)column;
	strbuf_printf(to, "%u", watched->header->pid);
}

static void put_elapsed(struct strbuf *to, const struct printer_column *column, const void *row)
{
	uint64_t seconds = ((const struct watched *)row)->elapsed / SECOND;

	(void)column;
	strbuf_printf(to, "%llu:%02u:%02u", (unsigned long long)(seconds / 3600),
		      (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
}

static bool has_rates(const struct watched *watched)
{
	return watched->any && watched->interval && !watched->ended;
}

static void put_busy(struct strbuf *to, const struct printer_column *column, const void *row)
{
	const struct watched *watched = row;

	(void)column;
	if (watched->ended)
		strbuf_string(to, "ended");
	else if (has_rates(watched))
		strbuf_printf(to, "%.1f%%", 100 * watched_busy(watched, UINT32_MAX));
}

static void put_record_rate(struct strbuf *to, const struct printer_column *column, const void *row)
{
	const struct watched *watched = row;

	(void)column;
	if (has_rates(watched))
		top_table_put_rate(
			to, watched_rate(watched, watched->now.records, watched->before.records));
}

static void put_records(struct strbuf *to, const struct printer_column *column, const void *row)
{
	const struct watched *watched = row;

	(void)column;
	if (watched->any)
		strbuf_printf(to, "%llu", (unsigned long long)watched->now.records);
}

static void put_lost(struct strbuf *to, const struct printer_column *column, const void *row)
{
	const struct watched *watched = row;

	(void)column;
	strbuf_printf(to, "%llu", (unsigned long long)ringfile_lost(watched->header));
}

static bool memory_of(const struct printer_column *column, const void *row, double *value)
{
	const struct watched *watched = row;

	(void)column;
	*value = (double)watched->now.in_use;
	return watched->now.allocations;
}

/* clang-format off */
static const struct printer_column process_columns[] = {
	{ .heading = "PID", .width = 7, .text = put_pid },
	{ .heading = "Elapsed", .width = 9, .text = put_elapsed },
	{ .heading = "Busy", .width = 6, .text = put_busy },
	{ .heading = "Records/s", .width = 9, .text = put_record_rate },
	{ .heading = "Records", .width = 10, .text = put_records },
	{ .heading = "Lost", .width = 6, .text = put_lost },
	{ .heading = "Memory", .width = 8, .part = WIDE, .quantity = &quantity_size,
	  .number = memory_of },
	{ .heading = "Command", .name = put_name },
};
/* clang-format on */

static unsigned lines_of(const struct strbuf *text)
{
	unsigned lines = 0;

	for (size_t i = 0; i < text->length; i++)
		lines += text->data[i] == '\n';
	return lines;
}

static void put_title(struct strbuf *to, const struct top_view *view)
{
	size_t ended = view->list->count - watch_list_running(view->list);
	time_t now = time(NULL);
	struct tm parts;
	char clock[16] = "";

	if (localtime_r(&now, &parts))
		strftime(clock, sizeof(clock), "%H:%M:%S", &parts);
	strbuf_printf(to, "computeprof top %s, every %g s, %zu process%s", clock, view->delay,
		      view->list->count, view->list->count == 1 ? "" : "es");
	if (ended)
		strbuf_printf(to, ", %zu ended", ended);
	if (view->list->hidden)
		strbuf_printf(to, ", %zu more not shown", view->list->hidden);
	strbuf_printf(to, ", by %s\n", top_view_sort_name(view->sort));
}

/* Puts a part of the list if there is no room for all. */
static void put_processes(struct strbuf *to, struct top_view *view)
{
	const struct printer_page page = {
		.text = to, .width = view->width, .time_unit = QUANTITY_AUTO};
	struct printer printer = {
		.page = &page,
		.columns = process_columns,
		.count = sizeof(process_columns) / sizeof(process_columns[0]),
		.parts = !view->width || view->width >= WIDE_LEAST ? WIDE : 0,
	};
	size_t most = view->height ? view->height / PROCESSES_SHARE : view->list->count, first = 0;

	if (!most)
		most = 1;
	if (view->selected >= most)
		first = view->selected - most + 1;
	printer_begin(&printer);
	for (size_t i = first; i < view->list->count && i < first + most; i++) {
		if (i == view->selected)
			view->selected_line = lines_of(to);
		printer_row(&printer, view->list->list[i]);
	}
}

static void put_counts(struct strbuf *to, const struct watched *watched)
{
	const struct top_rows *now = &watched->now;

	strbuf_printf(to, "records: %llu", (unsigned long long)now->records);
	if (has_rates(watched)) {
		strbuf_string(to, ", per second: ");
		top_table_put_rate(to,
				   watched_rate(watched, now->records, watched->before.records));
	}
	strbuf_printf(to, ", without times: %llu, lost: %llu, waiting: ",
		      (unsigned long long)now->untimed,
		      (unsigned long long)ringfile_lost(watched->header));
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)watched->waiting);
	strbuf_char(to, '\n');
	if (!now->allocations)
		return;
	strbuf_string(to, "memory in use: ");
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)now->in_use);
	strbuf_string(to, ", peak: ");
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)now->peak);
	strbuf_char(to, '\n');
}

static void put_devices(struct strbuf *to, const struct watched *watched)
{
	size_t count;
	const struct top_device *devices = top_rows_devices(&watched->now, &count);

	for (size_t i = 0; i < count; i++) {
		if (devices[i].id == UINT32_MAX || (i && devices[i - 1].id == devices[i].id))
			continue;
		strbuf_string(to, "device: ");
		label_device(to, watched->catalog, devices[i].id);
		strbuf_string(to, ", busy: ");
		quantity_put(to, &quantity_time, QUANTITY_AUTO,
			     (double)top_rows_busy(&watched->now, devices[i].id));
		if (has_rates(watched))
			strbuf_printf(to, ", now: %.1f%%",
				      100 * watched_busy(watched, devices[i].id));
		strbuf_char(to, '\n');
	}
}

static void put_no_totals(struct strbuf *to)
{
	strbuf_string(to, "no totals yet: they are recorded with COMPUTE_PROFILE_TOTALS=1 at its "
			  "start\n");
}

static void put_details(struct strbuf *to, const struct top_view *view, struct watched *watched)
{
	unsigned used;

	/* The command comes last, since it may be cut to the width of the screen. */
	strbuf_printf(to, "\n==%u== %s", watched->header->pid, watched->ended ? "(ended) " : "");
	put_command(to, watched);
	strbuf_char(to, '\n');
	if (!watched->any) {
		put_no_totals(to);
		return;
	}
	put_counts(to, watched);
	put_devices(to, watched);
	used = lines_of(to);
	top_table_put(to, &(struct top_table){
				  .watched = watched,
				  .sort = view->sort,
				  .width = view->width,
				  .minimum = !view->width || view->width >= WIDE_LEAST,
				  .height = view->height,
				  .room = view->height > used ? view->height - used : 0,
			  });
}

static void put_all_details(struct strbuf *to, const struct top_view *view)
{
	bool lacking = false;

	for (size_t i = 0; i < view->list->count; i++) {
		if (view->list->list[i]->any)
			put_details(to, view, view->list->list[i]);
		else
			lacking = true;
	}
	if (!lacking)
		return;
	strbuf_char(to, '\n');
	put_no_totals(to);
}

void top_view_put(struct strbuf *to, struct top_view *view)
{
	put_title(to, view);
	view->selected_line = SIZE_MAX;
	if (!view->list->count)
		return;
	put_processes(to, view);
	if (view->every)
		put_all_details(to, view);
	else
		put_details(to, view, view->list->list[view->selected]);
}

const char *top_view_sort_name(enum top_sort sort)
{
	static const char *const names[TOP_SORTS] = {
		[TOP_TIME] = "time", [TOP_CALLS] = "calls", [TOP_AVERAGE] = "average",
		[TOP_NAME] = "name", [TOP_RATE] = "rate",
	};

	return names[sort];
}

int top_view_sort(char letter)
{
	for (int i = 0; i < TOP_SORTS; i++)
		if (*top_view_sort_name(i) == letter)
			return i;
	return -1;
}
