/* SPDX-License-Identifier: MIT */
#include "view/compare/folded_diff.h"

#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "view/stacks/folded.h"

/* A stack and its time on one side. */
struct line {
	const char *stack; /* NUL-terminated */
	uint64_t units[RUNS_SIDES];
};

struct lines {
	struct strbuf texts[RUNS_SIDES]; /* the stacks, each with a NUL */
	struct strbuf units[RUNS_SIDES]; /* uint64_t */
};

static int no_memory(struct strbuf *error)
{
	strbuf_string(error, "out of memory for the call stacks");
	return -1;
}

static int put_stacks(struct lines *lines, enum runs_side side, const struct flame *flame,
		      const struct folded *folded)
{
	uint32_t count = flame->functions.count;
	uint32_t *path = calloc(count + 1u, sizeof(*path));

	for (uint32_t i = 0; path && i < count; i++) {
		uint64_t units = folded_units(folded, i);

		if (!units)
			continue;
		folded_put_stack(&lines->texts[side], flame, i, path);
		strbuf_char(&lines->texts[side], '\0');
		strbuf_append(&lines->units[side], &units, sizeof(units));
	}
	free(path);
	return path && !lines->texts[side].failed && !lines->units[side].failed ? 0 : -1;
}

static int read_side(struct lines *lines, enum runs_side side, struct stream *stream,
		     struct strbuf *error)
{
	struct flame flame;
	struct folded folded = {0};
	int result = flame_read(&flame, stream, error);

	if (!result)
		result = folded_make(&folded, &flame, error);
	if (!result && put_stacks(lines, side, &flame, &folded))
		result = no_memory(error);
	folded_free(&folded);
	flame_free(&flame);
	return result;
}

/* Fills in the lines of both sides, unsorted. */
static void list_lines(struct line *list, const struct lines *lines)
{
	for (int side = 0; side < RUNS_SIDES; side++) {
		const char *stack = lines->texts[side].data;
		const uint64_t *units = (const void *)lines->units[side].data;

		for (size_t i = 0; i < lines->units[side].length / sizeof(*units); i++) {
			list->stack = stack;
			list->units[side] = units[i];
			stack += strlen(stack) + 1;
			list++;
		}
	}
}

static int by_stack(const void *left, const void *right)
{
	const struct line *one = left, *other = right;

	return strcmp(one->stack, other->stack);
}

static uint64_t mean(uint64_t sum, int count)
{
	return (sum + (uint64_t)count / 2) / (uint64_t)count;
}

/* Lines with one stack are added up. */
static void put_lines(struct strbuf *to, struct line *list, size_t count, const int *counts)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t a = list[i].units[RUNS_A], b = list[i].units[RUNS_B];

		while (i + 1 < count && !by_stack(&list[i], &list[i + 1])) {
			i++;
			a = amount_add(a, list[i].units[RUNS_A]);
			b = amount_add(b, list[i].units[RUNS_B]);
		}
		a = mean(a, counts[RUNS_A]);
		b = mean(b, counts[RUNS_B]);
		if (a || b)
			strbuf_printf(to, "%s %llu %llu\n", list[i].stack, (unsigned long long)a,
				      (unsigned long long)b);
	}
}

static int put_both(struct strbuf *to, const struct lines *lines, const int *counts,
		    struct strbuf *error)
{
	size_t count =
		(lines->units[RUNS_A].length + lines->units[RUNS_B].length) / sizeof(uint64_t);
	struct line *list = calloc(count + 1, sizeof(*list));

	if (!list)
		return no_memory(error);
	list_lines(list, lines);
	qsort(list, count, sizeof(*list), by_stack);
	put_lines(to, list, count, counts);
	free(list);
	return to->failed ? no_memory(error) : 0;
}

int folded_diff(struct strbuf *to, char *const *const paths[RUNS_SIDES],
		const int counts[RUNS_SIDES], struct strbuf *error)
{
	struct lines lines = {0};
	int result = 0;

	for (int side = 0; !result && side < RUNS_SIDES; side++) {
		struct stream *stream = stream_open_all((const char *const *)paths[side],
							(size_t)counts[side], error);

		result = stream ? read_side(&lines, (enum runs_side)side, stream, error) : -1;
		stream_close(stream);
	}
	if (!result)
		result = put_both(to, &lines, counts, error);
	for (int side = 0; side < RUNS_SIDES; side++) {
		strbuf_free(&lines.texts[side]);
		strbuf_free(&lines.units[side]);
	}
	return result;
}
