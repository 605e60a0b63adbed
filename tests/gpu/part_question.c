/* SPDX-License-Identifier: MIT */
/* Questions about programs with the profiler. */
#include "part_question.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "client.h"
#include "counting.h"
#include "part_graph.h"
#include "work.h"

enum { BUFFER = 4 << 20, KIND_EXTERNAL_CORRELATION = 39 };

/* --- Q2: a second client registers buffers and stops, as kineto does since its pull request 1250
 */
int question_register(const struct part *part, const char *step)
{
	enum { BEFORE = 55, DURING = 60, AFTER = 40 };

	(void)part;
	(void)step;
	work_begin();
	client_open();
	work_launches("launched", BEFORE, 1);
	work_wait();
	expect("note register %d", client_register(BUFFER));
	expect("note enable %d", client.ActivityEnable(CUPTI_KIND_CONCURRENT_KERNEL));
	work_launches("launched", DURING, 2);
	work_wait();
	expect("note disable %d", client.ActivityDisable(CUPTI_KIND_CONCURRENT_KERNEL));
	expect("note flush %d", client.ActivityFlushAll(CUPTI_FLUSH_FORCED));
	expect("note theirs %zu", client_seen[0].kernels);
	expect("note foreign %zu", client_seen[0].foreign);
	work_launches("launched", AFTER, 3);
	work_wait();
	expect("note launches %d", BEFORE + DURING + AFTER);
	return 0;
}

/* --- Q2 and Q5: PyTorch with its own profiler, and its end. Its kernels are counted in three
 * stretches: before the profiler, with it, after it. */
static const char script[] =
	"import os, sys, time\n"
	"notes = open('expected.%d' % os.getpid(), 'a')\n"
	"def note(*words):\n"
	"    print('note', *words, file=notes, flush=True)\n"
	"try:\n"
	"    import torch\n"
	"    from torch.profiler import profile, ProfilerActivity\n"
	"except Exception as error:\n"
	"    sys.exit(77)\n"
	"if not torch.cuda.is_available():\n"
	"    sys.exit(77)\n"
	"note('torch', torch.__version__, torch.version.cuda)\n"
	"a = torch.ones(64, 64, device='cuda')\n"
	"def work(times):\n"
	"    for i in range(times):\n"
	"        a.add_(1)\n"
	"    torch.cuda.synchronize()\n"
	"work(55)\n"
	"if sys.argv[1] == 'profile':\n"
	"    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as told:\n"
	"        work(60)\n"
	"    kernels = sum(event.count for event in told.key_averages()\n"
	"                  if event.device_type == torch.autograd.DeviceType.CUDA)\n"
	"    note('theirs', kernels)\n"
	"else:\n"
	"    work(60)\n"
	"work(40)\n"
	"note('launches', 155)\n"
	"note('end', time.clock_gettime_ns(time.CLOCK_MONOTONIC))\n";

int question_torch(const struct part *part, const char *step)
{
	const char *how = part->check == answer_torch ? "profile" : "plain";

	(void)step;
	expect("skip no PyTorch with a device");
	execlp("python3", "python3", "-c", script, how, (char *)NULL);
	return WORK_SKIPPED;
}

/* Returns the cycles of the device in so many seconds. */
static uint64_t cycles_in(double seconds)
{
	return (uint64_t)(seconds * work_attribute(CUDA_DEVICE_CLOCK_RATE) * 1000);
}

/* --- Q3: what does a kill lose while launches never stop? The number of the last launch is in
 * shared memory, the file `launched`, so that it is that of the moment of the kill. */
