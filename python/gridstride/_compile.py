"""Compiling: a source becomes a module by the workshop, unless that module is there already."""

import functools
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import time

from . import _configuration
from ._core import MachineError
from ._errors import CompileError, new_error


def cache_folder():
    """Where modules are stored: GRIDSTRIDE_PYTHON_CACHE, else gridstride/python in the user's folder for caches."""
    chosen = os.environ.get("GRIDSTRIDE_PYTHON_CACHE")
    if chosen:
        return pathlib.Path(chosen)
    caches = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(caches) / "gridstride" / "python"


@functools.cache
def _processor():
    """What -march=native depends on."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return "\n".join(sorted({line for line in lines if line.startswith(("model name", "flags", "CPU part", "Features"))}))


def _build_state(checked):
    """What a module depends on beside its source: how it is compiled, and the library it is linked with."""
    parts = pathlib.Path(_configuration.CHECKED_BUILD if checked else _configuration.BUILD) / "python/programs/parts.json"
    try:
        text = parts.read_text().replace("{installed}", _configuration.INSTALLED)
        headers = json.loads(text)["headers"]
        stamps = [os.stat(header + ".gch").st_mtime_ns for header in headers[:1]]
    except (OSError, ValueError, KeyError) as problem:
        raise new_error("compile", f"{parts} can't be read ({problem})", _configuration.ADVICE, MachineError) from None
    bindings = [os.stat(file).st_mtime_ns for file in sorted(pathlib.Path(_configuration.BINDINGS).glob("*.h"))]
    return f"{text}{stamps}{bindings}"


def run_tool(program, request, asked):
    """Runs one of Gridstride's programs with a request as JSON on its standard input, and returns its answer. Ctrl-C ends
    it."""
    command = [program, json.dumps(request)]
    environment = dict(os.environ, GRIDSTRIDE_INSTALLED=_configuration.INSTALLED)
    try:
        child = subprocess.Popen(command[:1], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=environment)
    except OSError as problem:
        raise new_error(asked, f"{program} can't be started ({problem.strerror})", _configuration.ADVICE, MachineError) from None
    try:
        out, err = child.communicate(command[1].encode())
    except BaseException:
        child.send_signal(signal.SIGINT)
        child.communicate()
        raise
    if child.returncode not in (0, 3) or not out:
        raise new_error(asked, f"{program} ended with status {child.returncode}: {err.decode(errors='replace').strip()}",
                        _configuration.ADVICE, MachineError)
    answer = json.loads(out)
    if child.returncode == 3:
        raise new_error(answer["asked"], answer["found"], answer["do"], MachineError)
    return answer


def compile_module(source, bindings, *, name, include=(), flags=(), checked=False):
    """The file of the module of a source with these bindings, compiled unless it is in the cache. Raises CompileError."""
    described = [source, bindings, name, list(map(str, include)), list(flags), checked, _build_state(checked), _processor()]
    key = hashlib.sha256(json.dumps(described).encode()).hexdigest()[:32]
    folder = cache_folder() / key
    module = folder / "module.so"
    if include:  # a header may have changed, and a file that was opened once is never opened anew under its name
        for old in folder.glob("module_*.so"):
            old.unlink(missing_ok=True)
        module = folder / f"module_{time.time_ns()}.so"
    elif module.exists():
        return module
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(source)  # which findings and the debugger show
    request = {"name": name, "text": source, "bindings": bindings, "folder": str(folder),
               "include": [str(pathlib.Path(f).resolve()) for f in include], "flags": list(flags), "checked": checked,
               "into": str(module)}
    answer = run_tool(_configuration.COMPILE_PROGRAM, request, f"compile {name}")
    if "asked" in answer:
        error = new_error(answer["asked"], answer["found"], answer["do"], CompileError)
        error.messages = answer.get("messages", "")
        error.line, error.column = answer.get("line", 0), answer.get("column", 0)
        raise error
    return module
