/* SPDX-License-Identifier: MIT */
#include "cli/flame/flame_flags.h"

#include <string.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/file_kind.h"
#include "view/stacks/flame.h"
#include "view/view.h"

static int take_mode(const struct flags *flags)
{
	const char *mode = flags->value[FLAG_MODE];
	bool gpu = flags->value[FLAG_GPU_ONLY], cpu = flags->value[FLAG_CPU_ONLY];

	if (mode && flame_set_mode(mode)) {
		say("unknown mode '%s': use merge, gpu-only or cpu-only", mode);
		return -1;
	}
	if (gpu + cpu + (mode != NULL) > 1) {
		say("--mode, --gpu-only and --cpu-only exclude each other");
		return -1;
	}
	if (gpu || cpu)
		flame_options.mode = gpu ? FLAME_GPU_ONLY : FLAME_CPU_ONLY;
	return 0;
}

/* Returns true if the option has an effect on the file of -o. That of computeprof flame is checked
 * later, and without -o is a file of folded stacks. */
static bool is_for(enum flag_id option, const struct flags *flags, const struct file_kind *kind)
{
	const char *output = flags->value[FLAG_OUTPUT];

	if (flags->command == COMMAND_FLAME && (!output || !kind->view || !kind->view->of_stacks))
		return true;
	if (option == FLAG_STACK_UNIT)
		return kind->view == &view_folded;
	return kind->view && kind->view->of_stacks;
}

static int check_output(const struct flags *flags)
{
	static const enum flag_id options[] = {FLAG_MODE, FLAG_GPU_ONLY, FLAG_CPU_ONLY,
					       FLAG_STACK_UNIT};
	const char *output = flags->value[FLAG_OUTPUT];
	struct file_kind kind;
	bool known = file_kind_of(output, &kind);

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		enum flag_id option = options[i];
		const char *of = option == FLAG_STACK_UNIT ? "folded stacks" : "flame graphs";

		if (!flags->value[option] || is_for(option, flags, &kind))
			continue;
		if (output)
			say("--%s is for %s, not for %s%s", flag_rows[option].name, of,
			    known ? "a file that ends in " : "", known ? kind.extension : output);
		else
			say("--%s is for %s: add -o FILE.folded", flag_rows[option].name, of);
		return -1;
	}
	return 0;
}

int flame_flags(const struct flags *flags)
{
	const char *unit = flags->value[FLAG_STACK_UNIT], *names = flags->value[FLAG_DEMANGLING];

	if (unit && flame_set_unit(unit)) {
		say("unknown unit '%s': use us or samples@HZ, such as samples@50", unit);
		return -1;
	}
	flame_options.mangled = names && !strcmp(names, "off");
	return take_mode(flags) || check_output(flags) ? -1 : 0;
}

/* Returns true if the next word is the argument of this option. */
static bool takes_next(enum command_id command, const char *word)
{
	size_t length = strlen(word);

	for (int i = 0; i < FLAG_COUNT; i++) {
		const struct flag_row *row = &flag_rows[i];

		if (!flag_belongs(i, command) || !row->argument)
			continue;
		if (word[1] == '-' ? !strncmp(row->name, word + 2, length - 2) ||
					     (row->alias &&
					      !strncmp(row->alias, word + 2, length - 2))
				   : row->letter && strchr(word, row->letter) == word + length - 1)
			return true;
	}
	return false;
}

/* Returns the number of words of an option that is not needed here, at argv[0]; 0: it is another
 * one. xpu-perf takes one dash or two, and the argument as the next word or after a '='. */
static int words_of_library(int argc, char **argv)
{
	static const char *const names[] = {"cuda-lib", "cupti-lib"};
	const char *word = argv[0] + (argv[0][0] == '-') + (argv[0][0] == '-' && argv[0][1] == '-');

	for (size_t i = 0; word > argv[0] && i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i]);

		if (strncmp(word, names[i], length))
			continue;
		if (word[length] == '=')
			return 1;
		if (!word[length])
			return argc > 1 ? 2 : 1;
	}
	return 0;
}

/* Removes `count` words at argv[i]. Returns the new argc. */
static int remove_words(int argc, char **argv, int i, int count)
{
	memmove(&argv[i], &argv[i + count], (size_t)(argc - i - count + 1) * sizeof(*argv));
	return argc - count;
}

int flame_spell(enum command_id command, int argc, char **argv)
{
	static char words[][11] = {"--gpu-only", "--cpu-only"};

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		int count = words_of_library(argc - i, argv + i);

		if (argv[i][0] != '-' && command_has_program(command))
			break;
		if (count) {
			argc = remove_words(argc, argv, i--, count);
			continue;
		}
		for (int j = 0; j < 2; j++)
			if (!strcmp(argv[i], words[j] + 1))
				argv[i] = words[j];
		if (argv[i][0] == '-' && argv[i][1] && takes_next(command, argv[i]))
			i++;
	}
	return argc;
}
