/* SPDX-License-Identifier: MIT */
/*
 * A program with a simulated device: it records like a profiled process, with the profiler's
 * session linked in, and ends as requested. For tests of the tool.
 *
 *	simulated [-n ROWS] [-d DEVICES] [-s] [-f] [-g] [-x CODE | -k SIGNAL | -w] [STEP]...
 *
 * -f: a seccomp filter kills it for close_range and unshare;
 * -g: it ends by its own system call exit_group, with CODE;
 * -s: the device never completes its first record; -w: it prints "ready" and waits for a signal;
 * otherwise it ends with CODE. Without *_PROFILE=1 it records nothing.
 *
 * Steps are executed after the rows: "+N" makes N more; "fork" makes a child that ends at once, and
 * waits for it; "apart" makes 20000 in a thread that has its own table of descriptors; "names:N"
 * makes N kernels with a name each, and prints the most memory that it had so far, in KiB; "=FILE"
 * makes the file and waits until it is removed, for at most 30 s. Each other step prints its word
 * and the duration of the longest launch, or fork, in ms. "again:N" executes the program again,
 * which has "again" N times left, and then prints the number of open descriptors. "noexec" is an
 * exec that fails. "sh:SCRIPT" executes a shell. "chroot:FOLDER" makes FOLDER the root directory;
 * "user:ID" makes ID the user and group. "crowd" opens files until the descriptor table is full;
 * "free:N" closes N of them and waits for the writer. "noopen" is a seccomp filter for all threads
 * that forbids to open files; "memory:N" and "size:N" limit the address space and the size of
 * files.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/say.h"
#include "session/manifest.h"
#include "session/predecessor.h"
#include "session/probe.h"
#include "session/session.h"
#include "settings/environ.h"

struct wishes {
	unsigned rows;
	unsigned devices;
	bool stuck;
	bool filter;
	bool group;
	bool wait;
	int code;
	int signal;
};

static struct wishes wishes = {.rows = 3, .devices = 1};
static unsigned made;
static const char *kernel = "saxpy";

/* Every command takes 1.5 us, one after the other. */
static int poll_device(struct record *record)
{
	const uint64_t epoch = UINT64_C(1500000000000000000);

	if (wishes.stuck && record->handle == 1)
		return 0;
	record->queued = record->submitted = epoch + record->handle * 2000;
	record->started = record->submitted + 100;
	record->ended = record->started + 1500;
	record->known |= KNOWN_TIMES;
	record->handle = 0;
	return 1;
}

static void release(struct record *record)
{
	record->handle = 0;
}

static void fill_in(struct record *record, unsigned row)
{
	record->device = row % wishes.devices;
	record->context = record->device;
	record->handle = row + 1;
	record->known = KNOWN_STREAM;
	if (record->frame.kind == FRAME_KERNEL) {
		record->name = session_name(kernel, strlen(kernel));
		record->grid[0] = 50;
		record->grid[1] = record->grid[2] = 1;
		record->block[0] = 32;
		record->block[1] = record->block[2] = 1;
		record->known |= KNOWN_GRID;
		return;
	}
	record->bytes = 4096;
	record->source = MEMORY_HOST;
	record->target = MEMORY_DEVICE;
	record->frame.flags |= RECORD_ASYNCHRONOUS;
	record->known |= KNOWN_BYTES | KNOWN_DIRECTION;
}

/* A copy to the device, then kernels. */
static void make_record(unsigned row)
{
	struct probe probe;
	struct record *record;

	probe_begin(&probe);
	record = probe_record(&probe, row < wishes.devices ? FRAME_COPY : FRAME_KERNEL);
	if (record) {
		fill_in(record, row);
		probe_commit();
		made++;
	}
	probe_end(&probe);
}

static int set_filter(void)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 436 /* close_range */, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(lines) / sizeof(*lines), lines};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int attach(void)
{
	static const struct source source = {.poll = poll_device, .release = release};
	static struct settings settings;
	char name[32];

	settings_load(&settings, API_OPENCL);
	if (!settings.enabled || session_attach(API_OPENCL, &settings, &source))
		return -1;
	for (unsigned i = 0; i < wishes.devices; i++) {
		struct device device = {.api = API_OPENCL, .number = i, .name = name};
		struct context context = {.api = API_OPENCL, .index = i};

		snprintf(name, sizeof(name), "Pretended %u", i);
		context.device = session_device(&device);
		session_context(&context);
	}
	return 0;
}

static int take_arguments(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "n:d:sfgx:k:w")) != -1) {
		int number = optarg ? atoi(optarg) : 0;

		switch (option) {
		case 'n':
			wishes.rows = number;
			break;
		case 'd':
			wishes.devices = number;
			break;
		case 'f':
			wishes.filter = true;
			break;
		case 's':
			wishes.stuck = true;
			break;
		case 'g':
			wishes.group = true;
			break;
		case 'x':
			wishes.code = number;
			break;
		case 'k':
			wishes.signal = number;
			break;
		case 'w':
			wishes.wait = true;
			break;
		default:
			return -1;
		}
	}
	return 0;
}

static uint64_t milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static uint64_t longest_of(unsigned count)
{
	uint64_t longest = 0;

	for (unsigned i = 0; i < count; i++) {
		uint64_t begin = milliseconds();

		make_record(made);
		if (milliseconds() - begin > longest)
			longest = milliseconds() - begin;
	}
	return longest;
}

