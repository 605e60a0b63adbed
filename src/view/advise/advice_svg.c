/* SPDX-License-Identifier: MIT */
/* A picture of each context: the memory over time, with the objects at the peak as bands. A band is
 * pale where its object is allocated but not needed. */
#include "view/advise/advice_svg.h"

#include <stdlib.h>

#include "model/amount.h"
#include "view/format/quantity.h"
#include "view/format/xmltext.h"

enum {
	WIDTH = 1200,  /* of the file, in pixels */
	LEFT = 90,     /* space for the sizes */
	RIGHT = 20,
	GRAPH = WIDTH - LEFT - RIGHT,
	HEIGHT = 300,  /* of a graph */
	HEAD = 50,     /* space above it, with its title */
	FOOT = 50,     /* space below it, with the times */
	LINE = 17,     /* of the list of objects */
	BANDS = 24,    /* objects with bands of their own, the largest ones */
	TICKS = 5,
	HUE = 137,     /* degrees between two bands' colors */
};

struct delta {
	uint64_t time;
	uint64_t bytes;
	bool is_release;
};

struct picture {
	struct strbuf *to;
	struct advice *advice;
	uint32_t number; /* of the place */
	const struct memory_place *place;
	unsigned top; /* of the graph */
	const struct object *bands[BANDS]; /* by time of allocation */
	uint32_t band_count;
	uint64_t start, end;
};

static double x_of(const struct picture *picture, uint64_t time)
{
	double whole = (double)amount_between(picture->start, picture->end);

	if (time > picture->end)
		time = picture->end;
	return LEFT + (whole > 0 ? (double)amount_between(picture->start, time) / whole * GRAPH
				 : 0);
}

static double height_of(const struct picture *picture, uint64_t bytes)
{
	return picture->place->peak ? (double)bytes / (double)picture->place->peak * HEIGHT : 0;
}

static double y_of(const struct picture *picture, uint64_t bytes)
{
	return picture->top + HEIGHT - height_of(picture, bytes);
}

static bool is_smaller(const struct object *one, const struct object *other)
{
	return one->bytes != other->bytes ? one->bytes < other->bytes
					  : one->number > other->number;
}

/* Keeps the largest objects. */
static void choose_bands(struct picture *picture)
{
	const struct advice *advice = picture->advice;

	for (uint32_t i = 0; i < advice->objects.count; i++) {
		const struct object *object = advice_object(advice, i);
		uint32_t least = 0;

		if (!(object->flags & OBJECT_AT_PEAK) ||
		    object_place(object) != picture->number)
			continue;
		if (picture->band_count < BANDS) {
			picture->bands[picture->band_count++] = object;
			continue;
		}
		for (uint32_t j = 1; j < BANDS; j++)
			if (is_smaller(picture->bands[j], picture->bands[least]))
				least = j;
		if (is_smaller(object, picture->bands[least]))
			continue;
		for (uint32_t j = least; j + 1 < BANDS; j++)
			picture->bands[j] = picture->bands[j + 1];
		picture->bands[BANDS - 1] = object;
	}
}

static int compare_changes(const void *left, const void *right)
{
	const struct delta *one = left, *other = right;

	if (one->time != other->time)
		return one->time < other->time ? -1 : 1;
	return (int)other->is_release - (int)one->is_release;
}

static int compare_times(const void *left, const void *right)
{
	uint64_t one = *(const uint64_t *)left, other = *(const uint64_t *)right;

	return (one > other) - (one < other);
}

