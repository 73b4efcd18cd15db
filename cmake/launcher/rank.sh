#!/usr/bin/env bash
# rank.sh PROGRAM ARGUMENT...: what mpirun starts for each rank. Rank 0 prints as it would alone; another rank's lines begin with
# its number. No rank prints to the terminals that Open MPI makes, since what they print may end in a file. GRIDSTRIDE_STREAM_OF is
# the process whose descriptor 3 rank 0's report goes to (--stream 3): mpirun passes on no descriptor of its own.
rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-0}}}
if [ "$rank" = 0 ]; then
  exec > >(exec cat)
  if [ "${GRIDSTRIDE_STREAM_OF:-}" ]; then exec 3>"/proc/$GRIDSTRIDE_STREAM_OF/fd/3"; fi
else
  exec > >(exec sed -u "s/^/rank $rank: /") 2> >(exec sed -u "s/^/rank $rank: /" >&2)
fi
exec "$@"
