/* SPDX-License-Identifier: MIT */
#ifndef MODEL_COLUMN_H
#define MODEL_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/api.h"
#include "model/field.h"

/* Which of the two ways of writing the log: the 2010 text or the CUDA 4 to 10 drivers. */
enum dialect { DIALECT_CLASSIC, DIALECT_CUDA4, DIALECT_COUNT };

enum column_type {
	COLUMN_FIELD,       /* `count` numbers of the field */
	COLUMN_REAL,        /* a field that is a float */
	COLUMN_EPOCH_HEX,   /* a field, in hexadecimal */
	COLUMN_SINCE_START, /* record.enter since process.started, microseconds */
	COLUMN_METHOD,      /* kernel name, or the copy's method name */
	COLUMN_GPU_TIME,    /* ended - started, microseconds */
	COLUMN_CPU_TIME,    /* leave - enter, microseconds */
};

/* What stands before a value in KVP. Of one size, so that it can be copied without a loop. */
struct column_key {
	char text[31];	 /* "gputime=[ " */
	uint8_t length;	 /* of that */
	const char *name; /* "gputime"; NULL: not in these terms */
};

/*
 * One row per column, in the fixed order in which logs have them (model/columns.def). The
 * configuration parser, both log formats, `computeprof list options` and the manual page read these
 * rows.
 */
struct column {
	const char *option;  /* the word that asks for it; NULL for the columns always there */
	const char *alias;   /* the OpenCL spelling of the word, or NULL */
	const char *header[TERMS_COUNT]; /* its name(s) in the column line; NULL: not in these */
	struct column_key key[TERMS_COUNT][DIALECT_COUNT];
	enum column_type type;
	enum field_id field; /* of the first three types; so are value_type and offset */
	enum field_type value_type;
	uint8_t count;   /* numbers it prints */
	uint16_t offset; /* of the value in struct record */
	uint32_t known;  /* it applies where record.known has one of these bits; 0: always, */
	uint16_t unless; /* but not where frame.flags has one of these */
	bool always[DIALECT_COUNT]; /* there without being asked for */
	uint32_t replaces; /* columns (as bits) that this one hides when both are asked for */
	const char *help;  /* one sentence, no full stop; NULL: the field's */
};

enum column_id {
#define COLUMN(id, ...) COLUMN_ID_##id,
#include "model/columns.def"
#undef COLUMN
	COLUMN_COUNT
};

/* Counters have their columns behind these. */
#define COLUMNS_BEFORE_COUNTERS ((1U << COLUMN_ID_BYTES) - 1)

extern const struct column columns[COLUMN_COUNT];

/* The column that the configuration word `option` asks for (any letter case), or NULL. */
const struct column *column_find(const char *option);

/* Appends what the column means. */
void column_put_help(const struct column *column, struct strbuf *to);

/* The columns (bit = enum column_id) a log has: those asked for, those always there, less those
 * that do not exist in `api` and those another one replaces. */
uint32_t column_set(uint32_t asked, enum api api, enum dialect dialect);

#endif
