/* SPDX-License-Identifier: MIT */
#include "session/value_patterns.h"

#include <string.h>

#include "model/element.h"
#include "session/value_counts.h"
#include "session/value_line.h"

enum {
	BATCH = 128,   /* elements that are taken at once */
	PLACES = 1024, /* whose values are counted in any case */
	SHARE = 10,    /* FREQUENT: one different value in so many elements, */
	HALF = 2,      /* or one value in one of so many */
	WORDS = 64,    /* of a number of `known` */
};

static struct value_count exact_slots[VALUE_SLOTS], rounded_slots[VALUE_SLOTS];
struct search {
	const struct value_part *part;
	struct value_layout layout;
	unsigned size;
	uint64_t magnitude, infinite; /* of floating-point numbers: all bits but the sign, and
				       * these of infinity; else 0 */
	uint64_t end;		      /* number of elements, also of unknown ones */
	uint64_t next;
	uint64_t found;
	struct value_line line;
};

/* What all values of a set have in common. */
struct sums {
	uint64_t ones;	    /* bits that are 1 in at least one value */
	uint64_t magnitude; /* likewise, with the complements of negative values */
	bool is_negative;   /* at least one value is negative */
	bool fits_16, fits_32, is_whole;
};

static bool is_known(const struct search *search, uint64_t at)
{
	const uint64_t *known = search->part->known;
	uint64_t last = (at + search->size - 1) / 4;

	for (uint64_t word = at / 4; word <= last; word++)
		if (!(known[word / WORDS] >> word % WORDS & 1))
			return false;
	return true;
}

static uint64_t load(const unsigned char *from, unsigned size)
{
	uint64_t eight;
	uint32_t four;
	uint16_t two;

	switch (size) {
	case 1:
		return *from;
	case 2:
		memcpy(&two, from, sizeof(two));
		return two;
	case 4:
		memcpy(&four, from, sizeof(four));
		return four;
	default:
		memcpy(&eight, from, sizeof(eight));
		return eight;
	}
}

/* Sets the element at the index; returns false if it is not known, or no component of a vector of
 * three, which has the room of four. */
static bool take(const struct search *search, uint64_t index, struct value_element *element)
{
	uint64_t at = search->part->offset + index * search->size;
	uint8_t type = search->layout.type;

	if ((search->layout.width == 3 && index % 4 == 3) || !is_known(search, at))
		return false;
	element->index = index;
	element->bits = load(search->part->contents + at, search->size);
	if (element_is_float(type))
		element->bits = element_canonical(type, element->bits);
	return true;
}

/* Returns true if all bits are set in the numbers of `known` that the next `count` elements use. */
static bool are_known(const struct search *search, unsigned count)
{
	uint64_t at = search->part->offset + search->next * search->size;
	uint64_t first = at / 4 / WORDS, last = (at + count * search->size - 1) / 4 / WORDS;
	uint64_t known = UINT64_MAX;

	for (uint64_t i = first; i <= last; i++)
		known &= search->part->known[i];
	return known == UINT64_MAX;
}

#define LOAD(type)                                                                                 \
	for (unsigned i = 0; i < count; i++) {                                                     \
		type bits;                                                                         \
                                                                                                   \
		memcpy(&bits, from + i * sizeof(bits), sizeof(bits));                              \
		batch[i] = (struct value_element){bits, search->next + i};                         \
	}

static void load_batch(const struct search *search, struct value_element *batch, unsigned count)
{
	const unsigned char *from =
		search->part->contents + search->part->offset + search->next * search->size;
	uint64_t infinite = search->infinite;

	if (search->size == 1)
		LOAD(uint8_t)
	else if (search->size == 2)
		LOAD(uint16_t)
	else if (search->size == 4)
		LOAD(uint32_t)
	else
		LOAD(uint64_t)
	for (unsigned i = 0; infinite && i < count; i++) /* zeros, and what is no number */
		if ((batch[i].bits & search->magnitude) - 1 >= infinite)
			batch[i].bits = element_canonical(search->layout.type, batch[i].bits);
}

static unsigned take_batch(struct search *search, struct value_element *batch)
{
	uint64_t left = search->end - search->next;
	unsigned count = left < BATCH ? (unsigned)left : BATCH, taken = 0;

	if (count && search->layout.width != 3 && are_known(search, count)) {
		load_batch(search, batch, count);
		search->next += count;
		return count;
	}
	while (taken < BATCH && search->next < search->end)
		taken += take(search, search->next++, &batch[taken]);
	return taken;
}

static bool are_equal(const struct value_element *batch, unsigned count)
{
	uint64_t differ = 0;

	for (unsigned i = 1; i < count; i++)
		differ |= batch[i].bits ^ batch[0].bits;
	return !differ;
}

