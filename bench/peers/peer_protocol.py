"""The peers' side of the protocol that bench/measure/outside_peer.h describes.

A peer is a script with a function for every workload that it knows, named after the workload. The function takes the
inputs and scalars by name and the array `out`, and returns its ways to do the work: names, and functions without
parameters that fill `out`; one with a parameter is a batch, told how often to do the work. A pair of functions computes
an array of its own and copies it to `out`, which isn't timed.
"""

import gc
import inspect
import json
import math
import mmap
import os
import sys
import time

ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever a library prints, when it is imported or later, is no answer
MEMORY_FILE = 3
POISON = -77  # no result has this value


def say(answer):
    ANSWERS.write(json.dumps(answer) + "\n")
    ANSWERS.flush()


def lacking(package, problem):
    """Says that a package is missing, and ends the script."""
    say({"lacking": f"{problem}; apt-get install {package}"})
    sys.exit()


def lacking_by_pip(package, problem):
    """The same for a package that pip brings, in a virtual environment of this project."""
    environment = "build/peers"
    say({"lacking": f"{problem}; python3 -m venv {environment} && {environment}/bin/pip install {package}"})
    sys.exit()


def threads():
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0))


def batch_of(function):
    """A function that does the work as often as it is told: this one, if it has a parameter that must be given. Options
    alone, such as the stream of Warp's launches, make no batch."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(p.kind in positional and p.default is p.empty for p in inspect.signature(function).parameters.values()):
        return function

    def repeat(calls):
        for _ in range(calls):
            function()

    return repeat


class Assignment:
    """What is to be done, with arrays of its own."""

    def __init__(self, function, request, numpy):
        given = dict(request["scalars"])
        offset = 0
        for array in request["inputs"]:
            # An array of NumPy's own: in huge pages, as the other entrants' are.
            own = given[array["name"]] = numpy.empty(array["shape"], array["dtype"])
            with mmap.mmap(MEMORY_FILE, 0, prot=mmap.PROT_READ) as file:
                shared = numpy.frombuffer(file, own.dtype, own.size, offset)
                own.reshape(-1)[:] = shared
                del shared
            offset += own.nbytes
        self.out = given["out"] = numpy.empty(request["output"]["shape"], request["output"]["dtype"])
        self.poison()
        wanted = inspect.signature(function).parameters
        self.ways = function(**{name: value for name, value in given.items() if name in wanted})
        # Some have their results in arrays of their own, and a second function that copies them to `out`.
        pairs = [way if isinstance(way, tuple) else (way, lambda: None) for way in self.ways.values()]
        self.deliver = [deliver for _, deliver in pairs]
        self.functions = [batch_of(f) for f, _ in pairs]

    def poison(self):
        self.out[...] = self.out.dtype.type(POISON) if self.out.dtype.kind != "u" else 0xAA

    def write_result(self, way):
        self.poison()
        self.functions[way](1)
        self.deliver[way]()
        data = memoryview(self.out).cast("B")
        while data:
            data = data[os.write(MEMORY_FILE, data) :]
        return {}

    def seconds(self, way, calls):
        function = self.functions[way]
        clock = time.perf_counter
        began = clock()
        function(calls)
        return {"seconds": clock() - began}


def serve(version, workloads):
    """Answers until there are no more questions. `workloads` is the module with a function for each."""
    import numpy

    say({"version": version})
    gc.disable()
    assignments = {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "calls" in request:
                say(assignments[request["assignment"]].seconds(request["way"], request["calls"]))
            elif "result" in request:
                say(assignments[request["assignment"]].write_result(request["way"]))
            elif request["task"] is None:
                assignments.clear()
                gc.collect()
                say({})
            elif function := workloads.get(request["task"]):
                accepted = Assignment(function, request, numpy)
                assignments[request["assignment"]] = accepted
                say({"ways": list(accepted.ways)})
            else:
                say({"ways": []})
        except Exception as problem:
            say({"error": f"{type(problem).__name__}: {problem}"})
