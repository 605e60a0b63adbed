/* SPDX-License-Identifier: MIT */
#include "model/column.h"

#include "base/text.h"

/* clang-format off */
#define BOTH(name)    { [TERMS_WORK_GROUPS] = name, [TERMS_BLOCKS] = name }
#define EACH(cl, cu)  { [TERMS_WORK_GROUPS] = cl, [TERMS_BLOCKS] = cu }
#define PAIR(name)    { name "=[ ", sizeof(name "=[ ") - 1, name }
#define KEY(name)     { [DIALECT_CLASSIC] = PAIR(name), [DIALECT_CUDA4] = PAIR(name) }
#define KEYS(cl, cu)  { [TERMS_WORK_GROUPS] = KEY(cl), [TERMS_BLOCKS] = KEY(cu) }
#define NAMED(name)   .header = BOTH(name), .key = KEYS(name, name)
#define NAMES(cl, cu) .header = EACH(cl, cu), .key = KEYS(cl, cu)
#define ONLY(terms, name) .header = { [terms] = name }, .key = { [terms] = KEY(name) }
#define ALWAYS        { [DIALECT_CLASSIC] = true, [DIALECT_CUDA4] = true }
#define GRID_KEYS { \
	[TERMS_WORK_GROUPS] = { [DIALECT_CLASSIC] = PAIR("NDRangesize"), \
				[DIALECT_CUDA4] = PAIR("ndrangesize") }, \
	[TERMS_BLOCKS] = { [DIALECT_CLASSIC] = PAIR("gridSize"), \
			   [DIALECT_CUDA4] = PAIR("gridsize") }, \
}
#define PART(id, numbers) \
	.field = FIELD_##id, .value_type = (enum field_type)FIELD_TYPE_##id, \
	.count = (numbers), .offset = FIELD_OFFSET_##id, .known = FIELD_KNOWN_##id
#define OF(id) PART(id, FIELD_COUNT_##id)

const struct column columns[COLUMN_COUNT] = {
#define COLUMN(id, ...) [COLUMN_ID_##id] = { __VA_ARGS__ },
#include "model/columns.def"
#undef COLUMN
};
/* clang-format on */

/* Rows without a caller do not have the column: no field follows that would need its comma. */
_Static_assert(COLUMN_ID_CALLER == COLUMN_COUNT - 1, "the caller is the last column");
_Static_assert(COLUMN_COUNT <= 32, "a set of columns is the bits of a uint32_t");

static bool same_word(const char *word, const char *option)
{
	return word && text_same(word, option);
}

const struct column *column_find(const char *option)
{
	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		if (same_word(columns[i].option, option) || same_word(columns[i].alias, option))
			return &columns[i];
	}
	return NULL;
}

void column_put_help(const struct column *column, struct strbuf *to)
{
	const char *help = column->help ? column->help : field_rows[column->field].help;

	strbuf_string(to, help);
	if (column->type == COLUMN_EPOCH_HEX)
		strbuf_string(to, ", hexadecimal");
	if (!column->header[TERMS_BLOCKS])
		strbuf_string(to, " (OpenCL only)");
	if (!column->header[TERMS_WORK_GROUPS])
		strbuf_string(to, " (CUDA only)");
}

uint32_t column_set(uint32_t asked, enum api api, enum dialect dialect)
{
	uint32_t set = 0, hidden = 0;

	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		bool wanted = columns[i].always[dialect] || (asked >> i & 1);

		if (!wanted || !columns[i].header[api_rows[api].terms])
			continue;
		set |= 1U << i;
		hidden |= columns[i].replaces;
	}
	return set & ~hidden;
}
