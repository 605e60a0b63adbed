/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>

static int count, failures;

void tap_result(bool passed, const char *format, ...)
{
	va_list arguments;

	printf("%s %d - ", passed ? "ok" : "not ok", ++count);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
	failures += !passed;
}

void tap_skip(const char *reason, const char *format, ...)
{
	va_list arguments;

	printf("ok %d - ", ++count);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf(" # SKIP %s\n", reason);
	fflush(stdout);
}

void tap_note(const char *format, ...)
{
	va_list arguments;

	printf("# ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
}

void tap_answer(const char *format, ...)
{
	va_list arguments;

	printf("# answer ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
}

int tap_finish(void)
{
	printf("1..%d\n", count);
	return failures != 0;
}
