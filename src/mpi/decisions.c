/* SPDX-License-Identifier: MIT */
#include "mpi/decisions.h"

#include <stdlib.h>

#include "base/say.h"
#include "mpi/share.h"

/* The processes of a file in the sums. */
struct place {
	size_t first, count;
	bool refused;
};

static int no_memory(void)
{
	say("out of memory for the sums of all processes");
	return -1;
}

static size_t count_processes(const struct merge_job *job)
{
	size_t count;

	rank_sums_processes(&job->sums, &count);
	return count;
}

/* Adds the processes of a file, without its values. Returns as merge_job_add. */
static int add_file(struct merge_job *job, const char *path, struct rank_wire *from)
{
	static const int results[] = {
		[SHARE_READ] = 0, [SHARE_READ_WITH_SENTENCE] = 1, [SHARE_NOT_READ] = -1};
	uint64_t outcome = rank_wire_get(from);
	struct strbuf error = STRBUF_INIT;
	struct rank_sums part;
	size_t length;
	const char *sentence = rank_wire_get_text(from, &length);
	int result = rank_sums_open(&part, NULL, false, &error);

	error.length = 0;
	strbuf_append(&error, sentence, length);
	if (outcome <= SHARE_READ_WITH_SENTENCE)
		result |= rank_wire_get_processes(&part, from);
	if (result || outcome >= SHARE_NO_MEMORY || from->failed)
		result = no_memory();
	else
		result = merge_job_add(job, path, &part, results[outcome], &error);
	rank_sums_close(&part);
	strbuf_free(&error);
	return result;
}

static int add_files(struct merge_job *job, char *const *list, int count, struct rank_wire from,
		     struct place *places)
{
	int result = 0;

	for (int i = 0; i < count && result >= 0; i++) {
		places[i].first = count_processes(job);
		result = add_file(job, list[i], &from);
		places[i].refused = result > 0;
		places[i].count = count_processes(job) - places[i].first;
	}
	return result < 0 ? -1 : merge_job_add_wrong(job);
}

/* Puts the processes in order, and appends the decisions. */
static int put_decisions(struct merge_job *job, const struct place *places, int count,
			 struct strbuf *to)
{
	uint32_t *numbers = rank_sums_sort_processes(&job->sums);

	if (!numbers)
		return no_memory();
	for (int i = 0; i < count; i++) {
		if (places[i].refused)
			share_put_refusal(to);
		else
			share_put_places(to, numbers + places[i].first, places[i].count);
	}
	free(numbers);
	return 0;
}

int decisions_make(struct merge_job *job, char *const *list, int count,
		   const struct strbuf *outcomes, struct strbuf *decisions)
{
	struct place *places = calloc((size_t)count + 1, sizeof(*places));
	int result;

	if (!places || outcomes->failed) {
		free(places);
		return no_memory();
	}
	result = add_files(job, list, count, rank_wire_of(outcomes), places);
	if (!result)
		result = put_decisions(job, places, count, decisions);
	free(places);
	return result;
}
