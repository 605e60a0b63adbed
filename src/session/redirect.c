/* SPDX-License-Identifier: MIT */
#include "session/redirect.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

/* Accepts only the escapes that the library writes: others would be expanded from the
 * environment. */
static bool is_plain_escape(const char *at)
{
	return at[1] == 'd' || at[1] == 'p' || at[1] == '%';
}

static void put_name(struct strbuf *to, const char *pattern, const char *fallback)
{
	const char *slash = strrchr(pattern, '/');
	const char *at = slash ? slash + 1 : pattern;

	if (!*at)
		at = fallback;
	if (*at == '.') {
		strbuf_char(to, '_');
		at++;
	}
	for (; *at; at++) {
		strbuf_char(to, *at == '%' && !is_plain_escape(at) ? '_' : *at);
		if (*at == '%' && is_plain_escape(at))
			strbuf_char(to, *++at);
	}
}

/* Appends the directory's name with each % escaped. */
static void put_directory(struct strbuf *to, const char *directory)
{
	if (!strcmp(directory, "."))
		return;
	for (; *directory; directory++)
		strbuf_string(to, *directory == '%' ? "%%" : (char[]){*directory, '\0'});
	strbuf_char(to, '/');
}

static int redirect(char **pattern, const char *directory, const char *fallback)
{
	struct strbuf name = STRBUF_INIT;
	char *copy;

	if (!strcmp(*pattern, "/dev/null")) /* no log was wanted */
		return 0;
	put_directory(&name, directory);
	put_name(&name, *pattern, fallback);
	copy = name.failed ? NULL : strdup(strbuf_text(&name));
	strbuf_free(&name);
	if (!copy)
		return -1;
	free(*pattern);
	*pattern = copy;
	return 0;
}

int redirect_rules(struct settings *rules, const char *directory)
{
	if (redirect(&rules->log, directory, "compute_profile.log") ||
	    (rules->api_log && redirect(&rules->api_log, directory, "compute_profile_api.log")))
		return -1;
	return rules->trace ? redirect(&rules->trace, directory, "compute_profile.cptrace") : 0;
}
