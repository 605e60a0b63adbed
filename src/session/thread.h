/* SPDX-License-Identifier: MIT */
#ifndef SESSION_THREAD_H
#define SESSION_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct call_table;
struct probe;
struct session;
struct thread_ring;

/* The numbers of rings: one for a thread, one for a signal handler that interrupts it during a
 * record, and one for a handler that interrupts that handler. */
enum { THREAD_RINGS = 3 };

/* The thread's cancellation state before it took a lock. */
struct thread_cancel_state {
	int cancel_state;
	int cancel_type;
};

/* The data of each thread of the program: its rings and its state. The static TLS block is small
 * (tests/tree/exports.test): data of the owner of a lock is beside the lock. */
struct thread {
	struct session *session; /* the session of `rings` */
	struct thread_ring *rings[THREAD_RINGS]; /* NULL while there is none */
	uint64_t correlations[THREAD_RINGS];	 /* the high bits of all records of the ring */
	const struct probe *innermost;
	uint64_t announced; /* enter of the probe that begins next: probe_command_begin; 0: none */
	uint64_t recorded_enter; /* of the latest record, 0: none in the call in progress */
	uint64_t recorded_leave;
	int filling;   /* number of records between probe_record and probe_commit: 0, or more in
		        * handlers */
	int inherited; /* in a forked child: records of its parent, which it does not commit */
	struct call_table *calls; /* the totals of its calls (call_totals.c), or NULL */
	const void *adding; /* stack frame of an addition to them in progress */
	uint32_t device; /* of the last record in this session; UINT32_MAX: none */
	bool stacks;   /* events get call stacks */
	bool draining; /* holds the drain lock */
	bool registering; /* holds the meta lock */
	bool fork_locked; /* holds the drain lock for a fork */
};

/* The calling thread's. In the static TLS block, so that no function is called for its address. */
extern __thread struct thread thread_own __attribute__((tls_model("initial-exec")));

static inline struct thread *thread_self(void)
{
	return &thread_own;
}

/* The kernel clears it in every child of any kind of fork. */
struct thread_fork_mark {
	struct session *_Atomic live;
};

extern struct thread_fork_mark *thread_fork_mark;

/* Returns the session of this process, NULL in a child of any kind of fork. */
static inline struct session *thread_live_session(void)
{
	return atomic_load_explicit(&thread_fork_mark->live, memory_order_acquire);
}

/* Sets the session of this process (NULL: none). */
void thread_set_live(struct session *session);

/* Call once per process, before all other functions here. Returns 0, or -1 without memory. */
int thread_prepare(void);

/* Gives the calling thread a ring, and the process a session if it has none. On failure
 * self->rings[0] is NULL and stays so until the next call. */
void thread_enter(struct thread *self);
/* Returns the ring for a record made while `level` others are filled in, or NULL. */
struct thread_ring *thread_ring_at(struct thread *self, int level);

/* Disables cancellation of the thread until thread_restore_cancel. */
void thread_disable_cancel(struct thread_cancel_state *cancel);
void thread_restore_cancel(const struct thread_cancel_state *cancel);

#endif
