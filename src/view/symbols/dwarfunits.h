/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SYMBOLS_DWARFUNITS_H
#define VIEW_SYMBOLS_DWARFUNITS_H

#include "view/symbols/libdw.h"
#include "view/symbols/symbols.h"

/* The compilation units of one file's debug information, for symbols.c. */
struct dwarf_units;

/* `dwarf` must stay valid; `file` is its path. Returns NULL without memory. */
struct dwarf_units *dwarf_units_new(Dwarf *dwarf, const char *file);
void dwarf_units_free(struct dwarf_units *units);

/* As symbols_find, for an address in the debug information. */
size_t dwarf_units_find(struct dwarf_units *units, uint64_t address, struct symbol *found,
			size_t room);

#endif
