/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda.h"
#include "words.h"

/* The words of FAKE_CUDA. Both libraries have a copy of this. */

struct script script = {
	.devices = 1,
	.cc = 90,
	.registers = 32,
	.driver = 13000,
	.clock = "real",
	.step = 1000,
	.nullstream = 7,
	.refuse = "",
	.failat = "",
	.badmetric = "",
	.perpass = 8,
};

/* clang-format off */
static const struct word words[] = {
	TEXT(clock), TEXT(refuse), TEXT(dump), TEXT(replay), TEXT(unsupported), TEXT(failat),
	TEXT(refuse35), TEXT(busy26), TEXT(chip), TEXT(badmetric),
	NUMBER(devices), NUMBER(cc), NUMBER(registers), NUMBER(carveout), NUMBER(driver),
	NUMBER(base), NUMBER(step), NUMBER(longest),
	NUMBER(late), NUMBER(never), NUMBER(earlyenv), NUMBER(lateinit), NUMBER(runtime),
	NUMBER(nested), NUMBER(onememory), NUMBER(stalegraph),
	NUMBER(generation), NUMBER(nullstream), NUMBER(nullstep), NUMBER(second), NUMBER(noinit),
	NUMBER(nochip), NUMBER(lazyinit), NUMBER(perpass), NUMBER(latecounters), NUMBER(droprange),
	NUMBER(replayrows), NUMBER(norestore), NUMBER(atstop), NUMBER(entrydecode),
	NUMBER(norange), NUMBER(onestart), NUMBER(mostranges), NUMBER(mostdecoded),
	NUMBER(devicelevel),
	NUMBER(fatal), NUMBER(unload), NUMBER(shuffle), NUMBER(split), NUMBER(kernelfirst),
	NUMBER(perthread), NUMBER(inorder),
	NUMBER(foreign), NUMBER(hold), NUMBER(small), NUMBER(slowflush), NUMBER(countflush),
	NUMBER(noflushperiod), NUMBER(withhold), NUMBER(contextlate), NUMBER(countbuffers),
	NUMBER(hiddenpair),
	NUMBER(strictresource),
	NUMBER(zero), NUMBER(backwards), NUMBER(drop), NUMBER(graphzero), NUMBER(noname),
	NUMBER(legacy38), NUMBER(eventslots), NUMBER(overflow), NUMBER(invalid),
	{.name = NULL},
};
/* clang-format on */

void complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fflush(stdout);
	fputs("fake: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	fflush(stderr);
	_exit(99);
}

static void read_words(void)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");

	words_read(words, "FAKE_CUDA");
	if (visible && !strcmp(visible, "-1"))
		script.devices = 0;
}

void script_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_words);
}

bool script_means(int64_t word, int64_t number)
{
	return word == -1 || (word && word == number);
}
