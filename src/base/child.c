/* SPDX-License-Identifier: MIT */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/sigmask.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum {
	STACK = 256 * 1024,
	PIECE = 64 * 1024,
	FIRST_FREE = 3,	      /* standard files are replaced in the child */
	CLOSE_ON_EXEC = 1,    /* MFD_CLOEXEC */
	MESSAGES = 16 * 1024, /* bytes of messages that are kept */
	SECOND = 1000 * 1000 * 1000,
	CANNOT_START = 127,
};

struct files {
	int input, messages; /* files in memory */
	int output[2];	     /* a pipe */
};

struct start {
	const struct child *child;
	const struct files *files;
	int error; /* of execve; the child shares the memory */
};

static int above_standard(int file)
{
	int moved;

	if (file < 0 || file >= FIRST_FREE)
		return file;
	moved = fcntl(file, F_DUPFD_CLOEXEC, FIRST_FREE);
	close(file);
	return moved;
}

static int memory_file(void)
{
	return above_standard((int)syscall(SYS_memfd_create, "computeprof", CLOSE_ON_EXEC));
}

static void close_files(struct files *files)
{
	int all[] = {files->input, files->messages, files->output[0], files->output[1]};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] >= 0)
			close(all[i]);
}

static bool write_all(int file, const char *from, size_t size)
{
	ssize_t written;

	for (; size; from += written, size -= (size_t)written) {
		written = write(file, from, size);
		if (written < 0 && errno != EINTR)
			return false;
		written = written < 0 ? 0 : written;
	}
	return !lseek(file, 0, SEEK_SET);
}

static bool open_files(struct files *files, const struct child *child)
{
	*files = (struct files){-1, -1, {-1, -1}};
	files->input = memory_file();
	files->messages = memory_file();
	if (files->input < 0 || files->messages < 0 ||
	    syscall(SYS_pipe2, files->output, O_CLOEXEC))
		return false;
	files->output[0] = above_standard(files->output[0]);
	files->output[1] = above_standard(files->output[1]);
	return files->output[0] >= 0 && files->output[1] >= 0 &&
	       write_all(files->input, child->input, child->input_size);
}

/*
 * In the child, which shares the memory with the thread that waits for it, but not the files. The
 * signals stay blocked, so that no handler of the program runs here. It does not return, and its
 * stack is used again: the address sanitizer must not mark it.
 */
__attribute__((no_sanitize("address"))) static int begin(void *argument)
{
	struct start *start = argument;
	const struct child *child = start->child;
	rlim_t seconds = (rlim_t)(child->limit / SECOND + 1);
	const struct rlimit limit = {seconds, seconds};

	if (dup2(start->files->input, STDIN_FILENO) < 0 ||
	    dup2(start->files->output[1], STDOUT_FILENO) < 0 ||
	    dup2(start->files->messages, STDERR_FILENO) < 0)
		_exit(CANNOT_START);
	syscall(SYS_close_range, FIRST_FREE, ~0U, 0);
	setpgid(0, 0);
	setrlimit(RLIMIT_CPU, &limit); /* of its own children, too */
	/* execve is this library's, for execs of the program. */
	syscall(SYS_execve, child->path, child->arguments, child->environment);
	start->error = errno;
	_exit(CANNOT_START);
}

/* Returns -1 and sets errno. Without a signal in the flags, only __WALL waits for the child. */
static pid_t start_child(struct start *start)
{
	char *stack = memory_map(STACK);
	sigset_t before;
	pid_t pid;
	int error;

	if (!stack) {
		errno = ENOMEM;
		return -1;
	}
	sigmask_all(&before);
	pid = clone(begin, stack + STACK, CLONE_VM | CLONE_VFORK, start);
	error = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	memory_unmap(stack, STACK);
	errno = error;
	return pid;
}

static int left_ms(uint64_t end)
{
	uint64_t now = clock_monotonic();

	return now < end ? (int)((end - now) / 1000000) + 1 : 0;
}

/* Returns NULL at the end of the output, or the reason why it is not read to its end. */
static const char *read_output(int file, size_t most, uint64_t end, struct strbuf *output)
{
	struct pollfd poll_for = {.fd = file, .events = POLLIN};
	size_t start = output->length;

	for (;;) {
		int left = left_ms(end);
		char *room = strbuf_reserve(output, PIECE);
		ssize_t got;

		if (!room)
			return "there is no memory for its output";
		if (output->length - start > most)
			return "its output is too long";
		if (!left)
			return "it took too long";
		if (poll(&poll_for, 1, left) <= 0)
			continue;
		got = read(file, room, PIECE);
		if (!got)
			return NULL;
		if (got < 0 && errno != EINTR)
			return "its output cannot be read";
		output->length += got > 0 ? (size_t)got : 0;
	}
}

/* Ends the child if it does not end in time. Returns its status. */
static int wait_for(pid_t pid, uint64_t end)
{
	static const struct timespec pause = {.tv_nsec = 500000};
	int status = 0;

	while (left_ms(end)) {
		pid_t ended = waitpid(pid, &status, __WALL | WNOHANG);

		if (ended == pid || (ended < 0 && errno != EINTR))
			return ended == pid ? status : -1;
		nanosleep(&pause, NULL);
	}
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
	return -1;
}

static void read_messages(int file, struct strbuf *messages)
{
	char *room = strbuf_reserve(messages, MESSAGES);
	ssize_t got = room ? pread(file, room, MESSAGES, 0) : 0;

	messages->length += got > 0 ? (size_t)got : 0;
}

static int run(const struct child *child, struct files *files, struct strbuf *output,
	       struct strbuf *messages)
{
	uint64_t end = clock_monotonic() + child->limit;
	struct start start = {.child = child, .files = files};
	pid_t pid = start_child(&start);
	const char *why;
	int status;

	if (pid < 0) {
		strbuf_printf(messages, "it cannot be started: %m");
		return -1;
	}
	close(files->output[1]);
	files->output[1] = -1;
	why = read_output(files->output[0], child->output_most, end, output);
	status = wait_for(pid, why ? 0 : end);
	errno = start.error;
	if (start.error)
		strbuf_printf(messages, "it cannot be started: %m");
	else if (why || !WIFEXITED(status) || status < 0)
		strbuf_string(messages, why ? why : "it has not ended as it should");
	else
		read_messages(files->messages, messages);
	return start.error || why || status < 0 || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}

int child_run(const struct child *child, struct strbuf *output, struct strbuf *messages)
{
	int error = errno, cancel, result = -1;
	struct files files;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (open_files(&files, child))
		result = run(child, &files, output, messages);
	else
		strbuf_printf(messages, "its files cannot be opened: %m");
	close_files(&files);
	pthread_setcancelstate(cancel, &cancel);
	errno = error;
	return result;
}
