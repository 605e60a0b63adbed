/* SPDX-License-Identifier: MIT */
#include "session/value_line.h"

#include "model/element.h"

enum { LINE_LEAST = 3 /* elements of a line */ };

__extension__ typedef __int128 wide;

#define LINE_ERROR 4  /* units in the last place of the largest number, that a value may be off; */
#define LINE_RISE  64 /* and those that the line rises at least */

static wide wide_of(uint8_t type, uint64_t bits)
{
	return type <= ELEMENT_INT64 ? (wide)element_integer(type, bits) : (wide)bits;
}

/* Integers have to be on the line exactly. */
void value_line_begin(struct value_line *line, uint8_t type)
{
	double steps = (double)(line->last.index - line->first.index);
	double from = element_number(type, line->first.bits);
	double to = element_number(type, line->last.bits), largest, unit;

	line->is_possible = line->last.index > line->first.index;
	if (!line->is_possible)
		return;
	line->slope = (to - from) / steps;
	if (!element_is_float(type)) {
		wide rise = wide_of(type, line->last.bits) - wide_of(type, line->first.bits);
		wide indices = (wide)(line->last.index - line->first.index);

		line->step = (uint64_t)(rise / indices);
		line->slope = (double)(rise / indices);
		line->is_possible =
			rise; /* if the step is not whole, the last one is off the line */
		return;
	}
	largest = from < 0 ? -from : from;
	largest = to > largest ? to : -to > largest ? -to : largest;
	unit = largest / (double)(UINT64_C(1) << element_mantissa(type));
	line->limit = LINE_ERROR * unit;
	line->is_possible = from != to && (line->slope * steps >= LINE_RISE * unit ||
					   -line->slope * steps >= LINE_RISE * unit);
}

void value_line_add(struct value_line *line, uint8_t type, const struct value_element *element)
{
	uint64_t index = element->index - line->first.index;
	double x = (double)index, y;

	line->n++;
	if (!element_is_float(type)) {
		line->is_possible =
			(uint64_t)element_integer(type, element->bits) ==
			(uint64_t)element_integer(type, line->first.bits) + line->step * index;
		return;
	}
	y = element_number(type, element->bits) - element_number(type, line->first.bits) -
	    line->slope * x;
	line->is_possible = y <= line->limit && -y <= line->limit; /* not if it is no number */
	line->x += x;
	line->xx += x * x;
	line->y += y;
	line->xy += x * y;
	line->yy += y * y;
}

/* The least squares of what is above the line between the ends. */
void value_line_end(const struct value_line *line, uint8_t type, struct value_patterns *found)
{
	double first = element_number(type, line->first.bits), n = line->n;
	double xx = line->xx - line->x * line->x / n, xy = line->xy - line->x * line->y / n;
	double more = xx > 0 ? xy / xx : 0, above = (line->y - more * line->x) / n;
	double error = (line->yy - line->y * line->y / n - more * xy) / n;

	if (!line->is_possible || n < LINE_LEAST)
		return;
	found->exact.kinds |= PATTERN_LINEAR;
	found->slope = line->slope + more;
	found->start = first + above - found->slope * (double)line->first.index;
	found->error = error > 0 ? error : 0;
}
