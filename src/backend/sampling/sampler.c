/* SPDX-License-Identifier: MIT */
#include "backend/sampling/sampler.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/sampling/cpu_timer.h"
#include "backend/sampling/first_clock.h"
#include "backend/sampling/handler_stack.h"
#include "backend/sampling/masks.h"
#include "backend/sampling/pending_signal.h"
#include "backend/sampling/safe_point.h"
#include "backend/sampling/sample_signal.h"
#include "backend/sampling/samples.h"
#include "backend/sampling/task_clock.h"
#include "backend/sampling/threads.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/python.h"
#include "base/unwind.h"
#include "model/event.h"
#include "session/locks.h"

enum {
	SECOND = 1000000000,
	TRUST = 8,	     /* updates without the signal in the mask, after two with it */
	EARLY = SECOND / 25, /* ns of CPU time before threads are created */
	PAGES = 32,
	NEAR = 16384, /* bytes from a handler's frame to what the kernel has put there */
};

struct sampled_thread {
	uint32_t thread; /* kernel thread id */
	int source;	 /* number of its timer or event; -1: it has none */
	bool seen;	 /* its signal mask has been read */
	uint8_t blocked; /* 0: it may have a source; else updates until then */
};

/* Guarded by the drain lock, except for `period` and `active`. */
static struct sampled_thread *table, *other; /* THREADS_MOST each, by ascending thread */
static uint32_t count;
static struct thread_list *list;
static struct mask_list masks;
static uint32_t next_mask;  /* index in the table of the first mask to be read again */
static uint32_t clock_kind; /* enum sample_clock */
static void (*begin)(void);
static void (*end)(const char *reason);
static _Atomic bool begun;	/* it was called, or is not needed */
static _Atomic uint64_t period; /* ns */
static _Atomic uint32_t active; /* 0: no samples; else it differs after each pause */
static _Atomic uint32_t updates;
static pid_t process; /* a child of vfork shares the memory, not the threads */

/* CPU time of this thread at its last sample, during the period `active`. */
static __thread uint64_t sampled_until __attribute__((tls_model("initial-exec")));
static __thread uint32_t sampled_during __attribute__((tls_model("initial-exec")));

/* The value of `updates`, plus 1, when this thread's source was closed because the thread waits for
 * signals; 0: never. The thread then has no source for TRUST updates. */
static __thread uint32_t waits_since __attribute__((tls_model("initial-exec")));

