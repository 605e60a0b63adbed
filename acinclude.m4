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

# CP_STATIC_LIBRARY(VARIABLE, NAME, FUNCTION)
# If libNAME.a can be linked into a shared library, VARIABLE becomes the flags that do it and hide
# its names. A preloaded library that needs another one is fatal to a host that cannot find that.
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
