/* SPDX-License-Identifier: MIT */
/*
 * A thread goes on in a larger ring in the middle of a call (thread_grow, move in session/thread.c)
 * while the writer looks for the oldest call (marks_threads in session/marks.c) and then empties the
 * rings (drain). The record that the writer must not overlook is the thread's only one: when the
 * writer releases what was launched later, it has either seen the window or taken the record.
 *
 * RING 0 and 1 are the two orders in which the writer looks at them: the thread may go from either to
 * the other.
 */
#define RINGS 2
#define OPEN 1

byte open[RINGS];
bool committed[RINGS];
byte moves;
byte from;
bool begun;

proctype thread()
{
	byte to = 1 - from;

	open[from] = OPEN; /* probe_begin */
	begun = true;
#ifdef CLOSE_FIRST
	open[from] = 0;
	moves++;
	open[to] = OPEN;
#else
	open[to] = OPEN;
#ifndef NO_MOVES
	moves++;
#endif
	open[from] = 0;
#endif
	committed[to] = true; /* probe_commit */
	open[to] = 0	      /* probe_end */
}

/* The record was entered before the round: else nothing younger is released without it. */
proctype writer()
{
	byte before, i;
	bool seen, taken;

	begun;
	do
	:: true ->
		before = moves;
		i = 0;
		do
		:: i < RINGS -> seen = seen || open[i]; i++
		:: else -> break
		od;
		if
		:: before == moves -> break
		:: else
		fi
	od;
	i = 0;
	do
	:: i < RINGS -> taken = taken || committed[i]; i++
	:: else -> break
	od;
	assert(seen || taken)
}

init
{
	if
	:: from = 0
	:: from = 1
	fi;
	atomic {
		run thread();
		run writer()
	}
}
