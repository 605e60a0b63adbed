/* SPDX-License-Identifier: MIT */
/* The tables of `computeprof advise`: the peak of each context, the objects at the peak, and the
 * findings. */
#include "view/advise/advice_tables.h"

#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "model/command.h"
#include "view/advise/flow_patterns.h"
#include "view/advise/flow_tables.h"
#include "view/format/printer.h"

enum {
	PERCENT = 8,
	CELL = 8,
	FINDING = 20, /* "redundant allocation" */
	CALLER = 20,
	PEAK_ROWS = 10, /* in text; CSV and JSON have all rows */
	FINDING_ROWS = 50,
};

/* Groups of columns that are left out if the advice has no values for them. */
enum { PART_LIMITS = 1, PART_CALLERS = 2 };

static const char prefix[] = "======== ";

struct row {
	struct advice *advice;
	const struct object *object;
	const struct finding *finding;
	const struct memory_place *place;
	uint32_t number; /* of the place */
};

static double share(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static double saved(uint64_t peak, uint64_t less)
{
	return share((double)amount_between(less, peak), (double)peak);
}

/* The values of columns. */

static bool peak_of(const struct printer_column *column, const void *at, double *value)
{
	(void)column;
	*value = (double)((const struct row *)at)->place->peak;
	return true;
}

static bool peak_time_of(const struct printer_column *column, const void *at, double *value)
{
	const struct row *row = at;

	(void)column;
	*value = (double)amount_between(row->advice->origin, row->place->peak_time);
	return true;
}

static void put_peak_objects(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, ((const struct row *)at)->place->peak_objects);
}

static bool needed_of(const struct printer_column *column, const void *at, double *value)
{
	(void)column;
	*value = (double)((const struct row *)at)->place->needed_peak;
	return true;
}

static double needed_saves(const void *at)
{
	const struct memory_place *place = ((const struct row *)at)->place;

	return saved(place->peak, place->needed_peak);
}

static bool active_of(const struct printer_column *column, const void *at, double *value)
{
	(void)column;
	*value = (double)((const struct row *)at)->place->active_peak;
	return true;
}

static double active_saves(const void *at)
{
	const struct memory_place *place = ((const struct row *)at)->place;

	return saved(place->peak, place->active_peak);
}

static void put_place(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;
	size_t start = to->length;

	advice_put_place(to, row->advice, row->number);
	label_shorten(to, start, room);
}

static double part_of_peak(const void *at)
{
	const struct row *row = at;
	uint32_t place = object_place(row->object);

	return share((double)row->object->bytes,
		     (double)row->advice->objects.places[place].peak);
}

static bool size_of(const struct printer_column *column, const void *at, double *value)
{
	(void)column;
	*value = (double)((const struct row *)at)->object->bytes;
	return true;
}

static bool start_of(const struct printer_column *column, const void *at, double *value)
{
	const struct row *row = at;

	(void)column;
	*value = (double)amount_between(row->advice->origin, row->object->allocated);
	return true;
}

static bool end_of(const struct printer_column *column, const void *at, double *value)
{
	const struct row *row = at;

	(void)column;
	*value = (double)amount_between(row->advice->origin, row->object->released);
	return row->object->flags & OBJECT_RELEASED;
}

static void put_uses(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, ((const struct row *)at)->object->lives[LIFE_ALL].uses);
}

static void put_caller(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;
	size_t start = to->length;

	(void)column;
	advice_put_caller(to, row->advice, row->object);
	label_shorten(to, start, CALLER);
}

static void put_caller_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;

	(void)column;
	advice_put_caller(to, row->advice, row->object);
}

static void put_object(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;

	advice_put_object(to, row->advice, row->object, room);
}

static double waste_of(const void *at)
{
	const struct row *row = at;

	return share(row->finding->waste, row->advice->findings.memory);
}

static bool time_of(const struct printer_column *column, const void *at, double *value)
{
	(void)column;
	*value = (double)((const struct row *)at)->finding->time;
	return true;
}

static void put_commands(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct finding *finding = ((const struct row *)at)->finding;

	(void)column;
	if (finding->has_commands)
		strbuf_decimal(to, finding->commands);
}

static void put_at_peak(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;

	(void)column;
	strbuf_string(to, row->object->flags & OBJECT_AT_PEAK ? "yes" : "no");
}

static void put_finding(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_string(to, finding_names[((const struct row *)at)->finding->kind]);
}

static void put_sure(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_string(to, ((const struct row *)at)->finding->is_assumed ? "assumed" : "yes");
}

/* For a redundant allocation, also names the object whose memory it could take. */
static void put_subject(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;
	const struct objects *objects = &row->advice->objects;
	size_t start = to->length;

	advice_put_object(to, row->advice, row->object, 0);
	if (row->finding->kind == FINDING_REDUNDANT)
		strbuf_printf(to, "; could take the memory of #%u",
			      objects->list[row->object->reuses].number);
	label_shorten(to, start, room);
}

