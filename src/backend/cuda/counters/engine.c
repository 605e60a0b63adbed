/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/engine.h"

#include <unistd.h>

#include "backend/cuda/counters/permission.h"
#include "backend/cuda/libcupti.h"

static const char restricted[] =
	"only administrators may read counters (ERR_NVGPUCTRPERM): run the program as root or with "
	"CAP_SYS_ADMIN, or load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0 "
	"(RmProfilingAdminOnly: 0 in " PERMISSION_FILE ")";
static const char container[] =
	"only administrators may read counters (ERR_NVGPUCTRPERM), and root in this container is "
	"not one: start the container with --cap-add=SYS_ADMIN, or load the nvidia module of the "
	"host with NVreg_RestrictProfilingToAdminUsers=0 (RmProfilingAdminOnly: 0 in "
	PERMISSION_FILE ")";
static const char served[] = "counters are not available under MPS: stop its control daemon, or "
			     "set CUDA_MPS_PIPE_DIRECTORY to an empty directory";

/* Results with a single meaning. */
static const struct {
	int result;
	const char *reason;
} reasons[] = {
	{CUPTI_OUT_OF_MEMORY, "out of memory"},
	{CUPTI_NOT_COMPATIBLE,
	 "the program, or a tool in it, already uses CUPTI for counters: disable that"},
	{CUPTI_HARDWARE_BUSY,
	 "another profiler uses the counters: end other profilers of this GPU; if DCGM monitors "
	 "it, run: dcgmi profile --pause"},
	{CUPTI_NOT_SUPPORTED,
	 "this combination of GPU, driver and libcupti does not support counters: set "
	 "COMPUTEPROF_CUPTI to the libcupti of another release"},
	{CUPTI_VIRTUALIZED_NOT_SUPPORTED,
	 "this virtual GPU has no counters: use a physical GPU"},
	{CUPTI_OLD_PROFILER_INITIALIZED,
	 "the program itself counts CUPTI events, which excludes metrics: disable that"},
	{CUPTI_LEGACY_PROFILER_NOT_SUPPORTED,
	 "CUPTI 13 and drivers from 580 on count no events: use an older driver, and set "
	 "COMPUTEPROF_CUPTI to a libcupti before 13"},
	{CUPTI_VIRTUALIZED_PRIVILEGES,
	 "the host of this virtual GPU does not allow counters: set the plugin parameter "
	 "enable_profiling to 1 on the host"},
	{CUPTI_CONFIDENTIAL,
	 "confidential computing disables counters: set it to off or to devtools mode"},
	{CUPTI_MINING, "mining processors (CMP) have no counters: use another GPU"},
	{CUPTI_MIG,
	 "this MIG instance shares units of the GPU with another one: use an instance that shares "
	 "nothing, or disable MIG"},
	{CUPTI_SLI, "the GPU is linked to another one by SLI: disable SLI"},
	{CUPTI_WSL,
	 "this version of WSL does not support counters: update WSL and the driver, or use native "
	 "Linux"},
	{CUPTI_INVALID_CHIP,
	 "this libcupti does not support the chip: set COMPUTEPROF_CUPTI to a newer one"},
};

static const char *restriction(void)
{
	return geteuid() == 0 ? container : restricted;
}

/* If CUPTI's result is ambiguous, the settings of the system suggest the likely reason. */
const char *engine_reason(int result)
{
	if (result == ENGINE_SILENT)
		return "CUPTI has returned no counters of several kernels in a row";
	if (result == CUPTI_INSUFFICIENT_PRIVILEGES)
		return restriction();
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].result == result)
			return reasons[i].reason;
	if (permission_of_driver(PERMISSION_FILE) == PERMISSION_ADMIN && !permission_is_admin())
		return restriction();
	if (permission_uses_mps(permission_mps_folder()))
		return served;
	return libcupti_error(result);
}
