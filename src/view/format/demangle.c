/* SPDX-License-Identifier: MIT */
#include "view/format/demangle.h"

#include "config.h"

#include <setjmp.h>
#include <string.h>

bool demangle_built(void)
{
	return WITH_DEMANGLER;
}

#if WITH_DEMANGLER
#include <libiberty/demangle.h>

struct result {
	struct strbuf *to;
	size_t before;
	jmp_buf *enough;
};

/* libiberty holds no heap memory while it calls this, so it may be left by longjmp. */
static void take(const char *bytes, size_t size, void *opaque)
{
	struct result *result = opaque;

	if (result->to->length - result->before + size > DEMANGLE_ROOM)
		longjmp(*result->enough, 1);
	strbuf_append(result->to, bytes, size);
}

static bool run(struct result *result, const char *name, int options)
{
	jmp_buf enough;

	result->enough = &enough;
	if (setjmp(enough))
		return false;
	return cplus_demangle_v3_callback(name, options, take, result) != 0;
}

bool demangle(struct strbuf *to, const char *name, size_t length, bool parameters)
{
	struct result result = {.to = to, .before = to->length};

	if (length < 3 || length > DEMANGLE_LIMIT || memcmp(name, "_Z", 2) || strlen(name) < length)
		return false;
	if (run(&result, name, parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS) && !to->failed)
		return true;
	to->length = result.before;
	return false;
}
#else
bool demangle(struct strbuf *to, const char *name, size_t length, bool parameters)
{
	(void)to;
	(void)name;
	(void)length;
	(void)parameters;
	return false;
}
#endif
