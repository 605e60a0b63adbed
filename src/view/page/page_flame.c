/* SPDX-License-Identifier: MIT */
#include "view/page/page_flame.h"

#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "view/format/label.h"
#include "view/format/quantity.h"
#include "view/page/page_number.h"
#include "view/stacks/boxes.h"

enum { NAME_ROOM = 300 /* characters */ };

static const char other[] = "o(other)";

/* While the numbers are made. */
struct making {
	struct page_flame *graph;
	struct names *names; /* of the page */
	struct names_room room;
	struct boxes boxes;
	uint64_t *others; /* of each function and, at last, of none: time of its "(other)" */
};

int page_flame_open(struct page_flame *graph)
{
	*graph = (struct page_flame){.limit = PAGE_FUNCTIONS};
	return flame_open(&graph->flame);
}

void page_flame_close(struct page_flame *graph)
{
	flame_free(&graph->flame);
	strbuf_free(&graph->numbers);
}

/* The longest first, and callers before what they call. */
static int compare_totals(const void *left, const void *right, void *context)
{
	const struct boxes *boxes = context;
	uint32_t one = *(const uint32_t *)left, other_one = *(const uint32_t *)right;
	uint64_t time = boxes->list[one].total, other_time = boxes->list[other_one].total;

	if (time != other_time)
		return time > other_time ? -1 : 1;
	return one < other_one ? -1 : one > other_one;
}

/* Marks the functions beyond the limit as last among the callees of their callers. A caller has no
 * less time than what it calls, so all callers of a function that stays do. */
static void leave_out(struct making *making)
{
	struct boxes *boxes = &making->boxes;
	struct page_flame *graph = making->graph;

	qsort_r(boxes->order, boxes->count, sizeof(*boxes->order), compare_totals, boxes);
	for (uint32_t i = 0; i < boxes->count; i++) {
		struct box *box = &boxes->list[boxes->order[i]];

		if (!box->total)
			break;
		graph->functions++;
		box->last = i >= graph->limit;
		graph->left_out += box->last;
	}
}

static uint32_t caller_of(const struct making *making, uint32_t function)
{
	uint32_t parent = flame_function(&making->graph->flame, function)->parent;

	return parent ? parent - 1 : making->boxes.count;
}

static bool is_left_out(const struct making *making, uint32_t function)
{
	return function < making->boxes.count && making->boxes.list[function].last;
}

/* Puts the functions with a place on the page into the first entries of `order`, from left to
 * right, each before what it calls, and returns their number. For all that are left out below one
 * caller, the first one is there. */
static uint32_t select_places(struct making *making)
{
	struct boxes *boxes = &making->boxes;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < boxes->count; i++) {
		uint32_t function = boxes->order[i], caller = caller_of(making, function);
		const struct box *box = &boxes->list[function];
		bool first = !making->others[caller];

		if (!box->total || is_left_out(making, caller))
			continue;
		if (box->last)
			making->others[caller] = amount_add(making->others[caller], box->total);
		if (!box->last || first)
			boxes->order[kept++] = function;
	}
	return kept;
}

static int compare_places(const void *left, const void *right, void *context)
{
	const struct boxes *boxes = context;
	const struct box *one = &boxes->list[*(const uint32_t *)left];
	const struct box *another = &boxes->list[*(const uint32_t *)right];

	if (one->start != another->start)
		return one->start < another->start ? -1 : 1;
	return one->depth < another->depth ? -1 : one->depth > another->depth;
}

/* Work of the GPU, waits for it, or functions of the host. */
static char kind_of(const char *name)
{
	if (!strncmp(name, "[GPU_", 5))
		return 'g';
	return !strncmp(name, "[CPU_wait]", 10) ? 'w' : 'h';
}

/* Returns the number of the name on the page, 0 without memory. */
static uint32_t name_function(struct making *making, uint32_t function)
{
	const struct flame *flame = &making->graph->flame;
	struct strbuf name = STRBUF_INIT;
	uint32_t id = 0;
	size_t length;
	const char *text = names_text(flame->names, flame_function(flame, function)->name, &length);

	strbuf_char(&name, kind_of(text));
	strbuf_append(&name, text, length);
	label_shorten(&name, 1, NAME_ROOM);
	if (!name.failed)
		id = names_intern_within(making->names, name.data, name.length, &making->room);
	strbuf_free(&name);
	if (id)
		return id;
	making->graph->unnamed++;
	return names_intern(making->names, other, sizeof(other) - 1);
}

