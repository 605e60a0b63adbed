/* SPDX-License-Identifier: MIT */
/* The range engine's data about a device, and its refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "backend/cuda/counters/range_device.h"
#include "rangeuse.h"

static const char *const inputs[] = {"a__b.sum"};

static struct engine_device device = {.number = 3, .handle = 7};

static void refuses(const char *words)
{
	const char *reason = range_engine.examine(&device);

	assert_non_null(reason);
	if (!strstr(reason, words))
		fail_msg("'%s' has no '%s'", reason, words);
	assert_null(device.chip);
}

static void test_good(void **state)
{
	(void)state;
	assert_null(range_engine.examine(&device));
	assert_string_equal(device.chip, "GX100");
}

static void test_library(void **state)
{
	(void)state;
	play.too_old = true;
	refuses("12.6");
	assert_false(range_engine.together(&device, NULL, inputs, 1));
	assert_int_not_equal(range_engine.start(&contexts[0]), 0);
	play.too_old = false;
	play.library.refusal = CUPTI_INSUFFICIENT_PRIVILEGES;
	refuses("ERR_NVGPUCTRPERM");
	assert_false(range_engine.together(&device, NULL, inputs, 1));
	assert_int_equal(range_engine.start(&contexts[0]), CUPTI_INSUFFICIENT_PRIVILEGES);
	check_calls(""); /* one without a driver may crash */
}

static void refuses_at(int *level, int value, const char *words)
{
	*level = value;
	play.support.supported = RANGE_UNSUPPORTED;
	refuses(words);
	*level = RANGE_SUPPORTED;
}

static void test_obstacles(void **state)
{
	struct range_device_supported *support = &play.support;

	(void)state;
	refuses_at(&support->architecture, RANGE_UNSUPPORTED, "this generation");
	refuses_at(&support->sli, RANGE_UNSUPPORTED, "SLI");
	refuses_at(&support->virtual_gpu, RANGE_UNSUPPORTED, "virtual GPU has no");
	refuses_at(&support->virtual_gpu, RANGE_DISABLED, "enable_profiling");
	refuses_at(&support->confidential, RANGE_UNSUPPORTED, "confidential");
	refuses_at(&support->mining, RANGE_UNSUPPORTED, "CMP");
	refuses_at(&support->wsl, RANGE_UNSUPPORTED, "WSL");
	refuses("gives no reason");
	*support = (struct range_device_supported){.supported = RANGE_SUPPORT_UNKNOWN};
	assert_null(range_engine.examine(&device));
	device.chip = NULL;
	play.fails_always = "Supported";
	refuses("");
}

static void test_chip(void **state)
{
	(void)state;
	play.chip = "GZ100";
	refuses("does not support the chip");
	assert_false(range_engine.together(&device, NULL, inputs, 1));
	play.chip = NULL;
	refuses("does not support the chip");
	play.chip = "GX100";
	play.chips = 0;
	refuses("libnvperf_host.so");
	play.fails_always = "Chip";
	refuses("");
}

/* The availability of counters is queried once it is possible, and then stored. */
static void test_together(void **state)
{
	static const char *const calls[] = {"Host", "Add", "ConfigSize", "Config", "Passes"};

	(void)state;
	assert_null(range_engine.examine(&device));
	assert_true(range_engine.together(&device, NULL, inputs, 1));
	assert_null(play.availability);
	assert_true(range_engine.together(&device, play_context(0), inputs, 1));
	assert_null(play.availability);
	play.has_availability = true;
	assert_true(range_engine.together(&device, play_context(0), inputs, 1));
	assert_string_equal((const char *)play.availability, "all");
	play.has_availability = false;
	play.availability = NULL;
	assert_true(range_engine.together(&device, play_context(1), inputs, 1));
	assert_string_equal((const char *)play.availability, "all");
	play.passes = 0;
	assert_false(range_engine.together(&device, NULL, inputs, 1));
	play.passes = 1;
	assert_false(range_engine.together(&device, NULL, inputs, 0));
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		play.fails_always = calls[i];
		assert_false(range_engine.together(&device, NULL, inputs, 1));
	}
	assert_int_equal(play.hosts, 0);
}

/* Counters of the device are queried as well if one of the inputs needs them. Releases before 13.1
 * refuse that query. */
static void test_of_device(void **state)
{
	static const char *const of_device[][2] = {
		{"a__b.sum", "pcie__read_bytes.sum"},
		{"nvlrx__bytes.sum", "a__b.sum"},
	};

	(void)state;
	assert_null(range_engine.examine(&device));
	play.has_availability = true;
	device.number = 4; /* nothing is stored of it */
	assert_true(range_engine.together(&device, play_context(0), of_device[0], 2));
	assert_string_equal((const char *)play.availability, "all");
	play.knows_device_level = true;
	device.number = 5;
	for (size_t i = 0; i < 2; i++) {
		assert_true(range_engine.together(&device, play_context(0), of_device[i], 2));
		assert_string_equal((const char *)play.availability, "dev");
	}
	assert_true(range_engine.together(&device, play_context(0), inputs, 1));
	assert_string_equal((const char *)play.availability, "all");
	device.number = 3;
}

/* Each of them has its own message with a remedy. */
static void test_reasons(void **state)
{
	static const struct {
		int result;
		const char *words;
	} rows[] = {
		{8, "memory"},
		{14, "already uses CUPTI"},
		{26, "dcgmi profile --pause"},
		{27, "COMPUTEPROF_CUPTI"},
		{33, "virtual GPU"},
		{35, "NVreg_RestrictProfilingToAdminUsers=0"},
		{35, "RmProfilingAdminOnly: 0"},
		{35, "ERR_NVGPUCTRPERM"},
		{35, "CAP_SYS_ADMIN|--cap-add=SYS_ADMIN"},
		{36, "events"},
		{38, "580"},
		{38, "COMPUTEPROF_CUPTI"},
		{40, "enable_profiling"},
		{41, "confidential"},
		{42, "CMP"},
		{43, "MIG"},
		{44, "SLI"},
		{45, "WSL"},
		{46, "COMPUTEPROF_CUPTI"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *reason = engine_reason(rows[i].result);
		char words[64], *save = NULL;
		bool has = false;

		strcpy(words, rows[i].words);
		for (char *word = strtok_r(words, "|", &save); word && !has;
		     word = strtok_r(NULL, "|", &save))
			has = strstr(reason, word) != NULL;
		if (!has)
			fail_msg("%d: '%s' has no '%s'", rows[i].result, reason, rows[i].words);
		for (size_t k = 0; k < i; k++)
			if (rows[k].result != rows[i].result)
				assert_string_not_equal(reason, engine_reason(rows[k].result));
	}
}

static int begin_device(void **state)
{
	device.chip = NULL;
	return begin(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_good, begin_device),
		cmocka_unit_test_setup(test_library, begin_device),
		cmocka_unit_test_setup(test_obstacles, begin_device),
		cmocka_unit_test_setup(test_chip, begin_device),
		cmocka_unit_test_setup(test_together, begin_device),
		cmocka_unit_test_setup(test_of_device, begin_device),
		cmocka_unit_test_setup(test_reasons, begin_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
