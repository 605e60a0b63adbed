/* SPDX-License-Identifier: MIT */
#include "session/tell.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "session/manifest.h"

void tell(const char *format, ...)
{
	enum { FRONT = 80, SIZE = 1024 };
	char line[FRONT + SIZE], *text = line + FRONT, front[FRONT];
	char where[SAY_WHERE];
	va_list arguments;
	int length, kept = errno;

	va_start(arguments, format);
	vsnprintf(text, SIZE, format, arguments);
	va_end(arguments);
	say_text(text, where);
	length = snprintf(front, sizeof(front), "%s %d ", where, (int)getpid());
	memcpy(text - length, front, (size_t)length);
	manifest_add("told", text - length);
	errno = kept;
}
