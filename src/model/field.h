/* SPDX-License-Identifier: MIT */
#ifndef MODEL_FIELD_H
#define MODEL_FIELD_H

#include "model/event.h"

/*
 * The members of records and events, as rows (model/fields.def). The library uses only the
 * constants below, so it contains neither the rows nor their texts.
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
	FIELD_UNIT_NUMBER, /* none of those below */
	FIELD_UNIT_BYTES,
	FIELD_UNIT_EPOCH,     /* nanoseconds since 1970 */
	FIELD_UNIT_MONOTONIC, /* nanoseconds of CLOCK_MONOTONIC */
	FIELD_UNIT_NAME,      /* in the name table */
	FIELD_UNIT_DEVICE,    /* in the catalog, like the next one */
	FIELD_UNIT_CONTEXT,
	FIELD_UNIT_RESULT,  /* an error code; INT32_MIN: a failure without one */
	FIELD_UNIT_PAYLOAD, /* of a mark: depends on payload_kind */
};

/* The condition under which a field is known, with a value. */
enum field_condition {
	FIELD_ALWAYS,
	FIELD_UNLESS,      /* it is the value */
	FIELD_WITH_FLAG,   /* frame.flags has one of the value's bits */
	FIELD_WITH_KNOWN,  /* the same of record.known */
	FIELD_WITH_QUEUED, /* and the driver provided the time of enqueuing */
};

struct field {
	const char *name; /* the word that outputs use for it */
	enum field_unit unit;
	enum field_type type;
	uint8_t count;	 /* 3 for vectors, otherwise 1 */
	uint16_t offset; /* in its struct */
	enum field_condition condition;
	uint32_t value;
	const char *const *words; /* meanings of its values, from 0; ends with NULL */
	const char *help;	  /* one sentence, no full stop */
};

extern const struct field field_rows[FIELD_COUNT];

/* Returns true if the field is known in the record or event `frame`. */
bool field_is_known(const struct field *field, const void *frame);

/* Returns number `index` of a field that is not FIELD_FLOAT; negative numbers as in an int64_t. */
uint64_t field_get(const struct field *field, const void *frame, unsigned int index);

/* The same for FIELD_FLOAT. */
float field_real(const struct field *field, const void *frame);

/* Sets the field; returns false and sets nothing if the number does not fit. Unsigned types
 * only. */
bool field_set(const struct field *field, void *frame, unsigned int index, uint64_t number);

/* Returns the meaning of a value of the field; NULL if there is no word for it. */
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

/* FIELD_TYPE_id and so on: the rows as constants. FIELD_KNOWN_id is the bit of record.known, 0 for
 * fields without one. */
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