/* clang-format off */
#define HEADING(name) .heading = name, .csv = "\"" name "\"", .width = CELL
#define CALLER_COLUMN \
	{ .heading = "Caller", .csv = "\"Caller\"", .width = -CALLER, .part = PART_CALLERS, \
	  .quoted = true, .text = put_caller, .fields = put_caller_field }

static const struct printer_column peak_columns[] = {
	{ HEADING("Peak"), .quantity = &quantity_size, .number = peak_of },
	{ HEADING("At"), .quantity = &quantity_time, .number = peak_time_of },
	{ HEADING("Objects"), .text = put_peak_objects },
	{ HEADING("Needed"), .quantity = &quantity_size, .number = needed_of,
	  .part = PART_LIMITS },
	{ .heading = "Saves(%)", .csv = "\"Needed saves(%)\"", .width = PERCENT, .unit = "%",
	  .share = needed_saves, .part = PART_LIMITS },
	{ HEADING("In use"), .quantity = &quantity_size, .number = active_of,
	  .part = PART_LIMITS },
	{ .heading = "Saves(%)", .csv = "\"In use saves(%)\"", .width = PERCENT, .unit = "%",
	  .share = active_saves, .part = PART_LIMITS },
	{ .heading = "Context", .csv = "\"Context\"", .quoted = true, .name = put_place },
};

static const struct printer_column object_columns[] = {
	{ .heading = "Peak(%)", .csv = "\"Peak(%)\"", .width = PERCENT, .unit = "%",
	  .share = part_of_peak },
	{ HEADING("Size"), .quantity = &quantity_size, .number = size_of },
	{ .heading = "Allocated", .csv = "\"Allocated\"", .width = CELL + 1,
	  .quantity = &quantity_time, .number = start_of },
	{ HEADING("Released"), .quantity = &quantity_time, .number = end_of },
	{ HEADING("Uses"), .text = put_uses },
	CALLER_COLUMN,
	{ .heading = "Object", .csv = "\"Object\"", .quoted = true, .name = put_object },
};

static const struct printer_column finding_columns[] = {
	{ .heading = "Waste(%)", .csv = "\"Waste(%)\"", .width = PERCENT, .unit = "%",
	  .share = waste_of },
	{ HEADING("Size"), .quantity = &quantity_size, .number = size_of },
	{ HEADING("Time"), .quantity = &quantity_time, .number = time_of },
	{ HEADING("Commands"), .text = put_commands },
	{ .heading = "At peak", .csv = "\"At peak\"", .width = CELL - 1, .text = put_at_peak },
	{ .heading = "Finding", .csv = "\"Finding\"", .width = -FINDING, .quoted = true,
	  .text = put_finding },
	{ .heading = "Certain", .csv = "\"Certain\"", .width = -CELL, .quoted = true,
	  .text = put_sure },
	CALLER_COLUMN,
	{ .heading = "Object", .csv = "\"Object\"", .quoted = true, .name = put_subject },
};
/* clang-format on */

#define COUNT(columns) ((int)(sizeof(columns) / sizeof((columns)[0])))

/* Prints `count` rows. `set` fills in a row from its index in `list`. */
static void put_rows(struct printer *printer, struct row *row, size_t count,
		     void (*set)(struct row *row, const void *list, size_t number),
		     const void *list)
{
	for (size_t i = 0; printer->page->csv && i < count; i++) {
		set(row, list, i);
		printer_measure(printer, row);
	}
	printer_begin(printer);
	for (size_t i = 0; i < count; i++) {
		set(row, list, i);
		printer_row(printer, row);
	}
	printer_end(printer);
}

/* `list` has numbers of places here, of objects in set_object. */
static void set_place(struct row *row, const void *list, size_t number)
{
	row->number = ((const uint32_t *)list)[number];
	row->place = &row->advice->objects.places[row->number];
}

static void set_object(struct row *row, const void *list, size_t number)
{
	row->object = &row->advice->objects.list[((const uint32_t *)list)[number]];
}

static void set_finding(struct row *row, const void *list, size_t number)
{
	row->finding = &((const struct finding *)list)[number];
	row->object = &row->advice->objects.list[row->finding->object];
}

static unsigned parts_of(const struct advice *advice)
{
	bool limits = advice_has(advice, FINDING_EARLY);

	return (limits ? PART_LIMITS : 0) | (advice->callers ? PART_CALLERS : 0);
}

static void put_places(const struct printer_page *page, struct advice *advice, uint32_t *list)
{
	struct printer printer = {.page = page, .columns = peak_columns,
				  .count = COUNT(peak_columns), .parts = parts_of(advice)};
	struct row row = {.advice = advice};
	size_t count = 0;

	for (uint32_t i = 0; advice_place(advice, &i); i++)
		list[count++] = i;
	strbuf_printf(page->text, "%sPeak memory:\n", prefix);
	put_rows(&printer, &row, count, set_place, list);
}

