/* SPDX-License-Identifier: MIT */
#include "model/field.h"

#define field_words_none NULL

static const char *const field_words_choosers[] = {"driver", "program", NULL};
static const char *const field_words_caches[] = {"none", "shared", "L1", "equal", NULL};
static const char *const field_words_directions[] = {
	[DIRECTION_HOST_TO_DEVICE] = "host to device",
	[DIRECTION_DEVICE_TO_HOST] = "device to host",
	[DIRECTION_DEVICE] = "device",
	NULL,
};
static const char *const field_words_memories[] = {
	[HOST_MEMORY_PAGEABLE] = "pageable",
	[HOST_MEMORY_PAGE_LOCKED] = "page-locked",
	NULL,
};
static const char *const field_words_waits[] = {
	"wait", "wait for event", "queue waits for event", "wait for queue", "wait for context",
	NULL,
};
static const char *const field_words_overheads[] = {
	"overhead",	  "compiler",	      "flush",	      "instrumentation", "resource",
	"module loading", "function loading", "command buffer full", "buffer request",
	"managed memory", NULL,
};

const struct field field_rows[FIELD_COUNT] = {
#define FIELD(id, frame, member, text, of, when, number, meanings, sentence)                       \
	[FIELD_##id] = {.name = (text),                                                            \
			.unit = FIELD_UNIT_##of,                                                   \
			.type = (enum field_type)FIELD_TYPE_##id,                                  \
			.count = FIELD_COUNT_##id,                                                 \
			.offset = FIELD_OFFSET_##id,                                               \
			.condition = FIELD_##when,                                                 \
			.value = (number),                                                         \
			.words = field_words_##meanings,                                           \
			.help = (sentence)},
#include "model/fields.def"
#undef FIELD
};

bool field_is_known(const struct field *field, const void *at)
{
	const struct frame *frame = at;
	const struct record *record = at;

	switch (field->condition) {
	case FIELD_UNLESS:
		return field_get(field, at, 0) != field->value;
	case FIELD_WITH_FLAG:
		return frame->flags & field->value;
	case FIELD_WITH_KNOWN:
		return record->known & field->value;
	case FIELD_WITH_QUEUED:
		return record->known & field->value && record_has_queued(record);
	case FIELD_ALWAYS:
	default: /* not reached: -Wswitch-enum */
		return true;
	}
}

uint64_t field_get(const struct field *field, const void *frame, unsigned int index)
{
	const void *at = (const char *)frame + field->offset;

	switch (field->type) {
	case FIELD_UINT8:
		return ((const uint8_t *)at)[index];
	case FIELD_UINT16:
		return ((const uint16_t *)at)[index];
	case FIELD_INT16:
		return (uint64_t)((const int16_t *)at)[index];
	case FIELD_UINT32:
		return ((const uint32_t *)at)[index];
	case FIELD_INT32:
		return (uint64_t)((const int32_t *)at)[index];
	case FIELD_UINT64:
		return ((const uint64_t *)at)[index];
	case FIELD_FLOAT:
	default:
		return 0;
	}
}

float field_real(const struct field *field, const void *frame)
{
	const void *at = (const char *)frame + field->offset;

	return field->type == FIELD_FLOAT ? *(const float *)at : 0;
}

/* The largest number of each type that field_set supports. */
static const uint64_t largest[] = {
	[FIELD_UINT8] = UINT8_MAX,
	[FIELD_UINT16] = UINT16_MAX,
	[FIELD_UINT32] = UINT32_MAX,
	[FIELD_UINT64] = UINT64_MAX,
};

bool field_set(const struct field *field, void *frame, unsigned int index, uint64_t number)
{
	void *at = (char *)frame + field->offset;

	if (field->type >= sizeof(largest) / sizeof(largest[0]) || number > largest[field->type])
		return false;
	if (field->type == FIELD_UINT8)
		((uint8_t *)at)[index] = (uint8_t)number;
	else if (field->type == FIELD_UINT16)
		((uint16_t *)at)[index] = (uint16_t)number;
	else if (field->type == FIELD_UINT32)
		((uint32_t *)at)[index] = (uint32_t)number;
	else
		((uint64_t *)at)[index] = number;
	return true;
}

const char *field_word(const struct field *field, uint64_t value)
{
	const char *const *words = field->words;

	while (words && *words && value--)
		words++;
	return words ? *words : NULL;
}
