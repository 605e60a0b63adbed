/* SPDX-License-Identifier: MIT */
/* Checks what call stacks of a program will have: unwind tables, frame pointers, names. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/lines.h"
#include "cli/run/elf_unwind.h"
#include "view/symbols/symbols.h"

enum {
	FEW = 50, /* percent of code with unwind tables: less is reported */
};

static int read_unwind(const char *path, struct elf_unwind *facts)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int result = file < 0 ? -1 : elf_unwind_read(file, facts);

	if (file >= 0)
		close(file);
	return result;
}

/* Returns true if most of the code has unwind tables, otherwise reports the file. */
static bool check_unwind(struct doctor *doctor, const char *path)
{
	struct elf_unwind facts;
	const char *pointers = "";

	if (read_unwind(path, &facts)) {
		doctor_say(doctor, VERDICT_NOTE,
			   "stacks: %s has unwind tables of an unknown form, or cannot be read",
			   path);
		return false;
	}
	if (facts.percent >= FEW)
		return true;
	if (facts.knows_frame_pointers)
		pointers = facts.frame_pointers ? " It seems to have them."
						: " It seems to have none.";
	doctor_say(doctor, VERDICT_NOTE,
		   "stacks: %s has unwind tables for %u %% of its code; stacks end in the rest "
		   "unless it keeps frame pointers.%s Compile it with "
		   "-fasynchronous-unwind-tables, or -fno-omit-frame-pointer",
		   path, facts.percent, pointers);
	return false;
}

/* Returns true if the folder, of `length` bytes, has the library. Sets its path. */
static bool is_in(struct strbuf *path, const char *folder, size_t length, const char *name,
		  size_t name_length)
{
	path->length = 0;
	strbuf_printf(path, "%.*s/%.*s", (int)length, folder, (int)name_length, name);
	return length && !access(strbuf_text(path), R_OK);
}

/* Finds a library in LD_LIBRARY_PATH, beside the C library, and in the usual folders. Libraries of
 * other folders (DT_RUNPATH, ld.so.cache) are not found. */
static bool find_library(struct strbuf *path, const char *name, size_t length)
{
	static const char *const folders[] = {"/lib64", "/usr/lib64", "/lib", "/usr/lib",
					      "/usr/local/lib"};
	const char *more = getenv("LD_LIBRARY_PATH"), *slash;
	Dl_info libc;

	for (; more && *more; more += strcspn(more, ":"), more += *more == ':')
		if (is_in(path, more, strcspn(more, ":"), name, length))
			return true;
	slash = dladdr((void *)(uintptr_t)&fopen, &libc) ? strrchr(libc.dli_fname, '/') : NULL;
	if (slash && is_in(path, libc.dli_fname, (size_t)(slash - libc.dli_fname), name, length))
		return true;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (is_in(path, folders[i], strlen(folders[i]), name, length))
			return true;
	return false;
}

static void check_tables(struct doctor *doctor, const char *path, const struct elf *elf)
{
	struct strbuf needed = elf->needed, library = STRBUF_INIT;
	const char *at = needed.length ? strbuf_text(&needed) : "", *line;
	bool good = check_unwind(doctor, path);
	unsigned count = 0;
	size_t length;

	while ((line = lines_next(&at, &length)))
		if (find_library(&library, line, length))
			count += check_unwind(doctor, strbuf_text(&library));
	if (good)
		doctor_say(doctor, VERDICT_OK,
			   "stacks: %s has unwind tables, and so have %u of the libraries that it "
			   "is linked with",
			   path, count);
	strbuf_free(&library);
}

/* Appends where a debug file would be found. */
static void put_debug_file(struct strbuf *to, const struct symbols_facts *facts)
{
	if (!facts->build_id_length) {
		strbuf_string(to, "it has no build id (link with -Wl,--build-id) by which a debug "
				  "file would be found");
		return;
	}
	strbuf_printf(to,
		      "install its debug package, or keep its debug information as "
		      "/usr/lib/debug/.build-id/%02x/",
		      facts->build_id[0]);
	for (size_t i = 1; i < facts->build_id_length; i++)
		strbuf_printf(to, "%02x", facts->build_id[i]);
	strbuf_string(to, ".debug (objcopy --only-keep-debug)");
}

static void say_names(struct doctor *doctor, const char *path, const struct symbols_facts *facts)
{
	struct strbuf place = STRBUF_INIT;

	put_debug_file(&place, facts);
	if (facts->lines)
		doctor_say(doctor, VERDICT_OK,
			   "names: %s has debug information%s%s: stacks show its functions, "
			   "inlined ones and lines",
			   path, facts->debug_file ? " in " : "",
			   facts->debug_file ? facts->debug_file : "");
	else if (facts->table)
		doctor_say(doctor, VERDICT_OK,
			   "names: %s has symbols: stacks show its functions; compile it with -g "
			   "for lines and inlined functions, too",
			   path);
	else
		doctor_say(doctor, VERDICT_NOTE,
			   "names: %s is stripped: stacks show its file instead of functions, "
			   "except exported ones; %s",
			   path, strbuf_text(&place));
	strbuf_free(&place);
}

static void check_names(struct doctor *doctor, const char *path)
{
	const struct symbols_file file = {.path = path, .before = UINT64_MAX};
	struct strbuf why = STRBUF_INIT;
	struct symbols *symbols = symbols_check(&why) ? NULL : symbols_open(&file, &why);
	struct symbols_facts facts;

	if (symbols) {
		symbols_describe(symbols, &facts);
		say_names(doctor, path, &facts);
	}
	symbols_close(symbols);
	strbuf_free(&why);
}

void doctor_modules(struct doctor *doctor, const char *path, const struct elf *elf)
{
	check_tables(doctor, path, elf);
	check_names(doctor, path);
}
