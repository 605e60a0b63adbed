/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "session/state.h"
#include "session/thread.h"

/*
 * The one loop: rings -> join -> logs. It runs on the writer thread, and on a thread of the
 * program whenever that one finds its ring full.
 */
enum {
	PERIOD = 20 * 1000000,	 /* ns between rounds while there is work */
	IDLE_PERIOD = 90 * 1000000, /* and while there is none: rows are out within 100 ms */
	SLACK = 1000000,	 /* ns by which a thread's store may be late to be seen */
	PATIENCE = 100000,	 /* tries of 100 us to get the lock before a record is dropped */
	STACK = 256 * 1024,
	ROUND = 1 << 16, /* records taken out of rings in one round */
};

/* Everything entered before this has left its thread's call: no record from before can come. */
static uint64_t watermark(const struct session *session)
{
	uint64_t mark = clock_monotonic() - SLACK;

	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++) {
		struct thread_ring *ring = atomic_load(&session->rings[i]);
		uint64_t open = atomic_load_explicit(&ring->ring.open, memory_order_acquire);

		if (open && open < mark)
			mark = open;
	}
	return mark;
}

/* The record that was launched first of all that wait in rings, and its ring. */
static const struct record *oldest(struct session *session, struct ring **from)
{
	const struct record *first = NULL;

	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++) {
		struct ring *ring = &atomic_load(&session->rings[i])->ring;
		const struct record *record = ring_peek(ring);

		if (record && (!first || join_before(record, first))) {
			first = record;
			*from = ring;
		} else if (!record && atomic_load(&session->owner[i]) == RING_LEFT) {
			atomic_store(&session->owner[i], RING_FREE);
		}
	}
	return first;
}

static void write_first(struct session *session, struct log_file *log)
{
	uint32_t index = join_order_pop(&session->join, &log->order);

	logs_write(&session->logs, log, join_record(&session->join, index));
	session->join.links[JOIN_ORDER][index].next = log->written;
	log->written = index;
}

/* Writes the log's buffer; only then may the places of its records be used again. */
static void flush_log(struct session *session, struct log_file *log)
{
	logs_flush(&session->logs, log);
	for (uint32_t index = log->written, next; index; index = next) {
		next = session->join.links[JOIN_ORDER][index].next;
		join_remove(&session->join, index);
	}
	log->written = 0;
}

/* The command is not waited for any longer: its row goes out without times. At the very end the
 * driver may be gone already and is left alone. */
static void give_up(struct session *session, uint32_t index, bool final)
{
	struct record *record = join_record(&session->join, index);
	const struct device *device = catalog_device(&globals.catalog, record->device);

	if (!record->handle)
		return;
	if (!final)
		globals.sources[device->api]->release(record);
	record->handle = 0;
	record->frame.flags |= RECORD_UNFINISHED;
	join_settled(&session->join, index);
}

/* All places are taken: the log whose first record has waited longest lets go of it. */
static void make_place(struct session *session)
{
	struct log_file *longest = NULL;

	for (uint32_t i = 0; i < session->logs.count; i++) {
		struct log_file *log = &session->logs.files[i];

		if (log->order.first &&
		    (!longest || join_before(join_record(&session->join, log->order.first),
					     join_record(&session->join, longest->order.first))))
			longest = log;
	}
	if (!longest)
		return;
	give_up(session, longest->order.first, false);
	write_first(session, longest);
	flush_log(session, longest);
}

static void take_in(struct session *session, const struct record *record)
{
	struct log_file *log = logs_of(&session->logs, record->device, record->context);
	uint32_t index;

	if (!log) {
		session->logs.lost++;
		return;
	}
	session->worked[record->context] = 1;
	if (session->join.used == JOIN_MAX)
		make_place(session);
	index = join_add(&session->join, &session->spool, record);
	if (index)
		join_order(&session->join, &log->order, index);
	else
		logs_write(&session->logs, log, record);
}

static uint64_t drain(struct session *session)
{
	const struct record *record;
	uint64_t moved = 0;
	struct ring *ring;

	/* Bounded, since the program's threads may fill their rings as fast as this empties them. */
	while (moved < ROUND && (record = oldest(session, &ring))) {
		take_in(session, record);
		ring_consume(ring);
		moved++;
	}
	return moved;
}

