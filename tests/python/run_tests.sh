#!/usr/bin/env bash
# run_tests.sh FILE: runs pytest on a file of this folder, in the environment that `./gridstride test` makes; 77 where there is none.
set -u
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=${here%/tests/python}
environment=$root/build/python/environment
if [ ! -e "$environment/installed_test" ]; then
  echo "There is no environment for Python's tests: './gridstride test' makes it, and needs the network (PyPI) the first time."
  exit 77
fi
export GRIDSTRIDE_PYTHON_CACHE=$root/build/python/cache MPLBACKEND=agg PYTHONDONTWRITEBYTECODE=1
cd "$here" && exec "$environment/bin/python" -m pytest -q -p no:cacheprovider "$1"
