/* SPDX-License-Identifier: MIT */
/*
 * Usage: conformance [PART ...]	runs and checks these parts (T4, T13.abort ...), or all of T
 *	  conformance questions		runs the parts Q1 to Q11
 *	  conformance list		the parts
 *	  conformance kernels		the source of the kernels, in PTX
 *	  conformance facts		the driver's data about itself and its devices
 *	  conformance hold		keeps the driver started, until it is killed
 *	  conformance within SECONDS PROGRAM [ARGUMENT ...]
 *					runs it, for SECONDS at most; its output goes to the
 *					files out and err
 *	  conformance evaluate FILE	evaluates recorded counters by CUPTI (evaluate.h)
 *	  conformance show FILE		prints them as text
 *	  conformance compare NCU LOG	compares Nsight Compute's counts with a log (compare.h)
 *	  conformance check PART	only the check, for the files of an earlier run
 *	  conformance work PART [STEP]	the program of a part; the runner and the parts use this
 * tests/gpu/README has more. Results are in TAP; the files are in the current directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "evaluate.h"
#include "facts.h"
#include "kernels.h"
#include "parts.h"
#include "runner.h"

enum { MOST_PARTS = 128 };

static int list(void)
{
	for (const struct part *part = parts; part->name; part++)
		printf("%-24s %s\n", part->name, part->title);
	return 0;
}

static int work(char **arguments)
{
	const struct part *part = parts_find(arguments[0]);

	if (!part || !part->work) {
		fprintf(stderr, "conformance: no part %s\n", arguments[0]);
		return 2;
	}
	return part->work(part, arguments[1]);
}

static int within(char **arguments)
{
	const struct process process = {.folder = ".",
					.arguments = arguments + 1,
					.environment = environ,
					.limit = strtod(arguments[0], NULL)};
	struct outcome outcome = process_run(&process);

	return outcome.late || !WIFEXITED(outcome.status) ? 1 : WEXITSTATUS(outcome.status);
}

static int check(const char *name)
{
	const struct part *part = parts_find(name);

	if (!part || !part->check) {
		fprintf(stderr, "conformance: no part %s\n", name);
		return 2;
	}
	return runner_check(part);
}

/* T13 selects T13.abort, too, but T1 does not select T13. Questions are not among all parts. */
static bool is_meant(const struct part *part, char **names)
{
	bool is_question = part->name[0] == 'Q';
	size_t length;

	if (*names && !strcmp(*names, "questions"))
		return is_question;

	for (char **name = names; *name; name++) {
		length = strlen(*name);
		if (!strncmp(part->name, *name, length) &&
		    (!part->name[length] || part->name[length] == '.'))
			return true;
	}
	return !*names && !is_question;
}

static int run(char **names)
{
	const struct part *chosen[MOST_PARTS + 1] = {NULL};
	size_t count = 0;

	for (const struct part *part = parts; part->name && count < MOST_PARTS; part++) {
		if (is_meant(part, names))
			chosen[count++] = part;
	}
	if (count)
		return runner_run(chosen);
	fprintf(stderr, "conformance: no such part\n");
	return 2;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "work"))
		return work(argv + 2);
	if (argc > 3 && !strcmp(argv[1], "within"))
		return within(argv + 2);
	if (argc == 3 && !strcmp(argv[1], "check"))
		return check(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "compare"))
		return compare_ncu(argv[2], argv[3]);
	if (argc == 3 && !strcmp(argv[1], "evaluate"))
		return evaluate_file(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "show"))
		return evaluate_show(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "list"))
		return list();
	if (argc == 2 && !strcmp(argv[1], "kernels"))
		return puts(kernels_ptx) < 0;
	if (argc == 2 && !strcmp(argv[1], "facts"))
		return facts_print();
	if (argc == 2 && !strcmp(argv[1], "hold"))
		return facts_hold();
	return run(argv + 1);
}
