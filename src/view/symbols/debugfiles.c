/* SPDX-License-Identifier: MIT */
#include "view/symbols/debugfiles.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"

#define ROOT "/usr/lib/debug/"

/* Returns true if there is a regular file, or none. */
static bool is_regular(const char *folder, size_t length, const char *below, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	struct stat status;
	bool regular;

	strbuf_append(&path, folder, length);
	strbuf_string(&path, below);
	strbuf_string(&path, name);
	regular = stat(strbuf_text(&path), &status) || S_ISREG(status.st_mode);
	strbuf_free(&path);
	return regular;
}

/* Everywhere where libdw looks for the name. */
static bool is_regular_anywhere(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	size_t length = slash ? (size_t)(slash - file) + 1 : 0;
	struct strbuf folder = STRBUF_INIT;
	bool regular;

	strbuf_append(&folder, file, length);
	regular = is_regular("", 0, "", name) && is_regular(file, length, "", name) &&
		  is_regular(file, length, ".debug/", name) && is_regular(ROOT, 15, "", name) &&
		  is_regular(ROOT, 15, strbuf_text(&folder), name);
	strbuf_free(&folder);
	return regular;
}

/* Without a link libdw looks for the file's own name, and that with .debug. */
static bool is_regular_own(const char *file)
{
	const char *slash = strrchr(file, '/'), *own = slash ? slash + 1 : file;
	struct strbuf name = STRBUF_INIT;
	bool regular;

	strbuf_string(&name, own);
	strbuf_string(&name, ".debug");
	regular = is_regular_anywhere(file, own) && is_regular_anywhere(file, strbuf_text(&name));
	strbuf_free(&name);
	return regular;
}

int debug_files_find(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		     const char *file, const char *link, GElf_Word checksum, char **found)
{
	const char *path = file;
	bool regular;

	if (!path)
		dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &path, NULL);
	if (!path)
		return -1;
	/* The name of .gnu_debuglink has no folder, that of .gnu_debugaltlink may have one. */
	if (link)
		regular = !(file && strchr(link, '/')) && is_regular_anywhere(path, link);
	else
		regular = is_regular_own(path);
	if (!regular)
		return -1;
	return dwfl_standard_find_debuginfo(module, data, name, base, file, link, checksum, found);
}

bool debug_files_check_shared(Dwarf *dwarf, const char *file)
{
	const char *name;
	const void *id;

	return dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) <= 0 ||
	       is_regular_anywhere(file, name);
}

static const char *text_of(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute value;

	return dwarf_attr(die, attribute, &value) ? dwarf_formstring(&value) : NULL;
}

bool debug_files_check_split(Dwarf_Die *unit, const char *file)
{
	const char *name = text_of(unit, DW_AT_dwo_name), *folder = text_of(unit, DW_AT_comp_dir);

	if (!name)
		name = text_of(unit, DW_AT_GNU_dwo_name);
	return is_regular(file, strlen(file), "", ".dwp") &&
	       (!name || (is_regular_anywhere(file, name) &&
			  (!folder || is_regular(folder, strlen(folder), "/", name))));
}
