/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_TOPICS_H
#define CLI_HELP_TOPICS_H

#include <stdbool.h>

/* The words that `computeprof help` explains besides counters, from the tables of the tool:
 * options, columns, settings, variables, exit codes, extensions of files and ready-made
 * configurations. */
struct topic {
	const char *word;
	const char *alias; /* another name, such as "-o"; "" if there is none */
	const char *kind;  /* "a column of the log" */
	const char *help;  /* without a full stop */
};

typedef void topic_function(void *data, const struct topic *topic);

/* Calls `take` with each topic. The strings are valid during the call only. */
void topics_each(topic_function *take, void *data);

/* Returns true if the word names the topic, in any letter case. Options need no dashes. */
bool topic_is(const struct topic *topic, const char *word);

#endif
