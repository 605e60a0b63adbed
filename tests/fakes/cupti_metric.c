/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cupti_fake.h"
#include "cupti_metric.h"

/*
 * Metrics are called UNIT__BASE and then
 *	counters	.sum .avg .min .max, and behind these, if anything, what is in `submetrics`
 *	ratios		.ratio .pct .max_rate
 *	throughputs	.avg.pct_of_peak_sustained_active, say
 * The bases are in the profiler's own table, which other tests compare with the real library, and
 * in `more`.
 *
 * Values come from the kernel's effort (exact[] and ratios[]); .avg, .min and .max of these are
 * those of an even distribution to the instances of the unit. All other values are
 *	1000 * S + N % 1000	where S is the sum of the bytes of the metric's whole name and N the
 *				number of the kernel's command;
 *	(S + N) % 101		if it is a percentage.
 *
 * Passes: script.perpass metrics of the hardware fit into one; as many of those with _sass_ in
 *their names, but into others. pcie__ and nvlrx__ go with their like only.
 */
struct known {
	const char *name;
	const char *lacking; /* chips, with a blank around each */
};

static const struct known metrics[] = {
#define METRIC(name, lacking) {name, lacking},
#define PASSES(counter, text)
#include "cli/counters/metrics.def"
#undef METRIC
#undef PASSES
	{NULL, NULL},
};

static const struct known more[] = {
	{"gpc__cycles_elapsed.max", ""},
	{"gpu__time_duration.sum", ""},
	{"nvlrx__bytes.sum", " TU116 TU117 GA10B AD102 AD103 AD104 AD106 AD107 GB10B GB202 "
			     "GB203 GB205 GB206 GB207 GB20B "},
	{"sm__warps_launched.sum", ""},
	{"smsp__inst_executed.sum", ""},
	{"smsp__sass_inst_executed.sum", ""},
	{"smsp__sass_inst_executed_op_global_ld.sum", ""},
	{"smsp__sass_inst_executed_op_global_st.sum", ""},
	{"smsp__threads_launched.sum", ""},
	{NULL, NULL},
};

