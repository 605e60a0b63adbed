/* SPDX-License-Identifier: MIT */
#include "model/counterset.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

bool counter_set_name(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if (*name <= ' ' || *name > '~' || strchr(",=[]", *name))
			return false;
	return true;
}

void counter_set_text(const struct counter_set *set, struct strbuf *to)
{
	for (uint32_t i = 0; i < set->count; i++) {
		strbuf_char(to, set->columns[i].real ? 'r' : 'n');
		strbuf_string(to, set->columns[i].name);
		strbuf_char(to, '\n');
	}
}

int counter_set_read(struct counter_column *columns, char *text, size_t length)
{
	char *end = text + length, *line;
	int count = 0;

	for (; (line = text) < end; count++) {
		text = memchr(line, '\n', (size_t)(end - line));
		if (!text || count == COUNTER_COLUMNS || (*line != 'n' && *line != 'r'))
			return -1;
		*text++ = '\0';
		columns[count] = (struct counter_column){line + 1, *line == 'r'};
	}
	return count;
}

/* Returns the size of the names without NULs; SIZE_MAX if one is invalid. */
static size_t measure(const struct counter_set *set)
{
	size_t width = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		if (!counter_set_name(set->columns[i].name))
			return SIZE_MAX;
		width += strlen(set->columns[i].name);
	}
	return width;
}

/* Checks names for a log's warnings, each followed by a newline. */
static bool refused_names(const char *refused)
{
	for (size_t length; *refused; refused += length + 1) {
		length = strcspn(refused, "\n");
		if (!length || refused[length] != '\n' || !text_is_visible(refused, length))
			return false;
	}
	return true;
}

static size_t size_of(const struct counter_set *set)
{
	return sizeof(*set) + set->count * (sizeof(*set->columns) + 1) + set->width +
	       strlen(set->refused) + 1;
}

struct counter_set *counter_set_copy(const struct counter_set *set)
{
	struct counter_set head = *set, *copy;
	struct counter_column *columns;
	char *text;

	head.refused = set->refused ? set->refused : "";
	head.width = set->count <= COUNTER_COLUMNS && refused_names(head.refused) ? measure(set)
										  : SIZE_MAX;
	copy = head.width != SIZE_MAX ? memory_map(size_of(&head)) : NULL;
	if (!copy)
		return NULL;
	columns = (struct counter_column *)(copy + 1);
	text = (char *)(columns + set->count);
	head.columns = columns;
	for (uint32_t i = 0; i < set->count; i++) {
		columns[i] = (struct counter_column){text, set->columns[i].real};
		text = stpcpy(text, set->columns[i].name) + 1;
	}
	strcpy(text, head.refused);
	head.refused = text;
	*copy = head;
	return copy;
}

void counter_set_free(struct counter_set *set)
{
	if (set)
		memory_unmap(set, size_of(set));
}

void counted_record_set(struct counted_record *record, uint32_t set, uint32_t count)
{
	uint32_t size = (uint32_t)(sizeof(record->counters) + count * sizeof(double));

	record->record.frame.size = (uint32_t)sizeof(record->record) + size;
	record->counters = (struct counters_block){
		.block = {.size = size, .tag = BLOCK_COUNTERS},
		.set = set,
	};
}

void counted_record_copy(struct counted_record *to, const struct record *record)
{
	const struct counters_block *counters = record_counters(record);
	uint32_t count = record_value_count(record);

	to->record = *record;
	to->record.frame.size = sizeof(*record);
	if (!counters || count > COUNTER_COLUMNS)
		return;
	counted_record_set(to, counters->set, count);
	memcpy(to->values, record_values(record), count * sizeof(double));
}
