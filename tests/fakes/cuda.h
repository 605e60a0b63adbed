/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUDA_H
#define TESTS_FAKES_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * A CUDA driver (libcuda.so.1) and a libcupti without a device. Their properties and the
 * results of the work are scripted by the environment variable FAKE_CUDA, words NAME or NAME=VALUE
 * separated by blanks; a name alone means 1.
 *
 * The driver really copies and sets memory, and at once. Only these kernels have an effect:
 *	fill(u64 data, u32 value, u32 count)	data[i] = value, 32 bits each
 *	add(u64 data, u64 other, u32 count)	data[i] += other[i], 32 bits each
 *	copy(u64 to, u64 from, u32 stride)	copies one word
 *	loop(u64 result, u32 rounds)		*result = rounds, 32 bits
 *	spin(u64 result, u64 cycles)		lasts `cycles` ns at least; *result is their actual
 *						number
 *	await(u64 result, u64 flag, u64 cycles)	*result = 1, 32 bits; but in a measured context it
 *						lasts so many cycles and *result = 0, since no
 *						kernel that might set *flag runs beside it
 *	meet(u64 flags, u32 mine, u32 other)	flags[mine] = 1; if measured, it ends when
 *						flags[other] is not 0; also named
 *						ncclDevKernel_Meet
 * Their counter values are in cuda_effort.c.
 * Static shared memory and global variables are those of the PTX text.
 *
 * Times: command number N (kernels, copies and memsets, from 1 in the order in which they are
 * launched, each node of a graph counts) lasts N microseconds of CUPTI's clock and starts when its
 * predecessor in the stream ends, or when it was launched, if that is later. Only blocking copies
 * between host and device and the synchronizing calls wait. Where CUPTI's kind KERNEL (3) is
 * enabled, kernels run one at a time.
 *
 * With clock=virtual every stamp is predictable: only calls take time. A call lasts 10 us
 * and launches what it launches 5 us after its start; one that waits reaches the end of what it
 * waits for between the two halves. With the word `runtime` the runtime's call is what lasts 10 us,
 * and the driver's call in it is from the 2nd to the 8th. Queries (QUERY in cuda.def), and calls
 * from a CUPTI callback, take no time; the latter are no calls at all for CUPTI.
 *
 * CUPTI clears each buffer that it gets, in the thread that needs it, unless the attribute 5
 * (ZEROED_OUT_ACTIVITY_BUFFER) is set; then the client has to. Its own thread (flush period)
 * returns full buffers only.
 *
 * They are strict: misuse is reported on stderr as "fake: ..." and the process ends at once with
 * code 99. Misuse is: a released object of the driver; a buffer of a CUPTI client that is NULL, too
 * small for a record, not aligned, or not clear although it has to be; cuptiActivityFlushAll in a
 * callback of a buffer, of a resource or of a state, or in a forked child; what cupti_range.c and
 * cupti_host.c say of ranges, and cupti_event.h of events.
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
	int64_t devices;   /* how many; 0: cuInit fails, as with CUDA_VISIBLE_DEVICES=-1 */
	int64_t cc;	   /* 10 * major + minor */
	int64_t registers; /* of each kernel, for each thread */
	int64_t carveout;  /* bytes of shared memory in the kernels' records */
	int64_t driver;	   /* result of cuDriverGetVersion */
	/* time */
	const char *clock; /* real, virtual */
	int64_t base;	   /* ns at which the virtual clock begins; else CLOCK_REALTIME */
	int64_t step;	   /* ns by which each command lasts longer than the one before */
	int64_t longest;   /* longest duration of a command in ns, unless its kernel needs more */
	int64_t late;	   /* ms after its end that a command is seen to be complete, unless it is
			    * measured */
	int64_t never;	   /* number of the command that never completes; -1: all */
	int64_t earlyenv;  /* CUDA_INJECTION64_PATH is read when the driver is loaded */
	int64_t lateinit;  /* the driver can be used only when cuInit has returned, not while it
			    * loads CUDA_INJECTION64_PATH */
	int64_t runtime;   /* launches, copies, memsets and some more are runtime calls; 13: as
			      they are in programs of nvcc 13 */
	int64_t nested;	   /* the driver's calls inside runtime calls have records, too; CUPTI 13.0
			    * writes none */
	/* CUPTI as a whole */
	int64_t generation; /* 3 to 10: of its kernel records, and the release that goes with it */
	int64_t nullstream; /* id of the NULL stream; others get 13, 14, ... */
	int64_t nullstep;   /* by which it differs from context to context */
	int64_t second;	    /* another subscriber exists: error 39, or this number if not 1 */
	int64_t noinit;	    /* enabling fails with error 999, as without a driver */
	const char *unsupported; /* alone: no device is supported; or the reason: sli, virtual_gpu,
				  * confidential, mining, wsl or architecture */
	const char *refuse; /* names of functions and numbers of kinds, separated by commas, that
			       fail with CUPTI_NOT_COMPATIBLE */
	const char *failat; /* FUNCTION:N:RESULT, separated by commas: its call number N returns
			     * RESULT; N 0: each call */
	int64_t fatal;	    /* number of driver calls after which CUPTI fails */
	int64_t unload;	    /* names of kernels end with their module: an undelivered record gets
			       another name, and reading the old one is fatal */
	int64_t noname;	    /* kernels have no names: NULL */
	int64_t onememory;  /* an allocation has one record, whatever contexts its device has */
	/* counters; a name alone means the function that takes possession of the hardware */
	const char *refuse35; /* the user has no permission: names of the functions that report
			       * it */
	const char *busy26;   /* another process uses the hardware: likewise */
	/* ranges of kernels (cupti_range.c) and the metrics of a chip (cupti_host.c) */
	const char *chip;      /* chip of the devices; else the first with their cc */
	int64_t nochip;	       /* the Host API does not support their chip */
	const char *badmetric; /* metrics that the chip lacks, separated by commas */
	int64_t lazyinit;      /* devices can be queried before cuptiProfilerInitialize, as NVIDIA's
				* sample profiling_injection does */
	int64_t perpass;       /* metrics of the hardware that fit in one pass */
	int64_t latecounters;  /* ranges are available only when the next launch begins, or at
			        * Stop */
	int64_t atstop;	       /* ranges are available only after Stop */
	int64_t entrydecode;   /* between Start and Stop, DecodeData is misuse except at the entry
			        * of a launch */
	int64_t norange;       /* from the range with that number on, none comes */
	int64_t onestart;      /* a second Start needs another SetConfig */
	int64_t mostranges;    /* SetConfig refuses more ranges */
	int64_t mostdecoded;   /* DecodeData fails if SetConfig had more ranges */
	int64_t devicelevel;   /* as since 13.1: metrics of the device (pcie__...) are available
				* only if they are requested */
	int64_t droprange;     /* one of that many ranges is dropped and counted */
	int64_t replayrows;    /* each pass of a kernel has a record of its own */
	int64_t norestore;     /* memory is not restored between passes */
	/* events (cupti_event.h) */
	int64_t legacy38;   /* this library no longer counts events: error 38 */
	int64_t eventslots; /* events of one domain that are counted at the same time */
	int64_t overflow;   /* number of the value that overflows when it is read; -1: all */
	int64_t invalid;    /* number of the value that is invalid; -1: all */
	/* buffers */
	int64_t shuffle;       /* records of a buffer are out of order; the number is the seed */
	int64_t split;	       /* calls and device records are in different buffers */
	int64_t kernelfirst;   /* split, and the device records come before the calls */
	int64_t perthread;     /* split, and the calls of each thread are in buffers of their own */
	int64_t foreign;       /* full buffers are returned on a thread of CUPTI */
	int64_t inorder;       /* device records wait for those of earlier launches */
	int64_t hold;	       /* only cuptiActivityFlushAll(1) returns buffers */
	int64_t small;	       /* most records of a buffer */
	int64_t slowflush;     /* additional ms of cuptiActivityFlushAll */
	int64_t countflush;    /* at the end the main thread's calls of cuptiActivityFlushAll are
			        * printed on stderr */
	int64_t noflushperiod; /* cuptiActivityFlushPeriod does nothing */
	int64_t withhold;      /* each thread has one buffer, for its calls and the device records
				* of its launches. A device record takes its place at the launch,
				* and is complete when its command has ended. Only a forced flush
				* returns a buffer with an incomplete record. So does CUPTI from
				* 13.0 on (its default), and a process-wide buffer before does
				* alike */
	int64_t contextlate;   /* the record of a context comes with a forced flush only, as it
				* may come after kernels of other threads */
	int64_t countbuffers;  /* at the end the number of requested buffers, their largest size
				* and the page faults of clearing them are printed on stderr */
	int64_t hiddenpair;    /* the functions for buffers are not in the data of libcupti */
	int64_t strictresource; /* a call of the driver in a callback of a resource is misuse */
	const char *dump;      /* file to which all buffers are appended (cupti_dump.c) */
	const char *replay;    /* file whose buffers are returned when there is a context */
	/* device records */
	int64_t zero;	   /* number of the record without stamps; -1: all */
	int64_t backwards; /* number of the record that ends before it starts; -1: all */
	int64_t drop;	   /* one of that many records is dropped and counted */
	int64_t stalegraph; /* kernels of a graph have the id of its first launch, once the kind of
			     * kernels has been disabled and enabled again */
	int64_t graphzero; /* kernels of graphs have no stamps where kind 3 is enabled */
};

