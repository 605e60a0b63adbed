/* SPDX-License-Identifier: MIT */
#ifndef MODEL_FIELD_H
#define MODEL_FIELD_H

#include "model/event.h"

/*
 * What the members of records and events are, as rows (model/fields.def). The library needs no row:
 * it uses the constants below, so that it has neither the names nor the help.
 */
enum field_id {
	FIELD_NONE,
#define FIELD(id, ...) FIELD_##id,
#include "model/fields.def"
#undef FIELD
	FIELD_COUNT
};

enum field_type {
	FIELD_UINT8,
	FIELD_UINT16,
	FIELD_UINT32,
	FIELD_UINT64,
	FIELD_INT16,
	FIELD_INT32,
	FIELD_FLOAT,
};

enum field_unit {
	FIELD_UNIT_NUMBER, /* of nothing else below */
	FIELD_UNIT_BYTES,
	FIELD_UNIT_EPOCH,     /* nanoseconds since 1970 */
	FIELD_UNIT_MONOTONIC, /* nanoseconds of CLOCK_MONOTONIC */
	FIELD_UNIT_NAME,      /* in the name table */
	FIELD_UNIT_DEVICE,    /* in the catalog, as the next one */
	FIELD_UNIT_CONTEXT,
	FIELD_UNIT_RESULT,  /* an error code; INT32_MIN: a failure without one */
	FIELD_UNIT_PAYLOAD, /* of a mark: what payload_kind says */
};

/* When a field is known, together with a value. */
enum field_condition {
	FIELD_ALWAYS,
	FIELD_UNLESS,      /* it is the value */
	FIELD_WITH_FLAG,   /* frame.flags has one of the value's bits */
	FIELD_WITH_KNOWN,  /* the same of record.known */
	FIELD_WITH_QUEUED, /* and the driver told when the command was queued */
};

struct field {
	const char *name; /* the word that outputs use for it */
	enum field_unit unit;
	enum field_type type;
	uint8_t count;	 /* 3 for vectors, else 1 */
	uint16_t offset; /* in its struct */
	enum field_condition condition;
	uint32_t value;
	const char *const *words; /* what its values mean, from 0; ends with NULL */
	const char *help;	  /* one sentence, no full stop */
};

extern const struct field field_rows[FIELD_COUNT];

/* Whether the record or event `frame` knows its field. */
bool field_is_known(const struct field *field, const void *frame);

/* Number `index` of a field that is not FIELD_FLOAT; negative numbers as in an int64_t. */
uint64_t field_get(const struct field *field, const void *frame, unsigned int index);

/* That of one that is. */
float field_real(const struct field *field, const void *frame);

/* Sets it; false, and nothing is set, if the number does not fit. For unsigned types only. */
bool field_set(const struct field *field, void *frame, unsigned int index, uint64_t number);

/* What a value of the field means; NULL if it has no words, or none for that. */
const char *field_word(const struct field *field, uint64_t value);

/* clang-format off */
/* Not evaluated. */
#define FIELD_MEMBER(frame, member) (((struct frame *)0)->member)
#define FIELD_TYPE_OF(frame, member) \
	_Generic(FIELD_MEMBER(frame, member), \
		 uint8_t: FIELD_UINT8, uint16_t: FIELD_UINT16, int16_t: FIELD_INT16, \
		 uint32_t: FIELD_UINT32, uint32_t *: FIELD_UINT32, int32_t: FIELD_INT32, \
		 uint64_t: FIELD_UINT64, uint64_t *: FIELD_UINT64, float: FIELD_FLOAT)
#define FIELD_COUNT_OF(frame, member) \
	_Generic(FIELD_MEMBER(frame, member), \
		 uint32_t *: sizeof(FIELD_MEMBER(frame, member)) / (sizeof(uint32_t)), \
		 uint64_t *: sizeof(FIELD_MEMBER(frame, member)) / (sizeof(uint64_t)), \
		 default: 1)
#define FIELD_KNOWN_OF(condition, value) \
	((FIELD_##condition) >= FIELD_WITH_KNOWN ? (value) : 0)
/* clang-format on */

/* FIELD_TYPE_id and so on: what the rows say, as constants. FIELD_KNOWN_id are bits of
 * record.known, 0 for fields that have none. */
enum field_constant {
#define FIELD(id, frame, member, name, unit, condition, value, words, help)                        \
	FIELD_TYPE_##id = FIELD_TYPE_OF(frame, member),                                            \
	FIELD_COUNT_##id = FIELD_COUNT_OF(frame, member),                                          \
	FIELD_OFFSET_##id = offsetof(struct frame, member),                                        \
	FIELD_KNOWN_##id = (int)FIELD_KNOWN_OF(condition, value),
#include "model/fields.def"
#undef FIELD
};

#endif
