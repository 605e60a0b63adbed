/* SPDX-License-Identifier: MIT */
/*
 * limited SECONDS PROGRAM [ARGUMENT]...
 * Runs one test file and passes its TAP on. After SECONDS the test fails with one more result,
 * which names the result before it and the processes that still run. All processes that the test
 * started are ended, in any group or session: orphans become children of this program. The last
 * line has the duration of the test. Exits with the test's exit code, or with 124 after SECONDS.
 * COMPUTEPROF_TEST_TURN=N/COUNT: tests take turns at the full level. Those whose turn is not N (0
 * to COUNT - 1) run at the quick level.
 * If this user can mount file systems, the test has a /dev/shm of its own: ring files of other
 * processes do not matter to it, and the system's /dev/shm does not have to be writable.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	GRACE = 5,	  /* s for remaining processes, and from SIGTERM to SIGKILL */
	TIME_LIMIT = 124, /* as of timeout(1) */
	MOST = 4096,	  /* maximum number of examined processes */
};

struct process {
	pid_t pid;
	pid_t parent;
	bool ours;
};

static struct {
	pid_t child;
	int status;	/* of waitpid */
	int output;	/* the test's output; -1 at its end */
	bool ended;	/* the test */
	bool alone;	/* no other process is left */
	char line[512]; /* the present line, cut off */
	size_t length;
	char last[512]; /* the last result */
	unsigned results;
	bool plan;
} test;

static volatile sig_atomic_t stopped;

static void stop(int number)
{
	stopped = number;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void take_line(void)
{
	bool result;

	test.line[test.length] = '\0';
	result = !strncmp(test.line, "ok ", 3) || !strncmp(test.line, "not ok ", 7);
	test.plan |= !strncmp(test.line, "1..", 3);
	test.results += result;
	if (result)
		memcpy(test.last, test.line, test.length + 1);
	test.length = 0;
}

static void read_output(void)
{
	char bytes[4096];
	ssize_t size = read(test.output, bytes, sizeof(bytes));

	if (size <= 0) {
		if (!size || errno != EINTR) {
			close(test.output);
			test.output = -1;
		}
		return;
	}
	fwrite(bytes, 1, (size_t)size, stdout);
	fflush(stdout);
	for (ssize_t i = 0; i < size; i++)
		if (bytes[i] == '\n')
			take_line();
		else if (test.length < sizeof(test.line) - 1)
			test.line[test.length++] = bytes[i];
}

static void wait_for_processes(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == test.child) {
			test.status = status;
			test.ended = true;
		}
	test.alone = pid < 0 && errno == ECHILD;
}

/* Passes output on until everything has ended, or until the time `end`. */
static void attend(double end)
{
	while (!stopped && now() < end) {
		struct pollfd output = {.fd = test.output, .events = POLLIN};

		/* A process that ends closes the pipe, or is noticed after the timeout. */
		if (poll(&output, 1, test.output < 0 ? 10 : 100) > 0)
			read_output();
		wait_for_processes();
		if (test.alone && test.output < 0)
			return;
		if (test.ended && end > now() + GRACE)
			end = now() + GRACE;
	}
}

static pid_t parent_of(const char *pid)
{
	char path[64], text[1024], *end;
	int parent = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	end = fgets(text, sizeof(text), file) ? strrchr(text, ')') : NULL;
	if (!end || sscanf(end, ") %*c %d", &parent) != 1)
		parent = 0;
	fclose(file);
	return parent;
}

static size_t list_processes(struct process *list)
{
	DIR *folder = opendir("/proc");
	size_t count = 0;

	for (struct dirent *entry; folder && count < MOST && (entry = readdir(folder));)
		if (isdigit((unsigned char)*entry->d_name))
			list[count++] = (struct process){.pid = atoi(entry->d_name),
							 .parent = parent_of(entry->d_name)};
	if (folder)
		closedir(folder);
	return count;
}

static bool is_ours(const struct process *list, size_t count, pid_t pid)
{
	if (pid == getpid())
		return true;
	for (size_t i = 0; i < count; i++)
		if (list[i].pid == pid)
			return list[i].ours;
	return false;
}

