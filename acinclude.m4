# SPDX-License-Identifier: MIT

# CP_WITH(NAME, HELP, CHECK)
# The option --with-NAME=yes|no|auto. Unless it is "no", CHECK runs and sets have_NAME to yes if it
# can be built; "yes" insists on that. The result is with_NAME (yes or no), the Automake conditional
# WITH_NAME and the macro WITH_NAME of config.h (1 or 0).
AC_DEFUN([CP_WITH], [
	AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1=yes|no|auto], [$2 @<:@auto@:>@])], [],
		[with_$1=auto])
	AS_CASE([$with_$1], [yes|no|auto], [],
		[AC_MSG_ERROR([--with-$1 is yes, no or auto, not $with_$1])])
	have_$1=no
	AS_IF([test "$with_$1" != no], [$3])
	AS_IF([test "$with_$1$have_$1" = yesno], [AC_MSG_ERROR([--with-$1: not available here])])
	with_$1=$have_$1
	AC_SUBST([with_$1])
	AM_CONDITIONAL(m4_toupper([WITH_$1]), [test "$with_$1" = yes])
	AS_IF([test "$with_$1" = yes], [cp_value=1], [cp_value=0])
	AC_DEFINE_UNQUOTED(m4_toupper([WITH_$1]), [$cp_value], [1 if built with $1, else 0])
])

# CP_FLAGS(VARIABLE, FLAG...)
# Adds each flag that the compiler takes to VARIABLE, which is substituted.
AC_DEFUN([CP_FLAGS], [
	cp_saved_CFLAGS=$CFLAGS
	for cp_flag in m4_normalize([$2]); do
		AC_MSG_CHECKING([whether $CC takes $cp_flag])
		CFLAGS="$cp_saved_CFLAGS -Werror $cp_flag"
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
			[AC_MSG_RESULT([yes]); $1="$$1 $cp_flag"], [AC_MSG_RESULT([no])])
	done
	CFLAGS=$cp_saved_CFLAGS
	AC_SUBST([$1])
])

# CP_LINK_FLAG(VARIABLE, FLAG)
# Sets VARIABLE, which is substituted, to the flag if the linker takes it.
AC_DEFUN([CP_LINK_FLAG], [
	cp_saved_LDFLAGS=$LDFLAGS
	AC_MSG_CHECKING([whether the linker takes $2])
	LDFLAGS="$cp_saved_LDFLAGS $2"
	AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes]); $1=$2],
		[AC_MSG_RESULT([no]); $1=])
	LDFLAGS=$cp_saved_LDFLAGS
	AC_SUBST([$1])
])

# CP_STATIC_LIBRARY(VARIABLE, NAME, FUNCTION)
# Sets VARIABLE to the flags that link libNAME.a into a shared library and hide its symbols, if
# that is possible. A preloaded library with a dependency breaks a host in which the loader cannot
# find that.
AC_DEFUN([CP_STATIC_LIBRARY], [
	AC_MSG_CHECKING([whether lib$2.a can be part of a shared library])
	cp_saved_CFLAGS=$CFLAGS cp_saved_LIBS=$LIBS
	CFLAGS="$CFLAGS -fPIC -shared -Wl,-z,defs -Wl,-z,text"
	LIBS="-l:lib$2.a"
	AC_LINK_IFELSE([AC_LANG_SOURCE([[extern void $3(void); void *pointer = $3;]])],
		[AC_MSG_RESULT([yes]); $1="-l:lib$2.a -Wl,--exclude-libs,lib$2.a"],
		[AC_MSG_RESULT([no])])
	CFLAGS=$cp_saved_CFLAGS LIBS=$cp_saved_LIBS
])

