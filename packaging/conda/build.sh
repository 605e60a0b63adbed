#!/bin/bash
# SPDX-License-Identifier: MIT
set -euo pipefail

# conda-forge has no inih. Its archive becomes part of the library, which is preloaded and needs
# only libc. conda-forge has no libiberty either: C++ names of kernels stay mangled.
# shellcheck disable=SC2086 # the flags are words
"$CC" $CFLAGS -fPIC -c inih/ini.c -o inih/ini.o
"$AR" rcs inih/libinih.a inih/ini.o
cat >inih/inih.pc <<END
Name: inih
Description: simple INI file parser
Version: 62
Cflags: -I$SRC_DIR/inih
Libs: -L$SRC_DIR/inih -linih
END
export PKG_CONFIG_PATH="$SRC_DIR/inih${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
./configure --prefix="$PREFIX" --with-cuda=yes --with-opencl=yes --with-sqlite=yes --with-zlib=yes \
	--with-symbols=yes --with-demangler=no --with-libclang=no \
	--with-mpi=no --with-nvprof-name=computeprof-nvprof LDFLAGS="$LDFLAGS -L$SRC_DIR/inih"
make -j"$CPU_COUNT"
make install-strip
rm -f "$PREFIX"/lib/libcomputeprof.la
