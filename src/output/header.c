/* SPDX-License-Identifier: MIT */
#include "output/header.h"

#include <string.h>

#include "base/number.h"
#include "model/api.h"
#include "output/escape.h"

static const struct api_row *api_of(const struct output_target *target)
{
	return &api_rows[target->layout.api];
}

static void write_version(const struct output_target *target, struct strbuf *to)
{
	strbuf_printf(to, "# %s_PROFILE_LOG_VERSION 2.0\n", api_of(target)->header);
}

static void write_csv(const struct output_target *target, struct strbuf *to)
{
	if (target->layout.format == FORMAT_CSV)
		strbuf_printf(to, "# %s_PROFILE_CSV 1\n", api_of(target)->header);
}

static void write_device(const struct output_target *target, struct strbuf *to)
{
	const struct device *device = target->device;
	bool named = api_of(target)->names_device && target->layout.dialect == DIALECT_CLASSIC;
	const char *name = device && device->name ? device->name : "unknown";

	strbuf_printf(to, "# %s_DEVICE%s %u ", api_of(target)->header, named ? "_NAME" : "",
		      device ? device->number : 0);
	escape_put(to, name, strlen(name), ESCAPE_TEXT);
	strbuf_char(to, '\n');
}

static void write_context(const struct output_target *target, struct strbuf *to)
{
	uint32_t index = target->context ? target->context->index : 0;

	strbuf_printf(to, "# %s_CONTEXT %u\n", api_of(target)->header, index + 1);
}

static void write_factor(const struct output_target *target, struct strbuf *to)
{
	if (target->layout.dialect == DIALECT_CLASSIC && !api_of(target)->has_factor)
		return;
	strbuf_printf(to, "# TIMESTAMPFACTOR %llx\n",
		      (unsigned long long)target->catalog->process.monotonic_to_epoch);
}

/* Appends the names, each followed by a comma. */
static void write_names(const struct output_target *target, uint32_t set, struct strbuf *to)
{
	for (uint32_t left = set; left; left &= left - 1) {
		strbuf_string(to, columns[__builtin_ctz(left)].header[api_of(target)->terms]);
		strbuf_char(to, ',');
	}
}

static void write_columns(const struct output_target *target, struct strbuf *to)
{
	const struct counter_set *counters = target->counters;

	write_names(target, target->layout.columns & COLUMNS_BEFORE_COUNTERS, to);
	for (uint32_t i = 0; counters && i < counters->count; i++) {
		strbuf_string(to, counters->columns[i].name);
		strbuf_char(to, ',');
	}
	write_names(target, target->layout.columns & ~COLUMNS_BEFORE_COUNTERS, to);
	if (to->length)
		to->data[to->length - 1] = '\n'; /* there is always a column */
}

static void write_refused(const char *refused, struct strbuf *to)
{
	size_t length;

	for (; *refused; refused += length + (refused[length] == '\n')) {
		length = strcspn(refused, "\n");
		strbuf_printf(to, COUNTER_WARNING, (int)length, refused);
	}
}

typedef void header_line(const struct output_target *target, struct strbuf *to);

enum { LINES = 6 };

/* clang-format off */
static header_line *const lines[DIALECT_COUNT][LINES] = {
	[DIALECT_CLASSIC] = { write_version, write_csv, write_device, write_factor,
			      write_columns },
	[DIALECT_CUDA4] = { write_version, write_device, write_context, write_csv,
			    write_factor, write_columns },
};
/* clang-format on */

void header_write(const struct output_target *target, struct strbuf *to)
{
	header_line *const *line = lines[target->layout.dialect];

	if (target->warnings)
		strbuf_string(to, target->warnings);
	if (target->counters)
		write_refused(target->counters->refused, to);
	for (unsigned int i = 0; i < LINES && line[i]; i++)
		line[i](target, to);
}