/* Calls `act` for each descendant. */
static void each_descendant(void (*act)(pid_t pid, int number), int number)
{
	static struct process list[MOST];
	size_t count = list_processes(list);
	bool found = true;

	while (found) {
		found = false;
		for (size_t i = 0; i < count; i++) {
			if (list[i].ours || !is_ours(list, count, list[i].parent))
				continue;
			list[i].ours = found = true;
			act(list[i].pid, number);
		}
	}
}

static void send_signal(pid_t pid, int number)
{
	kill(pid, number);
}

static void print_process(pid_t pid, int unused)
{
	char path[64], text[256];
	ssize_t size;
	int fd;

	(void)unused;
	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (size <= 0)
		return; /* a zombie, or gone */
	text[size] = '\0';
	for (ssize_t i = 0; i < size - 1; i++)
		if (!isprint((unsigned char)text[i]))
			text[i] = ' ';
	printf("# still running: %d %s\n", (int)pid, text);
}

static void kill_all(void)
{
	stopped = 0;
	for (double end = now() + GRACE; !test.alone && !stopped && now() < end;) {
		each_descendant(send_signal, SIGKILL);
		attend(now() + 0.05);
	}
}

/* Prints the failure of a test that took too long, with the last result before it. */
static void print_failure(const char *seconds)
{
	if (test.length)
		printf("\n");
	printf("not ok %u - not finished within %s seconds; the last result was: %s\n",
	       test.results + 1, seconds, *test.last ? test.last : "none");
	each_descendant(print_process, 0);
	if (!test.plan)
		printf("1..%u\n", test.results + 1);
	fflush(stdout);
}

/* Includes all ended processes, also those that others have waited for. */
static void print_time(double begin)
{
	struct rusage used;

	getrusage(RUSAGE_CHILDREN, &used);
	printf("# took %.1f s, %.1f s of processor time\n", now() - begin,
	       (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
		       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
	fflush(stdout);
}

/* Without the right to do so, nothing changes. */
static void make_own_memory(void)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return;
	mount("none", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
}

/* The turn of a test is the sum of the bytes of its name, modulo COUNT. */
static void set_level(const char *name)
{
	const char *turn = getenv("COMPUTEPROF_TEST_TURN");
	const char *level = getenv("COMPUTEPROF_TEST_LEVEL");
	const char *below = strstr(name, "tests/");
	unsigned number, count, sum = 0;

	if (!turn || !level || strcmp(level, "full"))
		return;
	if (sscanf(turn, "%u/%u", &number, &count) != 2 || number >= count) {
		fprintf(stderr, "COMPUTEPROF_TEST_TURN=%s is no N/COUNT\n", turn);
		exit(EXIT_FAILURE);
	}
	for (const char *at = below ? below : name; *at; at++)
		sum += (unsigned char)*at;
	if (sum % count != number)
		setenv("COMPUTEPROF_TEST_LEVEL", "quick", 1);
}

static void start(char **program)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC)) {
		perror("pipe2");
		exit(EXIT_FAILURE);
	}
	test.child = fork();
	if (!test.child) {
		setpgid(0, 0);
		dup2(ends[1], STDOUT_FILENO);
		execvp(*program, program);
		perror(*program);
		_exit(127);
	}
	close(ends[1]);
	test.output = ends[0];
}

static void catch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = stop}, before;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}

int main(int count, char **arguments)
{
	double begin = now();
	bool late;

	if (count < 3 || atoi(arguments[1]) <= 0) {
		fprintf(stderr, "usage: limited SECONDS PROGRAM [ARGUMENT]...\n");
		return EXIT_FAILURE;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	make_own_memory();
	set_level(arguments[count - 1]);
	start(arguments + 2);
	catch_signals();
	attend(begin + atoi(arguments[1]));
	late = !test.ended;
	if (late && !stopped)
		print_failure(arguments[1]);
	if (!late && !test.alone)
		each_descendant(print_process, 0);
	if (late) {
		stopped = 0;
		each_descendant(send_signal, SIGTERM);
		attend(now() + GRACE);
	}
	kill_all();
	print_time(begin);
	if (late)
		return TIME_LIMIT;
	return WIFEXITED(test.status) ? WEXITSTATUS(test.status) : 128 + WTERMSIG(test.status);
}