# CP_LIBCLANG
# Looks for libclang's C interface (12 or newer) and the folder of its OpenCL header, which it does
# not find itself. Sets have_libclang, LIBCLANG_CFLAGS, LIBCLANG_LIBS and CLANG_HEADERS.
AC_DEFUN([CP_LIBCLANG], [
	AC_ARG_VAR([LLVM_PREFIX],
		[folder of libclang @<:@that of llvm-config, or the newest one@:>@])
	AC_MSG_CHECKING([for libclang])
	have_libclang=no
	cp_saved_CPPFLAGS=$CPPFLAGS cp_saved_LIBS=$LIBS
	for cp_folder in ${LLVM_PREFIX:-$(llvm-config --prefix 2>/dev/null) \
		$(ls -d /usr/lib/llvm-* /usr/lib64/llvm* 2>/dev/null | sort -t- -k2,2nr) \
		/usr /usr/local}; do
		AS_IF([test $have_libclang = yes], [break])
		CLANG_HEADERS=
		for cp_header in "$cp_folder"/lib*/clang/*/include/opencl-c-base.h; do
			test ! -r "$cp_header" || CLANG_HEADERS=${cp_header%/*}
		done
		test -n "$CLANG_HEADERS" || continue
		LIBCLANG_CFLAGS="-isystem $cp_folder/include"
		AS_IF([test "$cp_folder" = /usr], [LIBCLANG_CFLAGS=])
		LIBCLANG_LIBS="-L$cp_folder/lib -lclang"
		CPPFLAGS="$cp_saved_CPPFLAGS $LIBCLANG_CFLAGS" LIBS="$LIBCLANG_LIBS $cp_saved_LIBS"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <clang-c/Index.h>]],
			[[return clang_getAddressSpace(
				clang_getCursorType(clang_getNullCursor()));]])],
			[have_libclang=yes])
	done
	CPPFLAGS=$cp_saved_CPPFLAGS LIBS=$cp_saved_LIBS
	AC_MSG_RESULT([$have_libclang${CLANG_HEADERS:+, $CLANG_HEADERS}])
	AC_SUBST([LIBCLANG_CFLAGS])
	AC_SUBST([LIBCLANG_LIBS])
	AC_SUBST([CLANG_HEADERS])
])

# CP_MPI
# Looks for an MPI: MPICC if set, or an mpicc. Its flags are those of the command that it would run,
# which Open MPI and MPICH print for -show. Sets have_mpi, MPI_CFLAGS, MPI_LIBS, and MPIRUN, which
# starts the programs of a test, to the command beside it.
AC_DEFUN([CP_MPI], [
	AC_ARG_VAR([MPICC], [compiler of MPI programs @<:@mpicc@:>@])
	AC_ARG_VAR([MPIRUN], [command that starts them in tests @<:@mpirun beside MPICC@:>@])
	AS_CASE([$MPICC], [/*], [],
		[AC_PATH_PROGS([found_mpicc], [${MPICC:-mpicc mpicc.openmpi mpicc.mpich}])
		MPICC=$found_mpicc])
	AC_MSG_CHECKING([for MPI])
	have_mpi=no
	MPI_CFLAGS= MPI_LIBS=
	AS_IF([test -n "$MPICC"], [
		for cp_word in $($MPICC -show 2>/dev/null | $SED 's/ -I/ -isystem/g'); do
			AS_CASE([$cp_word],
				[-isystem*|-D*|-pthread], [MPI_CFLAGS="$MPI_CFLAGS $cp_word"],
				[-L*|-l*|-Wl,*|*.so|*.a], [MPI_LIBS="$MPI_LIBS $cp_word"])
		done
		cp_saved_CPPFLAGS=$CPPFLAGS cp_saved_LIBS=$LIBS
		CPPFLAGS="$CPPFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
			[[unsigned long long value = 0;
			return MPI_Init(0, 0) ||
				MPI_Bcast(&value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);]])],
			[have_mpi=yes])
		CPPFLAGS=$cp_saved_CPPFLAGS LIBS=$cp_saved_LIBS
		cp_mpirun=$(echo "$MPICC" | $SED 's|mpicc\(@<:@^/@:>@*\)$|mpirun\1|')
		AS_IF([test -z "$MPIRUN" && test -x "$cp_mpirun"], [MPIRUN=$cp_mpirun])
	])
	AC_MSG_RESULT([$have_mpi${MPICC:+, $MPICC}])
	AC_SUBST([MPI_CFLAGS])
	AC_SUBST([MPI_LIBS])
])

# CP_CUDA_HEADERS
# Looks for the headers of a CUDA toolkit (11.7 or newer). Only tests use them, to compare
# computeprof's own declarations. Sets CUDA_HEADERS_CPPFLAGS to the folders and to macros that
# list the generations of each record as DO(TYPE)DO(TYPE)..., and the Automake conditional
# HAVE_CUPTI_HEADERS if there are any.
AC_DEFUN([CP_CUDA_HEADERS], [
	AC_REQUIRE([AC_PROG_SED])
	AC_MSG_CHECKING([for the headers of CUPTI])
	have_cupti_headers=no
	cp_saved_CPPFLAGS=$CPPFLAGS
	for cp_folder in "$CUDA_HOME" "$CUDA_PATH" /usr/local/cuda; do
		test -n "$cp_folder" && test $have_cupti_headers = no || continue
		cp_include="-isystem $cp_folder/include -isystem $cp_folder/extras/CUPTI/include"
		CPPFLAGS="$cp_saved_CPPFLAGS $cp_include"
		AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
			#include <cudaProfiler.h>
			#include <cupti_activity.h>
			#include <cupti_version.h>
			#if CUPTI_API_VERSION < 17
			#error these are too old
			#endif
			]])], [have_cupti_headers=$cp_folder])
	done
	CPPFLAGS=$cp_saved_CPPFLAGS
	AC_MSG_RESULT([$have_cupti_headers])
	AM_CONDITIONAL([HAVE_CUPTI_HEADERS], [test $have_cupti_headers != no])
	AS_IF([test $have_cupti_headers != no], [
		cp_folder=$have_cupti_headers
		cp_include="-isystem $cp_folder/include -isystem $cp_folder/extras/CUPTI/include"
		CUDA_HEADERS_CPPFLAGS=$cp_include
		CP_CUPTI_RECORDS([KERNELS], [Kernel@<:@4-9@:>@], [Kernel1@<:@0-9@:>@])
		CP_CUPTI_RECORDS([COPIES], [Memcpy], [Memcpy@<:@0-9@:>@])
		CP_CUPTI_RECORDS([PEER_COPIES], [MemcpyPtoP], [MemcpyPtoP@<:@0-9@:>@])
		CP_CUPTI_RECORDS([MEMSETS], [Memset], [Memset@<:@0-9@:>@])
		CP_CUPTI_RECORDS([CONTEXTS], [Context], [Context@<:@0-9@:>@])
	])
	AC_SUBST([CUDA_HEADERS_CPPFLAGS])
])

# CP_CUPTI_RECORDS(LIST, PATTERN, PATTERN)
# Adds the macro CUPTI_LIST with all records CUpti_ActivityPATTERN of the headers in cp_folder.
AC_DEFUN([CP_CUPTI_RECORDS], [
	cp_list=$(cat "$cp_folder"/include/cupti_activity*.h \
		"$cp_folder"/extras/CUPTI/include/cupti_activity*.h 2>/dev/null |
		$SED -n -e 's/^} *\(CUpti_Activity$2\);.*/DO(\1)/p' \
			-e 's/^} *\(CUpti_Activity$3\);.*/DO(\1)/p' | tr -d '\n')
	CUDA_HEADERS_CPPFLAGS="$CUDA_HEADERS_CPPFLAGS '-DCUPTI_$1=$cp_list'"
])

