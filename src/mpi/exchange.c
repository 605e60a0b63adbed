/* SPDX-License-Identifier: MIT */
#include "mpi/exchange.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"

enum {
	TAG = 1,
	SAME = 80,	/* bytes of a text that is compared */
	MOST = 1 << 14, /* bytes of a message: MPI counts them with an int, so there is a limit */
};

struct exchange exchange_begin(int *argc, char ***argv)
{
	struct exchange exchange;

	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &exchange.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &exchange.size);
	return exchange;
}

void exchange_end(void)
{
	MPI_Finalize();
}

bool exchange_is_same(const char *text)
{
	char first[SAME] = "";
	int is_same, are_all_same;

	snprintf(first, sizeof(first), "%s", text);
	MPI_Bcast(first, sizeof(first), MPI_BYTE, 0, MPI_COMM_WORLD);
	is_same = !strcmp(first, text);
	MPI_Allreduce(&is_same, &are_all_same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return are_all_same;
}

void exchange_no_memory(const struct exchange *exchange)
{
	say("rank %d of %d: out of memory for the sums", exchange->rank, exchange->size);
	MPI_Abort(MPI_COMM_WORLD, EXIT_TOOL_FAILED);
}

/* Makes room for `size` bytes. */
static void make_room(const struct exchange *exchange, struct strbuf *bytes, uint64_t size)
{
	bytes->length = 0;
	if (size && !strbuf_reserve(bytes, size))
		exchange_no_memory(exchange);
	bytes->length = size;
}

/* Returns the size of the part of a message that begins at `at`. */
static int part_of(uint64_t at, uint64_t size)
{
	return (int)(size - at < MOST ? size - at : MOST);
}

void exchange_share(const struct exchange *exchange, struct strbuf *bytes)
{
	uint64_t size = bytes->length;

	if (bytes->failed)
		exchange_no_memory(exchange);
	MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
	if (exchange->rank)
		make_room(exchange, bytes, size);
	for (uint64_t at = 0; at < size; at += MOST)
		MPI_Bcast(bytes->data + at, part_of(at, size), MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void send(const struct exchange *exchange, const struct strbuf *bytes, int to)
{
	uint64_t size = bytes->length;

	if (bytes->failed)
		exchange_no_memory(exchange);
	MPI_Send(&size, 1, MPI_UINT64_T, to, TAG, MPI_COMM_WORLD);
	for (uint64_t at = 0; at < size; at += MOST)
		MPI_Send(bytes->data + at, part_of(at, size), MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static void receive(const struct exchange *exchange, struct strbuf *bytes, int from)
{
	uint64_t size;

	MPI_Recv(&size, 1, MPI_UINT64_T, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	make_room(exchange, bytes, size);
	for (uint64_t at = 0; at < size; at += MOST)
		MPI_Recv(bytes->data + at, part_of(at, size), MPI_BYTE, from, TAG, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
}

/* In step k the value of a rank is that of 2^k ranks from it on, as far as there are so many. */
void exchange_reduce(const struct exchange *exchange, const struct exchange_value *value)
{
	struct strbuf bytes = STRBUF_INIT;

	for (int step = 1; step < exchange->size; step *= 2) {
		bytes.length = 0;
		if (exchange->rank & step) {
			value->put(value->context, &bytes);
			send(exchange, &bytes, exchange->rank - step);
			break;
		}
		if (exchange->rank + step >= exchange->size)
			continue;
		receive(exchange, &bytes, exchange->rank + step);
		value->add(value->context, &bytes);
	}
	strbuf_free(&bytes);
}
