/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <string.h>

/* clang-format off */
const struct command commands[COMMAND_COUNT] = {
	[COMMAND_RUN] = {
		.arguments = "[OPTION ...] [--] PROGRAM [ARGUMENT ...]",
		.help = "Runs PROGRAM and logs what the GPU did.",
		.run = run_command,
	},
	[COMMAND_RECOVER] = {
		.name = "recover", .arguments = "[FILE.ring | DIRECTORY | LOG ...]",
		.help = "Finishes the logs of programs that were killed; by default those whose "
			"ring\nfiles are in the current directory, and the user's own in /dev/shm.",
		.run = recover_command,
	},
	[COMMAND_LIST] = {
		.name = "list", .arguments = "options|devices|configs|counters|chips",
		.help = "Shows the words of configuration files, the devices as logs number them, "
			"the\nready-made configurations, NVIDIA's chips, or the counters: with "
			"--chip\nor --device how each is made there, with --config only those of "
			"a file.",
		.run = list_command,
	},
	[COMMAND_DOCTOR] = {
		.name = "doctor", .arguments = "[OPTION ...] [PROGRAM [ARGUMENT ...]]",
		.help = "Tells whether profiling works here, whether it can work for PROGRAM, and "
			"what\nbecomes of the counters that the configuration asks for. The last "
			"line says it\nin one sentence. PROGRAM is not run.",
		.run = doctor_command,
	},
	[COMMAND_PRINT] = {
		.name = "print", .arguments = "[OPTION ...] FILE ...",
		.help = "Prints a binary trace as a log, or a log in another format.",
		.run = print_command,
	},
	[COMMAND_EXPLAIN] = {
		.name = "explain", .arguments = "[OPTION ...] COUNTER",
		.help = "Tells in plain words what a counter counts and what its value means.",
		.run = explain_command,
	},
	[COMMAND_REPORT] = {
		.name = "report", .arguments = "[OPTION ...] FILE ...",
		.help = "Prints what a trace, database or log adds up to, as nvprof does; of "
			"several\nfiles one after the other, each with its name above.",
		.run = report_command,
	},
};

const struct exit_row exit_rows[] = {
	{"the program's own", "A program was run and ended by itself"},
	{"the program's own signal",
	 "A program was killed by a signal; computeprof then ends by the same signal, so that a "
	 "shell sees 128 and the number of the signal"},
	{"0", "A command did what was asked"},
	{"1",
	 "recover: a log could not be finished; list, --query-events, --query-metrics: there is "
	 "nothing to show; explain: there is no such counter; doctor: something keeps "
	 "programs from being logged; print, report: a file could not be read or written, or parts "
	 "of it are damaged"},
	{"124", "A program was run and ended by --timeout, as timeout(1) has it"},
	{"125", "The command line was wrong, or computeprof itself failed; no program was run"},
	{"126", "The program could not be executed"},
	{"127", "The program was not found"},
	{NULL, NULL},
};
/* clang-format on */

enum command_id command_find(const char *word)
{
	for (int i = COMMAND_RUN + 1; word && i < COMMAND_COUNT; i++)
		if (!strcmp(word, commands[i].name))
			return i;
	return COMMAND_RUN;
}
