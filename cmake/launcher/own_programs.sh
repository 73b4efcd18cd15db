# shellcheck shell=bash
# Which words of a command line name a program of the user's own. Sourced by the launcher and by the installed command; reads
# `root`, whose lessons don't count as such.

# is_program WORD: whether it is one: a C++ source, or another file or folder that is no lesson's.
is_program() {
  local name=${1%/}
  name=${name##*/}
  case $1 in
    -*) return 1 ;;
    *.cpp | *.cc | *.cxx | *.c++ | *.C | *.c | *.cu | . | ..) return 0 ;;
    */*) ! [[ $name =~ ^[0-9]{1,2}$ ]] && [ ! -d "${course:-$root}/lessons/$name" ] && ! compgen -G "${course:-$root}/lessons/[0-9][0-9]_$name" >/dev/null ;;
    *.*) [ -f "$1" ] ;;
    *) return 1 ;;
  esac
}

# names_program WORD...: whether the first one does; or another one, where options come first.
names_program() {
  local word
  if [ $# -gt 0 ] && [[ $1 != -* ]]; then is_program "$1"; return; fi
  for word in "$@"; do
    if is_program "$word"; then return 0; fi
  done
  return 1
}

# names_program_among_options WORD...: the same for `bench` and `view`, whose options take files, too: behind options, C++ sources
# alone.
names_program_among_options() {
  local word
  if [ $# -gt 0 ] && [[ $1 != -* ]]; then is_program "$1"; return; fi
  for word in "$@"; do
    case $word in *.cpp | *.cc | *.cxx | *.c++ | *.C | *.c | *.cu) return 0 ;; esac
  done
  return 1
}
