/* SPDX-License-Identifier: MIT */
/* A kill, the recovery by "computeprof recover", and the properties of the log after it. */

/* The first record after `mark` in the rings and places, or NONE: ring_walk, keep_pending. A record
 * in both comes once: drop_doubles. `place` is its place. */
inline next_record()
{
	key = NONE;
	place = NONE;
	i = 0;
	do
	:: i < PLACES ->
		assert(!S.valid[i] || S.place[i] != TORN);
		if
		:: S.valid[i] && S.place[i] > mark && S.place[i] < key ->
			key = S.place[i];
			place = i
		:: else
		fi;
		i++
	:: else -> break
	od;
	i = 0;
	do
	:: i < THREADS ->
		from = S.tail[i];
		do
		:: from != S.head[i] ->
			assert(S.data[SLOT(i, from)] != TORN);
			if
			:: S.data[SLOT(i, from)] > mark && S.data[SLOT(i, from)] < key ->
				key = S.data[SLOT(i, from)];
				place = NONE
			:: else
			fi;
			from++
		:: else -> break
		od;
		i++
	:: else -> break
	od;
	mark = key
}

/* write_record (recover.c): a record in a ring was never written. */
#ifdef NO_COMMIT
#define in_log false
#else
#ifdef BY_KEY
#define in_log (key <= S.last[slot])
#else
#define in_log (place != NONE && S.batch[place] && S.batch[place] == S.sequence[slot])
#endif
#endif

/* recover_ring, after the process has died; it is killed, too, after `left` cells. */
inline recover()
{
	d_step {
		slot = (S.sequence[0] > S.sequence[1] -> 0 : 1); /* logfile_commit */
		assert(L.length >= S.size[slot]); /* else the log is not the same */
#ifndef NO_CUT
		do
		:: L.length > S.size[slot] -> L.length--; L.cell[L.length] = 0
		:: else -> break
		od;
#endif
		mark = 0;
		do
		:: left > 0 ->
			next_record();
			if
			:: key == NONE -> break
			:: key != NONE && in_log
			:: key != NONE && !in_log ->
				append(key);
				left--;
				if
				:: left > 0 -> append(key); left--
				:: else
				fi
			fi
		:: else -> break
		od
	}
}

inline check()
{
	d_step {
		assert(L.length % 2 == 0);
		from = 0;
		i = 0;
		do
		:: i < L.length ->
			key = L.cell[i];
			assert(key == L.cell[i + 1]); /* not torn */
			assert(maker[key] == p);      /* a child writes no row of its parent's */
			assert(!seen[key]);           /* not doubled */
			/* in order, except for records made during the end */
			assert(i == 0 || key > L.cell[i - 1] || M.crowded || !due[key]);
			seen[key] = true;
			from = from + due[key];
			i = i + 2
		:: else -> break
		od;
		i = FIRST;
		do
		:: i < KEYS ->
			assert(!due[i] || maker[i] != p || seen[i]); /* not missing */
			seen[i] = false;
			i++
		:: else -> break
		od;
		/* written + lost = made, by the counts of the process or of its ring file */
		assert(from + (alive[p] -> M.lost : S.lost) == made[p])
	}
}

/* One process, at any moment. */
proctype killer()
{
	byte p, left;
	VARIABLES;
	bool seen[KEYS];

	atomic {
		if
		:: running[0] && !over[0] -> p = 0
#if FORKS
		:: running[1] && !over[1] -> p = 1
#endif
		fi;
		alive[p] = false;
		M.session = p; /* a child without a record has no ring file, as if it were empty */
		select(left : 0 .. 2 * (KEYS - FIRST));
		recover();
		left = NONE;
		recover();
		check();
		over[p] = true
	}
}