/* The value that is counted: rounded if there is a level. */
static uint64_t value_of(const struct search *search, const struct value_element *element,
			 unsigned level)
{
	return level ? element_rounded(search->layout.type, element->bits, level) : element->bits;
}

/* Counts the values at some places, or takes them off again: then their slots are there. */
static void count_places(const struct search *search, struct value_counts *counts, unsigned level,
			 uint64_t times)
{
	uint64_t step = search->end / PLACES;
	struct value_element element;

	for (uint64_t i = 0; step && i < PLACES; i++)
		if (take(search, i * step, &element))
			value_counts_add(counts, value_of(search, &element, level), times);
}

static bool find_ends(struct search *search)
{
	uint64_t first = 0, last = search->end;

	while (first < search->end && !take(search, first, &search->line.first))
		first++;
	while (last > first && !take(search, last - 1, &search->line.last))
		last--;
	return first < last;
}

/* Called at least once for each different value. */
static void add_value(struct sums *sums, uint8_t type, uint64_t bits)
{
	double number;
	int64_t integer;

	sums->ones |= bits;
	if (!element_is_float(type)) {
		integer = element_integer(type, bits);
		sums->is_negative |= integer < 0 && type <= ELEMENT_INT64;
		if (integer < 0 && type <= ELEMENT_INT64)
			integer = ~integer;
		sums->magnitude |= (uint64_t)integer;
		return;
	}
	if (!sums->is_whole && !sums->fits_16 && !sums->fits_32)
		return;
	number = element_number(type, bits);
	sums->is_whole = sums->is_whole && element_is_whole(type, number);
	sums->fits_16 = sums->fits_16 && element_fits(number, 16);
	sums->fits_32 = sums->fits_32 && element_fits(number, 32);
}

static unsigned width_of(uint64_t bits)
{
	return bits ? 64 - (unsigned)__builtin_clzll(bits) : 0;
}

/* Returns the narrowest type with so many bits, at most that of the elements. */
static uint8_t narrow(unsigned bits, unsigned own)
{
	unsigned size = 8;

	while (size < own && size < bits)
		size *= 2;
	return (uint8_t)size;
}

static void set_narrow(struct value_set *set, const struct sums *sums, uint8_t type)
{
	unsigned own = 8 * element_size(type), width = width_of(sums->magnitude);
	unsigned zeros = sums->ones ? (unsigned)__builtin_ctzll(sums->ones) : own;

	set->narrow_signed = set->narrow_unsigned = set->narrow_tail = (uint8_t)own;
	if (element_is_float(type)) {
		set->narrow_signed = (uint8_t)(sums->fits_16 ? 16 : sums->fits_32 ? 32 : own);
	} else {
		set->narrow_signed = narrow(width + 1, own);
		if (!sums->is_negative)
			set->narrow_unsigned = narrow(width, own);
		set->narrow_tail = narrow(own - zeros, own);
	}
	if (set->narrow_signed < own || set->narrow_unsigned < own || set->narrow_tail < own)
		set->kinds |= PATTERN_NARROW;
}

static bool is_zero(uint8_t type, uint64_t bits)
{
	double number = element_number(type, bits), tolerance = element_tolerance(type);

	return bits == 0 || (element_is_float(type) && number < tolerance && -number < tolerance);
}

static void end_counts(struct value_set *set, const struct value_counts *counts,
		       const struct search *search)
{
	uint64_t most;

	value_counts_end(counts, set);
	most = set->top_count ? set->top[0].count : 1;
	if (most == search->found && !set->has_more && search->found)
		set->kinds |= is_zero(search->layout.type, counts->last->value) ? PATTERN_ZEROS
										: PATTERN_SINGLE;
	else if ((!set->has_more && SHARE * (uint64_t)set->distinct <= search->found) ||
		 (most > 1 && HALF * most >= search->found))
		set->kinds |= PATTERN_FREQUENT;
}

static void end_sums(struct value_set *set, const struct sums *sums, uint8_t type)
{
	set_narrow(set, sums, type);
	if (element_is_float(type) && sums->is_whole)
		set->kinds |= PATTERN_INTEGERS;
}

static const struct sums all = {.fits_16 = true, .fits_32 = true, .is_whole = true};

/* Adds all values of the table. */
static void add_counted(struct sums *sums, const struct value_counts *counts, uint8_t type)
{
	for (unsigned i = 0; i <= counts->mask; i++)
		if (counts->slots[i].count)
			add_value(sums, type, counts->slots[i].value);
}

