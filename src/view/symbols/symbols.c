/* SPDX-License-Identifier: MIT */
#include "view/symbols/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "view/symbols/debugfiles.h"
#include "view/symbols/dwarfunits.h"
#include "view/symbols/libdw.h"

enum {
	UNSIZED = 1 << 16,    /* bytes of a function without a size, at most */
	NESTED = 16,	      /* entries before an address that may have it */
	DEEP_STACK = 2 << 20, /* bytes that libdw may need */
	DEEPEST = 64,	      /* functions at an address: all but the last are inlined */
};

/* A function of the symbol table. */
struct entry {
	uint64_t address;
	uint64_t size; /* 0: not known */
	const char *name;
	bool local;
};

struct symbols {
	Dwfl *dwfl;
	Dwfl_Module *module;
	struct entry *entries; /* sorted */
	size_t count;
	struct dwarf_units *units; /* NULL: no debug information */
	Dwarf_Addr bias; /* addresses in the file less those in the debug information */
};

int symbols_check(struct strbuf *why)
{
	return libdw_open(why);
}

/* The file is given, so there is none to search for. */
static int find_no_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		       char **file, Elf **elf)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)file;
	(void)elf;
	return -1;
}

/* Only relocatable files, such as object files, have sections that are placed by the caller. The
 * file with the debug information may be one. */
static int find_no_section(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			   const char *section, GElf_Word index, const GElf_Shdr *header,
			   Dwarf_Addr *address)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)section;
	(void)index;
	(void)header;
	(void)address;
	return -1;
}

/* Returns a descriptor, or -1. */
static int open_file(const struct symbols_file *file, struct strbuf *why)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			strbuf_printf(why, "it cannot be read: %s", strerror(errno));
		return -1;
	}
	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		strbuf_string(why, "it is not a regular file");
	else if (!file->build_id_length &&
		 (uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec >
			 file->before)
		strbuf_string(why, "it was changed after the program had started");
	else
		return fd;
	close(fd);
	return -1;
}

static int check_build_id(struct symbols *symbols, const struct symbols_file *file,
			  struct strbuf *why)
{
	const unsigned char *bits;
	GElf_Addr address;
	int length;

	if (!file->build_id_length)
		return 0;
	length = libdw.dwfl_module_build_id(symbols->module, &bits, &address);
	if (length >= (int)file->build_id_length &&
	    !memcmp(bits, file->build_id, file->build_id_length))
		return 0;
	strbuf_string(why, "it is not the file of the run: it has another build id");
	return -1;
}

/* Programs and shared libraries are loaded, other files are not. */
static int check_type(struct symbols *symbols, struct strbuf *why)
{
	GElf_Addr bias;
	GElf_Ehdr header;

	if (libdw.gelf_getehdr(libdw.dwfl_module_getelf(symbols->module, &bias), &header) &&
	    (header.e_type == ET_EXEC || header.e_type == ET_DYN))
		return 0;
	strbuf_string(why, "it is neither a program nor a shared library");
	return -1;
}

static int compare(const void *left, const void *right)
{
	const struct entry *one = left, *other = right;

	if (one->address != other->address)
		return one->address < other->address ? -1 : 1;
	if (one->local != other->local)
		return one->local ? -1 : 1;
	return strcmp(other->name, one->name);
}

static bool is_function(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* Of several names of an address, the last one is used: a global one that is first by name. */
static int read_entries(struct symbols *symbols)
{
	int count = libdw.dwfl_module_getsymtab(symbols->module);

	symbols->entries = count > 0 ? calloc((size_t)count, sizeof(*symbols->entries)) : NULL;
	if (!symbols->entries)
		return count > 0 ? -1 : 0;
	for (int i = 1; i < count; i++) {
		struct entry *entry = &symbols->entries[symbols->count];
		GElf_Sym symbol;
		GElf_Addr address;

		entry->name = libdw.dwfl_module_getsym_info(symbols->module, i, &symbol, &address,
							    NULL, NULL, NULL);
		if (!entry->name || !*entry->name || !is_function(&symbol))
			continue;
		entry->address = address;
		entry->size = symbol.st_size;
		entry->local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
		symbols->count++;
	}
	qsort(symbols->entries, symbols->count, sizeof(*symbols->entries), compare);
	return 0;
}

/* The descriptor is closed, now or by dwfl_end. In a path with .. libdw would look below
 * /usr/lib/debug/.., which is anywhere. */
static int report_file(struct symbols *symbols, const char *path, int fd)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = find_no_elf,
		.find_debuginfo = debug_files_find,
		.section_address = find_no_section,
	};
	char *whole = strstr(path, "/../") ? realpath(path, NULL) : NULL;

	symbols->dwfl = libdw.dwfl_begin(&callbacks);
	if (symbols->dwfl) {
		libdw.dwfl_report_begin(symbols->dwfl);
		symbols->module =
			libdw.dwfl_report_elf(symbols->dwfl, "", whole ? whole : path, fd, 0, true);
		libdw.dwfl_report_end(symbols->dwfl, NULL, NULL);
	}
	free(whole);
	if (symbols->module)
		return 0;
	close(fd);
	return -1;
}

