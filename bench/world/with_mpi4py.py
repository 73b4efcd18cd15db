"""mpi4py's time for some of the verbs that gridstride-bench-world times, in the same way: every rank of a launcher of MPI runs this
script, and rank 0 prints one JSON document, or in it why there is none: with_mpi4py.py [--quick]."""

import json
import os
import sys
import time

QUICK = "--quick" in sys.argv[1:]
SIZES = [8, 64 << 10] if QUICK else [8, 1 << 10, 16 << 10, 64 << 10, 1 << 20, 4 << 20]
ROUNDS = 3 if QUICK else 61
SECONDS_OF_A_SAMPLE = 0 if QUICK else 1e-3
VARIABLES = {"OMPI_COMM_WORLD_RANK": "OMPI_COMM_WORLD_SIZE", "PMI_RANK": "PMI_SIZE"}  # of the launchers
LAUNCHER = next((name for name in VARIABLES if name in os.environ), None)


def leave_out(reason):
    """Ends the script. Every rank finds the same; the first says so."""
    if os.environ.get(LAUNCHER or "", "0") == "0":
        print(json.dumps({"lacking": reason}))
    sys.exit()


try:
    import mpi4py
    import numpy
    from mpi4py import MPI
except (ImportError, RuntimeError) as problem:
    leave_out(f"{problem}; apt-get install python3-mpi4py python3-numpy".replace("\n", " "))

WORLD = MPI.COMM_WORLD
RANK = WORLD.Get_rank()
if LAUNCHER and WORLD.Get_size() != int(os.environ[VARIABLES[LAUNCHER]]):
    leave_out("it is built for another MPI than the one that has started the ranks")


def seconds_of(function, calls):
    """A call's, of the slowest rank."""
    function()
    WORLD.Barrier()
    began = time.perf_counter()
    for _ in range(calls):
        function()
    return WORLD.allreduce(time.perf_counter() - began, MPI.MAX) / calls


def samples_of(function, messages=1):
    calls = 1
    while min(seconds_of(function, calls) for _ in range(3)) * calls < SECONDS_OF_A_SAMPLE:
        calls *= 2
    return [seconds_of(function, calls) / messages for _ in range(ROUNDS)]


def rows(size):
    """Whole numbers, whose sums are the same in any order."""
    x = (numpy.arange(size // 4) % 1013 + RANK).astype(numpy.float32)
    y = numpy.full_like(x, -77)

    def ping_pong():
        if RANK == 0:
            WORLD.Send(x, 1)
        if RANK <= 1:
            WORLD.Recv(y, 1 - RANK)
        if RANK == 1:
            WORLD.Send(x, 0)

    def expect(verb, expected):
        if not numpy.array_equal(y, expected):
            raise RuntimeError(f"{verb} of {size} bytes is wrong on rank {RANK}")

    ranks = WORLD.Get_size()
    ping_pong()
    expect("send, receive", x + (1 - 2 * RANK) if RANK <= 1 else y)
    yield "send, receive", samples_of(ping_pong, 2)
    WORLD.Allreduce(x, y)
    expect("allreduce", ranks * (x - RANK) + ranks * (ranks - 1) // 2)
    yield "allreduce", samples_of(lambda: WORLD.Allreduce(x, y))
    y[:] = x
    WORLD.Bcast(y)
    expect("broadcast", x - RANK)
    yield "broadcast", samples_of(lambda: WORLD.Bcast(y))


DOCUMENT = {
    "version": f"mpi4py {mpi4py.__version__}, Python {sys.version.split()[0]}",
    "rows": [{"verb": verb, "bytes": size, "samples": samples} for size in SIZES for verb, samples in rows(size)],
}
if RANK == 0:
    print(json.dumps(DOCUMENT))
