/* SPDX-License-Identifier: MIT */
/* For T13.plugin: a module with all CUDA code, including the names of the kernels, which is
 * unloaded. */
#include "driver.h"
#include "kernels.h"

__attribute__((visibility("default"))) int plugin_run(int count);

int plugin_run(int count)
{
	struct cuda_function *function;
	struct cuda_module *module;
	cuda_context context;

	if (driver_open() || cu.Init(0) || cu.CtxCreate(&context, 0, 0) ||
	    cu.ModuleLoadData(&module, kernels_ptx) ||
	    cu.ModuleGetFunction(&function, module, "empty"))
		return 1;
	while (count-- > 0) {
		if (cu.LaunchKernel(function, 9, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL))
			return 1;
	}
	return cu.CtxSynchronize() || cu.CtxDestroy(context);
}
