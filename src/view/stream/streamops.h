/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_STREAMOPS_H
#define VIEW_STREAM_STREAMOPS_H

#include "view/stream/stream.h"

/* A kind of file with records; `reader` is the result of `open`. Each member is as the function of
 * the same name in stream.h. */
struct stream_ops {
	void *(*open)(const char *path, struct strbuf *error);
	void (*close)(void *reader);
	int (*next)(void *reader, const struct record **record, struct strbuf *error);
	int (*next_frame)(void *reader, const struct frame **frame, struct strbuf *error);
	const struct catalog *(*catalog)(const void *reader);
	bool (*has_totals)(const void *reader); /* as trace_has_totals; NULL: false */
	uint64_t (*lost)(const void *reader);
	uint64_t (*lost_events)(const void *reader); /* NULL: 0 */
	bool (*has_gaps)(const void *reader); /* as stream_has_gaps; NULL: false */
	bool tells_gaps; /* as stream_tells_gaps */
	enum trace_cut (*cut)(const void *reader); /* as stream_cut */
	bool (*is_growing)(const void *reader);	   /* as stream_is_growing; NULL: false */
	int (*error)(const void *reader);	     /* as stream_error; NULL: 0 */
	bool (*has_uncounted_losses)(const void *reader); /* NULL: not */
	uint64_t (*remarked_lost)(const void *reader); /* NULL: 0 */
	bool skips_damage;  /* as stream_skips_damage */
	bool (*lacks_events)(const void *reader); /* as stream_lacks_events; NULL: false */
	bool (*lacks_counters)(const void *reader); /* as stream_lacks_counters; NULL: false */
	void (*caller)(const void *reader, struct log_text *caller); /* NULL: not a log */
	bool numbered; /* as stream_is_numbered */
	/* As stream_numbers_calls; NULL: false. */
	bool (*numbers_calls)(const void *reader);
	const char *(*no_starts)(const void *reader);		 /* NULL: always NULL */
	void (*remarks)(const void *reader, struct strbuf *to); /* NULL: none */
};

extern const struct stream_ops stream_trace;
extern const struct stream_ops stream_log;
extern const struct stream_ops stream_database; /* no_sqlite.c in a build without SQLite */

#endif
