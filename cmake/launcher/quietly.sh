# shellcheck shell=bash
# quietly: runs a long command with its output held back. Sourced by the launcher.

shopt -s extglob
shopt -s lastpipe  # the last command of a pipeline runs in this shell, and what it reads stays
progress_on_terminal=
if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then progress_on_terminal=yes; fi

say() { printf '%s\n' "$*" >&2; }

# quietly TITLE COMMAND...: runs COMMAND without input and returns its status; its output is in held_output.
# After 0.3 s, a terminal shows one line with TITLE, Ninja's step and the seconds on standard error; where
# standard error is no terminal, TITLE is printed once.
quietly() {
  local title=$1
  shift
  # Descriptor 9 is the launcher's lock: a process that outlives the command must not hold it.
  "$@" </dev/null 2>&1 9>&- | hold_output "$title"
  return "${PIPESTATUS[0]}"
}

# hold_output TITLE: reads standard input into held_output and shows the progress.
hold_output() {
  local line part='' step='' shown='' began=${EPOCHREALTIME/[.,]/} patience=0.3 elapsed
  held_output=()
  while true; do
    if IFS= read -r -t "$patience" line; then
      held_output+=("$part$line")
      part=''
      if [[ $line =~ ^(\[[0-9]+/[0-9]+\]) ]]; then step=" ${BASH_REMATCH[1]}"; fi
    elif (($? > 128)); then
      part+=$line
    else
      part+=$line
      break
    fi
    elapsed=$((${EPOCHREALTIME/[.,]/} - began))
    if ((elapsed < 300000)); then continue; fi
    patience=1
    if [ "$progress_on_terminal" ]; then
      printf '\r\033[K%s%s, %d s' "$1" "$step" $((elapsed / 1000000)) >&2
    elif [ -z "$shown" ]; then
      say "$1"
    fi
    shown=yes
  done
  if [ "$part" ]; then held_output+=("$part"); fi
  if [ "$progress_on_terminal" ] && [ "$shown" ]; then printf '\r\033[K' >&2; fi
}

# Prints what the last `quietly` held back, without Ninja's lines about steps that succeeded and the command of the one
# that didn't.
show_held_output() {
  local line is_command=''
  for line in "${held_output[@]}"; do
    if ! [[ $is_command || $line =~ ^\[[0-9]+/[0-9]+\]\  ]]; then say "$line"; fi
    is_command=''
    if [[ $line == 'FAILED: '* ]]; then is_command=yes; fi
  done
}

# held_output_has PATTERN: whether a line of what the last `quietly` held back matches the regular expression.
held_output_has() {
  local line
  for line in "${held_output[@]}"; do
    if [[ $line =~ $1 ]]; then return 0; fi
  done
  return 1
}