/* The memory of all objects: in each column of pixels the most. */
static int put_total(const struct picture *picture)
{
	const struct objects *objects = &picture->advice->objects;
	struct delta *changes = calloc(2 * (size_t)objects->count + 1, sizeof(*changes));
	uint64_t most[GRAPH + 1] = {0}, live = 0;
	size_t count = 0, at = 0;

	if (!changes)
		return -1;
	for (uint32_t i = 0; i < objects->count; i++) {
		const struct object *object = &objects->list[i];

		if (object_place(object) != picture->number)
			continue;
		changes[count++] = (struct delta){object->allocated, object->bytes, false};
		if (object->flags & (OBJECT_RELEASED | OBJECT_REPLACED))
			changes[count++] =
				(struct delta){object->released, object->bytes, true};
	}
	qsort(changes, count, sizeof(*changes), compare_changes);
	for (int column = 0; column <= GRAPH; column++) {
		most[column] = live;
		for (; at < count && x_of(picture, changes[at].time) < LEFT + column + 1; at++) {
			live += changes[at].is_release ? -changes[at].bytes : changes[at].bytes;
			if (live > most[column])
				most[column] = live;
		}
	}
	free(changes);
	strbuf_printf(picture->to, "<path class=\"all\" d=\"M%d,%u", LEFT, picture->top + HEIGHT);
	for (int column = 0; column < GRAPH; column++)
		if (!column || most[column] != most[column - 1])
			strbuf_printf(picture->to, "H%dV%.1f", LEFT + column,
				      y_of(picture, most[column]));
	strbuf_printf(picture->to, "H%dV%uZ\"/>\n", LEFT + GRAPH, picture->top + HEIGHT);
	return 0;
}

/* The sum of the bands below number `band` at a time. */
static uint64_t below(const struct picture *picture, uint32_t band, uint64_t time)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < band; i++) {
		const struct object *object = picture->bands[i];

		if (object->allocated <= time &&
		    object_end(&picture->advice->objects, object) > time)
			sum += object->bytes;
	}
	return sum;
}

static void put_part(const struct picture *picture, uint32_t band, uint64_t from, uint64_t to)
{
	const struct object *object = picture->bands[band];
	const struct life *life = object_life(object);
	bool needed = life && from >= life->first && from < life->last;
	double x = x_of(picture, from), width = x_of(picture, to) - x;
	uint64_t bottom = below(picture, band, from);

	if (width < 0.05)
		return;
	strbuf_printf(picture->to,
		      "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"%s/>", x,
		      y_of(picture, bottom + object->bytes), width,
		      height_of(picture, object->bytes), needed ? "" : " class=\"pale\"");
}

static void put_title(const struct picture *picture, const struct object *object)
{
	struct strbuf text = STRBUF_INIT;

	advice_put_object(&text, picture->advice, object, 0);
	strbuf_string(&text, ", ");
	quantity_put(&text, &quantity_size, QUANTITY_AUTO, (double)object->bytes);
	if (picture->advice->callers && object->stack) {
		strbuf_string(&text, ", ");
		advice_put_caller(&text, picture->advice, object);
	}
	xml_put(picture->to, text.data, text.length);
	picture->to->failed |= text.failed;
	strbuf_free(&text);
}

static unsigned hue_of(uint32_t band)
{
	return band * HUE % 360;
}

/* A band sinks when one below it is released. */
static void put_band(const struct picture *picture, uint32_t band)
{
	const struct objects *objects = &picture->advice->objects;
	const struct object *object = picture->bands[band];
	const struct life *life = object_life(object);
	uint64_t times[BANDS + 4], end = object_end(objects, object);
	size_t count = 0;

	times[count++] = object->allocated;
	times[count++] = end;
	if (life) {
		times[count++] = life->first;
		times[count++] = life->last;
	}
	for (uint32_t i = 0; i < band; i++)
		times[count++] = object_end(objects, picture->bands[i]);
	qsort(times, count, sizeof(*times), compare_times);
	strbuf_printf(picture->to, "<g fill=\"hsl(%u,65%%,55%%)\"><title>", hue_of(band));
	put_title(picture, object);
	strbuf_string(picture->to, "</title>");
	for (size_t i = 0; i + 1 < count; i++)
		if (times[i] >= object->allocated && times[i + 1] <= end &&
		    times[i] < times[i + 1])
			put_part(picture, band, times[i], times[i + 1]);
	strbuf_string(picture->to, "</g>\n");
}

static void put_size(const struct picture *picture, unsigned tick)
{
	uint64_t bytes = picture->place->peak / (TICKS - 1) * tick;
	double y = y_of(picture, bytes);

	strbuf_printf(picture->to,
		      "<path class=\"line\" d=\"M%d,%.1fH%d\"/>"
		      "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
		      LEFT, y, LEFT + GRAPH, LEFT - 6, y + 4);
	quantity_put(picture->to, &quantity_size, QUANTITY_AUTO, (double)bytes);
	strbuf_string(picture->to, "</text>\n");
}

