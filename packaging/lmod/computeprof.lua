-- SPDX-License-Identifier: MIT
-- Lmod modulefile: copy or link it as computeprof/VERSION.lua into a folder of MODULEPATH. The
-- installation is expected in ROOT/VERSION; COMPUTEPROF_ROOT sets another folder.
local version = myModuleVersion()
local root = os.getenv("COMPUTEPROF_ROOT") or pathJoin("/opt/computeprof", version)

help([[
computeprof profiles CUDA and OpenCL programs and prints the tables of nvprof:

    computeprof ./app
    mpirun -n 4 computeprof -o 'app.%r.cptrace' ./app

Programs are not rebuilt. Manual: man computeprof
]])
whatis("Name: computeprof")
whatis("Version: " .. version)
whatis("Category: tools, profiling")
whatis("Description: A profiler of CUDA and OpenCL programs")

conflict("computeprof")
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("CPATH", pathJoin(root, "include"))
prepend_path("PKG_CONFIG_PATH", pathJoin(root, "lib/pkgconfig"))
