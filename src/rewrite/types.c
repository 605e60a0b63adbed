/* SPDX-License-Identifier: MIT */
#include "rewrite/types.h"

#include <string.h>

static const struct {
	enum CXTypeKind kind;
	const char *name;
} scalars[] = {
	{CXType_Char_S, "char"}, {CXType_Char_U, "char"}, {CXType_SChar, "char"},
	{CXType_UChar, "uchar"}, {CXType_Short, "short"}, {CXType_UShort, "ushort"},
	{CXType_Int, "int"},	 {CXType_UInt, "uint"},	  {CXType_Long, "long"},
	{CXType_ULong, "ulong"}, {CXType_Float, "float"}, {CXType_Double, "double"},
	{CXType_Half, "half"},
};

static const char *scalar_name(enum CXTypeKind kind)
{
	for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++)
		if (scalars[i].kind == kind)
			return scalars[i].name;
	return NULL;
}

const struct value_type *types_find(struct unit *unit, CXType type)
{
	CXType canonical = clang_getCanonicalType(type), element = canonical;
	struct value_type *result = unit->types;
	const char *scalar;
	unsigned elements = 1;

	if (canonical.kind == CXType_ExtVector) {
		element = clang_getCanonicalType(clang_getElementType(canonical));
		elements = (unsigned)clang_getNumElements(canonical);
	}
	scalar = scalar_name(element.kind);
	if (!scalar)
		return NULL;
	while (result && (strcmp(result->scalar, scalar) || result->elements != elements))
		result = result->next;
	if (result)
		return result;
	result = arena_take(unit->arena, sizeof(*result));
	result->scalar = scalar;
	result->elements = elements;
	result->name = elements > 1 ? arena_print(unit->arena, "%s%u", scalar, elements) : scalar;
	result->size = (unsigned)clang_Type_getSizeOf(canonical);
	result->next = unit->types;
	unit->types = result;
	return result;
}

const char *types_name(struct unit *unit, CXType type)
{
	static const char *const qualifiers[] = {"__global ", "const ", "volatile ", "restrict "};
	const struct value_type *value = types_find(unit, type);
	CXString spelling;
	const char *name;

	if (value)
		return value->name;
	spelling = clang_getTypeSpelling(type);
	name = arena_print(unit->arena, "%s", clang_getCString(spelling));
	clang_disposeString(spelling);
	for (size_t i = 0; i < sizeof(qualifiers) / sizeof(qualifiers[0]); i++)
		if (!strncmp(name, qualifiers[i], strlen(qualifiers[i]))) {
			name += strlen(qualifiers[i]);
			i = (size_t)-1;
		}
	return name;
}
