/* SPDX-License-Identifier: MIT */
#include "cli/help/topics.h"

#include <string.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/file_kind.h"
#include "cli/lines.h"
#include "cli/list/list.h"
#include "model/column.h"
#include "settings/definition.h"
#include "settings/environ.h"
#include "settings/options.h"

/* "an option of computeprof PROGRAM, print and flame, FILE" */
static void put_option_kind(struct strbuf *to, enum flag_id id)
{
	const struct flag_row *row = &flag_rows[id];

	strbuf_string(to, "an option of ");
	command_put_names(to, row->commands);
	if (row->argument)
		strbuf_printf(to, row->otherwise ? ", =%s" : ", %s", row->argument);
}

static void each_option(topic_function *take, void *data)
{
	for (int i = 0; i < FLAG_COUNT; i++) {
		const struct flag_row *row = &flag_rows[i];
		struct strbuf kind = STRBUF_INIT, word = STRBUF_INIT, alias = STRBUF_INIT;

		strbuf_printf(&word, "--%s", row->name);
		if (row->letter)
			strbuf_printf(&alias, "-%c", row->letter);
		put_option_kind(&kind, i);
		take(data, &(struct topic){strbuf_text(&word), strbuf_text(&alias),
					   strbuf_text(&kind), row->help});
		strbuf_free(&kind);
		strbuf_free(&word);
		strbuf_free(&alias);
	}
}

static void each_column(topic_function *take, void *data)
{
	for (int i = 0; i < COLUMN_COUNT; i++) {
		const struct column *column = &columns[i];
		const char *word = column->option ? column->option : column->header[TERMS_BLOCKS];
		struct strbuf help = STRBUF_INIT;

		column_put_help(column, &help);
		take(data, &(struct topic){word, column->alias ? column->alias : "",
					   "a column of the log", strbuf_text(&help)});
		strbuf_free(&help);
	}
}

static void each_setting(topic_function *take, void *data)
{
	for (const struct option_row *row = option_rows; *row->name; row++) {
		struct strbuf kind = STRBUF_INIT;

		if (*row->section)
			strbuf_printf(&kind, "a setting of section [%s], %s", row->section,
				      list_value(row));
		else
			strbuf_string(&kind, "a word of configuration files");
		take(data, &(struct topic){row->name, "", strbuf_text(&kind), row->help});
		strbuf_free(&kind);
	}
	for (int i = 0; i < DEFINITION_FIELDS; i++)
		take(data, &(struct topic){definition_rows[i].name, "",
					   "a setting of section [counter NAME]",
					   definition_rows[i].help});
}

static void each_variable(topic_function *take, void *data)
{
	for (int i = 0; i < ENVIRON_COUNT; i++) {
		const struct environ_row *row = &environ_rows[i];
		struct strbuf kind = STRBUF_INIT;

		strbuf_printf(&kind, "a variable, by default %s", row->fallback);
		for (unsigned int f = 0; f < (row->family ? ENVIRON_FAMILIES : 1); f++) {
			struct strbuf name = STRBUF_INIT;

			strbuf_printf(&name, "%s%s", environ_prefix(row, f), row->suffix);
			take(data, &(struct topic){strbuf_text(&name), "", strbuf_text(&kind),
						   row->help});
			strbuf_free(&name);
		}
		strbuf_free(&kind);
	}
}

static void each_file(topic_function *take, void *data)
{
	struct file_kind kind;

	for (unsigned int i = 0; file_kind_at(i, &kind); i++)
		take(data, &(struct topic){kind.extension, "", "the extension of a file of -o",
					   kind.help});
}

static void each_exit_code(topic_function *take, void *data)
{
	for (const struct exit_row *row = exit_rows; row->code; row++) {
		struct strbuf kind = STRBUF_INIT;

		strbuf_string(&kind, "an exit code of ");
		command_put_names(&kind, row->commands);
		take(data, &(struct topic){row->code, "", strbuf_text(&kind), row->help});
		strbuf_free(&kind);
	}
}

static void each_config(topic_function *take, void *data)
{
	struct strbuf rows = STRBUF_INIT;
	const char *at, *line;
	size_t length;

	list_config_rows(&rows);
	at = strbuf_text(&rows);
	while ((line = lines_next(&at, &length))) {
		const char *tab = memchr(line, '\t', length);
		struct strbuf name = STRBUF_INIT, help = STRBUF_INIT;

		if (!tab)
			continue;
		strbuf_append(&name, line, (size_t)(tab - line));
		strbuf_append(&help, tab + 1, length - (size_t)(tab + 1 - line));
		if (help.length && help.data[help.length - 1] == '.')
			help.data[help.length - 1] = '\0';
		take(data,
		     &(struct topic){strbuf_text(&name), "", "a ready-made configuration, for -c",
				     strbuf_text(&help)});
		strbuf_free(&name);
		strbuf_free(&help);
	}
	strbuf_free(&rows);
}

void topics_each(topic_function *take, void *data)
{
	each_column(take, data);
	each_setting(take, data);
	each_option(take, data);
	each_config(take, data);
	each_file(take, data);
	each_variable(take, data);
	each_exit_code(take, data);
}

bool topic_is(const struct topic *topic, const char *word)
{
	const char *plain = topic->word + (strncmp(topic->word, "--", 2) ? 0 : 2);

	if (*word == '-' && word[1] != '-') /* the case of a letter counts */
		return !strcmp(word, topic->alias);
	return text_same(word, topic->word) || text_same(word, plain) ||
	       (*topic->alias && text_same(word, topic->alias));
}
