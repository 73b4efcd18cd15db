#!/usr/bin/env bash
# first_errors.sh PROGRAMS RESULT COMPILER FLAGS...: compiles PROGRAMS, each program in a namespace named after its file, and
# writes a line "NAME: ERROR" to RESULT for each that has an error: its first one. An error belongs to the program that is
# named last, by its file or its namespace, in the message and the lines that lead to it.
set -u
programs=$1 result=$2
shift 2
rm -f "$result"
if output=$("$@" -fmax-errors=0 -ftemplate-backtrace-limit=0 -fsyntax-only "$programs" 2>&1); then
  echo "$programs compiles, and it must not"
  exit 1
fi
awk '
  FNR == NR { if ($1 == "namespace") known[$2] = 1; next }
  /^ *[0-9]* \|/ || /: note: / { next }  # the source, and what comes behind an error
  { lines = lines "\n" $0 }
  / error: / {
    program = ""
    for (; match(lines, /[a-z_0-9]+(::|\.cpp:)/); lines = substr(lines, RSTART + RLENGTH)) {
      name = substr(lines, RSTART, RLENGTH)
      sub(/(::|\.cpp:)$/, "", name)
      if (name in known) program = name
    }
    if (program != "" && !(program in first)) {
      first[program] = 1
      print program ": " $0
    }
    lines = ""
  }' "$programs" - <<<"$output" >"$result"
