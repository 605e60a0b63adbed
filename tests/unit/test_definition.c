/* SPDX-License-Identifier: MIT */
/* Sections [counter NAME], and the requested counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "model/counter.h"
#include "settings/config.h"

#define UNKNOWN(name) "NV_Warning: Ignoring the invalid profiler config option: " name "\n"
static struct settings settings;
static char heard[8192]; /* the messages of the last load on stderr, without "computeprof: PATH,
			  * " */

static void remove_all(char *text, const char *what)
{
	char *at;

	while ((at = strstr(text, what)))
		memmove(at, at + strlen(what), strlen(at + strlen(what)) + 1);
}

static void load(const char *text)
{
	char path[] = "/tmp/test_definition.XXXXXX";
	char prefix[sizeof(path) + 16];
	int ends[2], kept = dup(2), file = mkstemp(path);
	ssize_t size;

	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	close(file);
	settings_free(&settings);
	settings = (struct settings){.layout.api = API_CUDA, .start_enabled = true};
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 2);
	close(ends[1]);
	config_load(&settings, path);
	dup2(kept, 2);
	close(kept);
	unlink(path);
	size = read(ends[0], heard, sizeof(heard) - 1);
	heard[size < 0 ? 0 : size] = '\0';
	close(ends[0]);
	snprintf(prefix, sizeof(prefix), "computeprof: %s", path);
	remove_all(heard, prefix);
}

static int forget(void **state)
{
	(void)state;
	settings_free(&settings);
	return 0;
}

static void test_defined(void **state)
{
	const struct counter_choice *choice;

	(void)state;
	load("traffic\nstreamid\nBRANCH\nMyOwn\n[output]\nformat = csv\n[counter myown]\n"
	     "event = branch\n[Counter  Traffic]\nmetric = (dram__bytes_read.sum +\n"
	     "metric = dram__bytes_write.sum) / 1024\nhelp = what goes; and comes\nunit = KiB\n");
	assert_string_equal(heard, "");
	assert_string_equal(strbuf_text(&settings.warnings), "");
	assert_int_equal(settings.layout.format, FORMAT_CSV);
	assert_int_equal(settings.counters.count, 3);
	choice = settings.counters.items;
	assert_string_equal(choice[0].name, "Traffic");
	assert_int_equal(choice[0].id, -1);
	assert_string_equal(choice[0].metric,
			    "(dram__bytes_read.sum + dram__bytes_write.sum) / 1024");
	assert_null(choice[0].event);
	assert_string_equal(choice[0].help, "what goes; and comes");
	assert_string_equal(choice[0].unit, "KiB");
	assert_int_equal(choice[1].id, COUNTER_branch);
	assert_string_equal(choice[2].name, "myown");
	assert_null(choice[1].metric);
	assert_null(choice[2].metric);
	assert_string_equal(choice[2].event, "branch");
}

/* Unused definitions are checked, too, without further messages. */
static void test_unused_definition(void **state)
{
	(void)state;
	load("streamid\n[counter one]\nmetric = sm__cycles_active.sum\n"
	     "[counter two]\nmetric = a +\n");
	assert_string_equal(heard, ", line 4: [counter two]: metric = a +: "
				   "a name or a number is missing\n");
	assert_string_equal(strbuf_text(&settings.warnings), "");
	assert_int_equal(settings.counters.count, 0);
}

static void test_raw(void **state)
{
	(void)state;
	load("sm__cycles_active.sum\nl1tex__m_read_size_128B.sum\nsm__cycles_active.sum\n"
	     "xm__cycles_active.sum\nsm__cycles_active.avg 3\n");
	assert_string_equal(strbuf_text(&settings.warnings), UNKNOWN("xm__cycles_active.sum"));
	assert_string_equal(heard, ", line 5: 'sm__cycles_active.avg' takes no value; '3' is "
				   "ignored\n");
	assert_int_equal(settings.counters.count, 3);
	assert_string_equal(settings.counters.items[0].name, "sm__cycles_active.sum");
	assert_string_equal(settings.counters.items[1].name, "l1tex__m_read_size_128B.sum");
	assert_int_equal(settings.counters.items[1].id, -1);
	assert_string_equal(settings.counters.items[2].name, "sm__cycles_active.avg");
}

static void test_nvprof(void **state)
{
	(void)state;
	load("Achieved_Occupancy\nipc\nlocal_load_transactions\n");
	assert_int_equal(settings.counters.count, 3);
	assert_int_equal(settings.counters.items[0].id, COUNTER_achieved_occupancy);
}

