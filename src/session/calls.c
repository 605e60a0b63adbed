/* SPDX-License-Identifier: MIT */
#include "session/state.h"

/*
 * The program's calls on their way into the trace. They wait for nobody, but each has a place among
 * the pending records until it is in the file, so that a kill does not lose it.
 */
enum { CALLS = 1 << 12 /* in the trace's buffer at most */ };

void calls_flush(struct session *session)
{
	logs_flush_trace(&session->logs);
	for (uint32_t index = session->calls, next; index; index = next) {
		next = session->join.links[JOIN_ORDER][index].next;
		join_remove(&session->join, index);
	}
	session->calls = 0;
	session->call_count = 0;
}

/* Without a place it goes into the file at once: in its ring it is safe as long. */
void calls_take(struct session *session, const struct record *slot)
{
	uint32_t index = join_add(&session->join, &session->spool, slot);

	logs_write_call(&session->logs, (const void *)slot);
	if (index) {
		session->join.links[JOIN_ORDER][index].next = session->calls;
		session->calls = index;
		session->call_count++;
	}
	if (!index || session->call_count == CALLS)
		calls_flush(session);
}
