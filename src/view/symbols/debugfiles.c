/* SPDX-License-Identifier: MIT */
#include "view/symbols/debugfiles.h"

#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "view/symbols/libdw.h"

#define ROOT "/usr/lib/debug/"

/* What has been seen at the places where libdw looks for a file. */
struct places {
	bool found; /* a regular file */
	bool odd;   /* something else */
};

static void look_at(struct places *places, const char *folder, size_t length, const char *below,
		    size_t below_length, const char *name)
{
	char path[PATH_MAX];
	struct stat status;
	int size = snprintf(path, sizeof(path), "%.*s%.*s%s", (int)length, folder,
			    (int)below_length, below, name);

	if (size < 0 || size >= PATH_MAX || stat(path, &status))
		return;
	if (S_ISREG(status.st_mode))
		places->found = true;
	else
		places->odd = true;
}

/* Below /usr/lib/debug, without one folder after the other of those at the path's beginning. */
static void look_below_root(struct places *places, const char *file, size_t length,
			    const char *name)
{
	for (const char *at = file; at < file + length; at++)
		if (at == file || at[-1] == '/')
			look_at(places, ROOT, sizeof(ROOT) - 1, at, length - (size_t)(at - file),
				name);
	look_at(places, ROOT, sizeof(ROOT) - 1, "", 0, name);
}

/* Everywhere where libdw looks for the name, but beside the file. */
static void look_elsewhere(struct places *places, const char *file, const char *name)
{
	static const char hidden[] = ".debug/";
	const char *slash = strrchr(file, '/');
	size_t length = slash ? (size_t)(slash - file) + 1 : 0;

	look_at(places, file, length, hidden, sizeof(hidden) - 1, name);
	look_below_root(places, file, length, name);
}

static void look_beside(struct places *places, const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');

	look_at(places, "", 0, "", 0, name);
	look_at(places, file, slash ? (size_t)(slash - file) + 1 : 0, "", 0, name);
}

static bool is_regular_anywhere(const char *file, const char *name)
{
	struct places places = {0};

	look_beside(&places, file, name);
	look_elsewhere(&places, file, name);
	return !places.odd;
}

static bool is_regular(const char *folder, const char *below, const char *name)
{
	struct places places = {0};

	look_at(&places, folder, strlen(folder), below, strlen(below), name);
	return !places.odd;
}

/* Without a link libdw looks for the file's own name, and that with .debug. Beside the file, the
 * own name is the file itself. */
static void look_for_own(struct places *places, const char *file)
{
	const char *slash = strrchr(file, '/'), *own = slash ? slash + 1 : file;
	struct strbuf name = STRBUF_INIT;
	struct places itself = {0};

	strbuf_string(&name, own);
	strbuf_string(&name, ".debug");
	look_beside(&itself, file, own);
	look_elsewhere(places, file, own);
	look_beside(places, file, strbuf_text(&name));
	look_elsewhere(places, file, strbuf_text(&name));
	places->odd |= itself.odd;
	strbuf_free(&name);
}

static void look_for_build_id(struct places *places, Dwfl_Module *module)
{
	struct strbuf path = STRBUF_INIT;
	const unsigned char *bits;
	GElf_Addr address;
	int length = libdw.dwfl_module_build_id(module, &bits, &address);

	if (length <= 1)
		return;
	strbuf_string(&path, ROOT ".build-id/");
	for (int i = 0; i < length; i++)
		strbuf_printf(&path, i == 1 ? "/%02x" : "%02x", bits[i]);
	strbuf_string(&path, ".debug");
	look_at(places, "", 0, "", 0, strbuf_text(&path));
	strbuf_free(&path);
}

/* In the folders of the path, and in those of the path without symbolic links. */
static void look_for_all(struct places *places, const char *path, const char *link)
{
	char *whole = realpath(path, NULL);
	const char *paths[] = {path, whole && strcmp(whole, path) ? whole : NULL};

	for (size_t i = 0; i < 2 && paths[i]; i++) {
		if (!link) {
			look_for_own(places, paths[i]);
			continue;
		}
		look_beside(places, paths[i], link);
		look_elsewhere(places, paths[i], link);
	}
	free(whole);
}

/* libdw loads the client of debuginfod, with 26 libraries, for a file that is nowhere. */
static bool has_server(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && *urls;
}

int debug_files_find(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		     const char *file, const char *link, GElf_Word checksum, char **found)
{
	/* The file of .gnu_debugaltlink has no checksum, and a build id of its own. */
	bool is_shared = link && !checksum;
	struct places places = {0};
	const char *path = file;

	if (!path)
		libdw.dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &path, NULL);
	/* The name of .gnu_debuglink has no folder, that of .gnu_debugaltlink may have one. */
	if (!path || (link && file && strchr(link, '/')))
		return -1;
	look_for_all(&places, path, link);
	look_for_build_id(&places, module);
	if (places.odd || (!places.found && !is_shared && !has_server()))
		return -1;
	return libdw.dwfl_standard_find_debuginfo(module, data, name, base, file, link, checksum,
						  found);
}

bool debug_files_check_shared(Dwarf *dwarf, const char *file)
{
	const char *name;
	const void *id;

	return libdw.dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) <= 0 ||
	       is_regular_anywhere(file, name);
}

static const char *text_of(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute value;

	return libdw.dwarf_attr(die, attribute, &value) ? libdw.dwarf_formstring(&value) : NULL;
}

bool debug_files_check_split(Dwarf_Die *unit, const char *file)
{
	const char *name = text_of(unit, DW_AT_dwo_name), *folder = text_of(unit, DW_AT_comp_dir);

	if (!name)
		name = text_of(unit, DW_AT_GNU_dwo_name);
	return is_regular(file, "", ".dwp") &&
	       (!name ||
		(is_regular_anywhere(file, name) && (!folder || is_regular(folder, "/", name))));
}
