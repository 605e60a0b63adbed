/* SPDX-License-Identifier: MIT */
/* What counts, in OpenCL C 1.1. doc/REWRITE has the layout of the counters. */
#include "rewrite/accessors.h"

#include <string.h>

static const char common[] =
	"static void computeprof_add(volatile __global uint *at)\n"
	"{\n"
	"	if (atomic_inc(at) == 0xffffffffu)\n"
	"		atomic_inc(at + 1);\n"
	"}\n"
	"static void computeprof_set(volatile __global uint *at, uint bits)\n"
	"{\n"
	"	if ((*at & bits) != bits)\n"
	"		atomic_or(at, bits);\n"
	"}\n"
	"static void computeprof_count(volatile __global uint *values, uint site)\n"
	"{\n"
	"	computeprof_add(values + site * 16);\n"
	"}\n"
	"static int computeprof_first(volatile __global uint *at, uint low, uint high)\n"
	"{\n"
	"	uint state = at[10];\n"
	"	if (state == 0 && atomic_cmpxchg(at + 10, 0u, 1u) == 0) {\n"
	"		at[8] = low;\n"
	"		at[9] = high;\n"
	"		mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
	"		atomic_xchg(at + 10, 2u);\n"
	"		return 1;\n"
	"	}\n"
	"	mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
	"	return state == 2 && at[8] == low && at[9] == high;\n"
	"}\n"
	"static void computeprof_value(volatile __global uint *values, uint site, ulong bits,\n"
	"			      int zero, int silent)\n"
	"{\n"
	"	volatile __global uint *at = values + site * 16;\n"
	"	uint low = (uint)bits, high = (uint)(bits >> 32);\n"
	"	computeprof_add(at);\n"
	"	if (zero)\n"
	"		computeprof_add(at + 2);\n"
	"	if (silent)\n"
	"		computeprof_add(at + 4);\n"
	"	if (computeprof_first(at, low, high))\n"
	"		computeprof_add(at + 6);\n"
	"	computeprof_set(at + 12, low);\n"
	"	computeprof_set(at + 13, high);\n"
	"	computeprof_set(at + 14, ~low);\n"
	"	computeprof_set(at + 15, ~high);\n"
	"}\n";

/* @T is the type, @W the type of a word of its bits, @N their number, @V an expression of the value
 * v without padding, and @P its type. */
static const char of_type[] =
	"static ulong computeprof_bits_@T(@T v, int *zero)\n"
	"{\n"
	"	@P w = @V;\n"
	"	__private @W *words = (__private @W *)&w;\n"
	"	ulong bits = 0, all = 0;\n"
	"	for (int i = 0; i < @N; i++) {\n"
	"		bits = rotate(bits * 0x9e3779b97f4a7c15UL, (ulong)23) ^ words[i];\n"
	"		all |= words[i];\n"
	"	}\n"
	"	*zero = all == 0;\n"
	"	return bits;\n"
	"}\n"
	"static void computeprof_note_@T(volatile __global uint *values, uint site, @T from, @T "
	"to)\n"
	"{\n"
	"	int zero;\n"
	"	ulong old = computeprof_bits_@T(from, &zero);\n"
	"	ulong bits = computeprof_bits_@T(to, &zero);\n"
	"	computeprof_value(values, site, bits, zero, bits == old);\n"
	"}\n"
	"static @T computeprof_load_@T(volatile __global uint *values, uint site,\n"
	"	const volatile __global @T *from)\n"
	"{\n"
	"	@T v = *from;\n"
	"	int zero;\n"
	"	ulong bits = computeprof_bits_@T(v, &zero);\n"
	"	computeprof_value(values, site, bits, zero, 0);\n"
	"	return v;\n"
	"}\n"
	"static @T computeprof_store_@T(volatile __global uint *values, uint site,\n"
	"	volatile __global @T *to, @T v)\n"
	"{\n"
	"	computeprof_note_@T(values, site, *to, v);\n"
	"	*to = v;\n"
	"	return v;\n"
	"}\n"
	"static @T computeprof_step_@T(volatile __global uint *values, uint from, uint to,\n"
	"	volatile __global @T *at, int up, int post)\n"
	"{\n"
	"	@T old = computeprof_load_@T(values, from, at);\n"
	"	@T new = up ? old + (@T)1 : old - (@T)1;\n"
	"	computeprof_store_@T(values, to, at, new);\n"
	"	return post ? old : new;\n"
	"}\n";

