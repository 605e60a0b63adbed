/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/counters/countertext.h"
#include "model/counter.h"
#include "model/formula.h"

static void test_table(void **state)
{
	(void)state;
	assert_int_equal(COUNTER_2010_COUNT, 45);
	for (int id = 0; id < COUNTER_COUNT; id++) {
		struct counter counter = counter_get(id);

		assert_true(strlen(counter_texts[id].help) > 5);
		assert_true(strlen(counter_texts[id].unit) > 2);
		assert_null(strpbrk(counter.name, " \t=:;#[ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
		assert_int_equal(counter_find(counter.name), id);
		assert_true(*counter.metric || *counter.why);
	}
	assert_int_equal(counter_get(COUNTER_branch).kind, COUNTER_KIND_2010);
	assert_int_equal(counter_get(COUNTER_l1_shared_bank_conflict).kind, COUNTER_KIND_2010);
	assert_int_equal(counter_get(COUNTER_atom_count).kind, COUNTER_KIND_EVENT);
	assert_int_equal(counter_get(COUNTER_ipc).kind, COUNTER_KIND_NVPROF);
}

static void test_find(void **state)
{
	(void)state;
	assert_int_equal(counter_find("LOCAL_Store"), COUNTER_local_store);
	assert_int_equal(counter_find("Branch"), COUNTER_branch);
	assert_int_equal(counter_find("prof_trigger_07"), COUNTER_prof_trigger_07);
	assert_int_equal(counter_find("achieved_occupancy"), COUNTER_achieved_occupancy);
	assert_true(counter_find("l2_subp0_read_l1_hit_sectors") >= 0);
	assert_int_equal(counter_find(""), -1);
	assert_int_equal(counter_find("branc"), -1);
	assert_int_equal(counter_find("branchs"), -1);
	assert_int_equal(counter_find("gridsize"), -1);
	assert_int_equal(counter_find("branch\xc4\xb1"), -1);
	assert_int_equal(counter_find_words("local store"), COUNTER_local_store);
	assert_int_equal(counter_find_words(" LOCAL \t Store\t"), COUNTER_local_store);
	assert_int_equal(counter_find_words("local_ store"), -1);
	assert_int_equal(counter_find_words("branch"), COUNTER_branch);
	assert_int_equal(counter_find_words("localstore"), -1);
	assert_int_equal(counter_find_words("local store hit"), -1);
	assert_int_equal(counter_find_words(" "), -1);
}

static const char *check_formula(struct counter_way way, bool raw)
{
	struct formula formula;
	const char *wrong = formula_parse(&formula, way.formula, way.length);

	for (unsigned i = 0; !wrong && i < formula.name_count; i++) {
		char name[200];

		snprintf(name, sizeof(name), "%.*s", (int)formula.names[i].length,
			 formula.names[i].text);
		if (raw ? !counter_is_raw(name) : counter_find(name) < 0)
			wrong = raw ? "no metric" : "no event";
	}
	return wrong;
}

/* Every formula of the table is valid and has names of the right kind. */
static void test_formulas(void **state)
{
	static const unsigned capabilities[] = {10, 11, 12, 13, 20, 21, 30, 32, 35, 37,
						50, 52, 53, 60, 61, 62, 70, 72};
	(void)state;
	for (int id = 0; id < COUNTER_COUNT; id++) {
		struct counter counter = counter_get(id);
		struct counter_way way;
		bool any = false;

		for (unsigned i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
			way = counter_event(counter.events, capabilities[i]);
			if (way.grade == COUNTER_NONE)
				continue;
			any = true;
			if (check_formula(way, false))
				fail_msg("%s: events: %s", counter.name, check_formula(way, false));
		}
		assert_int_equal(any, *counter.events != '\0');
		for (unsigned number = 0;; number++) {
			way = counter_metric(counter.metric, number);
			if (way.grade == COUNTER_NONE)
				break;
			if (check_formula(way, true))
				fail_msg("%s: %s", counter.name, check_formula(way, true));
		}
	}
}

static void check_way(struct counter_way way, enum counter_grade grade, const char *formula)
{
	assert_int_equal(way.grade, grade);
	assert_int_equal(way.length, strlen(formula));
	assert_memory_equal(way.formula, formula, way.length);
}

static void test_session_ends(void **state)
{
	static const char events[] = "1.2-3.7 one; 5.0-6.2 ~two + three; 7.0 four";
	static const char metric[] = "a.sum | ~b.sum + c.sum";

	(void)state;
	check_way(counter_event(events, 11), COUNTER_NONE, "");
	check_way(counter_event(events, 12), COUNTER_EXACT, "one");
	check_way(counter_event(events, 37), COUNTER_EXACT, "one");
	check_way(counter_event(events, 50), COUNTER_APPROXIMATE, "two + three");
	check_way(counter_event(events, 70), COUNTER_EXACT, "four");
	check_way(counter_event(events, 75), COUNTER_NONE, "");
	check_way(counter_event("", 70), COUNTER_NONE, "");
	check_way(counter_metric(metric, 0), COUNTER_EXACT, "a.sum");
	check_way(counter_metric(metric, 1), COUNTER_APPROXIMATE, "b.sum + c.sum");
	check_way(counter_metric(metric, 2), COUNTER_NONE, "");
	check_way(counter_metric("", 0), COUNTER_NONE, "");
	check_way(counter_metric("a.sum", 1), COUNTER_NONE, "");
}

static void test_raw(void **state)
{
	static const char *const good[] = {
		"sm__cycles_active.sum", "smsp__inst_executed.avg.per_cycle_active",
		"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "dram__throughput",
		"l1tex__m_read_size_128B.sum", "lts__t_sector_hit_rate.pct", "gpu__time_duration"};
	static const char *const bad[] = {
		"", "sm", "sm__", "sm__.sum", "sm__a.", "sm__a..sum", "sm_cycles", "__a", "foo__a",
		"sm__a b", "sm__a-b", " sm__a", "averylongunitthatisnone__a.sum", "SM__a"};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!counter_is_raw(good[i]))
			fail_msg("%s is written like a metric", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (counter_is_raw(bad[i]))
			fail_msg("'%s' is not written like a metric", bad[i]);
}

/* Returns true if its first formula counts on one multiprocessor. */
static bool of_one(const char *name)
{
	int id = counter_find(name);
	struct counter_way way = counter_metric(counter_get(id).metric, 0);
	struct formula formula = {0};

	assert_true(id >= 0);
	if (way.grade != COUNTER_NONE)
		assert_null(formula_parse(&formula, way.formula, way.length));
	return counter_is_of_one(id, &formula);
}

static void test_of_one(void **state)
{
	static const char *const one[] = {"gld_request",     "inst_executed", "warp_serialize",
					  "prof_trigger_00", "global_load",   "elapsed_cycles_sm"};
	static const char *const all[] = {"l2_subp0_read_sector_misses", "fb_subp0_read_sectors",
					  "active_cycles_sys", "gld_transactions", "ipc"};

	(void)state;
	for (size_t i = 0; i < sizeof(one) / sizeof(one[0]); i++)
		if (!of_one(one[i]))
			fail_msg("%s is of one multiprocessor", one[i]);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (of_one(all[i]))
			fail_msg("%s is of the whole device", all[i]);
}

/* Every name of the collected maps is known. */
static void check_map(const char *map, unsigned least)
{
	const char *shared = getenv("COMPUTEPROF_SHARED_DATA");
	const char *source = getenv("srcdir");
	char path[4096], line[1024];
	unsigned count = 0;
	FILE *file;

	if (shared)
		snprintf(path, sizeof(path), "%s/cuda/%s", shared, map);
	else
		snprintf(path, sizeof(path), "%s/../shared/data/cuda/%s", source ? source : ".",
			 map);
	file = fopen(path, "re");
	if (!file)
		skip();
	assert_non_null(fgets(line, sizeof(line), file)); /* the headings */
	for (; fgets(line, sizeof(line), file); count++) {
		line[strcspn(line, "\t\n")] = '\0';
		if (counter_find(line) < 0)
			fail_msg("%s is not in the table", line);
	}
	fclose(file);
	assert_true(count > least);
}

static void test_map(void **state)
{
	(void)state;
	check_map("counter_map.tsv", 150);
	check_map("nvprof_metric_map.tsv", 110);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_formulas),
		cmocka_unit_test(test_session_ends),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_of_one),
		cmocka_unit_test(test_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
