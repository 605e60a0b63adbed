/* SPDX-License-Identifier: MIT */
#include "backend/cuda/takeover.h"

#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/activity.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/subscription.h"
#include "base/say.h"
#include "session/session.h"

/* The two functions for buffers, in the order in which libcupti stores their addresses. */
struct pair {
	uintptr_t requested;
	uintptr_t completed;
};

static struct pair ours;
static const volatile struct pair *_Atomic stored; /* in libcupti; NULL: not found */
static atomic_bool noticed;
static atomic_uint captures; /* in progress since then */

struct search {
	uintptr_t function; /* of the library */
	const volatile struct pair *found;
	unsigned count;
};

/* libcupti may be instrumented, as that of the tests is. */
__attribute__((no_sanitize("address", "thread"))) static struct pair
read_pair(const volatile struct pair *from)
{
	return (struct pair){.requested = from->requested, .completed = from->completed};
}

static void search_words(struct search *search, uintptr_t begin, uintptr_t end)
{
	uintptr_t at = (begin + sizeof(at) - 1) & ~(sizeof(at) - 1);

	for (; at + sizeof(struct pair) <= end; at += sizeof(at)) {
		const volatile struct pair *pair = (const volatile struct pair *)at;
		struct pair words = read_pair(pair);

		if (words.requested != ours.requested || words.completed != ours.completed)
			continue;
		search->found = pair;
		search->count++;
	}
}

static bool has_function(const struct dl_phdr_info *object, uintptr_t function)
{
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];

		if (part->p_type == PT_LOAD &&
		    function - (object->dlpi_addr + part->p_vaddr) < part->p_memsz)
			return true;
	}
	return false;
}

static int search_object(struct dl_phdr_info *object, size_t size, void *argument)
{
	struct search *search = argument;

	(void)size;
	if (!has_function(object, search->function))
		return 0;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD && part->p_flags & PF_R && part->p_flags & PF_W)
			search_words(search, begin, begin + part->p_memsz);
	}
	return 1;
}

int takeover_register(cupti_buffer_requested *requested, cupti_buffer_completed *completed)
{
	struct search search = {.function = (uintptr_t)cupti.ActivityRegisterCallbacks};
	int result = cupti.ActivityRegisterCallbacks(requested, completed);

	if (result)
		return result;
	ours = (struct pair){(uintptr_t)requested, (uintptr_t)completed};
	dl_iterate_phdr(search_object, &search);
	if (search.count == 1)
		atomic_store(&stored, search.found);
	return CUPTI_DONE;
}

/* Another thread may be storing a pair. After cuptiFinalize there may be none. */
bool takeover_has_happened(void)
{
	const volatile struct pair *pair = atomic_load(&stored);
	struct pair now;

	if (!pair)
		return false;
	now = read_pair(pair);
	return now.requested && now.completed && now.requested != ours.requested &&
	       now.completed != ours.completed;
}

void takeover_look(void)
{
	if (atomic_load(&noticed) || !takeover_has_happened() || atomic_exchange(&noticed, true))
		return;
	say("another CUPTI client in this program gets CUPTI's records from here on: commands are "
	    "missing in the log");
	subscription_want_launches();
}

static void count_capture(int result, enum call_kind kind)
{
	unsigned count = atomic_load(&captures);

	if (kind == CALL_CAPTURE && !result)
		atomic_fetch_add(&captures, 1);
	else if (kind == CALL_CAPTURE_END && calls_end_capture(result))
		while (count && !atomic_compare_exchange_weak(&captures, &count, count - 1))
			;
}

void takeover_count(const struct cupti_call *call, enum call_kind kind)
{
	int result = call->result ? *(const int *)call->result : 0;

	if (!atomic_load(&noticed) || call->site != CUPTI_EXIT)
		return;
	if (kind == CALL_CAPTURE || kind == CALL_CAPTURE_END)
		count_capture(result, kind);
	else if (!result && activity_is_on() && !atomic_load(&captures))
		session_lost(1);
}