/* Depth, name and own time. */
static int put_function(struct making *making, uint32_t function)
{
	const struct box *box = &making->boxes.list[function];
	struct strbuf *to = &making->graph->numbers;
	char *start = strbuf_reserve_fast(to, 3 * (size_t)PAGE_NUMBER), *at = start;
	uint32_t name = box->last ? names_intern(making->names, other, sizeof(other) - 1)
				  : name_function(making, function);

	if (!at || !name)
		return -1;
	at = page_number_put(at, box->depth);
	at = page_number_put(at, name);
	at = page_number_put(at,
			     box->last ? making->others[caller_of(making, function)] : box->self);
	to->length += (size_t)(at - start);
	return 0;
}

static int make_numbers(struct making *making)
{
	struct boxes *boxes = &making->boxes;
	uint32_t places;

	leave_out(making);
	boxes_place(boxes, &making->graph->flame);
	places = select_places(making);
	qsort_r(boxes->order, places, sizeof(*boxes->order), compare_places, boxes);
	for (uint32_t i = 0; i < places; i++)
		if (put_function(making, boxes->order[i]))
			return -1;
	return 0;
}

/* All time is below [unknown] otherwise. */
static bool has_graph(const struct flame *flame)
{
	return flame->matched || flame->samples || (flame->has_stacks && flame->waits);
}

int page_flame_make(struct page_flame *graph, struct names *names)
{
	struct making making = {
		.graph = graph,
		.names = names,
		.room = {.texts = PAGE_FUNCTIONS, .bytes = PAGE_FUNCTION_BYTES},
	};
	struct strbuf error = STRBUF_INIT;
	struct folded folded;
	int result;

	if (!has_graph(&graph->flame))
		return 0;
	result = folded_make(&folded, &graph->flame, &error);
	if (!result)
		result = boxes_make(&making.boxes, &graph->flame, &folded);
	making.others = calloc(making.boxes.count + 1u, sizeof(*making.others));
	if (!result)
		result = making.others ? make_numbers(&making) : -1;
	free(making.others);
	boxes_free(&making.boxes);
	folded_free(&folded);
	strbuf_free(&error);
	return result;
}

static void put_limits(const struct page_flame *graph, struct strbuf *to)
{
	if (graph->left_out)
		strbuf_printf(
			to,
			"<p class=\"warning\">The flame graph has %llu functions, of which the "
			"%llu with the least time are (other) below their callers.</p>\n",
			(unsigned long long)graph->functions, (unsigned long long)graph->left_out);
	if (graph->unnamed)
		strbuf_printf(to,
			      "<p class=\"warning\">%llu functions are (other) in the flame graph, "
			      "because there are too many names.</p>\n",
			      (unsigned long long)graph->unnamed);
}

static void put_what(const struct flame *flame, struct strbuf *to)
{
	uint64_t unmatched = flame->records - flame->matched;

	strbuf_printf(to,
		      "<p class=\"note\">Time of %llu kernels, copies and fills below the "
		      "functions that launched them, of %llu samples of the CPU, and of %llu "
		      "waits for the GPU.",
		      (unsigned long long)flame->records, (unsigned long long)flame->samples,
		      (unsigned long long)flame->waits);
	if (unmatched)
		strbuf_printf(to,
			      " Of %llu kernels, copies and fills the call stack is not known: "
			      "they are below [unknown].",
			      (unsigned long long)unmatched);
}

void page_flame_put(const struct page_flame *graph, struct strbuf *to)
{
	const struct flame *flame = &graph->flame;

	to->failed |= graph->numbers.failed;
	if (!graph->numbers.length)
		return;
	strbuf_string(to, "<section id=\"flame\">\n<h2>Flame graph</h2>\n");
	put_limits(graph, to);
	put_what(flame, to);
	strbuf_string(to, "</p>\n<script type=\"text/plain\" class=\"functions\">");
	strbuf_append(to, graph->numbers.data, graph->numbers.length);
	strbuf_string(to, "</script>\n</section>\n");
}
