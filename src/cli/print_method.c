/* SPDX-License-Identifier: MIT */
/* Copies have other names in the other dialect. */
#include "cli/print.h"

#include <string.h>

static struct log_text constant(const char *string)
{
	return (struct log_text){.text = string, .length = strlen(string)};
}

static bool is(struct log_text text, const char *string)
{
	return text.length == strlen(string) && !memcmp(text.text, string, text.length);
}

/* memcpy, two of H, D and A with "to" between them, and perhaps async. */
static bool is_copy(struct log_text method)
{
	const char *text = method.text;

	if (method.length != 10 && method.length != 15)
		return false;
	return !memcmp(text, "memcpy", 6) && strchr("HDA", text[6]) && !memcmp(text + 7, "to", 2) &&
	       strchr("HDA", text[9]) && (method.length == 10 || !memcmp(text + 10, "async", 5));
}

/* The direction is all that a classic row tells of a copy. OpenCL's are always asynchronous. */
static struct log_text copy_by_direction(const struct print_style *style, struct log_text method)
{
	static const char *const names[][API_COUNT] = {
		{[API_OPENCL] = "memcpyHtoDasync", [API_CUDA] = "memcpyHtoD"},
		{[API_OPENCL] = "memcpyDtoHasync", [API_CUDA] = "memcpyDtoH"},
		{[API_OPENCL] = "memcpyDtoDasync", [API_CUDA] = "memcpyDtoD"},
	};
	struct log_text direction;

	if (!logreader_value(style->reader, "memtransferdir", &direction) ||
	    direction.length != 1 || *direction.text < '0' || *direction.text > '2')
		return method;
	return constant(names[*direction.text - '0'][style->reader->header.api]);
}

struct log_text print_method(const struct print_style *style, struct log_text method)
{
	if (style->dialect == style->own)
		return method;
	if (style->dialect == DIALECT_CUDA4)
		return is(method, "memcopy") ? copy_by_direction(style, method) : method;
	if (is(method, "memsetasync"))
		return constant("memset");
	return is_copy(method) ? constant("memcopy") : method;
}
