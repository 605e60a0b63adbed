/* SPDX-License-Identifier: MIT */
#ifndef SESSION_START_H
#define SESSION_START_H

struct session;

/* Makes the session if there is none; the caller holds no lock. Returns NULL on failure. */
struct session *session_start(void);

#endif
