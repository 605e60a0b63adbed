/* SPDX-License-Identifier: MIT */
/* The input is a configuration file, read for each API. */
#include "settings/config.h"

#include <string.h>

#include "base/text.h"
#include "fuzz.h"
#include "machine.h"
#include "model/counter.h"
#include "model/counterset.h"
#include "model/formula.h"
#include "session/rules.h"
#include "texts.h"

#define FILE_NAME "/folder/file.conf"

static void load(struct settings *settings, enum api api)
{
	*settings = (struct settings){.enabled = true, .layout.api = api};
	config_load(settings, FILE_NAME);
}

/* A valid formula can be computed. */
static void check_formula(const char *text)
{
	double values[FORMULA_NAMES];
	struct formula formula;

	if (!text)
		return;
	CHECK(!formula_parse(&formula, text, strlen(text)));
	CHECK(formula.name_count && formula.name_count <= FORMULA_NAMES);
	for (unsigned i = 0; i < FORMULA_NAMES; i++)
		values[i] = i;
	formula_value(&formula, values);
}

static void check_choices(const struct counter_choices *choices)
{
	CHECK(choices->count <= COUNTER_REQUESTS_MOST);
	for (unsigned i = 0; i < choices->count; i++) {
		const struct counter_choice *choice = &choices->items[i];

		/* It becomes a word of the column line. */
		CHECK(counter_set_name(choice->name));
		CHECK(choice->id >= -1 && choice->id < COUNTER_COUNT);
		CHECK(choice->id < 0 || !strcmp(counter_get(choice->id).name, choice->name));
		CHECK(choice->id < 0 || (!choice->metric && !choice->event));
		check_formula(choice->metric);
		check_formula(choice->event);
		for (unsigned k = 0; k < i; k++)
			CHECK(!text_same(choices->items[k].name, choice->name));
	}
}

/* Checks for whole lines that a reader takes for warnings: they are at the start of a log. */
static void check_warnings(const struct strbuf *warnings)
{
	struct logreader reader;
	size_t lines = 0, count;

	if (!warnings->length)
		return;
	for (size_t i = 0; i < warnings->length; i++)
		lines += warnings->data[i] == '\n';
	CHECK(warnings->data[warnings->length - 1] == '\n');
	CHECK(text_is_plain(warnings->data, warnings->length));
	CHECK(lines <= COUNTER_REQUESTS_MOST + 100 && warnings->length / 1024 <= lines);
	CHECK(!logreader_open(&reader, warnings->data, warnings->length));
	logreader_warnings(&reader, &count);
	CHECK(count == lines && !logreader_next(&reader));
	logreader_close(&reader);
}

static void check_settings(const struct settings *settings)
{
	const struct layout *layout = &settings->layout;
	uint32_t set;

	CHECK(!settings->config == !!settings->bad_config);
	CHECK(layout->dialect < DIALECT_COUNT && layout->format < FORMAT_COUNT);
	CHECK(layout->columns < 1U << COLUMN_COUNT);
	set = column_set(layout->columns, layout->api, layout->dialect);
	CHECK(set && set == column_set(set, layout->api, layout->dialect));
	CHECK(!settings->kernel_filter == !settings->kernel_regex);
	CHECK(!settings->log || *settings->log);
	CHECK(!settings->trace || *settings->trace);
	check_choices(&settings->counters);
	check_warnings(&settings->warnings);
}

/* Checks that recovery of a killed program gets the same settings. */
static void check_told(struct settings *settings)
{
	struct settings rules, read = {0};
	struct strbuf frame = STRBUF_INIT;
	bool forked = false;

	if (!settings->log)
		settings->log = strdup("some.log");
	settings->layout.columns = column_set(settings->layout.columns, settings->layout.api,
					      settings->layout.dialect);
	CHECK(!rules_from_settings(&rules, settings));
	rules_put_frame(&frame, &rules, true);
	CHECK(!rules_from_frame(&read, &forked, (const void *)frame.data) && forked);
	CHECK(!memcmp(&read.layout, &settings->layout, sizeof(read.layout)));
	CHECK(!strcmp(read.log, rules.log) && *read.log == '/');
	CHECK(!read.trace == !settings->trace && (!read.trace || *read.trace == '/'));
	CHECK(read.record_limit == settings->record_limit);
	CHECK(read.byte_limit == settings->byte_limit);
	CHECK(!strcmp(strbuf_text(&read.warnings), strbuf_text(&settings->warnings)));
	settings_free(&read);
	settings_free(&rules);
	strbuf_free(&frame);
}

/* One file gives both APIs the same settings; only the warnings differ. */
static void check_same(const struct settings *one, const struct settings *other)
{
	CHECK(one->layout.columns == other->layout.columns);
	CHECK(one->layout.format == other->layout.format);
	CHECK(one->layout.dialect == other->layout.dialect);
	CHECK(one->counters.count == other->counters.count);
	CHECK(!one->bad_config == !other->bad_config);
	CHECK(one->record_limit == other->record_limit && one->byte_limit == other->byte_limit);
	CHECK(one->start_enabled == other->start_enabled);
}

void fuzz_config(const uint8_t *data, size_t size)
{
	struct settings settings[API_COUNT];

	machine_put(FILE_NAME, data, size);
	for (int api = 0; api < API_COUNT; api++) {
		load(&settings[api], (enum api)api);
		check_settings(&settings[api]);
	}
	check_same(&settings[API_OPENCL], &settings[API_CUDA]);
	for (int api = 0; api < API_COUNT; api++) {
		settings_logs_kernel(&settings[api], "_Z9matrixMulPfS_S_ii");
		check_told(&settings[api]);
		settings_free(&settings[api]);
	}
}
