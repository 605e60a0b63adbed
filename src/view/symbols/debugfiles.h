/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SYMBOLS_DEBUGFILES_H
#define VIEW_SYMBOLS_DEBUGFILES_H

#include <stdbool.h>

#include "view/symbols/libdw.h"

/*
 * An ELF file names other files with its debug information, and libdw opens them as they are: it
 * would block forever on a FIFO. So names are checked first. `file` is the path of the ELF file.
 */

/* As dwfl_standard_find_debuginfo, for struct Dwfl_Callbacks. Finds none if one of the names is not
 * that of a regular file. */
int debug_files_find(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		     const char *file, const char *link, GElf_Word checksum, char **found);

/* Returns false if something that is not a regular file has the name of the file that several files
 * share (.gnu_debugaltlink). */
bool debug_files_check_shared(Dwarf *dwarf, const char *file);

/* The same for the file that has the rest of the unit (.dwo, .dwp). */
bool debug_files_check_split(Dwarf_Die *unit, const char *file);

#endif
