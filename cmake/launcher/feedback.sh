# shellcheck shell=bash
# `bench feedback`: how long a learner waits from saving a file to its verdict, or to the first output of a program of their
# own. Sourced by the launcher, which it starts again for each save; reads `root`.

feedback_saves=3

# timed FOLDER COMMAND...: runs it, with its output in `output`; sets `milliseconds` to when its first line came,
# `whole` to the end, and `processor` to the processor's time, all in milliseconds.
timed() {
  local began=${EPOCHREALTIME/[.,]/} line
  local TIMEFORMAT='%U %S' user system used=$1/used
  shift
  output='' milliseconds=''
  while IFS= read -r line; do
    if [ -z "$milliseconds" ]; then milliseconds=$(((${EPOCHREALTIME/[.,]/} - began) / 1000)); fi
    output+=$line$'\n'
  done < <({ time "$@" 2>/dev/null; } 2>"$used")
  whole=$(((${EPOCHREALTIME/[.,]/} - began) / 1000))
  # The shell that writes it may end a moment later.
  wait $! 2>/dev/null
  read -r user system <"$used"
  processor=$((10#${user/[.,]/} + 10#${system/[.,]/}))
}

median() { printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"; }

# member NAME: a number of the JSON document in `output`, as milliseconds.
member() {
  if [[ $output =~ \"$1\":\ ([0-9]+)\.?([0-9]*) ]]; then
    local digits=${BASH_REMATCH[2]}000
    printf '%d' $((BASH_REMATCH[1] * 1000 + 10#${digits:0:3}))
  else
    printf 0
  fi
}

# feedback_row NAME TOTAL COMPILE RUN PROCESSOR WANTED, in milliseconds, empty where there is none: printed, or kept for JSON.
feedback_row() {
  local name row
  if [ -z "$feedback_json" ]; then
    printf '%-24s %9s %9s %9s %11s %9s\n' "$@"
    return
  fi
  printf -v row '{"name": "%s"' "$1"
  for name in total_ms compile_ms run_ms processor_ms wanted_ms; do
    shift
    if [ "$1" ]; then row+=", \"$name\": $1"; fi
  done
  feedback_rows+=("$row}")
}

# The median of some saves of an exercise's solution, each with another comment.
feedback_of_exercise() {
  local folder=$1 number=$2 solution=$3 save
  local -a whole_times=() compile_times=() run_times=() processor_times=()
  for ((save = 0; save <= feedback_saves; ++save)); do
    { cat "$solution"; printf '// Saved for the %dth time.\n' $save; } >"$folder/$number.cpp"
    timed "$folder" "$root/gridstride" check "$number" "$folder/$number.cpp" --json
    if [[ $output != *'"passed": true'* ]]; then
      say "The solution of exercise $number did not pass: './gridstride check $number $solution' says why."
      return 1
    fi
    if ((save == 0)); then continue; fi  # its checks are compiled once
    whole_times+=("$whole") processor_times+=("$processor")
    compile_times+=("$(member compile_seconds)") run_times+=("$(member run_seconds)")
  done
  whole=$(median "${whole_times[@]}")
  all_times+=("$whole")
  feedback_row "check $number" "$whole" "$(median "${compile_times[@]}")" "$(median "${run_times[@]}")" \
    "$(median "${processor_times[@]}")" ''
}

# Every exercise of the course, warm-ups among them.
feedback_of_exercises() {
  local folder=$1 solution number status=0
  for solution in "$root"/lessons/*/{,warm_up/}solution.cpp; do
    if [ ! -e "$solution" ]; then continue; fi
    number=${solution#"$root/lessons/"}
    number=${number%%_*}
    if [[ $solution == */warm_up/* ]]; then number+=w; fi
    feedback_of_exercise "$folder" "$number" "$solution" || status=1
  done
  return $status
}

# The first output of a user's own program, after a number in it has changed.
feedback_of_program() {
  local folder=$1 save
  local -a first_times=() processor_times=()
  "$root/gridstride" new "$folder/wave.cpp" >/dev/null || return 1
  for ((save = 0; save <= feedback_saves; ++save)); do
    printf '// Saved for the %dth time.\n' $save >>"$folder/wave.cpp"
    timed "$folder" "$root/gridstride" run "$folder/wave.cpp"
    if [ -z "$milliseconds" ]; then
      say "A new program has printed nothing: './gridstride new my/wave.cpp' and './gridstride run my/wave.cpp' say why."
      return 1
    fi
    if ((save > 0)); then first_times+=("$milliseconds") processor_times+=("$processor"); fi
  done
  feedback_row 'run wave.cpp' "$(median "${first_times[@]}")" '' '' "$(median "${processor_times[@]}")" 1000
}

# The launcher without a command, which says where the learner is, as many times.
feedback_of_launcher() {
  local folder=$1 save
  local -a times=() processor_times=()
  for ((save = 0; save < feedback_saves; ++save)); do
    timed "$folder" "$root/gridstride"
    times+=("$whole") processor_times+=("$processor")
  done
  feedback_row './gridstride' "$(median "${times[@]}")" '' '' "$(median "${processor_times[@]}")" 50
}

# measure_feedback [--json]
measure_feedback() {
  local folder load feedback_json='' status=0
  local -a all_times=() feedback_rows=()
  if [ "${1:-}" = --json ]; then feedback_json=yes; fi
  feedback_folder=$(mktemp -d) || exit 3
  trap 'rm -rf -- "$feedback_folder"' EXIT
  folder=$feedback_folder
  read -r load _ </proc/loadavg
  if [ -z "$feedback_json" ]; then
    printf 'Milliseconds from a save to its verdict or first output, the median of %d saves; load %s on %d cores.\n\n' \
      $feedback_saves "$load" "$(nproc)"
    feedback_row '' total compile run processor wanted
  fi
  feedback_of_exercises "$folder" || status=1
  if ((${#all_times[@]})); then feedback_row 'median of the exercises' "$(median "${all_times[@]}")" '' '' '' 500; fi
  feedback_of_program "$folder" || status=1
  feedback_of_launcher "$folder"
  if [ "$feedback_json" ]; then
    printf '{"saves": %d, "load": %s, "cores": %d, "rows": [' $feedback_saves "$load" "$(nproc)"
    printf '\n  %s' "${feedback_rows[0]}"
    if ((${#feedback_rows[@]} > 1)); then printf ',\n  %s' "${feedback_rows[@]:1}"; fi
    printf '\n]}\n'
  fi
  return $status
}
