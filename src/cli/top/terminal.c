/* SPDX-License-Identifier: MIT */
#include "cli/top/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "cli/lines.h"
#include "view/format/label.h"

/* ECMA-48 and DEC's private modes: alternate screen, cursor, and wrapping at the right margin. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

/* What has been changed, or is being changed: a signal may come after each call. */
enum entered { ENTERED_NOTHING, ENTERED_MODES, ENTERED_SCREEN };

static struct termios before;
static volatile sig_atomic_t entered; /* enum entered */
static volatile sig_atomic_t end_signal; /* its number, or 0 */
static volatile sig_atomic_t stop_wanted;
static volatile sig_atomic_t changed;
static int wake[2] = {-1, -1}; /* a pipe that ends the waiting */

static struct {
	char bytes[64];
	size_t count, at;
} keys;

/* Returns the number of bytes that were written. */
static size_t write_all(const char *text, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t written = write(STDOUT_FILENO, text + done, length - done);

		if (written < 0 && (errno != EINTR || end_signal || stop_wanted))
			break;
		done += written > 0 ? (size_t)written : 0;
	}
	return done;
}

static void restore(bool modes)
{
	bool screen = entered == ENTERED_SCREEN;

	entered = ENTERED_NOTHING;
	tcflow(STDOUT_FILENO, TCOON); /* output may be suspended by Ctrl-S */
	if (screen && write(STDOUT_FILENO, LEAVE, strlen(LEAVE)) < 0)
		errno = 0;
	if (modes)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

/* Async-signal-safe. A process in the background may do this, too: SIGTTOU is blocked. A signal of
 * a crash waits, since its handler would find a terminal that is half restored. */
static void leave(bool modes)
{
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGTTOU);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		sigaddset(&set, crashes[i]);
	sigprocmask(SIG_BLOCK, &set, &old);
	if (entered)
		restore(modes);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

void terminal_leave(void)
{
	leave(true);
}

static void wake_up(void)
{
	int error = errno;

	if (write(wake[1], "", 1) < 0) /* full: it is readable */
		errno = 0;
	errno = error;
}

static void on_end(int number)
{
	end_signal = number;
	wake_up();
}

static void on_stop(int number)
{
	(void)number;
	stop_wanted = 1;
	wake_up();
}

static void on_change(int number)
{
	changed = number;
	wake_up();
}

static void on_crash(int number)
{
	terminal_leave();
	signal(number, SIG_DFL);
	raise(number);
}

/* Without SA_RESTART, so that a write ends. A signal that is ignored stays so. */
static void set_handler(int number, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler}, old;

	if (!sigaction(number, NULL, &old) && old.sa_handler == SIG_IGN && handler == on_end)
		return;
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static void set_handlers(void)
{
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		set_handler(ending[i], on_end);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		set_handler(crashes[i], on_crash);
	set_handler(SIGTSTP, on_stop);
	set_handler(SIGCONT, on_change);
	set_handler(SIGWINCH, on_change);
}

bool terminal_is_usable(void)
{
	const char *type = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && type && *type &&
	       strcmp(type, "dumb");
}

static int set_modes(void)
{
	struct termios modes = before;

	modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	modes.c_cc[VMIN] = 1;
	modes.c_cc[VTIME] = 0;
	entered = ENTERED_MODES;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &modes)) {
		entered = ENTERED_NOTHING;
		return -1;
	}
	entered = ENTERED_SCREEN;
	if (!write_all(ENTER, strlen(ENTER)))
		entered = ENTERED_MODES;
	return 0;
}

int terminal_enter(void)
{
	if (tcgetattr(STDIN_FILENO, &before))
		return -1;
	if (wake[0] < 0 && (pipe2(wake, O_CLOEXEC | O_NONBLOCK) || atexit(terminal_leave)))
		return -1;
	set_handlers();
	return set_modes();
}

void terminal_size(unsigned *width, unsigned *height)
{
	struct winsize size;
	bool known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col && size.ws_row;

	*width = known ? size.ws_col : 80;
	*height = known ? size.ws_row : 24;
}

