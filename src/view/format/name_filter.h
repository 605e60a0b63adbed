/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_NAME_FILTER_H
#define VIEW_FORMAT_NAME_FILTER_H

#include <regex.h>
#include <stdbool.h>

#include "base/strbuf.h"
#include "view/format/jsonread.h"

/* Selects names by a POSIX extended regular expression, which may match a name as the program has
 * it or, with `demangled`, the C++ name. Starts zeroed: then every name is selected. */
struct name_filter {
	bool active;
	bool demangled;
	regex_t pattern;
};

/* Returns 0, or -1 with one sentence in `error` if the expression is invalid or too expensive; the
 * filter then stays inactive. `pattern` may be NULL, for every name. */
int name_filter_open(struct name_filter *filter, const char *pattern, struct strbuf *error);
void name_filter_close(struct name_filter *filter);

/* `name` is not escaped, and ends with a NUL at `length`. */
bool name_filter_selects(const struct name_filter *filter, const char *name, size_t length);

/* Appends the members of saved sums that hold the filter, after a comma; nothing without a filter.
 * `kernels` is its expression or NULL. */
void name_filter_put(struct strbuf *to, const char *kernels, bool demangled);

/* Checks that saved sums, a JSON object of the file `path`, are of all kernels or were made with
 * this filter. Returns 0, or -1 with one sentence in `error`. */
int name_filter_check(const struct json_value *sums, const char *kernels, bool demangled,
		      const char *path, struct strbuf *error);

#endif
