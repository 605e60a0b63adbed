# SPDX-License-Identifier: MIT
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Computeprof(AutotoolsPackage):
    """A profiler of CUDA and OpenCL programs: it records each kernel and each copy with its time
    on the device, and prints the tables of nvprof. Programs are not rebuilt."""

    url = "@URL@/computeprof-0.1.0.tar.xz"

    license("MIT", checked_by="computeprof")

    version("0.1.0", sha256="@SHA256@")

    variant("cuda", default=True, description="Profile CUDA programs (needs no toolkit)")
    variant("opencl", default=True, description="Profile OpenCL programs")
    variant("sqlite", default=True, description="Read and write databases")
    variant("symbols", default=True, description="Name the functions of call stacks")
    variant("demangler", default=True, description="Demangle the C++ names of kernels")
    variant("rewrite", default=False, description="Build computeprof-rewrite")
    variant("mpi", default=False, description="Build computeprof-mpi")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    # Its archive becomes part of the library, which is preloaded and needs only libc.
    depends_on("libinih default_library=static")
    depends_on("zlib-api")
    depends_on("opencl-c-headers", type="build", when="+opencl")
    depends_on("xxhash", type="build", when="+opencl")
    depends_on("sqlite@3.31:", when="+sqlite")
    depends_on("elfutils@0.170:", when="+symbols")
    depends_on("binutils+libiberty", when="+demangler")
    depends_on("llvm@12:+clang", when="+rewrite")
    depends_on("mpi", when="+mpi")

    conflicts("platform=darwin", msg="computeprof runs on Linux")
    conflicts("platform=windows", msg="computeprof runs on Linux")

    def configure_args(self):
        args = ["--with-zlib=yes", "--with-nvprof-name=computeprof-nvprof"]
        for name in "cuda", "opencl", "sqlite", "symbols", "demangler":
            args.append(f"--with-{name}={'yes' if self.spec.satisfies('+' + name) else 'no'}")
        if self.spec.satisfies("+rewrite"):
            args += ["--with-libclang=yes", f"LLVM_PREFIX={self.spec['llvm'].prefix}"]
        else:
            args.append("--with-libclang=no")
        if self.spec.satisfies("+mpi"):
            args += ["--with-mpi=yes", f"MPICC={self.spec['mpi'].mpicc}"]
        else:
            args.append("--with-mpi=no")
        return args

    def check(self):
        """make check is for developers: it takes long, and needs PoCL and other programs."""

    def test_tool(self):
        """the tool runs, and finds its configurations"""
        tool = Executable(self.prefix.bin.computeprof)
        assert f"computeprof {self.spec.version}" in tool("--version", output=str.split)
        assert "timing" in tool("list", "configs", output=str.split)

    def test_library(self):
        """the library, which is preloaded, needs only libc"""
        library = self.prefix.lib.join("libcomputeprof.so")
        needed = Executable("readelf")("-d", library, output=str.split)
        assert "[libc.so" in needed
        assert "[libinih" not in needed
