/* SPDX-License-Identifier: MIT */
/* The steps of the owner of the drain lock: round.c, pending.c, logfile.c. */

/* watermark: no record launched before `mark` can come any more. */
inline watermark_begin()
{
	mark = clock + 1
}

inline look_at(t)
{
	d_step {
#ifndef NO_OPEN
		if
		:: S.open[t] && S.open[t] < mark -> mark = S.open[t]
		:: else
		fi
#endif
		skip
	}
}

/* ring_peek: the record at the ring's tail, if there is one. */
inline peek(t)
{
	d_step {
		if
		:: S.tail[t] != S.head[t] ->
			assert(S.data[SLOT(t, S.tail[t])] != TORN);
			heads[t] = S.data[SLOT(t, S.tail[t])]
		:: else -> heads[t] = NONE
		fi
	}
}

/* merge_begin: each ring is read once. */
inline merge_begin()
{
	peek(0);
#if THREADS > 1
	peek(1)
#endif
}

/* merge_first: the record found there that was launched first. */
inline merge_first()
{
	d_step {
		from = 0;
#if THREADS > 1
		from = (heads[1] < heads[0] -> 1 : 0);
#endif
		key = heads[from]
	}
}

/* write_first, if there is a pending record before `mark`: into the buffer. It is marked with the
 * number of the commit that will have it. */
inline write_first(mark)
{
	d_step {
		slot = NONE;
		i = 0;
		do
		:: i < PLACES ->
			if
			:: M.state[i] == PENDING && S.place[i] < mark &&
			   (slot == NONE || S.place[i] < S.place[slot]) -> slot = i
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0;
		if
		:: slot != NONE ->
			M.state[slot] = WRITTEN;
			M.buffer[M.buffered] = S.place[slot];
			M.buffered++;
			if
			:: S.place[slot] > M.last -> M.last = S.place[slot]
			:: else
			fi;
#ifndef MARK_LATE
			S.batch[slot] = M.sequence + 1
#endif
		:: else
		fi
	}
}

/* write_ready: any command may still run, so it may stop before any record. */
inline release(final)
{
	atomic {
		if
		:: final -> mark = NONE
		:: else
		fi;
		do
		:: true ->
			write_first(mark);
			if
			:: slot == NONE -> break
			:: else
			fi
		:: !final -> break
		od;
		slot = 0;
		mark = 0
	}
}

/* file_write: half a row, which a killed or short write may leave. */
inline append(record)
{
	L.cell[L.length] = record;
	L.length++
}

/* commit: the older slot is written, its number last. */
inline commit(more)
{
#ifdef ONE_SLOT
	d_step { slot = 0; M.sequence++ };
#else
	d_step { slot = M.sequence % 2; M.sequence++ };
#endif
#ifdef NUMBER_FIRST
	S.sequence[slot] = M.sequence;
#endif
	S.last[slot] = M.last;
	S.size[slot] = L.length + more;
#ifndef NUMBER_FIRST
	S.sequence[slot] = M.sequence;
#endif
#ifdef MARK_LATE
	i = 0;
	do
	:: d_step { i < PLACES ->
		S.batch[i] = (M.state[i] == WRITTEN -> M.sequence : S.batch[i]);
		i++ }
	:: d_step { i == PLACES -> i = 0 } -> break
	od;
#endif
	slot = 0
}

/* flush_log, logfile_flush, pending_remove. */
inline flush_log()
{
	if
	:: M.buffered ->
#ifdef FREE_FIRST
		d_step { S.valid[0] = false; S.valid[PLACES - 1] = false };
#endif
#ifdef COMMIT_FIRST
		commit(2 * M.buffered);
#endif
		do
		:: d_step { slot < 2 * M.buffered -> append(M.buffer[slot / 2]); slot++ }
		:: slot == 2 * M.buffered -> break
		od;
#ifndef COMMIT_FIRST
		commit(0);
#endif
		do
		:: d_step { M.buffered ->
			M.buffered--;
			M.buffer[M.buffered] = 0;
			i = 0;
			do
			:: M.state[i] != WRITTEN -> i++
			:: else -> break
			od;
			S.valid[i] = false;
			M.state[i] = FREE;
			i = 0 }
		:: !M.buffered -> break
		od
	:: else
	fi
}

inline find_place()
{
	atomic {
		place = 0;
		do
		:: place < PLACES && M.state[place] != FREE -> place++
		:: else -> break
		od
	}
}

/* take_in: pending_add copies a record to a place, and makes it valid; then ring_consume. When all
 * places are taken, make_place: rows that an earlier round left in the buffer are written; if there
 * are none, the record that has waited longest, even if it is not before the watermark. */
inline take_in()
{
	find_place();
	if
	:: place == PLACES -> flush_log()
	:: else
	fi;
	atomic {
		find_place();
		if
		:: place == PLACES -> write_first(NONE); slot = 0; M.crowded = true
		:: else
		fi
	};
	if
	:: place == PLACES -> flush_log(); find_place()
	:: else
	fi;
#ifdef CONSUME_FIRST
	S.tail[from]++;
#endif
#ifdef PLACE_FIRST
	atomic { S.place[place] = TORN; S.batch[place] = 0; S.valid[place] = true };
	S.place[place] = key;
	M.state[place] = PENDING;
#else
	atomic { S.place[place] = key; S.batch[place] = 0 };
	d_step { S.valid[place] = true; M.state[place] = PENDING };
#endif
#ifndef CONSUME_FIRST
	S.tail[from]++;
#endif
	place = 0
}

/* writer_round, from where watermark_begin was. */
inline writer_round(final)
{
	look_at(0);
#if THREADS > 1
	look_at(1);
#endif
	merge_begin();
	do
	:: merge_first();
		if
		:: key != NONE -> take_in(); peek(from) /* merge_consume */
		:: else ->
			if
			:: final -> merge_begin(); merge_first()
			:: else
			fi;
			if
			:: key == NONE -> break
			:: else
			fi
		fi
	od;
	release(final);
	if
	:: flush_log()
	:: !final -> skip /* flush_rows: a later round writes more at once */
	fi
#ifdef LOST_LATE
	; S.lost = M.lost
#endif
}
