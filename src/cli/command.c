/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <string.h>

#define BIT(command) (1U << COMMAND_##command)

enum {
	RUN = BIT(RUN),
	TAIL = BIT(TAIL),
	COMPARE = BIT(DIFF) | BIT(GATE),
};

/* clang-format off */
const struct command commands[COMMAND_COUNT] = {
	[COMMAND_RUN] = {
		.arguments = "[OPTION ...] [--] PROGRAM [ARGUMENT ...]",
		.help = "Runs PROGRAM and logs its work on the GPU. 'computeprof help options' has "
			"more.",
	},
	[COMMAND_RECOVER] = {
		.name = "recover", .arguments = "[FILE.ring | DIRECTORY | LOG ...]",
		.help = "Finishes the logs of killed programs from their ring files. By default "
			"these are\n"
			"the ring files in the current directory and the user's own in /dev/shm.",
	},
	[COMMAND_LIST] = {
		.name = "list", .arguments = "options|devices|configs|counters|chips|completions",
		.help = "Lists the words of configuration files, the devices with their numbers in "
			"logs,\n"
			"the ready-made configurations, NVIDIA's chips, or the counters. With "
			"--chip or\n"
			"--device it shows how each counter is measured, with --config only those "
			"of a\n"
			"file. completions -- WORD ... prints how the last word can go on, for "
			"shells.",
	},
	[COMMAND_DOCTOR] = {
		.name = "doctor", .arguments = "[OPTION ...] [PROGRAM [ARGUMENT ...]]",
		.help = "Checks whether profiling works on this machine and for PROGRAM, and "
			"which\n"
			"counters of the configuration can be measured. The last line is the "
			"verdict.\n"
			"PROGRAM is not run.",
	},
	[COMMAND_HELP] = {
		.name = "help", .alias = "explain", .arguments = "[OPTION ...] [WORD]",
		.help = "Explains a command, an option, a column, a counter, a setting, a "
			"variable, an\n"
			"exit code or the extension of a file. The words commands, options, "
			"columns,\n"
			"settings, variables, files and exits list all of them. This command is "
			"also\n"
			"called explain.",
	},
	[COMMAND_PRINT] = {
		.name = "print", .arguments = "[OPTION ...] FILE ...",
		.help = "Prints a trace as a log, or a log in another format; -o makes other "
			"files.",
	},
	[COMMAND_REPORT] = {
		.name = "report", .arguments = "[OPTION ...] FILE ...",
		.help = "Prints the tables of a trace, database or log as nvprof does. Several "
			"files are\n"
			"printed one after the other, each below its name.",
	},
	[COMMAND_MERGE] = {
		.name = "merge", .arguments = "[OPTION ...] FILE ...",
		.help = "Adds up the files of one run, such as those of each MPI rank: logs, "
			"traces,\n"
			"databases and JSON, or directories with them. Prints for each kernel and "
			"copy\n"
			"how its time is distributed over the ranks, and which is the slowest.\n"
			"-o FILE.json writes the sums, which can be merged again. --records -o\n"
			"FILE merges the records of traces into one trace, timeline or database.",
	},
	[COMMAND_TAIL] = {
		.name = "tail", .arguments = "[OPTION ...] [PID | LOG ...]",
		.help = "Prints the last rows of logs, and then each row that is added, in "
			"columns. With\n"
			"PID it prints the logs of this process until it ends, by default those "
			"of all\n"
			"running processes of this user.",
	},
	[COMMAND_TOP] = {
		.name = "top", .arguments = "[OPTION ...] [PID | DIRECTORY]",
		.help = "Shows the totals of running programs as they grow: of the process PID "
			"and its\n"
			"descendants, of programs with logs in DIRECTORY, or of all of this user "
			"with\n"
			"ring files in the current directory or /dev/shm. Programs record totals "
			"if they\n"
			"are started with COMPUTE_PROFILE_TOTALS=1.",
	},
	[COMMAND_FLAME] = {
		.name = "flame", .arguments = "[OPTION ...] TRACE ...",
		.help = "Makes a flame graph: the time on the GPU and CPU by the call stacks of "
			"the\n"
			"program. -o names the file, by default merged_trace.folded, and ends in "
			".folded,\n"
			".svg, .pb.gz or .speedscope.json.",
	},
	[COMMAND_ADVISE] = {
		.name = "advise", .arguments = "[OPTION ...] TRACE ...",
		.help = "Prints how programs waste memory of the GPU: allocated too early, "
			"released too\n"
			"late or never, idle, unused, redundant or overwritten unread; and the "
			"peak with\n"
			"its objects. Record traces with --values objects; or flow, for writes of "
			"what\n"
			"was there before; or patterns, for zeros, single values and others, too.\n"
			"-o writes FILE.json, FILE.svg (memory over time), FILE.dot (the graph of "
			"the\n"
			"data flow) or FILE.txt (the patterns in the text of GVProf).",
	},
	[COMMAND_DIFF] = {
		.name = "diff", .arguments = "[OPTION ...] A ... -- B ...",
		.help = "Compares runs of a program: the files A with the files B. Each is a run: "
			"a log,\n"
			"trace, database or JSON, or a directory with the files of its processes. "
			"A\n"
			"permutation test of the runs says whether B is slower (exit code 1), the "
			"same or\n"
			"faster (0), or that the runs are too few (3): use 3 or more of each.",
	},
	[COMMAND_GATE] = {
		.name = "gate", .arguments = "[OPTION ...] A ... -- B ...",
		.help = "Runs two programs with their arguments in turn, A and B, and compares "
			"their time\n"
			"on the GPU as diff does, with its exit codes. With --base only B is run; "
			"with\n"
			"--save and no A, too, and nothing is compared.",
	},
};