int question_kill(const struct part *part, const char *step)
{
	static const double seconds = 2.5, each = 0.0001; /* a launch, and 1 % less than a kernel */
	int file = open("launched", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	uint64_t *launched, start, cycles;
	void *parameters[] = {&work_memory, &cycles};
	struct launch launch = {.kernel = "spin", .parameters = parameters};

	(void)part;
	(void)step;
	work_begin();
	cycles = cycles_in(each * 1.01);
	if (file < 0 || ftruncate(file, 4096))
		work_fail("the file launched", 1);
	launched = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (launched == MAP_FAILED)
		work_fail("mmap", 1);
	start = work_now();
	/* A kernel always runs, and there are never more than some hundred in the queue. */
	for (;;) {
		work_done(work_launch_only(&launch), launch.kernel);
		++*launched;
		while (work_now() < start + (uint64_t)((double)*launched * each * 1e9))
			;
		if ((double)*launched * each > seconds)
			raise(SIGKILL);
	}
}

/* --- Q4: kernels that wait for each other, and counters. The kernel `await` gives up by itself. */
int question_wait(const struct part *part, const char *step)
{
	static const double patience = 4;
	uint64_t flag, cycles, start;
	uint32_t one = 1, count = 1, seen = 0;
	void *waiting[] = {&work_memory, &flag, &cycles}, *setting[] = {&flag, &one, &count};
	cuda_stream first, second;

	(void)part;
	(void)step;
	counting_begin(COUNTING_METRICS);
	flag = work_memory + WORK_BYTES / 2;
	cycles = cycles_in(patience);
	DO(MemsetD32, work_memory, 0, 1);
	DO(MemsetD32, flag, 0, 1);
	DO(StreamCreate, &first, CUDA_STREAM_NON_BLOCKING);
	DO(StreamCreate, &second, CUDA_STREAM_NON_BLOCKING);
	work_wait();
	start = work_now();
	work_done(work_launch_only(&(struct launch){
			  .kernel = "await", .stream = first, .parameters = waiting}),
		  "await");
	work_done(work_launch_only(&(struct launch){
			  .kernel = "fill", .stream = second, .parameters = setting}),
		  "fill");
	expect("note launched %.3f", (double)(work_now() - start) / 1e9);
	work_wait();
	expect("note seconds %.3f", (double)(work_now() - start) / 1e9);
	DO(MemcpyDtoH, &seen, work_memory, sizeof(seen));
	expect("note seen %u", seen);
	return 0;
}

/* --- Q5: what do unloads and the end cost? */
int question_unload(const struct part *part, const char *step)
{
	enum { MODULES = 300 };
	static struct cuda_module *modules[MODULES];
	uint64_t start;

	(void)part;
	(void)step;
	work_begin();
	for (int i = 0; i < MODULES; i++) {
		modules[i] = work_module = work_load();
		work_launches("launched", 1, 1);
	}
	work_wait();
	start = work_now();
	for (int i = 0; i < MODULES; i++)
		DO(ModuleUnload, modules[i]);
	expect("note milliseconds %.3f", (double)(work_now() - start) / 1e6);
	expect("note modules %d", MODULES);
	expect("note launches %d", MODULES);
	expect("note end %llu", (unsigned long long)work_now());
	return 0;
}

/* --- Q6: cuInit fails */
int question_no_device(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
	work_open();
	expect("note init %d", cu.Init(0));
	expect("note again %d", cu.Init(0));
	return 0;
}

/* --- Q8: how many records has a kernel that runs several times? */
int question_passes(const struct part *part, const char *step)
{
	enum { LAUNCHES = 10 };

	(void)part;
	(void)step;
	counting_begin(COUNTING_METRICS);
	for (unsigned i = 1; i <= LAUNCHES; i++)
		work_done(work_launch_only(
				  &(struct launch){.kernel = "empty", .grid = {i}, .block = {64}}),
			  "empty");
	work_wait();
	expect("note kernels %d", LAUNCHES);
	return 0;
}

/* --- Q9: are ids of graphs right in a second window? */
int question_windows(const struct part *part, const char *step)
{
	enum { KERNELS = 3, LAUNCHES = 4, WINDOWS = 3 };
	struct cuda_executable *graph;
	cuda_stream stream;

	(void)part;
	(void)step;
	work_begin();
	graph = graph_of_kernels(KERNELS);
	if (!cu.ProfilerStart || !cu.ProfilerStop)
		work_skip("the driver has no cuProfilerStart");
	DO(StreamCreate, &stream, CUDA_STREAM_NON_BLOCKING);
	for (int window = 0; window < WINDOWS; window++) {
		DO(ProfilerStart);
		for (int i = 0; i < LAUNCHES; i++)
			DO(GraphLaunch, graph, stream);
		DO(StreamSynchronize, stream);
		DO(ProfilerStop);
		DO(GraphLaunch, graph, stream);
		DO(StreamSynchronize, stream);
	}
	expect("note launches %d", WINDOWS * LAUNCHES);
	expect("note kernels %d", KERNELS);
	return 0;
}
