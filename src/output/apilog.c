/* SPDX-License-Identifier: MIT */
#include "output/apilog.h"

#include <string.h>

#include "base/number.h"
#include "model/amount.h"
#include "model/api.h"
#include "output/escape.h"

/* A call, and the name of its function. */
struct api_row_source {
	const struct output_target *target;
	const struct call *call;
	const char *name;
	size_t name_length;
};

/* Writes the value at `to`, and returns the first byte after it; NULL if the call has none. */
typedef char *put_value(char *to, const struct api_row_source *row);

static char *put_timestamp(char *to, const struct api_row_source *row)
{
	return number_thousandths(
		to, amount_between(row->target->catalog->process.started, row->call->enter));
}

static char *put_method(char *to, const struct api_row_source *row)
{
	bool csv = row->target->layout.format == FORMAT_CSV;

	return escape_name(to, row->name, row->name_length, csv ? ESCAPE_FIELD : ESCAPE_WORD);
}

static char *put_cputime(char *to, const struct api_row_source *row)
{
	return number_thousandths(to, amount_call_duration(row->call));
}

static char *put_thread(char *to, const struct api_row_source *row)
{
	return row->call->frame.thread ? number_decimal(to, row->call->frame.thread) : NULL;
}

static char *put_result(char *to, const struct api_row_source *row)
{
	int64_t result = row->call->result;

	if (result == INT32_MIN)
		return stpcpy(to, "failed");
	if (result < 0)
		*to++ = '-';
	return number_decimal(to, (uint64_t)(result < 0 ? -result : result));
}

static char *put_correlation(char *to, const struct api_row_source *row)
{
	return number_decimal(to, row->call->frame.correlation);
}

static char *put_made(char *to, const struct api_row_source *row)
{
	return row->call->made ? number_decimal(to, row->call->made) : NULL;
}

/* clang-format off */
static const struct api_column {
	const char *name; /* of the field, or of the log's column */
	put_value *put;
} api_columns[] = {
	{ "timestamp", put_timestamp },
	{ "method", put_method },
	{ "cputime", put_cputime },
	{ "thread", put_thread },
	{ "result", put_result },
	{ "correlation", put_correlation },
	{ "made", put_made },
};
/* clang-format on */

enum {
	COLUMNS = sizeof(api_columns) / sizeof(api_columns[0]),
	KEY = 24, /* bytes of a key and what is around its value */
};

void apilog_open(const struct output_target *target, struct strbuf *to)
{
	const char *api = api_rows[target->layout.api].header;

	if (target->warnings)
		strbuf_string(to, target->warnings);
	strbuf_printf(to, "# %s_PROFILE_API_LOG_VERSION 1.0\n", api);
	if (target->layout.format == FORMAT_CSV)
		strbuf_printf(to, "# %s_PROFILE_CSV 1\n", api);
	strbuf_printf(to, "# TIMESTAMPFACTOR %llx\n",
		      (unsigned long long)target->catalog->process.monotonic_to_epoch);
	for (int i = 0; i < COLUMNS; i++) {
		strbuf_string(to, i ? "," : "");
		strbuf_string(to, api_columns[i].name);
	}
	strbuf_char(to, '\n');
}

static char *write_keyval(char *to, const struct api_row_source *row)
{
	for (int i = 0; i < COLUMNS; i++) {
		char *value = stpcpy(stpcpy(to, api_columns[i].name), "=[ ");
		char *end = api_columns[i].put(value, row);

		if (end) /* otherwise the next key is written over this one */
			to = stpcpy(end, " ] ");
	}
	return to;
}

/* Commas after the last value are not written. */
static char *write_csv(char *to, const struct api_row_source *row)
{
	char *last = to;

	for (int i = 0; i < COLUMNS; i++) {
		char *end;

		if (i)
			*to++ = ',';
		end = api_columns[i].put(to, row);
		if (end)
			last = to = end;
	}
	return last;
}

void apilog_write(const struct output_target *target, const struct call *call, struct strbuf *to)
{
	struct api_row_source row = {.target = target, .call = call};
	char *begin, *end;

	row.name = names_text(target->catalog->names, call->name, &row.name_length);
	begin = strbuf_reserve(to, COLUMNS * (KEY + NUMBER_SIZE) + ESCAPE_SIZE(row.name_length));
	if (!begin)
		return;
	end = target->layout.format == FORMAT_CSV ? write_csv(begin, &row)
						  : write_keyval(begin, &row);
	*end++ = '\n';
	to->length += (size_t)(end - begin);
}
