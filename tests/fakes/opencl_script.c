/* SPDX-License-Identifier: MIT */
#include "opencl.h"
#include "words.h"

/* The words of FAKE_OPENCL. */

struct script script = {
	.vendor = "none",
	.board = "Fake Board",
	.cc = 90,
	.warp = 32,
	.version = 300,
	.platforms = 1,
	.devices = 1,
	.registers = 31,
	.shared = 32800,
	.stamps = "good",
	.clock = "monotonic",
	.offset = 1000000000000000,
};

/* clang-format off */
static const struct word words[] = {
	TEXT(vendor), TEXT(board), TEXT(kernel), TEXT(stamps), TEXT(clock),
	NUMBER(cc), NUMBER(warp), NUMBER(version), NUMBER(platforms), NUMBER(devices),
	NUMBER(suggest), NUMBER(registers), NUMBER(shared), NUMBER(noprofiling), NUMBER(offset),
	NUMBER(required),
	NUMBER(drift), NUMBER(timer), NUMBER(holds), NUMBER(slow), NUMBER(lazy), NUMBER(late),
	NUMBER(step), NUMBER(never), NUMBER(fail), NUMBER(refuse), NUMBER(failat),
	NUMBER(reuse), NUMBER(leaks), NUMBER(dawdle), NUMBER(buffers), NUMBER(oclgrind),
	NUMBER(unnumbered), NUMBER(keep), NUMBER(stampcount),
	{.name = NULL},
};
/* clang-format on */

void script_read(void)
{
	words_read(words, "FAKE_OPENCL");
}
