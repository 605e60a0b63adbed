/* SPDX-License-Identifier: MIT */
#include "view/format/name_filter.h"

#include <string.h>

#include "output/jsontext.h"
#include "output/logreader.h"
#include "output/unescape.h"
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

void name_filter_put(struct strbuf *to, const char *kernels, bool demangled)
{
	if (!kernels)
		return;
	strbuf_string(to, ", \"kernels\": ");
	json_name(to, kernels, strlen(kernels));
	strbuf_printf(to, ", \"demangled\": %s", demangled ? "true" : "false");
}

int name_filter_check(const struct json_value *sums, const char *kernels, bool demangled,
		      const char *path, struct strbuf *error)
{
	const struct json_value *member = json_find(sums, "demangled");
	const char *text = json_find_text(sums, "kernels");
	struct log_text escaped = {.text = text, .length = strlen(text)};
	bool was_demangled = member && member->type == JSON_TRUE;
	struct strbuf saved = STRBUF_INIT;
	int result = 0;

	unescape_name(escaped, &saved);
	if (saved.length &&
	    (!kernels || strcmp(kernels, strbuf_text(&saved)) != 0 || demangled != was_demangled)) {
		strbuf_printf(error,
			      "%s has only the kernels of -k '%s'%s: it is read with these options "
			      "alone",
			      path, text, was_demangled ? "" : " --demangling off");
		result = -1;
	}
	strbuf_free(&saved);
	return result;
}
