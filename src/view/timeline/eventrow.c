/* SPDX-License-Identifier: MIT */
#include "view/timeline/eventrow.h"

#include <string.h>

const struct event_row event_rows[FRAME_KINDS] = {
#define DETAILS(...) {__VA_ARGS__}
#define EVENT(kind, type, size, time, text, track, owner, word, list)                              \
	[FRAME_##kind] = {.label = (text),                                                         \
			  .role = TRACK_##track,                                                   \
			  .thread = FIELD_##owner,                                                 \
			  .name = FIELD_##word,                                                    \
			  .details = list},
#include "model/events.def"
#undef EVENT
#undef DETAILS
};

/* A file may have any number in place of a word: the first word is for all other numbers. */
static const char *word_of(const struct field *field, uint64_t value)
{
	const char *word = field_word(field, value);

	return word ? word : field->words[0];
}

const char *event_name(const struct frame *frame, const struct names *names, size_t *length)
{
	const struct field *field = &field_rows[event_rows[frame->kind].name];
	uint64_t value = field_get(field, frame, 0);
	const char *name = NULL;

	*length = 0;
	if (field->words)
		name = word_of(field, value);
	else if (field->unit == FIELD_UNIT_NAME && value)
		name = names_text(names, (uint32_t)value, length);
	if (!name || (!field->words && !*length))
		name = "unnamed";
	if (!*length)
		*length = strlen(name);
	return name;
}