static unsigned long peak_memory(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	unsigned long peak = 0;
	char line[256];

	while (status && !peak && fgets(line, sizeof(line), status))
		sscanf(line, "VmHWM: %lu kB", &peak);
	if (status)
		fclose(status);
	return peak;
}

static void make_names(const char *step, unsigned count)
{
	char name[32];

	kernel = name;
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "kernel_%u", i);
		make_record(made);
	}
	kernel = "saxpy";
	printf("%s %lu\n", step, peak_memory());
	fflush(stdout);
}

static uint64_t have_child(void)
{
	uint64_t begin = milliseconds();
	pid_t child = fork();

	if (!child) {
		session_leave();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return milliseconds() - begin;
}

static void *launch_apart(void *argument)
{
	if (unshare(CLONE_FILES))
		return argument;
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	*(uint64_t *)argument = longest_of(20000);
	return NULL;
}

static uint64_t have_thread(void)
{
	uint64_t longest = 0;
	pthread_t thread;

	if (!pthread_create(&thread, NULL, launch_apart, &longest))
		pthread_join(thread, NULL);
	return longest;
}

static void exec_again(int count)
{
	DIR *directory = opendir("/proc/self/fd");
	char step[32];
	int open = -1; /* the directory's own */

	if (count) {
		closedir(directory);
		snprintf(step, sizeof(step), "again:%d", count - 1);
		session_exec();
		execl("/proc/self/exe", "simulated", "-n", "2", step, (char *)NULL);
		return;
	}
	for (struct dirent *entry; (entry = readdir(directory));)
		open += entry->d_name[0] != '.';
	closedir(directory);
	printf("descriptors %d\n", open);
}

static void fail_exec(void)
{
	session_exec();
	execl("/nonexistent", "nonexistent", (char *)NULL);
	session_exec_failed();
}

static void await_removal(const char *file)
{
	static const struct timespec pause = {.tv_nsec = 10000000};

	close(open(file, O_WRONLY | O_CREAT, 0666));
	for (int i = 0; i < 3000 && !access(file, F_OK); i++)
		nanosleep(&pause, NULL);
}

enum { DESCRIPTORS = 256 };

static int files[DESCRIPTORS], file_count;

static void fill_table(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = DESCRIPTORS;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		printf("no limit\n");
	while (file_count < DESCRIPTORS &&
	       (files[file_count] = open("/dev/null", O_RDONLY)) >= 0)
		file_count++;
}

/* Idle rounds of the writer are 90 ms apart. */
static void free_places(int count)
{
	static const struct timespec pause = {.tv_nsec = 300000000};

	while (count-- && file_count)
		close(files[--file_count]);
	nanosleep(&pause, NULL);
}

static void forbid_open(void)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(lines) / sizeof(*lines), lines};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program))
		printf("no filter\n");
}

static void change_user(const char *id)
{
	if (setgroups(0, NULL) || setgid((gid_t)atoi(id)) || setuid((uid_t)atoi(id)))
		printf("no user\n");
}

static void set_limit(int resource, const char *value)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(resource, &limit);
	limit.rlim_cur = (rlim_t)atoi(value);
	if (setrlimit(resource, &limit))
		printf("no limit\n");
}

/* Returns false if `step` is another one. */
static bool take_from_itself(const char *step)
{
	if (!strcmp(step, "crowd"))
		fill_table();
	else if (!strncmp(step, "free:", 5))
		free_places(atoi(step + 5));
	else if (!strcmp(step, "noopen"))
		forbid_open();
	else if (!strncmp(step, "user:", 5))
		change_user(step + 5);
	else if (!strncmp(step, "memory:", 7))
		set_limit(RLIMIT_AS, step + 7);
	else if (!strncmp(step, "size:", 5))
		set_limit(RLIMIT_FSIZE, step + 5);
	else
		return false;
	return true;
}

static void take_step(const char *step)
{
	uint64_t longest;

	if (take_from_itself(step))
		return;
	if (*step == '=') {
		await_removal(step + 1);
		return;
	}
	if (!strncmp(step, "again:", 6)) {
		exec_again(atoi(step + 6));
		return;
	}
	if (!strncmp(step, "chroot:", 7)) {
		if (chroot(step + 7) || chdir("/"))
			printf("no chroot\n");
		return;
	}
	if (!strncmp(step, "names:", 6)) {
		make_names(step, (unsigned)atoi(step + 6));
		return;
	}
	if (!strncmp(step, "sh:", 3)) {
		session_exec();
		execl("/bin/sh", "sh", "-c", step + 3, (char *)NULL);
		return;
	}
	if (!strcmp(step, "noexec")) {
		fail_exec();
		return;
	}
	if (*step == '+')
		longest = longest_of((unsigned)atoi(step + 1));
	else
		longest = strcmp(step, "apart") ? have_child() : have_thread();
	printf("%s %llu\n", step, (unsigned long long)longest);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	if (take_arguments(argc, argv))
		return 2;
	if (wishes.filter && set_filter())
		return 77;
	if (environ_any_set())
		predecessor_remove();
	say_set_program(getenv(MANIFEST_PROGRAM));
	if (!attach())
		for (unsigned row = 0; row < wishes.rows; row++)
			make_record(row);
	for (int i = optind; i < argc; i++)
		take_step(argv[i]);
	if (wishes.wait) {
		printf("ready\n");
		fflush(stdout);
		pause();
	}
	if (wishes.signal)
		raise(wishes.signal);
	if (wishes.group)
		syscall(SYS_exit_group, wishes.code);
	session_stop();
	session_end();
	printf("made %u\n", made);
	return wishes.code;
}
