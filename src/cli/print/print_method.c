/* SPDX-License-Identifier: MIT */
/* Converts the names of copies between the dialects. */
#include "cli/print/print.h"

#include <string.h>

#include "model/api.h"
#include "output/logheader.h"
#include "output/logmethod.h"

static struct log_text constant(const char *string)
{
	return (struct log_text){.text = string, .length = strlen(string)};
}

/* A classic row has the direction of a copy only. OpenCL's copies are always asynchronous. */
static struct log_text copy_by_direction(const struct print_style *style, struct log_text method)
{
	struct log_text direction;

	if (!logreader_value(style->reader, "memtransferdir", &direction) ||
	    direction.length != 1 || *direction.text < '0' || *direction.text > '2')
		return method;
	return constant(api_rows[style->reader->header.api].copies[*direction.text - '0']);
}

struct log_text print_method(const struct print_style *style, struct log_text method)
{
	if (style->dialect == style->own || !logmethod_is_transfer(style->reader, method))
		return method;
	if (style->dialect == DIALECT_CUDA4)
		return text_is(method, "memcopy") ? copy_by_direction(style, method) : method;
	return constant(text_starts(method, "memset") ? "memset" : "memcopy");
}
