/* SPDX-License-Identifier: MIT */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include "view/stream/stream.h"

/*
 * What the tool makes of a stream of records besides logs: one struct for each kind of file, found
 * by the end of the file's name. A new one is a file of its own here and a line in views.def.
 */
struct view {
	const char *extension; /* ".sqlite" */
	const char *help;      /* what such a file is, no full stop */
	bool without_starts;   /* can be made of a stream that has none (stream_no_starts) */
	bool holds_several;    /* processes: parts of a stream */
	/* Fills the file `path`, which is there and empty. 0, or -1 with one sentence in
	 * `error`. */
	int (*write)(const char *path, struct stream *stream, struct strbuf *error);
};

/* Those of databases are no_sqlite.c's where there is no SQLite. */
#define VIEW(name) extern const struct view view_##name;
#include "view/views.def"
#undef VIEW

/* Ends with NULL. */
extern const struct view *const views[];

/* That of the longest extension that `path` ends with, or NULL. */
const struct view *view_find(const char *path);

/*
 * Writes what `view` makes of the stream, all of it or nothing: `path` is put in place once it is
 * whole, and what was there before stays until then, whatever ends the process. 0, or -1 with one
 * sentence in `error`. 1, and as stream_damage, where parts of the stream are damaged: the file has
 * what came before in them, and says that they are cut off, or of a log all rows that are whole.
 */
int view_write(const struct view *view, const char *path, struct stream *stream,
	       struct strbuf *error);

/* Where a file goes. */
struct view_target {
	struct strbuf *path;
	bool replace; /* what is there; an empty file is replaced in any case */
	/* But nothing that was written after this moment, CLOCK_REALTIME ns: another run that took
	 * place meanwhile has made it. 0: that, too. */
	int64_t since;
	/* Something came to `path` while the file was made: puts another name of the same folder
	 * there. NULL: that is an error. */
	void (*take_other)(struct strbuf *path, void *argument);
	void *argument;
};

/* Whether there is a file at `path` that was written after `since`, which is not 0. */
bool view_is_since(const char *path, int64_t since);

/* The same. The file's name is in `target->path` afterwards. */
int view_write_to(const struct view *view, const struct view_target *target, struct stream *stream,
		  struct strbuf *error);

#endif
