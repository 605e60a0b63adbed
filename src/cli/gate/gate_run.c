/* SPDX-License-Identifier: MIT */
#include "cli/gate/gate_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/lines.h"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { ENDING = sizeof(ending) / sizeof(ending[0]) };

static struct sigaction before[ENDING];
static volatile sig_atomic_t stopped; /* the first signal, or 0 */
static volatile sig_atomic_t runner;  /* the process of the present run, or 0 */

/* The kernel sends Ctrl-C to the whole process group, so the run has it already. */
static void stop(int number, siginfo_t *info, void *context)
{
	int error = errno;

	(void)context;
	if (!stopped)
		stopped = number;
	if (info->si_code <= 0 && runner > 0)
		kill(runner, number);
	errno = error;
}

static void take_signals(void)
{
	struct sigaction action = {.sa_sigaction = stop, .sa_flags = SA_SIGINFO | SA_RESTART};

	stopped = 0;
	for (int i = 0; i < ENDING; i++) {
		sigaction(ending[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
	}
}

static void give_back_signals(void)
{
	for (int i = 0; i < ENDING; i++)
		sigaction(ending[i], &before[i], NULL);
}

int gate_run_begin(struct gate_run *run, const struct flags *flags)
{
	const char *parent = getenv("TMPDIR");

	*run = (struct gate_run){.flags = flags};
	run->unstarted = mmap(NULL, sizeof(*run->unstarted), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (run->unstarted == MAP_FAILED) {
		say("cannot run a program: %m");
		return -1;
	}
	strbuf_printf(&run->folder, "%s/computeprof-gate-XXXXXX",
		      parent && *parent ? parent : "/tmp");
	strbuf_char(&run->folder, '\0');
	take_signals();
	if (!run->folder.failed && mkdtemp(run->folder.data))
		return 0;
	say("cannot make a temporary folder: %s", strerror(run->folder.failed ? ENOMEM : errno));
	strbuf_free(&run->folder);
	munmap(run->unstarted, sizeof(*run->unstarted));
	give_back_signals();
	return -1;
}

static void remove_files(const char *folder)
{
	DIR *list = opendir(folder);
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(list), entry->d_name, 0);
	if (list)
		closedir(list);
	rmdir(folder);
}

void gate_run_end(struct gate_run *run)
{
	remove_files(run->folder.data);
	strbuf_free(&run->folder);
	munmap(run->unstarted, sizeof(*run->unstarted));
	give_back_signals();
	if (stopped)
		raise(stopped);
}

/* Appends the name of the output as a pattern: % would begin a placeholder. */
static void put_pattern(struct strbuf *to, const char *path)
{
	for (; *path; path++)
		strbuf_string(to, (const char[]){*path, *path == '%' ? '%' : '\0', '\0'});
}

static int open_null(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
		return -1;
	return null > STDERR_FILENO ? close(null) : 0;
}

/* In the process of the run. */
static void __attribute__((noreturn))
run_program(const struct gate_run *run, char **argv, const char *path)
{
	struct flags flags = {.command = COMMAND_RUN, .arguments = argv};
	struct strbuf pattern = STRBUF_INIT;

	give_back_signals();
	if (open_null()) {
		say("cannot open /dev/null: %m");
		_exit(EXIT_TOOL_FAILED);
	}
	put_pattern(&pattern, path);
	flags.value[FLAG_OUTPUT] = strbuf_text(&pattern);
	flags.value[FLAG_LOG] = "/dev/null";
	flag_note_no_log();
	flags.value[FLAG_FORCE] = "";
	flags.value[FLAG_QUIET] = "";
	flags.is_repeated = run->has_run;
	flags.unstarted = run->unstarted;
	flags.value[FLAG_TIMEOUT] = run->flags->value[FLAG_TIMEOUT];
	while (argv[flags.argument_count])
		flags.argument_count++;
	exit(run_command(&flags));
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	runner = 0;
	return status;
}

/* Returns 0 if the program has succeeded. */
static int check_end(const struct gate_run *run, int status, const char *which)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_TOOL_FAILED;

	if (!stopped && WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGQUIT))
		stopped = WTERMSIG(status);
	if (stopped)
		return EXIT_TOOL_FAILED;
	if (*run->unstarted)
		return code;
	if (WIFSIGNALED(status))
		say("%s was killed by signal %d, so nothing is compared", which, WTERMSIG(status));
	else if (code)
		say("%s ended with exit code %d, so nothing is compared", which, code);
	return status ? EXIT_TOOL_FAILED : EXIT_DONE;
}

static int read_summary(const char *path, const char *which, struct strbuf *summary)
{
	if (access(path, F_OK)) {
		say("%s has launched nothing that could be recorded, so nothing is compared",
		    which);
		return EXIT_TOOL_FAILED;
	}
	if (!lines_read_file(summary, path) && !summary->failed)
		return EXIT_DONE;
	say("cannot read %s: %m", path);
	return EXIT_TOOL_FAILED;
}

int gate_run(struct gate_run *run, char **argv, const char *which, struct strbuf *summary)
{
	struct strbuf path = STRBUF_INIT;
	int result = EXIT_TOOL_FAILED;
	pid_t pid;

	strbuf_printf(&path, "%s/run.json", run->folder.data);
	if (stopped)
		return result;
	fflush(NULL);
	pid = fork();
	if (!pid)
		run_program(run, argv, strbuf_text(&path));
	if (pid < 0) {
		say("cannot start a process: %m");
	} else {
		runner = pid;
		run->has_run = true;
		if (stopped)
			kill(pid, stopped);
		result = check_end(run, wait_for(pid), which);
		if (!result)
			result = read_summary(strbuf_text(&path), which, summary);
		unlink(strbuf_text(&path));
	}
	strbuf_free(&path);
	return result;
}
