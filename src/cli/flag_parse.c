/* SPDX-License-Identifier: MIT */
/* Reads the command line by the rows of the options. */
#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"

/* getopt_long's arrays; long options come back as CODE + flag_id. */
enum { CODE = 256 };

struct getopt_arrays {
	char letters[2 + 2 * FLAG_COUNT + 1];
	struct option names[2 * FLAG_COUNT + 1];
};

static int has_argument(const struct flag_row *row)
{
	if (row->otherwise)
		return optional_argument;
	return row->argument ? required_argument : no_argument;
}

static void make_arrays(struct getopt_arrays *arrays, enum command_id command)
{
	char *letter = arrays->letters;
	struct option *name = arrays->names;

	if (command_has_program(command))
		*letter++ = '+';
	*letter++ = ':';
	for (int i = 0; i < FLAG_COUNT; i++) {
		const struct flag_row *row = &flag_rows[i];

		if (!flag_belongs(i, command))
			continue;
		if (row->letter)
			*letter++ = row->letter;
		if (row->letter && row->argument)
			*letter++ = ':';
		*name++ = (struct option){row->name, has_argument(row), NULL, CODE + i};
		if (row->alias)
			*name++ = (struct option){row->alias, has_argument(row), NULL, CODE + i};
	}
	*letter = '\0';
	*name = (struct option){0};
}

/* getopt stores an invalid short option in optopt; an invalid long one is only in argv. */
static int say_invalid(int code, enum command_id command, char **argv)
{
	const char *name = command == COMMAND_RUN ? "" : argv[0];
	const char letter[] = {'-', (char)optopt, '\0'};
	const char *last = argv[optind - 1];

	if (code == ':')
		say("option '%s' needs an argument; see 'computeprof%s%s --help'", last,
		    *name ? " " : "", name);
	else if (optopt >= CODE)
		say("option '--%s' takes no argument", flag_rows[optopt - CODE].name);
	else
		flag_say_unknown(command, optopt ? letter : last);
	return -1;
}

/* An empty variable counts as unset, so these options refuse an empty argument. Other options check
 * their argument themselves. */
static bool is_ignored(int option, const char *argument)
{
	static const enum flag_id names[] = {FLAG_CONFIG,   FLAG_LOG,	  FLAG_TRACE,  FLAG_IMPORT,
					     FLAG_LOG_FILE, FLAG_KERNELS, FLAG_INTO,   FLAG_METRICS,
					     FLAG_EVENTS,   FLAG_VALUES,  FLAG_BASE,   FLAG_SAVE,
					     FLAG_JUNIT,    FLAG_HTML,	  FLAG_FOLDED, FLAG_SAMPLE};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (option == (int)names[i])
			return !*argument;
	return false;
}

/* Ends `argv` at the first word "--" of a command with two lists. Returns the new argc. */
static int split(struct flags *flags, int argc, char **argv)
{
	int i = 1;

	if (flags->command != COMMAND_DIFF && flags->command != COMMAND_GATE)
		return argc;
	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	if (i == argc)
		return argc;
	argv[i] = NULL;
	flags->others = argv + i + 1;
	flags->other_count = argc - i - 1;
	return i;
}

static bool is_help_option(const char *word)
{
	return !strcmp(word, "-h") || !strcmp(word, "--help");
}

int flag_parse(struct flags *flags, enum command_id command, int argc, char **argv)
{
	struct getopt_arrays arrays;
	int code;

	*flags = (struct flags){.command = command};
	if (command == COMMAND_HELP && argc == 2 && !is_help_option(argv[1]) &&
	    !strchr(argv[1], '=')) {
		flags->arguments = argv + 1; /* such as help --output */
		flags->argument_count = 1;
		return 0;
	}
	argc = split(flags, argc, argv);
	make_arrays(&arrays, command);
	opterr = 0;
	optind = 0; /* glibc: start again and read the first byte of `letters` again */
	while ((code = getopt_long(argc, argv, arrays.letters, arrays.names, NULL)) != -1) {
		int option = code >= CODE ? code - CODE : flag_find_letter(command, code);

		if (code == '?' || code == ':' || option < 0)
			return say_invalid(code, command, argv);
		if (!optarg)
			optarg = (char *)(uintptr_t)flag_rows[option].otherwise;
		if (is_ignored(option, optarg)) {
			say("option '--%s' needs an argument that is not empty",
			    flag_rows[option].name);
			return -1;
		}
		flags->value[option] = flag_rows[option].argument ? optarg : "";
	}
	flags->arguments = argv + optind;
	flags->argument_count = argc - optind;
	return 0;
}
