/* SPDX-License-Identifier: MIT */
#ifndef MODEL_COLUMN_H
#define MODEL_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/api.h"
#include "model/field.h"

/* The two forms of the log: that of the manual of 2010, and that of the drivers of CUDA 4 to 10. */
enum dialect { DIALECT_CLASSIC, DIALECT_CUDA4, DIALECT_COUNT };

enum column_type {
	COLUMN_FIELD,       /* `count` numbers of the field */
	COLUMN_REAL,        /* a field that is a float */
	COLUMN_EPOCH_HEX,   /* a field, in hexadecimal */
	COLUMN_SINCE_START, /* record.enter since process.started, microseconds */
	COLUMN_METHOD,      /* kernel name, or the copy's method name */
	COLUMN_GPU_TIME,    /* ended - started, microseconds */
	COLUMN_CPU_TIME,    /* leave - enter, microseconds */
	COLUMN_CALLER,      /* of the record's stack (model/caller.h) */
};

/* The text before a value in KVP. All have one size, so that they are copied without a loop. */
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
	const char *option;  /* the word that requests it; NULL for columns that are always
				present */
	const char *alias;   /* the OpenCL spelling of the word, or NULL */
	const char *header[TERMS_COUNT]; /* its name(s) in the column line; NULL: not in these */
	struct column_key key[TERMS_COUNT][DIALECT_COUNT];
	enum column_type type;
	enum field_id field; /* of the first three types, like value_type and offset */
	enum field_type value_type;
	uint8_t count;   /* numbers it prints */
	uint16_t offset; /* of the value in struct record */
	uint32_t known;  /* the column has a value if record.known has one of these bits; 0:
			    always, */
	uint16_t unless; /* unless frame.flags has one of these */
	bool always[DIALECT_COUNT]; /* present without a request */
	uint32_t replaces; /* bits of the columns that this one replaces if both are requested */
	const char *help;  /* one sentence, no full stop; NULL: the field's */
};

enum column_id {
#define COLUMN(id, ...) COLUMN_ID_##id,
#include "model/columns.def"
#undef COLUMN
	COLUMN_COUNT
};

/* Columns of counters follow these. */
#define COLUMNS_BEFORE_COUNTERS ((1U << COLUMN_ID_BYTES) - 1)

extern const struct column columns[COLUMN_COUNT];

/* Returns the column with this configuration word (any letter case), or NULL. */
const struct column *column_find(const char *option);

/* Appends the description of the column. */
void column_put_help(const struct column *column, struct strbuf *to);

/* Returns the columns of a log (bit = enum column_id): the requested and the permanent ones,
 * without those that `api` does not have and those that another one replaces. */
uint32_t column_set(uint32_t asked, enum api api, enum dialect dialect);

#endif