static void put_time(const struct picture *picture, unsigned tick)
{
	uint64_t whole = amount_between(picture->start, picture->end);
	uint64_t time = picture->start + whole / (TICKS - 1) * tick;

	strbuf_printf(picture->to, "<text x=\"%.1f\" y=\"%u\" text-anchor=\"%s\">",
		      x_of(picture, time), picture->top + HEIGHT + LINE,
		      tick == TICKS - 1 ? "end" : "middle");
	quantity_put(picture->to, &quantity_time, QUANTITY_AUTO,
		     (double)amount_between(picture->advice->origin, time));
	strbuf_string(picture->to, "</text>\n");
}

static void put_axes(const struct picture *picture)
{
	double x = x_of(picture, picture->place->peak_time);

	for (unsigned i = 0; i < TICKS; i++) {
		put_size(picture, i);
		put_time(picture, i);
	}
	strbuf_printf(picture->to, "<path class=\"peak\" d=\"M%.2f,%uV%u\"/>\n", x,
		      picture->top - 6, picture->top + HEIGHT);
}

static void put_heading(const struct picture *picture)
{
	struct strbuf text = STRBUF_INIT;
	const struct advice *advice = picture->advice;

	if (advice->catalog->process.pid)
		strbuf_printf(&text, "Process %u, ", advice->catalog->process.pid);
	advice_put_place(&text, advice, picture->number);
	strbuf_string(&text, ": peak ");
	quantity_put(&text, &quantity_size, QUANTITY_AUTO, (double)picture->place->peak);
	strbuf_string(&text, " at ");
	quantity_put(&text, &quantity_time, QUANTITY_AUTO,
		     (double)amount_between(advice->origin, picture->place->peak_time));
	if (advice_has(advice, FINDING_EARLY)) {
		strbuf_string(&text, ", needed ");
		quantity_put(&text, &quantity_size, QUANTITY_AUTO,
			     (double)picture->place->needed_peak);
	}
	strbuf_printf(picture->to, "<text class=\"head\" x=\"%d\" y=\"%u\">", LEFT,
		      picture->top - HEAD / 2);
	xml_put(picture->to, text.data, text.length);
	strbuf_string(picture->to, "</text>\n");
	picture->to->failed |= text.failed;
	strbuf_free(&text);
}

/* The names of the bands, the topmost first. */
static unsigned put_list(const struct picture *picture)
{
	unsigned y = picture->top + HEIGHT + FOOT;

	for (uint32_t i = picture->band_count; i-- > 0; y += LINE) {
		strbuf_printf(picture->to,
			      "<rect x=\"%d\" y=\"%u\" width=\"12\" height=\"12\" "
			      "fill=\"hsl(%u,65%%,55%%)\"/><text x=\"%d\" y=\"%u\">",
			      LEFT, y - 10, hue_of(i), LEFT + LINE + 3, y);
		put_title(picture, picture->bands[i]);
		strbuf_string(picture->to, "</text>\n");
	}
	return y;
}

int advice_put_pictures(struct strbuf *to, struct advice *advice, unsigned *top)
{
	const struct memory_place *place;

	for (uint32_t i = 0; (place = advice_place(advice, &i)); i++) {
		struct picture picture = {
			.to = to,
			.advice = advice,
			.number = i,
			.place = place,
			.top = *top + HEAD,
			.start = advice->objects.start,
			.end = advice->objects.end,
		};

		choose_bands(&picture);
		put_heading(&picture);
		if (put_total(&picture))
			return -1;
		for (uint32_t band = 0; band < picture.band_count; band++)
			put_band(&picture, band);
		put_axes(&picture);
		*top = put_list(&picture) + LINE;
	}
	return 0;
}

void advice_begin_svg(struct strbuf *to, unsigned height)
{
	strbuf_printf(to,
		      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
		      "height=\"%u\" viewBox=\"0 0 %d %u\">\n"
		      "<style>text{font:12px monospace;fill:#000}.head{font-weight:bold}"
		      ".all{fill:#ccc}.pale{fill-opacity:.35}.line{stroke:#000;stroke-opacity:.15}"
		      ".peak{stroke:#c00;stroke-dasharray:4 3}g:hover rect{stroke:#000}</style>\n"
		      "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		      WIDTH, height, WIDTH, height);
}

void advice_end_svg(struct strbuf *to)
{
	strbuf_string(to, "</svg>\n");
}
