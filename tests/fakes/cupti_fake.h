/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_FAKE_H
#define TESTS_FAKES_CUPTI_FAKE_H

#include "cuda.h"

/* Internal declarations of the fake libcupti; the words are in cuda.h. */

enum { KINDS = 64, CALLBACKS = 1024 };

/* Results that computeprof does not use by name. */
enum {
	RESULT_QUEUE_EMPTY = 18,
	RESULT_HARDWARE_BUSY = 26,
	RESULT_INVALID_CHIP = 46,
};

/* A release of CUPTI: the lengths of its records, and its calls. */
struct release {
	int64_t generation; /* of its kernels */
	uint32_t version;
	size_t kernel;
	size_t memcpy;
	size_t peer;
	size_t memset;
	size_t context;
	uint32_t drivers; /* the last of its ids */
	uint32_t runtimes;
	size_t overhead;
	size_t wait;
	size_t memory2; /* 0: no such kind */
	size_t recorded;
};
const struct release *release(void);
/* Of the library, for scripts without the word; cupti_8.c, cupti_12.c, cupti_13.c. */
extern const int64_t cupti_generation;
extern const uint32_t cupti_version; /* if it is not that of the generation */

/* cupti.c. Returns 0, or the error of the function with this name; `driver`: it needs a driver. */
int cupti_gate(const char *function, bool driver);
int cupti_answer(int result); /* stores it for cuptiGetLastError */
bool cupti_refuses(const char *word);
/* Returns true if a list of words, separated by commas, contains it; NULL is empty. */
bool cupti_lists(const char *list, const char *word);
const struct driver *cupti_driver(void); /* NULL: there is none */
bool cupti_is_dead(void);
void cupti_die(void); /* and reports it to the client */
/* The reason why this thread must not call FlushAll; NULL: it may. */
extern __thread const char *cupti_forbidden;
/* Calls the client if it has subscribed to this. */
void cupti_call_back(uint32_t domain, uint32_t callback, const void *data);

/* cupti_fail.c. Return the error of a call in the script, 0 if none: of the call with this name; of
 * any that reserves the hardware. */
int cupti_fails(const char *function);
int cupti_fails_taking(void);

/* cupti_hooks.c */
extern const struct hooks cupti_hooks;
bool cupti_kind_is_on(uint32_t kind, uint32_t context);
void cupti_kind_set(uint32_t kind, uint32_t context, bool on);
unsigned cupti_sessions(void); /* how often a kind of kernels was enabled */
void cupti_api_set(uint32_t domain, uint32_t id, bool on);
void cupti_thread_ids(uint32_t type);

/* cupti_activity.c */
bool cupti_managed_is_on(uint32_t counter); /* enum cupti_managed_kind */
enum { ZEROED_OUT_ACTIVITY_BUFFER = 5 /* an attribute */ };
size_t activity_attribute(unsigned attribute);

/* cupti_pending.c: device records whose commands have not ended. Call with the buffers' lock. */
void pending_add(const struct command *command);
/* Writes the records of complete commands; with `forced`, of all, without stamps. */
void pending_collect(bool forced);
void pending_forget(const char *from, const char *to);
size_t pending_dropped(void);

/* cupti_record.c: the record as this release has it; returns its length. */
enum { RECORD_SIZE = 256 };
size_t record_of_command(const struct command *command, uint32_t kind, uint8_t *record);
size_t record_of_context(uint32_t id, uint32_t device, uint8_t *record);
/* cupti_size.c */
size_t record_size(uint32_t kind); /* 0: no such kind */
void record_set_size(uint32_t kind, size_t size);

/* cupti_buffer.c */
enum buffer_kind { BUFFER_DEVICE, BUFFER_API, BUFFER_CONTEXT };
struct buffer {
	uint8_t *bytes;
	size_t size;
	size_t used;
	size_t records;
	size_t most;
	size_t incomplete; /* records in it */
	struct buffer *next;
};
void buffers_lock(void);
void buffers_unlock(const int *unused);
#define BUFFERS_LOCKED()                                                                           \
	__attribute__((cleanup(buffers_unlock), unused)) int locked = (buffers_lock(), 0)
void buffers_register(cupti_buffer_requested *requested, cupti_buffer_completed *completed);
bool buffers_registered(void);
/* The rest needs the lock. */
/* Returns the buffer with the record at its end; NULL: there is no client. */
struct buffer *buffer_write(enum buffer_kind kind, const uint8_t *record, size_t size);
struct buffer *buffer_request(void);
void buffer_hand_over(struct buffer *buffer);
void buffers_flush(bool forced);
/* Returns the buffers that were full when they still had incomplete records. */
void buffers_flush_full(void);
void buffers_forget(const char *from, const char *to);
/* Calls the client. */
void buffer_complete(struct buffer *buffer);

/* cupti_thread.c */
void thread_hand_over(struct buffer *buffer);
/* Waits until the thread has no work; without the lock. */
void thread_wait(void);
void thread_period(uint32_t milliseconds);

/* cupti_dump.c */
void dump_buffer(const struct buffer *buffer);
void replay_file(void);

/* cupti_names.c; NULL: no such callback */
const char *name_of_callback(uint32_t domain, uint32_t callback);

#endif
