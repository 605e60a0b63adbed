/* SPDX-License-Identifier: MIT */
#include "view/format/name_filter.h"

#include "settings/pattern.h"
#include "view/format/demangle.h"

int name_filter_open(struct name_filter *filter, const char *pattern, struct strbuf *error)
{
	if (!pattern)
		return 0;
	if (!pattern_is_cheap(pattern)) {
		strbuf_printf(error, "matching names with '%s' would take too long", pattern);
		return -1;
	}
	if (regcomp(&filter->pattern, pattern, REG_EXTENDED | REG_NOSUB)) {
		strbuf_printf(error, "'%s' is not a regular expression", pattern);
		return -1;
	}
	filter->active = true;
	return 0;
}

void name_filter_close(struct name_filter *filter)
{
	if (filter->active)
		regfree(&filter->pattern);
	filter->active = false;
}

bool name_filter_selects(const struct name_filter *filter, const char *name, size_t length)
{
	struct strbuf plain = STRBUF_INIT;
	bool found;

	if (!filter->active)
		return true;
	found = regexec(&filter->pattern, name, 0, NULL, 0) == 0;
	if (!found && filter->demangled && demangle(&plain, name, length, true))
		found = regexec(&filter->pattern, strbuf_text(&plain), 0, NULL, 0) == 0;
	strbuf_free(&plain);
	return found;
}
