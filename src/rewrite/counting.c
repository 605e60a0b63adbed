/* SPDX-License-Identifier: MIT */
/* Three ways to count, in OpenCL C 1.1. doc/REWRITE has the layout of the counters. */
#include "rewrite/counting.h"

#include <string.h>

#include "rewrite/unit.h"
#include "rewrite/walker.h"

/*
 * The sums of a site are at most 64 bytes. Private memory of all work-items of a group may be on
 * the stack of a thread: with PoCL, of up to 4096.
 */
enum { MOST_PRIVATE = 16, MOST_LOCAL = 256 };

static const struct {
	const char *name, *pointer, *number;
	unsigned most;
} ways[] = {
	[SUMS_WORK_ITEM] = {"work-item", "__private struct computeprof_run *", "ulong",
			    MOST_PRIVATE},
	[SUMS_WORK_GROUP] = {"work-group", "volatile __local struct computeprof_run *", "ulong",
			     MOST_LOCAL},
	[SUMS_ACCESS] = {"access", "volatile __global uint *", "uint", 0},
};

static const char common[] =
	"static void computeprof_add(volatile __global uint *at, ulong number)\n"
	"{\n"
	"	uint low = (uint)number, high = (uint)(number >> 32);\n"
	"	if (low && atomic_add(at, low) > ~low)\n"
	"		high++;\n"
	"	if (high)\n"
	"		atomic_add(at + 1, high);\n"
	"}\n"
	"static void computeprof_set(volatile __global uint *at, ulong bits)\n"
	"{\n"
	"	uint low = (uint)bits, high = (uint)(bits >> 32);\n"
	"	if ((at[0] & low) != low)\n"
	"		atomic_or(at, low);\n"
	"	if ((at[1] & high) != high)\n"
	"		atomic_or(at + 1, high);\n"
	"}\n"
	"static int computeprof_first(volatile __global uint *at, ulong bits, ulong *first)\n"
	"{\n"
	"	uint state = at[10];\n"
	"	*first = bits;\n"
	"	if (state == 0 && atomic_cmpxchg(at + 10, 0u, 1u) == 0) {\n"
	"		at[8] = (uint)bits;\n"
	"		at[9] = (uint)(bits >> 32);\n"
	"		mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
	"		atomic_xchg(at + 10, 2u);\n"
	"		return 1;\n"
	"	}\n"
	"	mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
	"	if (state != 2)\n"
	"		return 0;\n"
	"	*first = at[8] | (ulong)at[9] << 32;\n"
	"	return 1;\n"
	"}\n";

static const char of_access[] =
	"static void computeprof_count(computeprof_pointer values, uint site)\n"
	"{\n"
	"	computeprof_add(values + site * 16, 1);\n"
	"}\n"
	"static void computeprof_value(computeprof_pointer values, uint site, ulong bits,\n"
	"			      int zero, int silent)\n"
	"{\n"
	"	volatile __global uint *at = values + site * 16;\n"
	"	ulong first;\n"
	"	computeprof_add(at, 1);\n"
	"	if (zero)\n"
	"		computeprof_add(at + 2, 1);\n"
	"	if (silent)\n"
	"		computeprof_add(at + 4, 1);\n"
	"	if (computeprof_first(at, bits, &first) && first == bits)\n"
	"		computeprof_add(at + 6, 1);\n"
	"	computeprof_set(at + 12, bits);\n"
	"	computeprof_set(at + 14, ~bits);\n"
	"}\n";

