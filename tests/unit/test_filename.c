/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "settings/filename.h"

static const char *const ranks[] = {
	"OMPI_COMM_WORLD_RANK", "PMIX_RANK",	       "PMI_RANK",	 "PALS_RANKID",
	"SLURM_PROCID",		"MV2_COMM_WORLD_RANK", "FLUX_TASK_RANK", "RANK",
};

enum { RANKS = sizeof(ranks) / sizeof(ranks[0]) };

static int clear(void **state)
{
	(void)state;
	for (int i = 0; i < RANKS; i++)
		unsetenv(ranks[i]);
	unsetenv("SLURM_STEP_ID");
	setenv("PLAIN", "value", 1);
	setenv("PATHLIKE", "/etc/passwd", 1);
	setenv("UP", "..", 1);
	setenv("DOT", ".", 1);
	setenv("NONE", "", 1);
	unsetenv("MISSING");
	return 0;
}

/* In one step, and in two steps after other text. */
static void check_expand(const char *pattern, const char *expected)
{
	struct strbuf to = STRBUF_INIT, fixed = STRBUF_INIT;

	filename_expand(&to, pattern, 3, 4321);
	assert_string_equal(strbuf_text(&to), expected);
	strbuf_free(&to);
	strbuf_string(&fixed, "other/");
	filename_fix(&fixed, pattern);
	strbuf_string(&to, "a.");
	filename_expand(&to, strbuf_text(&fixed) + strlen("other/"), 3, 4321);
	assert_string_equal(strbuf_text(&to) + strlen("a."), expected);
	strbuf_free(&fixed);
	strbuf_free(&to);
}