static void read_units(struct symbols *symbols, const char *path)
{
	Dwarf *dwarf = libdw.dwfl_module_getdwarf(symbols->module, &symbols->bias);
	const char *debug = NULL;

	if (!dwarf)
		return;
	libdw.dwfl_module_info(symbols->module, NULL, NULL, NULL, NULL, NULL, NULL, &debug);
	if (debug)
		path = debug;
	if (debug_files_check_shared(dwarf, path))
		symbols->units = dwarf_units_new(dwarf, path);
}

struct symbols *symbols_open(const struct symbols_file *file, struct strbuf *why)
{
	struct symbols *symbols;
	int fd = open_file(file, why);

	if (fd < 0)
		return NULL;
	symbols = calloc(1, sizeof(*symbols));
	if (!symbols) {
		close(fd);
		strbuf_string(why, "there is no memory for it");
		return NULL;
	}
	if (report_file(symbols, file->path, fd)) {
		strbuf_string(why, "it is not an ELF file");
		goto fail;
	}
	if (check_type(symbols, why) || check_build_id(symbols, file, why))
		goto fail;
	read_units(symbols, file->path);
	if (!read_entries(symbols))
		return symbols;
	strbuf_string(why, "there is no memory for its symbols");
fail:
	symbols_close(symbols);
	return NULL;
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	dwarf_units_free(symbols->units);
	free(symbols->entries);
	if (symbols->dwfl)
		libdw.dwfl_end(symbols->dwfl);
	free(symbols);
}

/* Returns true if the file has a section of this type. */
static bool has_section(Elf *elf, uint32_t type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = libdw.elf_nextscn(elf, section)))
		if (libdw.gelf_getshdr(section, &header) && header.sh_type == type)
			return true;
	return false;
}

void symbols_describe(struct symbols *symbols, struct symbols_facts *facts)
{
	const char *debug = NULL;
	GElf_Addr address;
	int length;

	*facts = (struct symbols_facts){.lines = symbols->units != NULL};
	libdw.dwfl_module_info(symbols->module, NULL, NULL, NULL, NULL, NULL, NULL, &debug);
	facts->debug_file = debug;
	facts->table = debug ||
		       has_section(libdw.dwfl_module_getelf(symbols->module, &address), SHT_SYMTAB);
	length = libdw.dwfl_module_build_id(symbols->module, &facts->build_id, &address);
	facts->build_id_length = length > 0 ? (size_t)length : 0;
}

/* Returns the function of the symbol table, or NULL. */
static const char *entry_name(const struct symbols *symbols, uint64_t address)
{
	const struct entry *entry = symbols->entries;
	size_t first = 0, end = symbols->count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (entry[middle].address <= address)
			first = middle + 1;
		else
			end = middle;
	}
	for (size_t tries = 0; first && tries < NESTED; first--, tries++) {
		const struct entry *at = &entry[first - 1];
		uint64_t distance = address - at->address;

		if (distance < at->size || (!at->size && !tries && distance < UNSIZED))
			return at->name;
	}
	return NULL;
}

/* Arguments and result of dwarf_units_find. */
struct lookup {
	struct dwarf_units *units;
	uint64_t address;
	struct symbol *found;
	size_t room;
	size_t count;
};

static void *look_up(void *argument)
{
	struct lookup *lookup = argument;

	lookup->count = dwarf_units_find(lookup->units, lookup->address, lookup->found,
					 lookup->room);
	return NULL;
}

static bool is_stack_small(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < DEEP_STACK;
}

/* libdw reads tables of lines into arrays on the stack. Under a small limit (ulimit -s 128) these
 * need a thread, whose stack is not limited; without one there are no lines. */
static void look_up_on_large_stack(struct lookup *lookup)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (pthread_attr_init(&attributes))
		return;
	if (!pthread_attr_setstacksize(&attributes, DEEP_STACK) &&
	    !pthread_create(&thread, &attributes, look_up, lookup))
		pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
}

static size_t find_in_units(struct symbols *symbols, uint64_t address, struct symbol *found,
			    size_t room)
{
	struct lookup lookup = {.units = symbols->units,
				.address = address - symbols->bias,
				.found = found,
				.room = room};

	if (is_stack_small())
		look_up_on_large_stack(&lookup);
	else
		look_up(&lookup);
	return lookup.count;
}

static bool is_known(const struct symbol *symbol)
{
	return symbol->function || symbol->line;
}

/* What is found does not depend on `room`: functions that do not fit are outer ones. */
size_t symbols_find(struct symbols *symbols, uint64_t address, struct symbol *found, size_t room)
{
	struct symbol all[DEEPEST];
	size_t count = symbols->units ? find_in_units(symbols, address, all, DEEPEST) : 0;
	size_t first = 0;

	if (!count)
		all[count++] = (struct symbol){0};
	if (!all[count - 1].function)
		all[count - 1].function = entry_name(symbols, address);
	while (first < count && !is_known(&all[first]))
		first++;
	count = count - first < room ? count - first : room;
	memcpy(found, all + first, count * sizeof(*found));
	return count;
}
