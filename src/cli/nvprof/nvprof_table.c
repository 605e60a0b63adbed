/* SPDX-License-Identifier: MIT */
#include "cli/nvprof/nvprof_table.h"

#include <stddef.h>
#include <string.h>

#define ON_OFF "on|off"
#define CPU_SAMPLES \
	"CPU samples are not in nvprof's form: computeprof -o FILE.svg PROGRAM shows them as a " \
	"flame graph"
#define OPENACC "OpenACC is not recorded; the kernels, copies and calls that it makes are"
#define OF_TABLES "the same, for tables; with -o alone it has no effect"
#define BUFFERS "not needed: buffers are added while the program runs"

/* clang-format off */
const struct nvprof_option nvprof_options[] = {
	{"aggregate-mode", 0, ON_OFF, NVPROF_AGGREGATE, NULL, "on",
	 "on sums counters over the device's units, off reads one unit (countermodeaggregate)"},
	{"analysis-metrics", 0, NULL, NVPROF_TELL, NULL, NULL,
	 "there is no such set: name the metrics with --metrics"},
	{"annotate-mpi", 0, "off|openmpi|mpich", NVPROF_TELL, NULL, "off",
	 "MPI calls are not recorded: an MPI library that marks them with NVTX shows them"},
	{"concurrent-kernels", 0, ON_OFF, NVPROF_CONCURRENT, NULL, "on",
	 "off runs the kernels one after the other (conckerneltrace 0)"},
	{"continuous-sampling-interval", 0, "MS", NVPROF_TELL, NULL, NULL,
	 "counters are read for each kernel, not at intervals"},
	{"cpu-thread-tracing", 0, ON_OFF, NVPROF_TELL, NULL, "off",
	 "calls of threads are not recorded: computeprof --stacks -o FILE.svg PROGRAM shows where "
	 "threads wait for the GPU"},
	{"dependency-analysis", 0, NULL, NVPROF_TELL, NULL, NULL,
	 "there is no such analysis: computeprof -o FILE.pftrace PROGRAM shows the waits, and "
	 "--notes when the device was idle"},
	{"device-buffer-size", 0, "MB", NVPROF_NONE, NULL, NULL, BUFFERS},
	{"device-cdp-buffer-size", 0, "MB", NVPROF_NONE, NULL, NULL, BUFFERS},
	{"devices", 0, "IDS|all", NVPROF_FORM, NULL, "all", "only these devices in the tables"},
	{"event-collection-mode", 0, "kernel|continuous", NVPROF_TELL, NULL, "kernel",
	 "counters are read for each kernel"},
	{"events", 'e', "NAMES", NVPROF_COUNTERS, NULL, NULL,
	 "counts these events for each kernel; the database has them in EVENT and METRIC"},
	{"kernel-latency-timestamps", 0, ON_OFF, NVPROF_TELL, NULL, "off",
	 "of CUDA's kernels only start and end are recorded, not when they were queued"},
	{"kernels", 0, "REGEX", NVPROF_FORM, NULL, NULL,
	 "only these kernels in the tables; a regular expression, not context:stream:name:count"},
	{"metrics", 'm', "NAMES", NVPROF_COUNTERS, NULL, NULL,
	 "the same for metrics"},
	{"pc-sampling-period", 0, "PERIOD", NVPROF_TELL, NULL, NULL,
	 "instructions are not sampled: Nsight Compute does it"},
	{"profile-all-processes", 0, NULL, NVPROF_REFUSE, NULL, NULL,
	 "a running program cannot be told to load the profiler: start programs with the variables "
	 "of computeprof.sh, and computeprof tail and top show them"},
	{"profile-api-trace", 0, "none|runtime|driver|all", NVPROF_API, NULL, "all",
	 "none records no calls, and the database has only those of kernels and copies; the others "
	 "record the program's own calls of both"},
	{"profile-child-processes", 0, NULL, NVPROF_NONE, NULL, NULL,
	 "always so: each process has a database of its own, with its process id in the name"},
	{"profile-from-start", 0, ON_OFF, NVPROF_SAME, NULL, NULL, "the same"},
	{"profile-from-start-off", 0, NULL, NVPROF_SAME, "profile-from-start=off", NULL,
	 "the same as --profile-from-start off, which replaced it"},
	{"profiling-semaphore-pool-size", 0, "COUNT", NVPROF_NONE, NULL, NULL, BUFFERS},
	{"query-events", 0, NULL, NVPROF_SAME, NULL, NULL, "the same"},
	{"query-metrics", 0, NULL, NVPROF_SAME, NULL, NULL, "the same"},
	{"replay-mode", 0, "disabled|kernel|application", NVPROF_REPLAY, NULL, NULL,
	 "disabled refuses events that do not fit into one run of a kernel, the others repeat each "
	 "kernel"},
	{"skip-kernel-replay-save-restore", 0, ON_OFF, NVPROF_TELL, NULL, "off",
	 "CUPTI always restores the memory before a kernel runs again"},
	{"source-level-analysis", 'a', "NAMES", NVPROF_TELL, NULL, NULL,
	 "source lines are not measured: Nsight Compute does it"},
	{"system-profiling", 0, ON_OFF, NVPROF_SYSTEM, NULL, "off",
	 "on reads clocks, power, temperature and fans each second (NVML); the database has them "
	 "in ENVIRONMENT"},
	{"timeout", 't', "SECONDS", NVPROF_SAME, NULL, NULL,
	 "the same, counted from the start of the program"},
	{"track-memory-allocations", 0, ON_OFF, NVPROF_NONE, NULL, NULL,
	 "always so: allocations are in the table MEMORY"},
	{"unified-memory-profiling", 0, "per-process-device|off", NVPROF_MANAGED, NULL, "off",
	 "per-process-device records migrations and page faults of managed memory; the database "
	 "has them in UNIFIED_MEMORY_COUNTER. off is the default here, since CUPTI before 13.4 may "
	 "hold the program up for about two seconds"},
	{"cpu-profiling", 0, ON_OFF, NVPROF_TELL, NULL, "off", CPU_SAMPLES},
	{"cpu-profiling-explain-ccff", 0, "FILE", NVPROF_TELL, NULL, NULL, CPU_SAMPLES},
	{"cpu-profiling-frequency", 0, "HZ", NVPROF_TELL, NULL, NULL,
	 CPU_SAMPLES " (--sample HZ)"},
	{"cpu-profiling-max-depth", 0, "DEPTH", NVPROF_TELL, NULL, NULL, CPU_SAMPLES},
	{"cpu-profiling-mode", 0, "flat|top-down|bottom-up", NVPROF_TELL, NULL, NULL, CPU_SAMPLES},
	{"cpu-profiling-percentage-threshold", 0, "PERCENT", NVPROF_TELL, NULL, NULL, CPU_SAMPLES},
	{"cpu-profiling-scope", 0, "function|instruction", NVPROF_TELL, NULL, NULL, CPU_SAMPLES},
	{"cpu-profiling-show-ccff", 0, ON_OFF, NVPROF_TELL, NULL, "off", CPU_SAMPLES},
	{"cpu-profiling-show-library", 0, ON_OFF, NVPROF_TELL, NULL, "off", CPU_SAMPLES},
	{"cpu-profiling-thread-mode", 0, "separated|aggregated", NVPROF_TELL, NULL, NULL,
	 CPU_SAMPLES},
	{"cpu-profiling-unwind-stack", 0, ON_OFF, NVPROF_TELL, NULL, "on", CPU_SAMPLES},
	{"openacc-profiling", 0, ON_OFF, NVPROF_TELL, NULL, "off", OPENACC},
	{"openmp-profiling", 0, ON_OFF, NVPROF_TELL, NULL, "off",
	 "OpenMP is not recorded; the kernels, copies and calls that it makes are"},
	{"context-name", 0, "NAME", NVPROF_TELL, NULL, NULL,
	 "contexts keep their numbers; ranges of NVTX have names"},
	{"csv", 0, NULL, NVPROF_FORM, NULL, NULL, OF_TABLES},
	{"demangling", 0, ON_OFF, NVPROF_FORM, NULL, NULL, OF_TABLES},
	{"normalized-time-unit", 'u', "UNIT", NVPROF_FORM, NULL, "col",
	 "the same: auto, s, ms, us or ns; col is as auto"},
	{"openacc-summary-mode", 0, "exclusive|inclusive", NVPROF_TELL, NULL, "exclusive", OPENACC},
	{"trace", 0, "gpu|api|gpu,api", NVPROF_TRACED, NULL, NULL,
	 "gpu prints the totals of the device only, api those of the calls"},
	{"print-api-summary", 0, NULL, NVPROF_SAME, NULL, NULL, "the same"},
	{"print-api-trace", 0, NULL, NVPROF_SAME, NULL, NULL, "the same"},
	{"print-dependency-analysis-trace", 0, NULL, NVPROF_TELL, NULL, NULL,
	 "there is no such analysis: computeprof -o FILE.pftrace PROGRAM shows the waits"},
	{"print-gpu-summary", 0, NULL, NVPROF_SAME, NULL, NULL, "the same"},
	{"print-gpu-trace", 0, NULL, NVPROF_SAME, NULL, NULL, "the same"},
	{"print-openacc-constructs", 0, NULL, NVPROF_TELL, NULL, NULL, OPENACC},
	{"print-openacc-summary", 0, NULL, NVPROF_TELL, NULL, NULL, OPENACC},
	{"print-openacc-trace", 0, NULL, NVPROF_TELL, NULL, NULL, OPENACC},
	{"print-openmp-summary", 0, NULL, NVPROF_TELL, NULL, NULL,
	 "OpenMP is not recorded; the kernels, copies and calls that it makes are"},
	{"print-summary", 's', NULL, NVPROF_SAME, NULL, NULL, "the same"},
	{"print-summary-per-gpu", 0, NULL, NVPROF_TELL, NULL, NULL,
	 "the summary has all devices together: --devices N prints that of one"},
	{"process-name", 0, "NAME", NVPROF_TELL, NULL, NULL,
	 "processes have their command lines; ranges of NVTX have names"},
	{"quiet", 'q', NULL, NVPROF_SAME, NULL, NULL, "the same"},
	{"stream-name", 0, "NAME", NVPROF_TELL, NULL, NULL,
	 "streams keep their numbers; ranges of NVTX have names"},
	{"export-profile", 'o', "FILE", NVPROF_OUTPUT, NULL, NULL,
	 "writes the database FILE, of any name, and nothing besides"},
	{"output-profile", 0, "FILE", NVPROF_OUTPUT, NULL, NULL, "the same as --export-profile"},
	{"force-overwrite", 'f', NULL, NVPROF_SAME, NULL, NULL,
	 "the same: without it an existing file is kept"},
	{"import-profile", 'i', "FILE", NVPROF_SAME, NULL, NULL,
	 "the same; the file may be nvprof's own"},
	{"log-file", 0, "FILE", NVPROF_FORM, NULL, NULL, OF_TABLES},
	{"print-nvlink-topology", 0, NULL, NVPROF_REFUSE, NULL, NULL,
	 "nvidia-smi nvlink --status prints it"},
	{"print-pci-topology", 0, NULL, NVPROF_REFUSE, NULL, NULL, "nvidia-smi topo -m prints it"},
	{"help", 'h', NULL, NVPROF_HELP, NULL, NULL, "prints this list"},
	{"version", 'V', NULL, NVPROF_SAME, NULL, NULL, "the version of computeprof"},
	{0},
};
/* clang-format on */

const struct nvprof_option *nvprof_option_find(const char *name)
{
	const struct nvprof_option *option = nvprof_options;

	while (option->name && strcmp(option->name, name))
		option++;
	return option->name ? option : NULL;
}
