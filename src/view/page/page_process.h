/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PAGE_PAGE_PROCESS_H
#define VIEW_PAGE_PAGE_PROCESS_H

#include "model/event.h"
#include "view/stream/stream.h"

/*
 * The sections of a process on the page: what is known about it, what is missing, notes, and tables
 * of totals. The totals are those of the summary of computeprof report, the sentences, too.
 */
struct page_process;

/* Returns NULL without memory. */
struct page_process *page_process_new(const struct stream *stream);
void page_process_free(struct page_process *process);

/* Adds a record or event. Returns 0, or -1 with one sentence in `error`. */
int page_process_add(struct page_process *process, const struct frame *frame, struct strbuf *error);

/* After the last one: return values as above. */
int page_process_end(struct page_process *process, struct strbuf *error);

/* Append a section as HTML, of which the first one is above the timeline. */
void page_process_put_facts(struct page_process *process, const struct stream *stream,
			    struct strbuf *to);
void page_process_put_tables(struct page_process *process, const struct stream *stream,
			     struct strbuf *to);

#endif
