/* SPDX-License-Identifier: MIT */
#include "view/symbols/dwarfunits.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "view/symbols/debugfiles.h"
#include "view/symbols/intervals.h"
#include "view/symbols/libdw.h"

enum {
	UNITS = 1 << 20,  /* at most */
	RANGES = 1 << 20, /* of one DIE, at most */
	DEPTH = 64,	  /* of DIEs, at most */
};

/* A DIE with code: a function, or one that is inlined. Its intervals have its index. */
struct scope {
	Dwarf_Die die;
	bool inlined;
};

struct unit {
	Dwarf_Die die;
	bool loaded;
	struct intervals code;
	struct scope *scopes;
	size_t count, room;
	/* Offset of the DIE that was read last. In a valid file the next one is behind it; in a
	 * hostile one DIEs may be linked in circles. */
	Dwarf_Off last;
};

struct dwarf_units {
	struct unit *list;
	size_t count, room;
	struct intervals ranges; /* of the units */
};

static int add_ranges(struct intervals *to, Dwarf_Die *die, uint32_t item)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	for (int i = 0; i < RANGES && (at = libdw.dwarf_ranges(die, at, &base, &low, &high)) > 0;
	     i++)
		if (intervals_add(to, low, high, item))
			return -1;
	return 0;
}

static int add_unit(struct dwarf_units *units, const Dwarf_Die *die)
{
	if (units->count == units->room) {
		size_t room = units->room ? 2 * units->room : 64;
		struct unit *list = realloc(units->list, room * sizeof(*list));

		if (!list)
			return -1;
		units->list = list;
		units->room = room;
	}
	units->list[units->count] = (struct unit){.die = *die};
	units->count++;
	return add_ranges(&units->ranges, &units->list[units->count - 1].die,
			  (uint32_t)units->count - 1);
}

/* The DIEs of a skeleton are in a file of their own. */
static bool find_split(Dwarf_Die *die, const char *file, Dwarf_Die *split)
{
	return debug_files_check_split(die, file) &&
	       !libdw.dwarf_cu_info(die->cu, NULL, NULL, NULL, split, NULL, NULL, NULL) &&
	       libdw.dwarf_tag(split) != DW_TAG_invalid;
}

struct dwarf_units *dwarf_units_new(Dwarf *dwarf, const char *file)
{
	struct dwarf_units *units = calloc(1, sizeof(*units));
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	while (units && units->count < UNITS &&
	       !libdw.dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, NULL)) {
		bool is_split = type == DW_UT_skeleton && find_split(&die, file, &split);

		if (add_unit(units, is_split ? &split : &die)) {
			dwarf_units_free(units);
			return NULL;
		}
	}
	if (units)
		intervals_sort(&units->ranges);
	return units;
}

void dwarf_units_free(struct dwarf_units *units)
{
	for (size_t i = 0; units && i < units->count; i++) {
		intervals_free(&units->list[i].code);
		free(units->list[i].scopes);
	}
	if (!units)
		return;
	intervals_free(&units->ranges);
	free(units->list);
	free(units);
}

static int add_scope(struct unit *unit, Dwarf_Die *die, bool inlined)
{
	size_t before = unit->code.count;

	if (unit->count == unit->room) {
		size_t room = unit->room ? 2 * unit->room : 256;
		struct scope *scopes = realloc(unit->scopes, room * sizeof(*scopes));

		if (!scopes)
			return -1;
		unit->scopes = scopes;
		unit->room = room;
	}
	unit->scopes[unit->count] = (struct scope){.die = *die, .inlined = inlined};
	if (add_ranges(&unit->code, die, (uint32_t)unit->count))
		return -1;
	unit->count += unit->code.count > before; /* not one without code */
	return 0;
}

/* Returns true if functions may be below DIEs of this kind. */
static bool has_functions(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* Adds the functions below a DIE, outer ones first. Returns -1 without memory. */
static int read_children(struct unit *unit, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;
	int found = libdw.dwarf_child(parent, &die);

	for (; !found && libdw.dwarf_dieoffset(&die) > unit->last;
	     found = libdw.dwarf_siblingof(&die, &die)) {
		int tag = libdw.dwarf_tag(&die);
		bool inlined = tag == DW_TAG_inlined_subroutine;

		unit->last = libdw.dwarf_dieoffset(&die);
		if ((inlined || tag == DW_TAG_subprogram) && add_scope(unit, &die, inlined))
			return -1;
		if (depth < DEPTH && has_functions(tag) && read_children(unit, &die, depth + 1))
			return -1;
	}
	return 0;
}

static struct unit *unit_of(struct dwarf_units *units, uint64_t address)
{
	const struct interval *range = intervals_find(&units->ranges, address);
	struct unit *unit = range ? &units->list[range->item] : NULL;

	if (!unit || unit->loaded)
		return unit;
	unit->loaded = true;
	unit->last = libdw.dwarf_dieoffset(&unit->die);
	if (read_children(unit, &unit->die, 0))
		intervals_free(&unit->code); /* lines are found without it */
	intervals_sort(&unit->code);
	return unit;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;

	if (libdw.dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    libdw.dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		name = libdw.dwarf_formstring(&attribute);
	return name ? name : libdw.dwarf_diename(die);
}

static uint64_t number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!libdw.dwarf_attr(die, name, &attribute) || libdw.dwarf_formudata(&attribute, &value))
		return 0;
	return value;
}

/* The place in the caller from which a function is inlined. File 0 is one from DWARF 5 on; before,
 * libdw names it "???". */
static void put_call(struct symbol *to, struct unit *unit, Dwarf_Die *inlined)
{
	uint64_t file = number_of(inlined, DW_AT_call_file);
	Dwarf_Files *files;
	size_t count;

	to->line = (uint32_t)number_of(inlined, DW_AT_call_line);
	to->file = NULL;
	if (libdw.dwarf_hasattr(inlined, DW_AT_call_file) &&
	    !libdw.dwarf_getsrcfiles(&unit->die, &files, &count) && file < count)
		to->file = libdw.dwarf_filesrc(files, file, NULL, NULL);
	if (to->file && !strcmp(to->file, "???"))
		to->file = NULL;
}

static void put_line(struct symbol *to, struct unit *unit, uint64_t address)
{
	Dwarf_Line *line = libdw.dwarf_getsrc_die(&unit->die, address);
	int number = 0;

	if (!line || libdw.dwarf_lineno(line, &number) || number < 0)
		return;
	to->line = (uint32_t)number;
	to->file = libdw.dwarf_linesrc(line, NULL, NULL);
}

size_t dwarf_units_find(struct dwarf_units *units, uint64_t address, struct symbol *found,
			size_t room)
{
	struct unit *unit = unit_of(units, address);
	const struct interval *at = unit ? intervals_find(&unit->code, address) : NULL;
	struct symbol next = {0};
	size_t count = 0;

	if (!unit)
		return 0;
	put_line(&next, unit, address);
	for (; at && count < room; at = intervals_around(&unit->code, at, address)) {
		struct scope *scope = &unit->scopes[at->item];

		next.function = name_of(&scope->die);
		found[count++] = next;
		if (!scope->inlined)
			return count;
		put_call(&next, unit, &scope->die);
	}
	if (count || (!next.file && !next.line) || !room)
		return count;
	found[0] = next; /* a line without a function, as of assembly */
	return 1;
}
