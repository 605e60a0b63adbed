/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUDA_H
#define TESTS_FAKES_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * A CUDA driver (libcuda.so.1) and a libcupti without a device. What they say of themselves and
 * what becomes of the work is scripted by the environment variable FAKE_CUDA, words NAME or
 * NAME=VALUE separated by blanks; a name alone means 1.
 *
 * The driver copies and sets memory really, and at once. Kernels do nothing, but for these:
 *	fill(u64 data, u32 value, u32 count)	data[i] = value, 32 bits each
 *	add(u64 data, u64 other, u32 count)	data[i] += other[i], 32 bits each
 *	copy(u64 to, u64 from, u32 stride)	copies one word
 *	loop(u64 result, u32 rounds)		*result = rounds, 32 bits
 *	spin(u64 result, u64 cycles)		lasts so many cycles at least (a cycle is 1 ns);
 *						*result is how many they were
 * What they count as is in cuda_effort.c.
 * Static shared memory and global variables are those of the PTX text.
 *
 * Times: command number N (kernels, copies and memsets, from 1 in the order in which they are
 * launched, each node of a graph counts) lasts N microseconds of CUPTI's clock and starts when its
 * predecessor in the stream ends, or when it was launched, if that is later. Only blocking copies
 * between host and device and the synchronizing calls wait. Where CUPTI's kind KERNEL (3) is
 * enabled, kernels run one at a time.
 *
 * With clock=virtual every stamp is foreseeable: time goes on by calls alone. A call lasts 10 us
 * and launches what it launches 5 us after its start; one that waits reaches the end of what it
 * waits for between the two halves. With the word `runtime` the runtime's call is what lasts 10 us,
 * and the driver's call in it is from the 2nd to the 8th. Queries (QUERY in cuda.def), and calls
 * from a CUPTI callback, take no time; the latter are no calls at all for CUPTI.
 *
 * They are strict: misuse is told on stderr as "fake: ..." and the process ends at once with
 * code 99. Misuse is: a released object of the driver; a buffer of a CUPTI client that is NULL, too
 * small for a record, or not aligned; cuptiActivityFlushAll in a callback of a buffer, of a
 * resource or of a state, or in a forked child; what cupti_range.c and cupti_host.c say of ranges,
 * and cupti_event.h of events.
 *
 * CUPTI has records of waits, streams, allocations and overheads, too, where these kinds are
 * enabled: of what waits for a stream, an event or a context, of what makes a stream, of each
 * allocation when it is made and freed (releases before CUDA 11.2 have one when it is freed), and
 * of the driver's compiler, which is all of the time of loading a module.
 *
 * cuInit loads what CUDA_INJECTION64_PATH names and calls its InitializeInjection.
 */
struct script {
	/* the device */
	int64_t devices;   /* how many; 0: cuInit fails */
	int64_t cc;	   /* 10 * major + minor */
	int64_t registers; /* of each kernel, for each thread */
	int64_t carveout;  /* bytes of shared memory that kernels are said to have run with */
	int64_t driver;	   /* what cuDriverGetVersion says */
	/* time */
	const char *clock; /* real, virtual */
	int64_t base;	   /* ns at which the virtual clock begins; else CLOCK_REALTIME */
	int64_t step;	   /* ns by which each command lasts longer than the one before */
	int64_t longest;   /* ns that a command lasts at most, unless its kernel wants more */
	int64_t late;	   /* ms after its end that a command is seen to be over, unless it is
			      measured */
	int64_t never;	   /* number of the command that never is over; -1: all */
	int64_t earlyenv;  /* CUDA_INJECTION64_PATH is read when the driver is loaded */
	int64_t runtime;   /* launches, copies, memsets and some more are runtime calls; 13: as
			      they are in programs of nvcc 13 */
	/* CUPTI as a whole */
	int64_t generation; /* 3 to 10: of its kernel records, and the release that goes with it */
	int64_t nullstream; /* id of the NULL stream; others get 13, 14, ... */
	int64_t nullstep;   /* by which it differs from context to context */
	int64_t second;	    /* somebody has subscribed: error 39, or this number if not 1 */
	int64_t noinit;	    /* nothing can be enabled, error 999, as without a driver */
	const char *unsupported; /* alone: it knows none of the devices, it says; or why they cannot
				    be measured: sli, virtual_gpu, confidential, mining, wsl or
				    architecture */
	const char *refuse; /* names of functions and numbers of kinds, separated by commas, that
			       fail with CUPTI_NOT_COMPATIBLE */
	const char *failat; /* FUNCTION:N:RESULT, separated by commas: its call number N ends with
			       that; N 0: each call */
	int64_t fatal;	    /* after so many driver calls CUPTI breaks down */
	int64_t unload;	    /* names of kernels end with their module: an undelivered record gets
			       another name, and reading the old one is fatal */
	int64_t noname;	    /* kernels have no names: NULL */
	/* counters; a name alone means the function that takes possession of the hardware */
	const char *refuse35; /* the user may not: names of functions that say so */
	const char *busy26;   /* somebody else has the hardware: the same */
	/* ranges of kernels (cupti_range.c) and the metrics of a chip (cupti_host.c) */
	const char *chip;      /* what the devices are; else the first that has their cc */
	int64_t nochip;	       /* they are one that the Host API does not know */
	const char *badmetric; /* metrics that the chip lacks, separated by commas */
	int64_t perpass;       /* metrics of the hardware that one pass can have */
	int64_t latecounters;  /* ranges are there only where the next launch begins, or at Stop */
	int64_t droprange;     /* of so many ranges one is dropped and counted */
	int64_t replayrows;    /* each pass of a kernel has a record of its own */
	int64_t norestore;     /* memory is not restored between passes */
	/* events (cupti_event.h) */
	int64_t legacy38;   /* this library counts none any more: error 38 */
	int64_t eventslots; /* so many of one domain are counted at once */
	int64_t overflow;   /* number of the value that overflows when it is read; -1: all */
	int64_t invalid;    /* number of the value that is none; -1: all */
	/* buffers */
	int64_t shuffle;       /* records of a buffer are out of order; the number is the seed */
	int64_t split;	       /* calls and device records are in different buffers */
	int64_t kernelfirst;   /* split, and the device records come before the calls */
	int64_t perthread;     /* split, and the calls of each thread are in buffers of their own */
	int64_t foreign;       /* full buffers are handed over by a thread of CUPTI's own */
	int64_t inorder;       /* device records wait for those of work that was launched before */
	int64_t hold;	       /* only cuptiActivityFlushAll(1) hands buffers over */
	int64_t small;	       /* most records of a buffer */
	int64_t slowflush;     /* ms that cuptiActivityFlushAll takes longer */
	int64_t countflush;    /* how often the main thread called cuptiActivityFlushAll is told on
				  stderr at the end */
	int64_t noflushperiod; /* cuptiActivityFlushPeriod does nothing */
	const char *dump;      /* file to which all buffers are appended (cupti_dump.c) */
	const char *replay;    /* file whose buffers are handed over when there is a context */
	/* device records */
	int64_t zero;	   /* number of the record without stamps; -1: all */
	int64_t backwards; /* number of the record that ends before it starts; -1: all */
	int64_t drop;	   /* of so many records one is dropped and counted */
	int64_t graphzero; /* kernels of graphs have no stamps where kind 3 is enabled */
};