/* @N is the type of a number, @S the number of slots. */
static const char of_sums[] =
	"struct computeprof_sums {\n"
	"	@N count, zeros, silent, same;\n"
	"	ulong first, ones, nulls;\n"
	"	__global uint *at;\n" /* the counters, while the first value is not known */
	"};\n"
	"struct computeprof_run {\n"
	"	__global uint *stripe;\n"
	"	ulong done;\n"
	"	struct computeprof_sums sites[@S];\n"
	"};\n"
	"static void computeprof_count(computeprof_pointer values, uint site)\n"
	"{\n"
	"	values->sites[site].count++;\n"
	"}\n"
	"static int computeprof_same(computeprof_pointer values, uint site, ulong bits)\n"
	"{\n"
	"	__global uint *at = values->sites[site].at;\n"
	"	ulong first;\n"
	"	if (!at)\n"
	"		return values->sites[site].first == bits;\n"
	"	if (!computeprof_first(at, bits, &first))\n"
	"		return 0;\n"
	"	values->sites[site].first = first;\n"
	"	values->sites[site].at = 0;\n"
	"	return first == bits;\n"
	"}\n"
	"static void computeprof_value(computeprof_pointer values, uint site, ulong bits,\n"
	"			      int zero, int silent)\n"
	"{\n"
	"	values->sites[site].count++;\n"
	"	values->sites[site].zeros += zero;\n"
	"	if (silent)\n"
	"		values->sites[site].silent++;\n"
	"	values->sites[site].same += computeprof_same(values, site, bits);\n"
	"	values->sites[site].ones |= bits;\n"
	"	values->sites[site].nulls |= ~bits;\n"
	"}\n"
	"static void computeprof_clear(computeprof_pointer values, uint site, uint number)\n"
	"{\n"
	"	values->sites[site].count = 0;\n"
	"	values->sites[site].zeros = 0;\n"
	"	values->sites[site].silent = 0;\n"
	"	values->sites[site].same = 0;\n"
	"	values->sites[site].ones = 0;\n"
	"	values->sites[site].nulls = 0;\n"
	"	values->sites[site].at = values->stripe + number * 16;\n"
	"}\n"
	"static void computeprof_put(computeprof_pointer values, uint site, uint number)\n"
	"{\n"
	"	__global uint *at = values->stripe + number * 16;\n"
	"	if (!values->sites[site].count)\n"
	"		return;\n"
	"	computeprof_add(at, values->sites[site].count);\n"
	"	computeprof_add(at + 2, values->sites[site].zeros);\n"
	"	computeprof_add(at + 4, values->sites[site].silent);\n"
	"	computeprof_add(at + 6, values->sites[site].same);\n"
	"	computeprof_set(at + 12, values->sites[site].ones);\n"
	"	computeprof_set(at + 14, values->sites[site].nulls);\n"
	"}\n";

bool counting_parse(const char *name, enum sums *sums)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(name, ways[i].name)) {
			*sums = (enum sums)i;
			return true;
		}
	return false;
}

const char *counting_name(enum sums sums)
{
	return ways[sums].name;
}

enum sums counting_choose(enum sums sums, unsigned slots)
{
	return slots > ways[sums].most ? SUMS_ACCESS : sums;
}

static void put_sums(enum sums sums, unsigned slots, struct strbuf *to)
{
	for (const char *at = of_sums; *at; at++)
		if (*at != '@')
			strbuf_char(to, *at);
		else if (*++at == 'N')
			strbuf_string(to, ways[sums].number);
		else
			strbuf_printf(to, "%u", slots);
}

/* A site's number in the changed source: its slot, or its index if there are no slots. */
static void put_numbers(const struct unit *unit, enum sums sums, struct strbuf *to)
{
	for (const struct site *site = unit->sites; site; site = site->next)
		if (site->function->used)
			strbuf_printf(to, "#define " WALKER_SITE " %u\n", site->index,
				      sums == SUMS_ACCESS ? site->index : site->slot);
}

void counting_put(const struct unit *unit, const struct counting *counting, struct strbuf *to)
{
	enum sums sums = counting->sums;

	put_numbers(unit, sums, to);
	/* The program's own functions cannot be static there. */
	strbuf_string(to, "#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ < 120\n"
			  "#define static\n#endif\n");
	strbuf_printf(to, "#define computeprof_pointer %s\n", ways[sums].pointer);
	strbuf_string(to, common);
	strbuf_printf(to,
		      "static __global uint *computeprof_stripe(__global uint *counters)\n"
		      "{\n"
		      "	size_t group = get_group_id(0) + get_num_groups(0) * (get_group_id(1) +\n"
		      "		get_num_groups(1) * get_group_id(2));\n"
		      "	return counters + (group & %u) * %u;\n"
		      "}\n",
		      counting->stripes - 1, unit->site_count * COUNTING_WORDS);
	if (sums != SUMS_ACCESS) {
		put_sums(sums, counting->slots, to);
		return;
	}
	strbuf_string(to, of_access);
}

