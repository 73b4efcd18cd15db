# shellcheck shell=bash
# The module for Python, in a private environment below build/. Sourced after build.sh; reads `root`.

python_environment=$root/build/python/environment

# Sets `python_command` to a Python that the module works with, or `python_lack` to the sentence that says what is missing.
find_python() {
  python_lack=''
  for python_command in "${GRIDSTRIDE_PYTHON:-python3}" /usr/bin/python3; do
    if "$python_command" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then return 0; fi
  done
  python_lack="The module for Python needs Python 3.11 or later with its venv, which was not found: name one by GRIDSTRIDE_PYTHON."
  return 1
}

# make_python_environment EXTRAS: installs the module there, with what `notebook` or `test` of python/pyproject.toml name, unless
# that is up to date. Returns 1 where it can't be, and sets `python_lack`.
make_python_environment() {
  local extras=$1 stamp=$python_environment/installed_$1
  if [ -e "$stamp" ] && [ -z "$(find "$root/python" "$root/build/release/runtime/libgridstride_runtime.so" -newer "$stamp" \
    -not -path '*/__pycache__*' -type f -print -quit)" ]; then return 0; fi
  find_python || return 1
  if ! quietly "Making an environment for Python" "$python_command" -m venv "$python_environment" ||
    ! quietly "Installing the module for Python" env -C "$root" CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(job_count)}" \
      "$python_environment/bin/pip" install --disable-pip-version-check "./python[$extras]"; then
    python_lack="The module for Python can't be installed: pip needs the network (PyPI) the first time, and says above what failed."
    return 1
  fi
  : >"$stamp"
}

# build_python: what the module runs, of both flavours; ends the launcher where the machine lacks something.
build_python() {
  build_checked_parts python_parts || exit
  GRIDSTRIDE_PRESET=release
  build_what_changed "core grade python" "what Python runs" python_parts
}

# run_python [WORD...]: Python with the module, or a program of its environment: `python`, `python file.py`, `python notebook`.
run_python() {
  build_python
  if ! make_python_environment notebook; then
    show_held_output
    say "$python_lack"
    exit 3
  fi
  if [ "${1:-}" = notebook ]; then
    if [ ! -x "$python_environment/bin/jupyter-lab" ] &&
      ! quietly "Installing Jupyter" "$python_environment/bin/pip" install --disable-pip-version-check jupyterlab; then
      show_held_output
      say "Jupyter can't be installed: pip needs the network (PyPI) the first time."
      exit 3
    fi
    exec "$python_environment/bin/jupyter-lab" "${@:2}"
  fi
  exec "$python_environment/bin/python" "$@"
}