static int poll_source(struct record *record)
{
	const struct device *device = catalog_device(&globals.catalog, record->device);

	return globals.sources[device->api]->poll(record);
}

static void release(struct session *session, struct log_file *log, uint64_t mark, bool final)
{
	while (log->order.first) {
		const struct record *record = join_record(&session->join, log->order.first);

		if (!final && (record->handle || record->enter >= mark))
			return;
		if (record->handle)
			give_up(session, log->order.first, true);
		write_first(session, log);
		if (log->buffer.length >= LOG_BUFFER)
			flush_log(session, log);
	}
}

uint64_t writer_round(struct session *session, bool final)
{
	uint64_t mark = watermark(session);
	uint64_t moved = drain(session);

	if (!final)
		moved += join_poll(&session->join, poll_source);
	for (uint32_t i = 0; i < session->logs.count; i++) {
		release(session, &session->logs.files[i], mark, final);
		flush_log(session, &session->logs.files[i]);
	}
	logs_flush_trace(&session->logs);
	session->spool.header->lost = atomic_load(&session->lost) + session->logs.lost;
	return moved;
}

static void nap(struct session *session, long nanoseconds)
{
	struct timespec time = {.tv_nsec = nanoseconds};
	uint32_t seen = atomic_load(&session->wake);

	if (!seen)
		syscall(SYS_futex, &session->wake, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
	atomic_store(&session->wake, 0);
}

void writer_wake(struct session *session)
{
	if (!atomic_exchange(&session->wake, 1))
		syscall(SYS_futex, &session->wake, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Whether main has left by pthread_exit and every other thread is gone, too: the process must not
 * go on because of the writer. A zombie main still counts among the tasks. */
static bool is_last_thread(void)
{
	char text[256], *state;
	struct stat tasks;
	ssize_t length;
	int fd;

	if (stat("/proc/self/task", &tasks) || tasks.st_nlink > 4)
		return false;
	fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'Z';
}

static void *writer_main(void *argument)
{
	struct session *session = argument;
	struct thread *self = thread_self();

	prctl(PR_SET_NAME, "computeprof");
	while (!atomic_load(&session->stopping)) {
		uint64_t moved;

		pthread_mutex_lock(&globals.drain);
		self->draining = true;
		moved = writer_round(session, false);
		self->draining = false;
		pthread_mutex_unlock(&globals.drain);
		nap(session, moved || session->join.used ? PERIOD : IDLE_PERIOD);
		if (!moved && is_last_thread())
			exit(0); /* as the C library does when the last thread leaves */
	}
	return NULL;
}

void writer_start(struct session *session)
{
	sigset_t all, before;
	pthread_attr_t attributes;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	/* Without a writer the program's own threads drain their rings when these are full. */
	if (!pthread_create(&session->writer, &attributes, writer_main, session))
		atomic_store(&session->writer_alive, 1);
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void writer_stop(struct session *session)
{
	if (!atomic_exchange(&session->writer_alive, 0))
		return;
	atomic_store(&session->stopping, 1);
	writer_wake(session);
	pthread_join(session->writer, NULL);
}

bool writer_lock(void)
{
	static const struct timespec pause = {.tv_nsec = 100000};
	struct thread *self = thread_self();
	int cancel;

	if (self->draining)
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	for (int try = 0; try < PATIENCE; try++) {
		if (!pthread_mutex_trylock(&globals.drain)) {
			self->draining = true;
			self->cancel_state = cancel;
			return true;
		}
		nanosleep(&pause, NULL);
	}
	pthread_setcancelstate(cancel, NULL);
	return false;
}

void writer_unlock(void)
{
	struct thread *self = thread_self();

	self->draining = false;
	pthread_mutex_unlock(&globals.drain);
	pthread_setcancelstate(self->cancel_state, NULL);
}

bool writer_help(struct session *session)
{
	struct ring *ring = &thread_self()->ring->ring;

	if (!writer_lock())
		return false;
	/* The writer may have made room while this thread waited for the lock. */
	if (ring_used(ring) * 2 >= ring->capacity)
		writer_round(session, false);
	writer_unlock();
	return true;
}