/* Only of vectors. @E is the type of an element, @C the number of elements. */
static const char of_vector[] =
	"static @T computeprof_vload_@T(volatile __global uint *values, uint site, size_t at,\n"
	"	const __global @E *from)\n"
	"{\n"
	"	@T v = vload@C(at, from);\n"
	"	int zero;\n"
	"	ulong bits = computeprof_bits_@T(v, &zero);\n"
	"	computeprof_value(values, site, bits, zero, 0);\n"
	"	return v;\n"
	"}\n"
	"static void computeprof_vstore_@T(volatile __global uint *values, uint site, @T v,\n"
	"	size_t at, __global @E *to)\n"
	"{\n"
	"	computeprof_note_@T(values, site, vload@C(at, to), v);\n"
	"	vstore@C(v, at, to);\n"
	"}\n";

static const char *word_name(unsigned size)
{
	return size == 1 ? "uchar" : size == 2 ? "ushort" : size == 4 ? "uint" : "ulong";
}

static void put_value(const struct value_type *type, struct strbuf *to)
{
	if (type->elements == 3)
		strbuf_printf(to, "(%s4)(v, (%s)0)", type->scalar, type->scalar);
	else
		strbuf_string(to, "v");
}

static void put_word(const struct value_type *type, char which, struct strbuf *to)
{
	switch (which) {
	case 'T':
		strbuf_string(to, type->name);
		break;
	case 'P':
		strbuf_printf(to, type->elements == 3 ? "%s4" : "%s",
			      type->elements == 3 ? type->scalar : type->name);
		break;
	case 'W':
		strbuf_string(to, word_name(type->size));
		break;
	case 'E':
		strbuf_string(to, type->scalar);
		break;
	case 'C':
		strbuf_printf(to, "%u", type->elements);
		break;
	case 'N':
		strbuf_printf(to, "%u", type->size > 8 ? type->size / 8 : 1);
		break;
	default:
		put_value(type, to);
		break;
	}
}

static void put_type(const struct value_type *type, const char *text, struct strbuf *to)
{
	for (const char *at = text; *at; at++)
		if (*at == '@')
			put_word(type, *++at, to);
		else
			strbuf_char(to, *at);
}

static bool has(const struct unit *unit, const char *scalar)
{
	for (const struct value_type *type = unit->types; type; type = type->next)
		if (!strcmp(type->scalar, scalar))
			return true;
	return false;
}

void accessors_put(const struct unit *unit, unsigned stripes, struct strbuf *to)
{
	if (has(unit, "double"))
		strbuf_string(to, "#ifdef cl_khr_fp64\n"
				  "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
				  "#endif\n");
	if (has(unit, "half"))
		strbuf_string(to, "#ifdef cl_khr_fp16\n"
				  "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
				  "#endif\n");
	strbuf_string(to, common);
	strbuf_printf(to,
		      "static __global uint *computeprof_stripe(__global uint *values)\n"
		      "{\n"
		      "	size_t group = get_group_id(0) + get_num_groups(0) * (get_group_id(1) +\n"
		      "		get_num_groups(1) * get_group_id(2));\n"
		      "	return values + (group & %u) * %u;\n"
		      "}\n",
		      stripes - 1, unit->site_count * ACCESSORS_WORDS);
	for (const struct value_type *type = unit->types; type; type = type->next)
		put_type(type, of_type, to);
	for (const struct value_type *type = unit->types; type; type = type->next)
		if (type->elements > 1)
			put_type(type, of_vector, to);
}
