/* SPDX-License-Identifier: MIT */
/*
 * Running totals (src/session/totals.c, totals_table.h): the writer adds records to two rows, one
 * store at a time, and frees them; the process is killed at any moment. After recovery
 * (totals_reader.c, totals_report.c) each record is in the rows once. A record has two copies, as an
 * event has in its ring and in its pending place. Each guard, if it is defined, removes one rule.
 */
#ifndef RECORDS
#define RECORDS 3
#endif
#define NONE 255

bool there[RECORDS] = true; /* its copies are in the ring file */
bool slot_flag[RECORDS];	/* FRAME_TOTALLED in the ring */
bool place_flag[RECORDS];	/* and in the pending place */
byte row[2];		/* odd records are in the second row, too */
byte before[2];		/* the journal: row N is change N */
byte changes;
bool busy;
byte correlation = NONE;
bool alive = true;

#define STEP(store) atomic { alive -> store }

inline change(n)
{
#ifdef CHANGE_FIRST
	STEP(row[n] = row[n] + 1);
	STEP(before[n] = row[n]);
	STEP(changes = n + 1);
#else
#ifdef COUNT_FIRST
	STEP(changes = n + 1);
	STEP(before[n] = row[n]);
#else
	STEP(before[n] = row[n]);
	STEP(changes = n + 1);
#endif
	STEP(row[n] = row[n] + 1);
#endif
}

inline flag(record)
{
	STEP(slot_flag[record] = true);
#ifndef ONE_FLAG
	STEP(place_flag[record] = true);
#endif
}

inline add(record)
{
#ifdef FLAG_FIRST
	flag(record);
#endif
#ifdef BUSY_FIRST
	STEP(busy = true);
	STEP(correlation = record);
#else
	STEP(correlation = record);
	STEP(busy = true);
#endif
#ifndef FLAG_FIRST
#ifndef FLAG_LAST
	flag(record);
#endif
#endif
	change(0);
	if
	:: record % 2 -> change(1)
	:: else
	fi;
#ifdef CHANGES_FIRST
	STEP(changes = 0);
	STEP(busy = false);
#else
	STEP(busy = false);
	STEP(changes = 0);
#endif
#ifdef FLAG_LAST
	flag(record);
#endif
}

/* Records are freed two at a time, as places are after the flush of a log. */
active proctype writer()
{
	byte n, next_free;

	do
	:: n < RECORDS ->
#ifdef FREE_FIRST
		STEP(there[n] = false);
#endif
		add(n);
		n++;
		do
		:: n % 2 == 0 && next_free < n ->
			STEP(there[next_free] = false);
			next_free++
		:: else -> break
		od
	:: else -> break
	od
}

/* Of the two copies of a record recovery keeps any. */
inline recover_record(record)
{
	bool flagged;

	if
	:: flagged = slot_flag[record]
	:: flagged = place_flag[record]
	fi;
	if
#ifdef NO_CORRELATION
	:: there[record] && !flagged ->
#else
	:: there[record] && (!flagged || (busy && correlation == record)) ->
#endif
		row[0] = row[0] + 1;
		row[1] = row[1] + record % 2
	:: else
	fi
}

active proctype killer()
{
	byte n;

	atomic {
		alive = false;
#ifndef NO_UNDO
		if
		:: busy && changes > 0 -> row[0] = before[0]
		:: else
		fi;
		if
		:: busy && changes > 1 -> row[1] = before[1]
		:: else
		fi;
#endif
		do
		:: n < RECORDS -> recover_record(n); n++
		:: else -> break
		od;
		assert(row[0] == RECORDS && row[1] == RECORDS / 2)
	}
}