# CP_NVCC
# Looks for CUDA's compiler, for programs of the tests only. Sets NVCC to its path, NVCC_FLAGS to
# the flags for all devices that it supports, and the Automake conditional HAVE_NVCC if it works.
AC_DEFUN([CP_NVCC], [
	AC_PATH_PROG([NVCC], [nvcc], [],
		[$PATH$PATH_SEPARATOR${CUDA_HOME:-/usr/local/cuda}/bin:/usr/local/cuda/bin])
	NVCC_FLAGS="-std=c++14 -O2 -arch=all-major -cudart static"
	AC_SUBST([NVCC_FLAGS])
	have_nvcc=no
	AS_IF([test -n "$NVCC"], [
		AC_MSG_CHECKING([whether $NVCC makes programs])
		echo '__global__ void empty() {} int main() { empty<<<1, 1>>>(); }' >conftest.cu
		AS_IF([$NVCC $NVCC_FLAGS -o conftest conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
			[have_nvcc=yes])
		rm -f conftest conftest.cu
		AC_MSG_RESULT([$have_nvcc])
	])
	AM_CONDITIONAL([HAVE_NVCC], [test $have_nvcc = yes])
])

# CP_FUZZER
# Looks for a compiler with libFuzzer, independent of CC: FUZZ_CC if set, or a clang. Sets the
# Automake conditional HAVE_FUZZER if there is one.
AC_DEFUN([CP_FUZZER], [
	AC_ARG_VAR([FUZZ_CC], [compiler with -fsanitize=fuzzer @<:@the newest clang@:>@])
	AC_MSG_CHECKING([for a compiler with libFuzzer])
	have_fuzzer=no
	echo 'int LLVMFuzzerTestOneInput(const char *data, __SIZE_TYPE__ size);
		int LLVMFuzzerTestOneInput(const char *data, __SIZE_TYPE__ size)
		{ return size && data@<:@0@:>@ == 7; }' >conftest.c
	for cp_compiler in "${FUZZ_CC:-clang}" clang-21 clang-20 clang-19 clang-18 clang-17 \
		clang-16 clang-15 clang-14; do
		AS_IF([$cp_compiler -fsanitize=fuzzer,address,undefined -o conftest conftest.c \
			>&AS_MESSAGE_LOG_FD 2>&1],
			[have_fuzzer=yes FUZZ_CC=$cp_compiler; break])
		AS_IF([test -n "$FUZZ_CC"], [break])
	done
	rm -f conftest conftest.c
	AC_MSG_RESULT([$have_fuzzer${FUZZ_CC:+, $FUZZ_CC}])
	AM_CONDITIONAL([HAVE_FUZZER], [test $have_fuzzer = yes])
])
