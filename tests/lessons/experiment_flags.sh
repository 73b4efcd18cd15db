#!/usr/bin/env bash
# experiment_flags.sh BUILD_NINJA COMPILER: with the warnings that a learner's lesson is compiled with, things that an experiment
# leaves unused are no errors, and mistakes still are.

set -eu
flags=$(awk '/^build lessons\/CMakeFiles\/06_gaussian_pdf_objects\.dir\/.*lesson\.cpp\.o:/ { found = 1 }
             found && /^  FLAGS = / { print; exit }' "$1" | grep -oE -- ' -W[^ ]+' | tr -d '\n')
[ "$flags" ] || { echo "the flags of lesson 06 were not found in $1"; exit 1; }

compiles() {
  # shellcheck disable=SC2086  # the flags are words
  "$2" -std=c++20 $flags -fsyntax-only -x c++ - <<<"$1" 2>&1
}
compiler=$2
accepted=('int f(int p) { int a = 3; int b; b = 4; const auto c = 5; return 0; }' 'static int g() { return 1; }'
  'namespace { constexpr int k = 3; }' 'int f() { using t = int; return 0; }')
refused=('float f(double x) { return x; }' 'int f() { }' 'bool f(int a, unsigned b) { return a < b; }')
for source in "${accepted[@]}"; do
  compiles "$source" "$compiler" || { echo "should compile: $source"; exit 1; }
done
for source in "${refused[@]}"; do
  if compiles "$source" "$compiler" >/dev/null; then
    echo "should not compile: $source"
    exit 1
  fi
done