static int compare_size(const void *left, const void *right, void *context)
{
	const struct object *list = context;
	const struct object *one = &list[*(const uint32_t *)left];
	const struct object *other = &list[*(const uint32_t *)right];

	if (one->bytes != other->bytes)
		return one->bytes > other->bytes ? -1 : 1;
	return one->number < other->number ? -1 : one->number > other->number;
}

static void put_more(const struct printer_page *page, size_t count, size_t shown)
{
	if (count > shown)
		strbuf_printf(page->text, "%s%llu more: --csv and --json have all.\n", prefix,
			      (unsigned long long)(count - shown));
}

static void put_objects(const struct printer_page *page, struct advice *advice, uint32_t *list)
{
	struct printer printer = {.page = page, .columns = object_columns,
				  .count = COUNT(object_columns), .parts = parts_of(advice)};
	struct row row = {.advice = advice};
	size_t count = 0, shown;

	for (uint32_t i = 0; i < advice->objects.count; i++)
		if (advice->objects.list[i].flags & OBJECT_AT_PEAK)
			list[count++] = i;
	qsort_r(list, count, sizeof(*list), compare_size, advice->objects.list);
	shown = !page->csv && count > PEAK_ROWS ? PEAK_ROWS : count;
	strbuf_printf(page->text, "%sObjects at the peak:\n", prefix);
	put_rows(&printer, &row, shown, set_object, list);
	put_more(page, count, shown);
}

static void put_kinds(struct strbuf *to, const struct advice *advice)
{
	const char *between = " ";

	for (int kind = 0; kind < FINDING_KINDS; kind++) {
		if (!advice->findings.kinds[kind])
			continue;
		strbuf_printf(to, "%s%s %llu", between, finding_names[kind],
			      (unsigned long long)advice->findings.kinds[kind]);
		between = ", ";
	}
	strbuf_string(to, advice->findings.count ? "." : " none.");
}

static void put_findings(const struct printer_page *page, struct advice *advice)
{
	struct printer printer = {.page = page, .columns = finding_columns,
				  .count = COUNT(finding_columns), .parts = parts_of(advice)};
	struct row row = {.advice = advice};
	size_t count = advice->findings.count;
	size_t shown = !page->csv && count > FINDING_ROWS ? FINDING_ROWS : count;

	strbuf_printf(page->text, "%sFindings:", prefix);
	put_kinds(page->text, advice);
	strbuf_char(page->text, '\n');
	if (!count)
		return;
	put_rows(&printer, &row, shown, set_finding, advice->findings.list);
	put_more(page, count, shown);
}

static void put_head(struct strbuf *to, struct advice *advice)
{
	const struct process *process = &advice->catalog->process;
	const char *at = advice->notes, *end;
	struct strbuf command = STRBUF_INIT;

	command_put(&command, process, SIZE_MAX);
	strbuf_printf(to, "%sMemory of process %s, command: %s\n", prefix,
		      process->pid ? process_name(process->pid, process->rank).text : "(unknown)",
		      command.length ? strbuf_text(&command) : "(unknown)");
	strbuf_free(&command);
	for (; (end = strchr(at, '\n')); at = end + 1)
		strbuf_printf(to, "%sWarning: %.*s.\n", prefix, (int)(end - at), at);
}

int advice_put_tables(struct strbuf *to, struct advice *advice, const struct advice_page *options)
{
	const struct printer_page page = {
		.text = to,
		.csv = options->csv,
		.time_unit = QUANTITY_AUTO,
		.width = options->width,
	};
	size_t room = advice->objects.count > MEMORY_PLACES ? advice->objects.count
							     : MEMORY_PLACES;
	uint32_t *list = calloc(room, sizeof(*list));

	if (!list)
		return -1;
	put_head(to, advice);
	put_places(&page, advice, list);
	put_objects(&page, advice, list);
	put_findings(&page, advice);
	free(list);
	return flow_put_tables(&page, advice) || flow_put_patterns(&page, advice) ||
			       source_lines_put(&page, advice)
		       ? -1
		       : 0;
}

void advice_put_note(struct strbuf *to, const struct advice *advice, const char *start)
{
	const struct memory_place *place, *most = NULL;

	for (uint32_t i = 0; (place = advice_place(advice, &i)); i++)
		if (!most || place->peak > most->peak)
			most = place;
	strbuf_printf(to, "%sMemory of the GPU: peak ", start);
	quantity_put(to, &quantity_size, QUANTITY_AUTO, most ? (double)most->peak : 0);
	if (most && advice_has(advice, FINDING_EARLY)) {
		strbuf_string(to, ", needed ");
		quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)most->needed_peak);
		strbuf_string(to, "; findings:");
		put_kinds(to, advice);
	} else {
		strbuf_char(to, '.');
	}
	strbuf_string(to, " Next: computeprof advise on a trace (-o FILE.cptrace).\n");
}
