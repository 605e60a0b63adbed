/* SPDX-License-Identifier: MIT */
/* Loads and stores that are counted (counting.h), in OpenCL C 1.1. */
#include "rewrite/accessors.h"

#include <string.h>

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
	"static void computeprof_note_@T(computeprof_pointer values, uint site, @T from, @T "
	"to)\n"
	"{\n"
	"	int zero;\n"
	"	ulong old = computeprof_bits_@T(from, &zero);\n"
	"	ulong bits = computeprof_bits_@T(to, &zero);\n"
	"	computeprof_value(values, site, bits, zero, bits == old);\n"
	"}\n"
	"static @T computeprof_load_@T(computeprof_pointer values, uint site,\n"
	"	const volatile __global @T *from)\n"
	"{\n"
	"	@T v = *from;\n"
	"	int zero;\n"
	"	ulong bits = computeprof_bits_@T(v, &zero);\n"
	"	computeprof_value(values, site, bits, zero, 0);\n"
	"	return v;\n"
	"}\n"
	"static @T computeprof_store_@T(computeprof_pointer values, uint site,\n"
	"	volatile __global @T *to, @T v)\n"
	"{\n"
	"	computeprof_note_@T(values, site, *to, v);\n"
	"	*to = v;\n"
	"	return v;\n"
	"}\n"
	"static @T computeprof_step_@T(computeprof_pointer values, uint from, uint to,\n"
	"	volatile __global @T *at, int up, int post)\n"
	"{\n"
	"	@T old = computeprof_load_@T(values, from, at);\n"
	"	@T new = up ? old + (@T)1 : old - (@T)1;\n"
	"	computeprof_store_@T(values, to, at, new);\n"
	"	return post ? old : new;\n"
	"}\n";

/* Only of vectors. @E is the type of an element, @C the number of elements. */
static const char of_vector[] =
	"static @T computeprof_vload_@T(computeprof_pointer values, uint site, size_t at,\n"
	"	const __global @E *from)\n"
	"{\n"
	"	@T v = vload@C(at, from);\n"
	"	int zero;\n"
	"	ulong bits = computeprof_bits_@T(v, &zero);\n"
	"	computeprof_value(values, site, bits, zero, 0);\n"
	"	return v;\n"
	"}\n"
	"static void computeprof_vstore_@T(computeprof_pointer values, uint site, @T v,\n"
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

void accessors_put_extensions(const struct unit *unit, struct strbuf *to)
{
	if (has(unit, "double"))
		strbuf_string(to, "#ifdef cl_khr_fp64\n"
				  "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
				  "#endif\n");
	if (has(unit, "half"))
		strbuf_string(to, "#ifdef cl_khr_fp16\n"
				  "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
				  "#endif\n");
}

void accessors_put(const struct unit *unit, struct strbuf *to)
{
	for (const struct value_type *type = unit->types; type; type = type->next)
		put_type(type, of_type, to);
	for (const struct value_type *type = unit->types; type; type = type->next)
		if (type->elements > 1)
			put_type(type, of_vector, to);
}