static void test_expand(void **state)
{
	static const struct {
		const char *pattern, *expected;
	} rows[] = {
		{"", ""},
		{"plain.log", "plain.log"},
		{"a%db", "a3b"},
		{"%p.%d.%%", "4321.3.%"},
		{"%", "%"},
		{"100%", "100%"},
		{"%%d", "%d"},
		{"%%%d", "%3"},
		{"%s%n%d%99999999d", "%s%n3%99999999d"},
		{"%q", "%q"},
		{"%qd", "%qd"},
		{"%q{", "%q{"},
		{"%q{PLAIN", "%q{PLAIN"},
		{"%q{%d", "%q{3"},
		{"%q{}x", "x"},
		{"[%q{PLAIN}]", "[value]"},
		{"[%q{MISSING}%q{NONE}]", "[]"},
		{"x%q{%d}y", "xy"},
		{"logs/%q{PATHLIKE}", "logs/_etc_passwd"},
		{"%q{UP}/x", "_./x"},
		{"%q{MISSING}/x", "./x"},
		{"%r%q{NONE}/%r/x", ".//x"},
		{"/%r/x", "//x"},
		{"a/%q{DOT}%q{DOT}/x", "a/_./x"},
		{"a/.%q{DOT}/x", "a/._/x"},
		{"x%q{UP}", "x.."},
		{"r%r", "r"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_expand(rows[i].pattern, rows[i].expected);
}

/* A fixed pattern that is expanded later gives the same name. */
static void test_fix(void **state)
{
	static const struct {
		const char *pattern, *fixed, *expanded;
	} rows[] = {
		{"", "", ""},
		{"a%d.%p.%%.%x", "a%d.%p.%%.%%x", "a3.4321.%.%x"},
		{"%q{PLAIN%r", "%%q{PLAIN}", "%q{PLAIN}"},
		{"100%", "100%%", "100%"},
		{"%q{PLAIN}%d%q{MISSING}", "value%d", "value3"},
		{"%q{PERCENT}.log", "%%d%%.log", "%d%.log"},
		{"a/%q{UP}/%q{PATHLIKE}", "a/_./_etc_passwd", "a/_./_etc_passwd"},
	};

	(void)state;
	setenv("PERCENT", "%d%", 1);
	setenv("RANK", "}", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct strbuf to = STRBUF_INIT;

		filename_fix(&to, rows[i].pattern);
		assert_string_equal(strbuf_text(&to), rows[i].fixed);
		check_expand(strbuf_text(&to), rows[i].expanded);
		strbuf_free(&to);
	}
}

static void test_expand_appends(void **state)
{
	struct strbuf to = STRBUF_INIT;

	(void)state;
	strbuf_string(&to, "kept:");
	filename_expand(&to, "%q{DOT}%d", 0, 1);
	assert_string_equal(strbuf_text(&to), "kept:_0");
	strbuf_free(&to);
}

static void test_long_variable(void **state)
{
	char pattern[512] = "%q{";

	(void)state;
	memset(pattern + 3, 'A', 400);
	strcpy(pattern + 403, "}end");
	check_expand(pattern, "end");
}

static void test_host(void **state)
{
	struct strbuf to = STRBUF_INIT;
	char host[256] = "";

	(void)state;
	assert_int_equal(gethostname(host, sizeof(host) - 1), 0);
	filename_expand(&to, "x%h", 0, 0);
	assert_string_equal(strbuf_text(&to) + 1, host);
	strbuf_free(&to);
}

static void test_rank_order(void **state)
{
	(void)state;
	assert_null(filename_rank());
	for (int i = RANKS - 1; i >= 0; i--) {
		char value[2] = {(char)('0' + i), '\0'};

		setenv(ranks[i], value, 1);
		assert_string_equal(filename_rank(), value);
	}
	setenv(ranks[0], "", 1);
	assert_string_equal(filename_rank(), "1");
	check_expand("rank%r", "rank1");
	setenv(ranks[1], "../7", 1);
	check_expand("%r.log", "_._7.log");
}

static void check_job_rank(const char *variable, const char *value, const char *expected)
{
	setenv(variable, value, 1);
	if (expected)
		assert_string_equal(filename_job_rank(), expected);
	else
		assert_null(filename_job_rank());
	unsetenv(variable);
}

static void test_job_rank(void **state)
{
	(void)state;
	assert_null(filename_job_rank());
	check_job_rank("PMI_RANK", "0", "0");
	check_job_rank("RANK", "999999999", "999999999");
	check_job_rank("RANK", "1000000000", NULL);
	check_job_rank("RANK", "", NULL);
	check_job_rank("RANK", "-1", NULL);
	check_job_rank("RANK", "1 ", NULL);
	check_job_rank("RANK", "captain", NULL);
	check_job_rank("SLURM_PROCID", "5", NULL);
	setenv("SLURM_STEP_ID", "", 1);
	check_job_rank("SLURM_PROCID", "5", NULL);
	setenv("SLURM_STEP_ID", "0", 1);
	check_job_rank("SLURM_PROCID", "5", "5");
	setenv("SLURM_PROCID", "5", 1); /* of the proxy that starts the ranks */
	check_job_rank("PMI_RANK", "2", "2");
	unsetenv("SLURM_STEP_ID");
	check_job_rank("PMI_RANK", "2", "2");
}

static void test_has(void **state)
{
	(void)state;
	assert_true(filename_has("a%d", 'd'));
	assert_true(filename_has("%p%d", 'd'));
	assert_true(filename_has("%q{X}", 'q'));
	assert_false(filename_has("%%d", 'd'));
	assert_false(filename_has("%q{%d}", 'd'));
	assert_true(filename_has("%q{%d", 'd'));
	assert_false(filename_has("plain", 'd'));
	assert_false(filename_has("%5d", 'd'));
	assert_false(filename_has("%", 'd'));
}

static void test_tag(void **state)
{
	static const struct {
		const char *path, *expected;
	} rows[] = {
		{"a/b.log", "a/b.1.log"},
		{"a.d/b", "a.d/b.1"},
		{".log", ".log.1"},
		{"b", "b.1"},
		{"a/.log", "a/.log.1"},
		{"x.tar.gz", "x.tar.1.gz"},
		{"a.d/.b.log", "a.d/.b.1.log"},
		{"/b.", "/b.1."},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct strbuf to = STRBUF_INIT;

		filename_tag(&to, rows[i].path, "1");
		assert_string_equal(strbuf_text(&to), rows[i].expected);
		strbuf_free(&to);
	}
}

static void assert_mistake(const char *pattern, const char *part)
{
	size_t length = 0;
	const char *found = filename_mistake(pattern, &length);

	if (!part) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_int_equal(length, strlen(part));
	assert_memory_equal(found, part, length);
}

static void test_mistakes(void **state)
{
	(void)state;
	assert_mistake("", NULL);
	assert_mistake("%d%p%h%r%%%q{A}%", NULL);
	assert_mistake("100%/a %.b%-", NULL);
	assert_mistake("%%z", NULL);
	assert_mistake("%q{A%z}", NULL);
	assert_mistake("a%z.log", "%z");
	assert_mistake("%%%1", "%1");
	assert_mistake("%d%D", "%D");
	assert_mistake("x%q", "%q");
	assert_mistake("x%qA", "%q");
	assert_mistake("x%q{A", "%q{");
	assert_mistake("x%q{}.%z", "%q{}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_expand, clear),
		cmocka_unit_test_setup(test_fix, clear),
		cmocka_unit_test_setup(test_expand_appends, clear),
		cmocka_unit_test_setup(test_long_variable, clear),
		cmocka_unit_test_setup(test_host, clear),
		cmocka_unit_test_setup(test_rank_order, clear),
		cmocka_unit_test_setup(test_job_rank, clear),
		cmocka_unit_test_setup(test_has, clear),
		cmocka_unit_test_setup(test_tag, clear),
		cmocka_unit_test_setup(test_mistakes, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