const struct exit_row exit_rows[] = {
	{RUN, "the program's exit code",
	 "A program was run and ended by itself; computeprof ends with its exit code"},
	{RUN, "the program's signal",
	 "A program was killed by a signal; computeprof ends by the same signal, and a shell "
	 "reports 128 plus its number"},
	{~(RUN | COMPARE | TAIL), "0", "The command succeeded"},
	{COMPARE, "0", "No row is slower"},
	{TAIL, "0", "The process, or the last one, has ended, or -b has printed what is there"},
	{RUN, "1", "--query-events, --query-metrics: there is nothing to show"},
	{BIT(RECOVER), "1", "A log could not be finished"},
	{BIT(LIST), "1", "There is nothing to show"},
	{BIT(HELP), "1", "There is no such word"},
	{BIT(DOCTOR), "1", "Programs cannot be logged"},
	{BIT(PRINT) | BIT(REPORT) | BIT(FLAME) | BIT(MERGE), "1",
	 "A file could not be read or written, or is damaged"},
	{BIT(ADVISE), "1",
	 "A file could not be read or written, or is damaged, or a trace has no uses of memory"},
	{TAIL, "1", "There is no such process or log, or it could not be read"},
	{BIT(TOP), "1", "There is no such process, or no recorded one was found"},
	{COMPARE, "1", "B is slower than A"},
	{COMPARE, "3",
	 "Inconclusive: one run of each side, or rows with more than a tenth of the GPU's time "
	 "could not be tested, and no row is slower"},
	{RUN, "124", "A program was ended by --timeout; timeout(1) uses the same code"},
	{RUN, "125",
	 "The command line was wrong, or computeprof itself failed; no program was run"},
	{COMPARE, "125",
	 "The command line was wrong, a file could not be read or written, or a program failed, "
	 "so nothing was compared"},
	{~(RUN | COMPARE), "125", "The command line was wrong, or computeprof itself failed"},
	{RUN | BIT(GATE), "126", "The program could not be executed"},
	{RUN | BIT(GATE), "127", "The program was not found"},
	{TAIL, "130", "Ctrl-C has ended it, by SIGINT, which a shell reports so"},
	{0, NULL, NULL},
};
/* clang-format on */

enum command_id command_find(const char *word)
{
	for (int i = COMMAND_RUN + 1; word && i < COMMAND_COUNT; i++)
		if (!strcmp(word, commands[i].name) ||
		    (commands[i].alias && !strcmp(word, commands[i].alias)))
			return i;
	return COMMAND_RUN;
}

bool command_has_program(enum command_id command)
{
	return command == COMMAND_RUN || command == COMMAND_DOCTOR || command == COMMAND_GATE;
}

void command_put_names(struct strbuf *to, uint32_t set)
{
	const char *between = "computeprof ";

	set &= (1U << COMMAND_COUNT) - 1;
	for (int i = COMMAND_RUN; i < COMMAND_COUNT; i++) {
		uint32_t later = set >> i >> 1;

		if (!(set >> i & 1))
			continue;
		strbuf_printf(to, "%s%s", between, i ? commands[i].name : "PROGRAM");
		between = later & (later - 1) ? ", " : " and ";
	}
}

void command_sentence(struct strbuf *to, enum command_id command)
{
	const char *help = commands[command].help, *end = help;

	while (*end && !(*end == '.' && (!end[1] || end[1] == ' ' || end[1] == '\n')))
		end++;
	for (; help < end; help++)
		strbuf_char(to, *help == '\n' ? ' ' : *help);
}
