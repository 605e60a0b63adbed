/* SPDX-License-Identifier: MIT */
#include "view/totals/activity_index.h"

#include <string.h>

#include "model/amount.h"
#include "model/api.h"
#include "output/logreader.h"
#include "output/unescape.h"
#include "view/format/label.h"

int activity_index_open(struct activity_index *index)
{
	*index = (struct activity_index){.names = names_new()};
	return index->names ? 0 : -1;
}

void activity_index_close(struct activity_index *index)
{
	map_free(&index->numbers);
	strbuf_free(&index->list);
	names_free(index->names);
}

/* Returns a key, never 0. */
static uint64_t key_of(const struct activity_key *what)
{
	const struct record *like = &what->like;
	unsigned copy = amount_memory(like->source) * AMOUNT_MEMORIES + amount_memory(like->target);

	return 1ull << 63 | (uint64_t) !!(like->frame.flags & LABEL_OTHER) << 60 |
	       (uint64_t)(like->frame.kind & 15) << 56 | (uint64_t)like->name << 24 | copy << 3 |
	       what->api;
}

/* Copies between different kinds of memory may have one name, which is all that some inputs
 * have. */
static void merge_directions(struct record *like)
{
	if (like->frame.kind == FRAME_COPY && *label_direction(like))
		return;
	like->source = like->target = MEMORY_COUNT;
}

uint32_t activity_index_number(struct activity_index *index, const struct activity_key *what,
			       const char *name, size_t length)
{
	struct activity_key own = *what;
	uintptr_t number;
	uint64_t key;

	merge_directions(&own.like);
	own.like.name = length ? names_intern(index->names, name, length) : 0;
	if (length && !own.like.name)
		return 0;
	key = key_of(&own);
	number = (uintptr_t)map_get(&index->numbers, key);
	if (number)
		return (uint32_t)number;
	strbuf_append(&index->list, &own, sizeof(own));
	number = index->list.length / sizeof(own);
	if (index->list.failed || map_set(&index->numbers, key, (void *)number))
		return 0;
	return (uint32_t)number;
}

const struct activity_key *activity_index_list(const struct activity_index *index, uint32_t *count)
{
	*count = (uint32_t)(index->list.length / sizeof(struct activity_key));
	return (const void *)index->list.data;
}

/* Returns -1 for an unknown name. */
static int api_of(const char *name)
{
	for (int api = 0; api < API_COUNT; api++)
		if (!strcmp(api_row((unsigned)api)->name, name))
			return api;
	return -1;
}

/* Sets the kinds of memory by the direction, such as HtoD; "" is that of several. */
static void set_direction(struct record *copy, const char *direction)
{
	for (unsigned pair = 0; pair < AMOUNT_MEMORIES * AMOUNT_MEMORIES; pair++) {
		copy->source = (uint8_t)(pair / AMOUNT_MEMORIES);
		copy->target = (uint8_t)(pair % AMOUNT_MEMORIES);
		if (!strcmp(label_direction(copy), direction))
			return;
	}
}

static void read_name(struct activity_key *what, struct strbuf *name, const struct json_value *row)
{
	const char *text = json_find_text(row, "name");
	struct log_text escaped = {.text = text, .length = strlen(text)};
	size_t start = name->length;

	what->like.frame.kind = FRAME_KERNEL;
	unescape_name(escaped, name);
	if (strcmp(strbuf_text(name) + start, LABEL_OTHER_NAME) != 0)
		return;
	what->like.frame.flags = LABEL_OTHER;
	name->length = start;
}

int activity_index_read(struct activity_key *what, struct strbuf *name,
			const struct json_value *row)
{
	const char *kind = json_find_text(row, "kind");
	int api = api_of(json_find_text(row, "api"));

	*what = (struct activity_key){.api = (enum api)api};
	if (!strcmp(kind, "kernel")) {
		read_name(what, name, row);
	} else if (!strcmp(kind, "copy")) {
		what->like.frame.kind = FRAME_COPY;
		set_direction(&what->like, json_find_text(row, "name"));
	} else if (!strcmp(kind, "fill")) {
		what->like.frame.kind = FRAME_FILL;
	} else {
		return -1;
	}
	return api < 0 ? -1 : 0;
}