/* One line for each site that the kernel reaches. */
static void put_sites(const struct unit *unit, const struct function *kernel, const char *function,
		      struct strbuf *to)
{
	for (const struct site *site = unit->sites; site; site = site->next)
		if (kernel->reached[site->function->index])
			strbuf_printf(to, "	computeprof_%s(values, %u, %u);\n", function,
				      site->slot, site->index);
}

static void put_begin(const struct unit *unit, const struct function *kernel, enum sums sums,
		      struct strbuf *to)
{
	strbuf_printf(
		to,
		"\nstatic void computeprof_begin_%s(computeprof_pointer values, __global uint "
		"*counters)\n{\n",
		kernel->name);
	if (sums == SUMS_WORK_GROUP)
		strbuf_string(to, "	if (get_local_id(0) | get_local_id(1) | get_local_id(2))\n"
				  "		return;\n"
				  "	values->done = 0;\n");
	strbuf_string(to, "	values->stripe = computeprof_stripe(counters);\n");
	put_sites(unit, kernel, "clear", to);
	strbuf_string(to, "}\n");
}

static void put_end(const struct unit *unit, const struct function *kernel, enum sums sums,
		    unsigned check, struct strbuf *to)
{
	strbuf_printf(to,
		      "static void computeprof_end_%s(computeprof_pointer values, __global uint "
		      "*counters)\n{\n",
		      kernel->name);
	if (sums == SUMS_WORK_GROUP)
		strbuf_printf(to,
			      "	if (++values->done != get_local_size(0) * get_local_size(1) *\n"
			      "			      get_local_size(2))\n"
			      "		return;\n"
			      "	computeprof_add(counters + %u, 1);\n",
			      check);
	put_sites(unit, kernel, "put", to);
	strbuf_string(to, "}\n");
}

void counting_put_kernel(const struct unit *unit, const struct function *kernel,
			 const struct counting *counting, struct strbuf *to)
{
	if (counting->sums == SUMS_ACCESS)
		return;
	put_begin(unit, kernel, counting->sums, to);
	put_end(unit, kernel, counting->sums, unit->site_count * counting->stripes * COUNTING_WORDS,
		to);
}

const char *counting_parameters(enum sums sums)
{
	return sums == SUMS_WORK_GROUP ? "__global uint *computeprof_counters, "
					 "__local struct computeprof_run *computeprof_local"
				       : "__global uint *computeprof_counters";
}

unsigned counting_local(enum sums sums, const struct function *kernel)
{
	return sums == SUMS_WORK_GROUP ? 16 + kernel->slots * 64 : 0;
}

void counting_put_start(const struct function *kernel, enum sums sums, struct strbuf *to)
{
	if (sums == SUMS_ACCESS)
		strbuf_string(to, " computeprof_pointer computeprof_values = "
				  "computeprof_stripe(computeprof_counters);");
	else
		strbuf_printf(
			to, "%s; computeprof_begin_%s(computeprof_values, computeprof_counters);",
			sums == SUMS_WORK_GROUP
				? " computeprof_pointer computeprof_values = computeprof_local"
				: " __private struct computeprof_run computeprof_run; "
				  "computeprof_pointer computeprof_values = &computeprof_run",
			kernel->name);
}

void counting_put_end(const struct function *kernel, enum sums sums, struct strbuf *to)
{
	if (sums != SUMS_ACCESS)
		strbuf_printf(to, " computeprof_end_%s(computeprof_values, computeprof_counters);",
			      kernel->name);
}
