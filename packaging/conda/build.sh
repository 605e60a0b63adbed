#!/bin/bash
# SPDX-License-Identifier: MIT
set -euo pipefail

# conda has no libiberty: C++ names of kernels stay mangled.
./configure --prefix="$PREFIX" --with-cuda=yes --with-opencl=yes --with-sqlite=yes --with-zlib=yes \
	--with-symbols=yes --with-demangler=no --with-libclang=no \
	--with-mpi=no --with-nvprof-name=computeprof-nvprof
make -j"$CPU_COUNT"
make install-strip
rm -f "$PREFIX"/lib/libcomputeprof.la