extern struct script script;
/* Reads FAKE_CUDA; call once. */
void script_start(void);
/* Returns true if the word, a number or -1 for all, matches this number. */
bool script_means(int64_t word, int64_t number);

/* Ends the process with code 99. */
_Noreturn void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define ENTRY_POINT __attribute__((visibility("default")))

struct context;
struct stream;

/* A call of the driver, and of the runtime around it if there is one (runtime_name). */
struct call {
	uint32_t id;
	const char *name;
	const void *parameters;
	bool query; /* takes no virtual time */
	uint32_t runtime_id;
	const char *runtime_name;
	const char *symbol; /* of the kernel, from the entry on, as in the real one */
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

/* The counter values of a kernel; per warp by default. */
struct effort {
	uint64_t blocks;
	uint64_t warps;
	uint64_t threads;
	uint64_t instructions;
	uint64_t branches;
	uint64_t divergent; /* branches with diverging threads in a warp */
	uint64_t loads;	    /* of global memory */
	uint64_t stores;
	uint64_t load_sectors; /* of 32 bytes */
	uint64_t store_sectors;
	uint64_t shared_loads;
	uint64_t shared_stores;
};

/* A command of a device, with all its times. */
struct command {
	enum command_kind kind;
	int64_t number;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t correlation;
	uint32_t graph; /* 0: of no graph */
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

/* The fake driver's calls of the fake libcupti. */
struct hooks {
	void (*call)(struct call *call, uint32_t domain, uint32_t site);
	void (*command)(const struct command *command);
	/* A callback of the domain RESOURCE. */
	void (*resource)(uint32_t callback, struct context *context, struct stream *stream,
			 void *descriptor);
	/* Returns true if only one kernel at a time runs on a device. */
	bool (*is_serial)(void);
	/* Returns how often a kernel of the context runs, each time with the same memory, while the
	 * launch waits; 0: once, and the launch does not wait. */
	unsigned (*passes)(struct context *context);
	/* A record other than device work, in the form of all releases, of a kind in
	 * cupti_events.h. */
	void (*fact)(const void *record, size_t size, uint32_t context);
	/* The names in this memory are invalid after this returns. */
	void (*forget)(const char *from, const char *to);
};

/* The fake libcupti's calls of the fake driver: its symbol fake_driver. */
struct driver {
	void (*attach)(const struct hooks *hooks);
	uint64_t (*clock)(void);
	bool (*context)(struct context *context, uint32_t *id, uint32_t *device);
	/* 0 if there is no such stream */
	uint32_t (*stream)(struct context *context, struct stream *stream, bool per_thread);
	uint32_t (*null_stream)(uint32_t context);
	uint64_t (*node)(const void *node); /* id; 0 if it is no node of a graph */
	uint32_t (*shared)(void); /* bytes of a multiprocessor */
	bool (*can_start)(void);  /* false: cuInit fails, or it has not returned yet (lateinit) */
};
#define FAKE_DRIVER "fake_driver"

#endif