/* clang-format off */
#define EFFORT(member) offsetof(struct effort, member)
static const struct exact {
	const char *base;
	size_t offset;
	unsigned factor;
	unsigned instances;
} exact[] = {
	{"sm__ctas_launched", EFFORT(blocks), 1, 8},
	{"sm__warps_launched", EFFORT(warps), 1, 8},
	{"smsp__warps_launched", EFFORT(warps), 1, 32},
	{"sm__threads_launched", EFFORT(threads), 1, 8},
	{"smsp__threads_launched", EFFORT(threads), 1, 32},
	{"sm__inst_executed", EFFORT(instructions), 1, 8},
	{"smsp__inst_executed", EFFORT(instructions), 1, 32},
	{"smsp__sass_inst_executed", EFFORT(instructions), 1, 32},
	{"smsp__inst_executed_op_branch", EFFORT(branches), 1, 32},
	{"smsp__sass_branch_targets_threads_divergent", EFFORT(divergent), 1, 32},
	{"smsp__inst_executed_op_global_ld", EFFORT(loads), 1, 32},
	{"smsp__inst_executed_op_global_st", EFFORT(stores), 1, 32},
	{"smsp__inst_executed_op_generic_ld", 0, 0, 32},
	{"smsp__inst_executed_op_generic_st", 0, 0, 32},
	{"smsp__inst_executed_op_local_ld", 0, 0, 32},
	{"smsp__inst_executed_op_local_st", 0, 0, 32},
	{"smsp__inst_executed_op_shared_ld", EFFORT(shared_loads), 1, 32},
	{"smsp__inst_executed_op_shared_st", EFFORT(shared_stores), 1, 32},
	{"smsp__sass_inst_executed_op_global_ld", EFFORT(loads), 1, 32},
	{"smsp__sass_inst_executed_op_global_st", EFFORT(stores), 1, 32},
	{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", EFFORT(loads), 1, 8},
	{"l1tex__t_requests_pipe_lsu_mem_global_op_st", EFFORT(stores), 1, 8},
	{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", EFFORT(load_sectors), 1, 8},
	{"l1tex__t_sectors_pipe_lsu_mem_global_op_st", EFFORT(store_sectors), 1, 8},
	{"l1tex__t_bytes_pipe_lsu_mem_global_op_ld", EFFORT(load_sectors), 32, 8},
	{"l1tex__t_bytes_pipe_lsu_mem_global_op_st", EFFORT(store_sectors), 32, 8},
	{NULL, 0, 0, 0},
};

static const struct ratio {
	const char *metric;
	size_t above;
	size_t below;
} ratios[] = {
	{"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
	 EFFORT(load_sectors), EFFORT(loads)},
	{"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
	 EFFORT(store_sectors), EFFORT(stores)},
	{"smsp__average_inst_executed_per_warp.ratio", EFFORT(instructions), EFFORT(warps)},
	{NULL, 0, 0},
};
/* clang-format on */

static const char *const submetrics[] = {
	"",
	".peak_sustained",
	".peak_sustained_active",
	".peak_sustained_active.per_second",
	".peak_sustained_elapsed",
	".peak_sustained_elapsed.per_second",
	".per_second",
	".per_cycle_active",
	".per_cycle_elapsed",
	".per_cycle_in_frame",
	".per_cycle_in_region",
	".pct_of_peak_sustained_active",
	".pct_of_peak_sustained_elapsed",
	NULL,
};

static size_t base_length(const char *metric)
{
	return strcspn(metric, ".");
}

static bool is_one_of(const char *text, const char *const *texts)
{
	while (*texts && strcmp(*texts, text) != 0)
		texts++;
	return *texts;
}

static bool is_ratio(const char *suffix)
{
	static const char *const suffixes[] = {".ratio", ".pct", ".max_rate", NULL};

	return is_one_of(suffix, suffixes);
}

static bool is_rollup(const char *suffix)
{
	static const char *const rollups[] = {".sum", ".avg", ".min", ".max", NULL};
	char rollup[5] = "";

	strncpy(rollup, suffix, 4);
	return is_one_of(rollup, rollups) && is_one_of(suffix + 4, submetrics);
}

/* Returns true if the suffix is valid for a base that is known with the other one. */
static bool is_suffix(const char *suffix, const char *known, bool is_throughput)
{
	if (is_ratio(known))
		return is_ratio(suffix);
	return is_rollup(suffix) && (!is_throughput || strstr(suffix, ".pct_of_peak"));
}

static bool is_in(const struct known *table, const char *chip, const char *metric)
{
	size_t length = base_length(metric);
	char blanks[CHIP_NAME + 3] = " ";

	strcat(strncat(blanks, chip, CHIP_NAME), " ");
	for (; table->name; table++)
		if (!strncmp(table->name, metric, length) && table->name[length] == '.' &&
		    !strstr(table->lacking, blanks) &&
		    is_suffix(metric + length, table->name + length,
			      strstr(table->name, "__throughput") != NULL))
			return true;
	return false;
}

bool metric_is(const char *chip, const char *metric)
{
	return metric && *metric && !cupti_lists(script.badmetric, metric) &&
	       (is_in(metrics, chip, metric) || is_in(more, chip, metric));
}

bool metric_is_alone(const char *metric)
{
	return !strncmp(metric, "pcie__", 6) || !strncmp(metric, "nvlrx__", 7);
}

unsigned metric_passes(const char *const *given, size_t count)
{
	size_t most = script.perpass > 0 ? (size_t)script.perpass : 1, hardware = 0, patched = 0;

	for (size_t i = 0; i < count; i++)
		if (strstr(given[i], "_sass_"))
			patched++;
		else
			hardware++;
	return (unsigned)((hardware + most - 1) / most + (patched + most - 1) / most);
}

static double effort_at(const struct range *range, size_t offset)
{
	return (double)*(const uint64_t *)(const void *)((const char *)&range->effort + offset);
}

/* Distributes the sum over the instances. */
static double roll_up(double sum, const char *rollup, unsigned instances)
{
	if (!strcmp(rollup, ".avg"))
		return sum / instances;
	if (!strcmp(rollup, ".min"))
		return (double)((uint64_t)sum / instances);
	return strcmp(rollup, ".max") ? sum : (double)(((uint64_t)sum + instances - 1) / instances);
}

static double other_value(const char *metric, const struct range *range)
{
	bool is_percent = strstr(metric, ".pct");
	uint64_t sum = 0;

	for (; *metric; metric++)
		sum += (unsigned char)*metric;
	if (is_percent)
		return (double)((sum + range->number) % 101);
	return (double)(sum * 1000 + range->number % 1000);
}

double metric_value(const char *metric, const struct range *range)
{
	size_t length = base_length(metric);

	for (const struct exact *at = exact; at->base; at++)
		if (strlen(at->base) == length && !strncmp(at->base, metric, length) &&
		    strlen(metric) == length + 4)
			return roll_up(at->factor * effort_at(range, at->offset), metric + length,
				       at->instances);
	for (const struct ratio *at = ratios; at->metric; at++)
		if (!strcmp(at->metric, metric))
			return effort_at(range, at->above) / effort_at(range, at->below);
	return other_value(metric, range);
}
