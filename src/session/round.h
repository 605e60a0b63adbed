/* SPDX-License-Identifier: MIT */
#ifndef SESSION_ROUND_H
#define SESSION_ROUND_H

#include "session/state.h"

/* With `drain` held: a round of the writer; with `final` everything there is goes out, finished or
 * not. Returns how many records moved. */
uint64_t writer_round(struct session *session, bool final);

/* With `drain` held: everything there is goes out now, and the driver lets go of what still
 * runs. */
void writer_give_up(struct session *session);

/* The same for the logs of one API, which are closed for good. */
void writer_retire(struct session *session, enum api api);

/* With `drain` held: a record comes into its place among those of its log. */
void round_take_in(struct session *session, const struct record *record);

#endif
