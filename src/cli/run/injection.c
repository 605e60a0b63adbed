/* SPDX-License-Identifier: MIT */
#include "cli/run/injection.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/library.h"
#include "cli/run/elf.h"
#include "settings/environ.h"

static void add(struct strbuf *to, size_t start, const char *entry, size_t length)
{
	if (to->length > start)
		strbuf_char(to, ':');
	strbuf_append(to, entry, length);
}

void injection_edit_list(struct strbuf *to, const char *list, const char *separators,
		     const char *library, bool first)
{
	size_t start = to->length;

	if (first)
		add(to, start, library, strlen(library));
	while (list && *list) {
		size_t length = strcspn(list, separators);

		if (length && !library_is_ours(list, length, library))
			add(to, start, list, length);
		list += length;
		list += strspn(list, separators);
	}
	if (!first)
		add(to, start, library, strlen(library));
}

int injection_check(const char *library)
{
	int file = open(library, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char foreign[64];
	const char *why = NULL;
	struct elf elf = {0};

	if (file < 0) {
		say("the profiler's library %s cannot be read: %m; no program was run", library);
		return -1;
	}
	elf_read(file, &elf);
	snprintf(foreign, sizeof(foreign), "a %d-bit file for another processor (machine %d)",
		 elf.wide ? 64 : 32, elf.machine);
	if (elf.kind == ELF_NONE)
		why = "not a shared library";
	else if (elf.kind == ELF_FOREIGN)
		why = foreign;
	else if (elf.kind == ELF_DAMAGED)
		why = "damaged";
	else if (strncmp(elf.name, LIBRARY_NAME, strlen(LIBRARY_NAME)) != 0)
		why = "not " LIBRARY_NAME;
	elf_free(&elf);
	close(file);
	if (why)
		say("the profiler's library %s is %s; no program was run", library, why);
	return why ? -1 : 0;
}

static int set(const char *variable, const char *value)
{
	if (!setenv(variable, value, 1))
		return 0;
	say("cannot set %s: %m", variable);
	return -1;
}

static int open_list(const char *variable, const char *separators, const char *library, bool first)
{
	struct strbuf list = STRBUF_INIT;
	int result;

	injection_edit_list(&list, getenv(variable), separators, library, first);
	result = set(variable, strbuf_text(&list));
	strbuf_free(&list);
	return result;
}

static int open_cuda(const char *library)
{
	const char *value = getenv("CUDA_INJECTION64_PATH");

	if (!value || !*value || library_is_ours(value, strlen(value), library))
		return set("CUDA_INJECTION64_PATH", library);
	say("CUDA_INJECTION64_PATH is %s and is kept: CUDA may not be logged",
	    value);
	return 0;
}

int injection_open(const char *library)
{
	bool samples_only;

	if (open_list("LD_PRELOAD", ": ", library, true))
		return -1;
	say_mute(true); /* another value than 1 and 0 is refused later */
	samples_only = environ_samples_only();
	say_mute(false);
	if (samples_only)
		return 0;
	if (open_list("OPENCL_LAYERS", ":", library, false))
		return -1;
	return open_cuda(library);
}

void injection_allow_sanitizer(void)
{
	const char *old = getenv("ASAN_OPTIONS");
	struct strbuf options = STRBUF_INIT;

	if (old && strstr(old, "verify_asan_link_order"))
		return;
	if (old && *old)
		strbuf_printf(&options, "%s:", old);
	strbuf_string(&options, "verify_asan_link_order=0");
	set("ASAN_OPTIONS", strbuf_text(&options));
	strbuf_free(&options);
}
