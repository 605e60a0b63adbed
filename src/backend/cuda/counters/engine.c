/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/engine.h"

#include <unistd.h>

#include "backend/cuda/counters/permission.h"
#include "backend/cuda/library.h"

static const char restricted[] =
	"only administrators may read counters here (ERR_NVGPUCTRPERM): run it as root or with "
	"CAP_SYS_ADMIN, or have the nvidia module loaded with "
	"NVreg_RestrictProfilingToAdminUsers=0 (RmProfilingAdminOnly: 0 in " PERMISSION_FILE ")";
static const char container[] =
	"only administrators may read counters here (ERR_NVGPUCTRPERM), and root in this container "
	"is none: start it with --cap-add=SYS_ADMIN, or have the nvidia module of the host loaded "
	"with NVreg_RestrictProfilingToAdminUsers=0 (RmProfilingAdminOnly: 0 in " PERMISSION_FILE
	")";
static const char served[] = "there are no counters under MPS: stop its control daemon, or set "
			     "CUDA_MPS_PIPE_DIRECTORY to an empty folder";

/* Results with a single meaning. */
static const struct {
	int result;
	const char *reason;
} reasons[] = {
	{CUPTI_OUT_OF_MEMORY, "there is not enough memory"},
	{CUPTI_NOT_COMPATIBLE,
	 "the program, or a tool in it, uses CUPTI in a way that excludes it: switch that off"},
	{CUPTI_HARDWARE_BUSY,
	 "somebody else has the counters: end other profilers of this GPU, and where DCGM watches "
	 "it, pause that with: dcgmi profile --pause"},
	{CUPTI_NOT_SUPPORTED,
	 "this GPU, driver and libcupti cannot do it together: COMPUTEPROF_CUPTI can name a "
	 "libcupti of another release"},
	{CUPTI_VIRTUALIZED_NOT_SUPPORTED,
	 "it is a virtual GPU that has no counters: use a whole one"},
	{CUPTI_OLD_PROFILER_INITIALIZED,
	 "the program has begun to count CUPTI events, which excludes metrics: switch that off"},
	{CUPTI_LEGACY_PROFILER_NOT_SUPPORTED,
	 "CUPTI 13 and drivers from 580 on count no events: an older driver, and a libcupti before "
	 "13 that COMPUTEPROF_CUPTI names, do"},
	{CUPTI_VIRTUALIZED_PRIVILEGES,
	 "the host of this virtual GPU does not allow it: have its plugin parameter "
	 "enable_profiling set to 1 there"},
	{CUPTI_CONFIDENTIAL,
	 "confidential computing is on, and hides counters: switch it to off or devtools mode"},
	{CUPTI_MINING, "mining processors (CMP) have none: use another GPU"},
	{CUPTI_MIG,
	 "it is a part of a GPU that MIG divides: use one that shares nothing with another, or "
	 "switch MIG off"},
	{CUPTI_SLI, "it is linked to another GPU by SLI: switch SLI off"},
	{CUPTI_WSL,
	 "it cannot be done in this WSL: update WSL and the driver, or use Linux itself"},
	{CUPTI_INVALID_CHIP,
	 "this libcupti does not know the chip: COMPUTEPROF_CUPTI can name a newer one"},
};

static const char *restriction(void)
{
	return geteuid() == 0 ? container : restricted;
}

/* If CUPTI's result is ambiguous, the settings of the system suggest the likely reason. */
const char *engine_reason(int result)
{
	if (result == CUPTI_INSUFFICIENT_PRIVILEGES)
		return restriction();
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].result == result)
			return reasons[i].reason;
	if (permission_of_driver(PERMISSION_FILE) == PERMISSION_ADMIN && !permission_is_admin())
		return restriction();
	if (permission_is_served(permission_service()))
		return served;
	return library_error(result);
}
