/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>

#include "base/file.h"
#include "base/say.h"
#include "cli/command.h"
#include "cli/flame/flame_flags.h"
#include "cli/help.h"
#include "cli/help/pager.h"
#include "cli/library.h"
#include "cli/nvprof/nvprof.h"
#include "cli/standard.h"
#include "settings/filename.h"

static int (*const functions[COMMAND_COUNT])(const struct flags *flags) = {
	[COMMAND_RUN] = run_command,	   [COMMAND_RECOVER] = recover_command,
	[COMMAND_LIST] = list_command,	   [COMMAND_DOCTOR] = doctor_command,
	[COMMAND_HELP] = help_command,	   [COMMAND_PRINT] = print_command,
	[COMMAND_REPORT] = report_command, [COMMAND_MERGE] = merge_command,
	[COMMAND_TAIL] = tail_command,	   [COMMAND_TOP] = top_command,
	[COMMAND_FLAME] = flame_command,   [COMMAND_ADVISE] = advise_command,
	[COMMAND_DIFF] = diff_command,	   [COMMAND_GATE] = gate_command,
};

static void show_help(enum command_id command)
{
	struct pager pager;

	pager_begin(&pager);
	help_print(command);
	pager_end(&pager);
}

static void show_version(void)
{
	struct strbuf text = STRBUF_INIT;

	help_version(&text);
	fputs(strbuf_text(&text), stdout);
	strbuf_free(&text);
}

static int run(int argc, char **argv)
{
	enum command_id command = command_find(argc > 1 ? argv[1] : NULL);
	int skip = command == COMMAND_RUN ? 0 : 1;
	struct flags flags;

	argc = skip + flame_spell(command, argc - skip, argv + skip);
	if (flag_parse(&flags, command, argc - skip, argv + skip))
		return EXIT_TOOL_FAILED;
	/* A write beyond the limit of file sizes fails then, and is reported like others. A program
	 * that is run inherits no signal dispositions of the tool. */
	if (command != COMMAND_RUN)
		signal(SIGXFSZ, SIG_IGN);
	if (flags.value[FLAG_HELP]) {
		show_help(command);
		return standard_close(EXIT_DONE);
	}
	if (flags.value[FLAG_VERSION]) {
		show_version();
		return standard_close(EXIT_DONE);
	}
	if (command == COMMAND_RUN)
		say_set_rank(filename_job_rank());
	library_configs();
	if (flag_check(&flags) || flame_flags(&flags))
		return EXIT_TOOL_FAILED;
	return standard_close(functions[command](&flags));
}

int main(int argc, char **argv)
{
	struct nvprof_line line;
	int code;

	standard_fill();
	file_note_standard();
	if (!nvprof_is_name(argv[0]))
		return run(argc, argv);
	code = nvprof_translate(&line, argc, argv);
	code = code < 0 ? run(line.argc, line.argv) : standard_close(code);
	nvprof_free(&line);
	return code;
}