static void add_batch(struct sums *sums, struct value_counts *counts, uint8_t type,
		      const struct value_element *batch, unsigned taken)
{
	if (are_equal(batch, taken)) {
		if (!value_counts_add(counts, batch->bits, taken))
			add_value(sums, type, batch->bits);
		return;
	}
	for (unsigned i = 0; i < taken; i++)
		if (!value_counts_add(counts, batch[i].bits, 1))
			add_value(sums, type, batch[i].bits);
}

static void find_exact(struct search *search, struct value_counts *counts,
		       struct value_patterns *found)
{
	struct sums sums = all;
	struct value_element batch[BATCH];
	unsigned taken;

	count_places(search, counts, 0, 1);
	add_counted(&sums, counts, search->layout.type);
	value_line_begin(&search->line, search->layout.type);
	while ((taken = take_batch(search, batch))) {
		search->found += taken;
		add_batch(&sums, counts, search->layout.type, batch, taken);
		for (unsigned i = 0; search->line.is_possible && i < taken; i++)
			value_line_add(&search->line, search->layout.type, &batch[i]);
	}
	count_places(search, counts, 0, UINT64_MAX);
	found->elements = search->found;
	end_counts(&found->exact, counts, search);
	end_sums(&found->exact, &sums, search->layout.type);
	value_line_end(&search->line, search->layout.type, found);
}

/* Counts the rounded values: from the table of exact values, or if that is full, from memory. */
static void count_rounded(struct search *search, const struct value_counts *exact,
			  struct value_counts *counts, unsigned level)
{
	struct value_element batch[BATCH];
	unsigned taken;

	if (!exact->is_full) {
		for (unsigned i = 0; i <= exact->mask; i++)
			if (exact->slots[i].count)
				value_counts_add(counts,
						 element_rounded(search->layout.type,
								 exact->slots[i].value, level),
						 exact->slots[i].count);
		return;
	}
	count_places(search, counts, level, 1);
	search->next = 0;
	while ((taken = take_batch(search, batch)))
		for (unsigned i = 0; i < taken; i++)
			value_counts_add(counts, value_of(search, &batch[i], level), 1);
	count_places(search, counts, level, UINT64_MAX);
}

/* If the table of rounded values is full, no narrower type is searched for: so many different
 * values need all bits that rounding leaves. */
static void find_rounded(struct search *search, const struct value_counts *exact,
			 struct value_patterns *found)
{
	struct value_counts counts;
	struct sums sums = all;

	value_counts_begin(&counts, rounded_slots, search->found);
	count_rounded(search, exact, &counts, search->layout.level);
	end_counts(&found->rounded, &counts, search);
	add_counted(&sums, &counts, search->layout.type);
	if (counts.is_full)
		sums = (struct sums){0};
	end_sums(&found->rounded, &sums, search->layout.type);
}

__attribute__((noinline)) static void find(struct value_patterns *found, struct search *search)
{
	struct value_counts counts;

	value_counts_begin(&counts, exact_slots, search->end);
	find_exact(search, &counts, found);
	if (search->found && search->layout.level && element_is_float(search->layout.type))
		find_rounded(search, &counts, found);
}

/* Replace the program's floating-point mode, which may trap, round differently or flush to 0. */
#if defined(__x86_64__)
static uint64_t begin_numbers(void)
{
	unsigned mode = __builtin_ia32_stmxcsr();

	__builtin_ia32_ldmxcsr(0x1f80);
	return mode;
}

static void end_numbers(uint64_t mode)
{
	__builtin_ia32_ldmxcsr((unsigned)mode);
}
#elif defined(__aarch64__)
static uint64_t begin_numbers(void)
{
	uint64_t control, status;

	__asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(status));
	__asm__ volatile("msr fpcr, xzr");
	return control << 32 | (status & UINT32_MAX);
}

static void end_numbers(uint64_t mode)
{
	__asm__ volatile("msr fpsr, %0\n\tmsr fpcr, %1" ::"r"(mode & UINT32_MAX), "r"(mode >> 32));
}
#else
static uint64_t begin_numbers(void)
{
	return 0;
}

static void end_numbers(uint64_t mode)
{
	(void)mode;
}
#endif

void value_patterns_find(struct value_patterns *found, const struct value_part *part,
			 const struct value_layout *layout)
{
	struct search search = {
		.part = part, .layout = *layout, .size = element_size(layout->type)};
	uint64_t mode;

	*found = (struct value_patterns){.layout = *layout};
	if (!search.size)
		return;
	search.end = part->bytes / search.size;
	if (element_is_float(layout->type)) {
		search.magnitude = (UINT64_C(1) << (8 * search.size - 1)) - 1;
		search.infinite = element_infinite(layout->type);
	}
	if (!find_ends(&search))
		return;
	mode = begin_numbers();
	find(found, &search);
	end_numbers(mode);
}
