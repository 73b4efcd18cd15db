#!/usr/bin/env bash
# must_not_compile.sh FILE FIRST_ERRORS COMPILER FLAGS...: FILE must not compile, and the first error must be the one its line
# "// expect: REGEX" names. What first_errors.sh has found doesn't take a compilation of its own; anything else does.
set -u
file=$1 first_errors=$2
shift 2
expected=$(sed -n 's|^// expect: ||p' "$file")
if [ -z "$expected" ]; then
  echo "$file: no line '// expect: REGEX'"
  exit 1
fi
name=${file##*/}
if grep "^${name%.cpp}: " "$first_errors" | grep -qE -- "$expected"; then exit 0; fi
if output=$("$@" -fmax-errors=1 -fsyntax-only "$file" 2>&1); then
  echo "$file compiles, and it must not"
  exit 1
fi
first=$(grep -m 1 -E 'error:' <<<"$output")
if ! grep -qE -- "$expected" <<<"$first"; then
  printf 'The first error of %s is not the expected one.\nexpected: %s\nfound:    %s\n\n%s\n' "$file" "$expected" "$first" "$output"
  exit 1
fi
