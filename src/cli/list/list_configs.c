/* SPDX-License-Identifier: MIT */
/* Lists the ready-made configuration files. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/library.h"
#include "cli/lines.h"
#include "cli/list/list.h"
#include "cli/table.h"

#define EXTENSION ".conf"

static int is_config(const struct dirent *entry)
{
	return text_ends(entry->d_name, EXTENSION);
}

/* Returns the text of a comment line; NULL for other lines and for the licence. */
static char *comment_of(const char *line, size_t length)
{
	size_t mark = strspn(line, "# ");

	if (*line != '#' || mark >= length || !strncmp(line + mark, "SPDX", 4))
		return NULL;
	return strndup(line + mark, length - mark);
}

static void add_comment(struct strbuf *rows, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	const char *at, *line;
	size_t length;
	char *comment = NULL;

	lines_read_file(&text, path);
	at = strbuf_text(&text);
	while (!comment && (line = lines_next(&at, &length)))
		comment = comment_of(line, length);
	table_cell(rows, comment ? comment : "-");
	free(comment);
	strbuf_free(&text);
}

static void add_config(struct strbuf *rows, const char *directory, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_printf(&path, "%s/%s", directory, name);
	strbuf_append(rows, name, strlen(name) - strlen(EXTENSION));
	strbuf_char(rows, '\t');
	add_comment(rows, strbuf_text(&path));
	strbuf_char(rows, '\n');
	strbuf_free(&path);
}

int list_config_rows(struct strbuf *rows)
{
	struct dirent **entries = NULL;
	const char *directory = library_configs();
	int count = scandir(directory, &entries, is_config, alphasort);

	for (int i = 0; i < count; i++) {
		add_config(rows, directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return count < 0 ? -1 : 0;
}

int list_configs(const struct flags *flags)
{
	struct strbuf rows = STRBUF_INIT;
	int result;

	(void)flags;
	strbuf_string(&rows, "NAME\tMEANING\n");
	result = list_config_rows(&rows);
	if (result)
		say("cannot read the directory of configuration files %s: %m", library_configs());
	else
		table_print(&rows);
	strbuf_free(&rows);
	return result ? EXIT_PROBLEM : EXIT_DONE;
}
