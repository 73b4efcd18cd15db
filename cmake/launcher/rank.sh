#!/usr/bin/env bash
# rank.sh PROGRAM ARGUMENT...: what mpirun starts for each rank. Rank 0 prints as it would alone; another rank's lines begin with
# its number. No rank prints to the terminals that Open MPI makes, since what they print may end in a file.
rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-0}}}
if [ "$rank" = 0 ]; then
  exec > >(exec cat)
else
  exec > >(exec sed -u "s/^/rank $rank: /") 2> >(exec sed -u "s/^/rank $rank: /" >&2)
fi
exec "$@"