/* Each error causes one message, and valid settings are kept. */
static void check_bad(const char *section, const char *sentence)
{
	char text[1024], expected[1024];

	snprintf(text, sizeof(text), "%s\n[limit]\nrecords = 7\n", section);
	snprintf(expected, sizeof(expected), ", line %s\n", sentence);
	load(text);
	assert_string_equal(heard, expected);
	assert_int_equal(settings.record_limit, 7);
}

#define NAME_RULE                                                                                  \
	"1: [counter NAME] needs a name of up to 63 letters, digits and _"

/* A name may use all bytes of its buffer; messages have the right position. */
static void test_names(void **state)
{
	char text[200], expected[300];

	(void)state;
	for (int length = 61; length <= 66; length++) {
		memset(expected, 'a', sizeof(expected));
		snprintf(text, sizeof(text), "[counter %.*s]\nevent = b\n", length, expected);
		snprintf(expected, sizeof(expected), ", line %s\n", NAME_RULE);
		load(text);
		assert_string_equal(heard, length < 64 ? "" : expected);
	}
	load("[counter _]\nevent = b\n[counter z_0]\nevent = b\n");
	assert_string_equal(heard, "");
	snprintf(text, sizeof(text), "[counter %s]\nevent = b\n", counter_get(0).name);
	load(text);
	assert_non_null(strstr(heard, "another counter has this name"));
	load("streamid x\n[counter 2nd]\n[open\n[closed]\n");
	assert_non_null(strstr(heard, "line 1: 'streamid' takes no value; 'x' is ignored\n"
				      ", line 2: [counter NAME] needs"));
	assert_non_null(strstr(heard, "letters, digits and _\n"
				      ", line 3: the line of a section must be [NAME]\n"
				      ", line 4: unknown section [closed]\n"));
}

static void test_bad(void **state)
{
	(void)state;
	check_bad("[counter]\nmetric = a", NAME_RULE);
	check_bad("[counter two words]", NAME_RULE);
	check_bad("[counter 2nd]", NAME_RULE);
	check_bad("[counter 0]", NAME_RULE);
	check_bad("[counter 9]", NAME_RULE);
	check_bad("[counter a.b]", NAME_RULE);
	check_bad("[counter a12345678901234567890123456789012345678901234567890123456789012345]",
		  NAME_RULE);
	check_bad("[countered]", "1: unknown section [countered]");
	check_bad("[counter x", "1: the line of a section must be [NAME]");
	check_bad("[counter streamid]\nevent = a",
		  "1: [counter streamid]: a column or setting has this name");
	check_bad("[counter EnableOnStart]",
		  "1: [counter EnableOnStart]: a column or setting has this name");
	check_bad("[counter Branch]",
		  "1: [counter Branch]: another counter has this name");
	check_bad("[counter x]\nevent = a\n[counter X]\nmetric = a b",
		  "3: [counter X]: it is defined twice; this section is ignored");
	check_bad("[counter x]", "1: [counter x] has neither metric nor event");
	check_bad("[counter x]\nunit = y", "1: [counter x] has neither metric nor event");
	check_bad("[counter x]\nevent = a\nmetrics = b",
		  "3: section [counter x] has no setting 'metrics'");
	check_bad("[counter x]\nevent = a\nhelp =", "3: help must not be empty");
	check_bad("[counter x]\nevent = a b",
		  "1: [counter x]: event = a b: between two names there must be one of + - * /");
	check_bad("[counter x]\nmetric = sm__a.sum + inst_executed",
		  "1: [counter x]: 'inst_executed' is not a metric such as sm__cycles_active.sum");
}

static void test_many(void **state)
{
	static char text[64000];
	size_t length = 0;

	(void)state;
	for (int i = 0; i < 2000; i++)
		length += (size_t)sprintf(text + length, "sm__a%d.sum\n", i);
	load(text);
	assert_int_equal(settings.counters.count, COUNTER_REQUESTS_MOST);
	assert_string_equal(heard, ", line 513: counters from here on are ignored; the limit is "
				   "512\n");
	length = 0;
	for (int i = 0; i < 66; i++)
		length += (size_t)sprintf(text + length, "[counter a%d]\nevent = b\n", i);
	load(text);
	assert_string_equal(heard, ", line 129: [counter a64]: too many sections of this "
				   "kind\n, line 131: [counter a65]: too many sections "
				   "of this kind\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_defined, forget),
		cmocka_unit_test_teardown(test_unused_definition, forget),
		cmocka_unit_test_teardown(test_raw, forget),
		cmocka_unit_test_teardown(test_nvprof, forget),
		cmocka_unit_test_teardown(test_names, forget),
		cmocka_unit_test_teardown(test_bad, forget),
		cmocka_unit_test_teardown(test_many, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
