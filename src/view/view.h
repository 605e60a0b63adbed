/* SPDX-License-Identifier: MIT */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include "model/kept.h"
#include "view/stream/stream.h"

/*
 * The kinds of files, other than logs, that the tool makes of a stream: one struct each, found by
 * the file name extension. A new kind is a source file here and a line in views.def.
 */
struct view {
	const char *extension; /* ".sqlite" */
	const char *help;      /* description of the file, without a full stop */
	/* It is a folder of files, of which viewers open this one (folder.h); NULL: a file. */
	const char *anchor;
	bool without_starts;   /* can be made from a stream without starts (stream_no_starts) */
	bool of_totals;	       /* running totals are enough for it (model/totals.h) */
	bool of_stacks;	       /* it shows call stacks, which the program must record */
	unsigned has;	       /* what it shows if the trace has it: bits of enum kept */
	bool holds_several;    /* can have several processes: parts of a stream */
	bool shows_ranks;      /* shows their ranks and aligns their clocks (stream_set_ranks) */
	/* Returns 0 if the libraries that it needs can be used, or -1 with one clause in `error`.
	 * NULL: it needs none. */
	int (*check)(struct strbuf *error);
	/* Fills the empty file or folder `path`. Returns 0, or -1 with one sentence in `error`. */
	int (*write)(const char *path, struct stream *stream, struct strbuf *error);
};

/* no_sqlite.c replaces those of databases in a build without SQLite. */
#define VIEW(name) extern const struct view view_##name;
#include "view/views.def"
#undef VIEW

/* The last entry is NULL. */
extern const struct view *const views[];

/* Every file is of this kind from now on, whatever its name. */
void view_set_only(const struct view *view);

/* Returns the view of the longest extension of `path`, or NULL. */
const struct view *view_find(const char *path);

/* Returns the reason why `path` must not be replaced, even with -f (newfile.h). A NULL view is that
 * of a file. */
int view_why_not_replaced(const struct view *view, const char *path);

/* Returns true if there is nothing at `path`, or only an empty file or, of a view that is a folder,
 * an empty folder. */
bool view_is_free(const struct view *view, const char *path);

/* Prints the name of the file that was written, and of a folder the file that viewers open. */
void view_say_output(const struct view *view, const char *path);

/* Checks that a file of this kind can be written here. Returns 0, or -1 with one sentence that
 * names `path`. Called before a program runs, which may take hours; view_write calls it, too. */
int view_check(const struct view *view, const char *path, struct strbuf *error);

/*
 * Writes the view of the stream completely or not at all: a finished temporary file replaces
 * `path`, and until then the earlier file stays, also if the process is killed. Returns 0, or -1
 * with one sentence in `error`. Returns 1, with the text of stream_damage, if parts of the stream
 * are damaged: the file has everything before the damage and is marked as cut off; from a log it
 * has all valid rows.
 */
int view_write(const struct view *view, const char *path, struct stream *stream,
	       struct strbuf *error);

/* The name of the output file. */
struct view_target {
	struct strbuf *path;
	bool replace; /* replaces an existing file; an empty one is replaced in any case */
	/* A file that was written after this moment, CLOCK_REALTIME ns, is kept: another run has
	 * made it meanwhile. 0: it is replaced, too. */
	int64_t since;
	/* Called if a file has appeared at `path` meanwhile: sets `path` to another name in the
	 * same folder. NULL: that is an error. */
	void (*take_other)(struct strbuf *path, void *argument);
	void *argument;
};

/* As view_write. `target->path` is then the name of the file. */
int view_write_to(const struct view *view, const struct view_target *target, struct stream *stream,
		  struct strbuf *error);

#endif