extern struct script script;
/* Reads FAKE_CUDA, once. */
void script_start(void);
/* Whether the word, a number or -1 for all, means this number. */
bool script_means(int64_t word, int64_t number);

/* Ends the process with code 99. */
_Noreturn void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define DOOR __attribute__((visibility("default")))

struct context;
struct stream;

/* A call of the driver's, and of the runtime around it if there is one (runtime_name). */
struct call {
	uint32_t id;
	const char *name;
	const void *parameters;
	bool query; /* takes no virtual time */
	uint32_t runtime_id;
	const char *runtime_name;
	const char *symbol; /* of the kernel */
	struct context *context;
	uint32_t context_id;
	uint32_t correlation; /* 0: no call for CUPTI */
	int result;
	uint64_t start;
	uint64_t end;
	uint64_t runtime_start;
	uint64_t runtime_end;
	uint64_t data[2]; /* of the client: driver's, runtime's */
	const struct hooks *hooks;
	struct call *outer; /* of the same thread */
};

enum command_kind { COMMAND_KERNEL, COMMAND_COPY, COMMAND_PEER, COMMAND_SET };

/* What a kernel does, as counters have it; by warps if nothing else is said. */
struct effort {
	uint64_t blocks;
	uint64_t warps;
	uint64_t threads;
	uint64_t instructions;
	uint64_t branches;
	uint64_t divergent; /* branches that not all threads of a warp take */
	uint64_t loads;	    /* of global memory */
	uint64_t stores;
	uint64_t load_sectors; /* of 32 bytes */
	uint64_t store_sectors;
	uint64_t shared_loads;
	uint64_t shared_stores;
};

/* A piece of work for a device, with its whole future. */
struct command {
	enum command_kind kind;
	int64_t number;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t correlation;
	uint32_t graph; /* 0: of none */
	uint64_t node;
	uint64_t submitted;
	uint64_t start;
	uint64_t end;
	uint64_t due; /* when its end is seen; UINT64_MAX: never */
	/* kernels */
	const char *name;
	unsigned grid[3];
	unsigned block[3];
	uint32_t static_shared;
	uint32_t dynamic_shared;
	uint32_t local;
	uint16_t registers;
	uint8_t cache;
	uint8_t launch_type; /* 1: cooperative */
	unsigned passes;     /* 0: it is not measured */
	struct effort effort;
	/* copies and memsets */
	uint64_t bytes;
	uint32_t value;
	enum cupti_copy copy;
	enum cupti_memory source;
	enum cupti_memory target; /* also what is set */
	bool asynchronous;
	/* between contexts */
	uint32_t source_device;
	uint32_t source_context;
	uint32_t target_device;
	uint32_t target_context;
};

/* What the fake libcupti hears of the fake driver. */
struct hooks {
	void (*call)(struct call *call, uint32_t domain, uint32_t site);
	void (*command)(const struct command *command);
	/* A callback of the domain RESOURCE. */
	void (*resource)(uint32_t callback, struct context *context, struct stream *stream,
			 void *descriptor);
	/* Whether only one kernel at a time runs on a device. */
	bool (*is_serial)(void);
	/* How often a kernel of the context runs, from the same memory each time, for the launch to
	 * wait for it; 0: once, and nobody waits. */
	unsigned (*passes)(struct context *context);
	/* What is no work: a record as all releases have it, of a kind in cupti_events.h. */
	void (*fact)(const void *record, size_t size, uint32_t context);
	/* The names that lie there are gone when this returns. */
	void (*forget)(const char *from, const char *to);
};

/* What the fake libcupti asks the fake driver: its symbol fake_driver. */
struct driver {
	void (*attach)(const struct hooks *hooks);
	uint64_t (*clock)(void);
	bool (*context)(struct context *context, uint32_t *id, uint32_t *device);
	/* 0 if there is no such stream */
	uint32_t (*stream)(struct context *context, struct stream *stream, bool per_thread);
	uint32_t (*null_stream)(uint32_t context);
	uint32_t (*shared)(void); /* bytes of a multiprocessor */
};
#define FAKE_DRIVER "fake_driver"

#endif