/* Returns the number of bytes of the sequence, which begins with ESC, and its key, or 0. */
static size_t read_sequence(const char *at, size_t length, int *key)
{
	size_t end = 2;

	*key = 0;
	if (length < 3 || (at[1] != '[' && at[1] != 'O'))
		return 1;
	while (end + 1 < length && (at[end] < '@' || at[end] > '~'))
		end++;
	if (end == 2)
		*key = at[2] == 'A'   ? TERMINAL_UP
		       : at[2] == 'B' ? TERMINAL_DOWN
		       : at[2] == 'Z' ? TERMINAL_BACK
				      : 0;
	return end + 1;
}

static int next_key(void)
{
	while (keys.at < keys.count) {
		int key = (unsigned char)keys.bytes[keys.at];
		size_t length = 1;

		if (key == '\033')
			length = read_sequence(keys.bytes + keys.at, keys.count - keys.at, &key);
		keys.at += length;
		if (key)
			return key;
	}
	return 0;
}

static int read_keys(void)
{
	ssize_t got = read(STDIN_FILENO, keys.bytes, sizeof(keys.bytes));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	keys.count = got > 0 ? (size_t)got : 0;
	keys.at = 0;
	return got > 0 ? 0 : -1;
}

/* The process stops here, and continues here after SIGCONT. */
static void stop(void)
{
	/* If its group's leader has stopped before, the shell has set its own modes already. */
	leave(tcgetpgrp(STDIN_FILENO) == getpgrp());
	stop_wanted = 0;
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	set_handler(SIGTSTP, on_stop);
	changed = SIGCONT;
}

/* Handles the signals that have come. Returns TERMINAL_CHANGED or TERMINAL_CLOSED for the caller,
 * or 0. */
static int take_signals(void)
{
	int number = changed;
	char bytes[64];

	while (read(wake[0], bytes, sizeof(bytes)) > 0)
		;
	if (end_signal) {
		terminal_leave();
		signal(end_signal, SIG_DFL);
		raise(end_signal);
	}
	if (stop_wanted) {
		stop();
		number = SIGCONT;
	}
	changed = 0;
	/* While it was stopped, the terminal belonged to others. */
	if (number == SIGCONT && set_modes())
		return TERMINAL_CLOSED;
	return number ? TERMINAL_CHANGED : 0;
}

/* Returns 0 after an event or a signal. */
static int wait_once(uint64_t left)
{
	const uint64_t millisecond = 1000000;
	struct pollfd files[] = {{.fd = STDIN_FILENO, .events = POLLIN},
				 {.fd = wake[0], .events = POLLIN}};
	int ready = poll(files, 2, (int)((left + millisecond - 1) / millisecond));

	if (ready <= 0)
		return 0;
	if (files[0].revents & POLLIN)
		return read_keys() ? TERMINAL_CLOSED : 0;
	return files[0].revents ? TERMINAL_CLOSED : 0;
}

int terminal_wait(uint64_t deadline)
{
	for (;;) {
		uint64_t now;
		int key = take_signals();

		key = key ? key : next_key();
		if (key)
			return key;
		now = clock_monotonic();
		if (now >= deadline)
			return TERMINAL_TIMEOUT;
		key = wait_once(deadline - now);
		if (key)
			return key;
	}
}

static void put_line(struct strbuf *to, const char *line, size_t length, unsigned width)
{
	size_t start = to->length;

	strbuf_append(to, line, length);
	label_cut(to, start, width);
}

void terminal_draw(const char *lines, size_t length, size_t marked, const char *last)
{
	const char *end = lines + length;
	struct strbuf text = STRBUF_INIT;
	unsigned width, height;

	terminal_size(&width, &height);
	strbuf_string(&text, "\033[H");
	for (size_t i = 0; i + 1 < height && lines < end; i++) {
		const char *newline = memchr(lines, '\n', (size_t)(end - lines));
		size_t size = (size_t)((newline ? newline : end) - lines);

		strbuf_string(&text, i == marked ? "\033[7m" : "");
		put_line(&text, lines, size, width);
		strbuf_string(&text, i == marked ? "\033[0m\033[K\r\n" : "\033[K\r\n");
		lines += size + 1;
	}
	strbuf_printf(&text, "\033[J\033[%u;1H", height);
	put_line(&text, last, strlen(last), width);
	if (!text.failed && entered == ENTERED_SCREEN)
		write_all(text.data, text.length);
	strbuf_free(&text);
}