static uint32_t own_thread(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

/* The weight is the CPU time since the last sample, so the sum of all weights is the CPU time even
 * if signals were blocked or late. */
static uint64_t weigh(uint32_t during)
{
	uint64_t now = clock_cpu_time(CLOCK_THREAD_CPUTIME_ID);
	uint64_t weight = now - sampled_until;

	if (sampled_during != during || now < sampled_until)
		weight = atomic_load_explicit(&period, memory_order_relaxed);
	sampled_during = during;
	sampled_until = now;
	return weight;
}

/* Returns true if the program handles the signals itself, as Go's runtime does. Go ends without
 * exit handlers, and a session must not begin on its stacks. */
static bool has_ended(void)
{
	if (!sample_signal_is_lost())
		return false;
	first_clock_stop();
	if (atomic_exchange(&active, 0))
		end(sample_signals_used);
	return true;
}

/* Not inlined: threads with small stacks create threads, too, and only this needs 4 KiB. */
static __attribute__((noinline)) void begin_at(const void *caller)
{
	uintptr_t frames[UNWIND_MOST];
	size_t all = unwind_here(frames, UNWIND_MOST), first = 0;

	while (first < all && frames[first] != (uintptr_t)caller)
		first++;
	if (safe_point_is(frames + first, all - first) && !atomic_exchange(&begun, true))
		begin();
}

void sampler_thread_comes(const void *caller)
{
	if (atomic_load(&active) && !atomic_load(&begun) && !has_ended())
		begin_at(caller);
}

struct interruption {
	const siginfo_t *information;
	void *context;
	bool late; /* the interrupted code has continued: its stack is another one now */
};

static void begin_if_safe(const void *context, const struct cpu_sample *sample)
{
	if (!atomic_load(&begun) && sample->thread == (uint32_t)getpid() &&
	    clock_cpu_time(CLOCK_PROCESS_CPUTIME_ID) >= EARLY && safe_point_is_at(context) &&
	    !atomic_exchange(&begun, true))
		begin();
}

static void walk_stack(const struct interruption *interruption, struct cpu_sample *sample)
{
	const void *context = interruption->context;
	uintptr_t pages[PAGES];
	struct python_walk python;
	struct unwind_visitor *visitor = NULL;
	size_t most = interruption->late ? 1 : SAMPLE_FRAMES;

	if (python_is_there()) {
		memset(pages, 0, sizeof(pages));
		visitor = python_visitor(&python, (struct python_memory){pages, PAGES});
	}
	sample->count = (uint16_t)unwind_context(context, sample->frames, most, visitor);
	sample->exact = sample->count && sample->frames[0] == unwind_context_pc(context);
}

static void take_sample(const struct interruption *interruption, uint32_t during, uint32_t clock)
{
	struct cpu_sample *sample = samples_get();

	if (!sample)
		return;
	sample->thread = own_thread();
	sample->time = clock_monotonic();
	sample->weight = weigh(during);
	sample->clock = clock;
	if (!interruption->late)
		begin_if_safe(interruption->context, sample);
	walk_stack(interruption, sample);
	samples_put(sample);
	first_clock_arm(sample_signal(), atomic_load(&period), !atomic_load(&begun));
}

static void handle(void *argument)
{
	const struct interruption *interruption = argument;
	uint32_t during = atomic_load(&active);
	uint32_t clock = pending_signal_clock(interruption->information);
	int error = errno;

	if (during && clock != SAMPLE_CLOCK_UNKNOWN)
		take_sample(interruption, during, clock);
	errno = error;
}

/* The kernel calls a handler below the context. The thread sanitizer and others call it later, with
 * a copy. If all stacks are in use, the next sample of the thread has the CPU time of this one,
 * too. */
static void on_signal(int number, siginfo_t *information, void *context)
{
	uintptr_t distance = (uintptr_t)context - (uintptr_t)__builtin_frame_address(0);
	struct interruption interruption = {information, context, distance >= NEAR};

	(void)number;
	handler_stack_run(handle, &interruption);
}

static int open_source(uint32_t thread)
{
	const uint64_t each = atomic_load_explicit(&period, memory_order_relaxed);
	int timer;

	if (clock_kind == SAMPLE_CLOCK_TASK)
		return filethread_is_stalled() ? -1
					       : task_clock_open(thread, sample_signal(), each);
	timer = cpu_timer_create(thread, sample_signal());
	if (timer < 0 || !cpu_timer_repeat(timer, each))
		return timer;
	cpu_timer_delete(timer);
	return -1;
}

static void close_source(int source)
{
	if (source < 0)
		return;
	if (clock_kind == SAMPLE_CLOCK_TASK)
		task_clock_close(source);
	else
		cpu_timer_delete(source);
}

static void remove_all(void)
{
	while (count)
		close_source(table[--count].source);
	atomic_fetch_add(&updates, TRUST);
}

/* Replaces the table by the threads of the list; those in both keep their sources. */
static void merge_threads(void)
{
	struct sampled_thread *merged = other;
	uint32_t old = 0;

	for (uint32_t i = 0; i < list->count; i++) {
		struct sampled_thread next = {.thread = list->threads[i], .source = -1};

		while (old < count && table[old].thread < next.thread)
			close_source(table[old++].source);
		if (old < count && table[old].thread == next.thread)
			next = table[old++];
		merged[i] = next;
	}
	while (old < count)
		close_source(table[old++].source);
	other = table;
	table = merged;
	count = list->count;
}

/* A thread may block all signals for microseconds, so only a second mask with the signal counts. A
 * later mask without the signal may be that of a wait, so TRUST of them are needed. */
static void note_mask(struct sampled_thread *thread, bool has_signal)
{
	thread->seen = true;
	if (has_signal)
		thread->blocked = thread->blocked ? TRUST : 1;
	else if (thread->blocked)
		thread->blocked--;
}

/* Reads the masks of up to MASKS_MOST threads of the table from the index `from` on; `unseen`: only
 * those that were never read. Returns the index after the last one. */
static uint32_t read_masks(uint32_t from, bool unseen)
{
	uint32_t indices[MASKS_MOST], i;

	if (filethread_is_sent(&masks.job) && !masks_read(&masks))
		return count;
	masks.signal = sample_signal();
	masks.count = 0;
	for (i = from; i < count && masks.count < MASKS_MOST; i++) {
		if (unseen && table[i].seen)
			continue;
		indices[masks.count] = i;
		masks.threads[masks.count++] = table[i].thread;
	}
	if (!masks.count || !masks_read(&masks))
		return count;
	for (uint32_t k = 0; k < masks.count; k++)
		if (!(masks.unknown >> k & 1))
			note_mask(&table[indices[k]], masks.blocked >> k & 1);
	return i;
}

/* Reads the masks of all new threads and of some others, each once per update, and opens or closes
 * sources. If a source cannot be opened, the next update tries again. */
static void set_sources(void)
{
	next_mask = next_mask < count ? next_mask : 0;
	next_mask = read_masks(next_mask, false);
	for (uint32_t i = 0; i < count;)
		i = read_masks(i, true);
	for (uint32_t i = 0; i < count; i++) {
		struct sampled_thread *thread = &table[i];

		if (thread->blocked || !thread->seen) {
			close_source(thread->source);
			thread->source = -1;
		} else if (thread->source < 0) {
			thread->source = open_source(thread->thread);
		}
	}
}

/* With the drain lock held. Returns false if the thread is not in the table. */
static bool leave(uint32_t thread)
{
	for (uint32_t i = 0; i < count; i++) {
		if (table[i].thread != thread)
			continue;
		close_source(table[i].source);
		table[i].source = -1;
		table[i].blocked = TRUST;
		return true;
	}
	return false;
}

static void end_source(uint32_t thread)
{
	if (waits_since && atomic_load(&updates) + 1 - waits_since < TRUST)
		return;
	waits_since = 0;
	if (thread == (uint32_t)process)
		first_clock_pause();
	if (!atomic_load(&begun) || !drain_lock())
		return;
	if (leave(thread))
		waits_since = atomic_load(&updates) + 1;
	drain_unlock();
}

void sampler_thread_waits(const sigset_t *set, const void *caller)
{
	int number = sample_signal(), error = errno;

	if (!number || sigismember(set, number) != 1 || getpid() != process)
		return;
	if (atomic_load(&active)) {
		if (clock_cpu_time(CLOCK_PROCESS_CPUTIME_ID) >= EARLY)
			sampler_thread_comes(caller);
		end_source(own_thread());
	}
	/* Also one that was sent before sampling ended. */
	if (sample_signal_is_blocked())
		pending_signal_drop(number);
	errno = error;
}

void sampler_thread_waited(const sigset_t *set)
{
	int number = sample_signal(), error = errno;

	if (atomic_load(&active) && !atomic_load(&begun) && number &&
	    sigismember(set, number) == 1 && own_thread() == (uint32_t)process &&
	    getpid() == process && !sample_signal_is_blocked())
		first_clock_arm(number, atomic_load(&period), true);
	errno = error;
}

static int allocate(void)
{
	const size_t size = THREADS_MOST * sizeof(*table);

	table = table ? table : memory_map(size);
	other = other ? other : memory_map(size);
	list = list ? list : memory_map(sizeof(*list));
	return table && other && list && !handler_stack_init() ? samples_init() : -1;
}

static void activate(void)
{
	static uint32_t pauses;

	if (!atomic_load(&active))
		atomic_store(&active, ++pauses ? pauses : ++pauses);
}

/* Samples this thread, the only one of the process, until the first update, unless `is_blocked`: it
 * blocks the signal. Its clock is set again by each sample: if the program installs a handler of
 * its own, that gets one signal at most. */
static int sample_first_thread(bool is_blocked)
{
	process = getpid();
	atomic_store(&begun, false);
	activate();
	sampled_during = atomic_load(&active);
	sampled_until = clock_cpu_time(CLOCK_THREAD_CPUTIME_ID);
	if (is_blocked)
		return 0;
	return first_clock_arm(sample_signal(), atomic_load(&period), true);
}

int sampler_start(unsigned rate, void (*begin_session)(void),
		  void (*end_sampling)(const char *reason), const char **reason)
{
	*reason = "out of memory";
	if (allocate())
		return -1;
	*reason = sample_signals_used;
	if (!sample_signal_choose(on_signal, sample_signal_first_is_blocked()))
		return -1;
	safe_point_init();
	first_clock_init();
	begin = begin_session;
	end = end_sampling;
	atomic_store(&period, SECOND / rate);
	*reason = "the system permits no timers";
	return sample_first_thread(sample_signal_is_blocked());
}

/* Tries one thread's event: if the system refuses it, it refuses the events of all threads. */
static void choose_clock(void)
{
	int fd = -1;

	atomic_store(&begun, true);
	filethread_await();
	if (task_clock_has_room(1))
		fd = task_clock_open(own_thread(), sample_signal(), SECOND);
	clock_kind = fd < 0 ? SAMPLE_CLOCK_THREAD : SAMPLE_CLOCK_TASK;
	if (fd >= 0)
		task_clock_close(fd);
}

/* If the program has installed a handler of its own, that stays, and it gets the signals that were
 * already sent; another signal is chosen. */
static bool keep_signal(const char **reason)
{
	if (sample_signal_is_ours())
		return true;
	remove_all();
	*reason = sample_signals_used;
	return sample_signal_choose(on_signal, false);
}

/* There are more threads than descriptors for their events. */
static void use_timers(void)
{
	remove_all();
	clock_kind = SAMPLE_CLOCK_THREAD;
}

bool sampler_update(const char **reason)
{
	if (!keep_signal(reason)) {
		atomic_store(&active, 0);
		return false;
	}
	if (clock_kind == SAMPLE_CLOCK_UNKNOWN)
		choose_clock();
	atomic_fetch_add(&updates, 1);
	if (!threads_read(list))
		return true;
	if (clock_kind == SAMPLE_CLOCK_TASK && !task_clock_has_room(list->count))
		use_timers();
	activate();
	merge_threads();
	set_sources();
	first_clock_stop();
	return true;
}

int sampler_lost_signal(void)
{
	return sample_signal_is_ours() ? 0 : sample_signal();
}

void sampler_stop(void)
{
	atomic_store(&active, 0);
	remove_all();
}

/* A child inherits the signal handler, but neither timers nor the file thread's descriptors. */
void sampler_forked(void)
{
	bool sampled = atomic_exchange(&active, 0);

	count = 0;
	atomic_fetch_add(&updates, TRUST);
	clock_kind = SAMPLE_CLOCK_UNKNOWN;
	threads_forked(list);
	masks_forked(&masks);
	handler_stack_forked();
	task_clock_forked();
	samples_forked();
	first_clock_forked();
	process = getpid();
	if (sampled)
		sample_first_thread(sample_signal_is_blocked_in_child());
}
