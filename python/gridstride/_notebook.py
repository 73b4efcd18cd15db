"""Cells of C++ in a notebook: %load_ext gridstride, then %%gs."""

import shlex

from . import _core
from ._errors import CompileError, new_error
from ._functions import Function, FunctionObject, Kernel, Launch, compile
from ._inspect import inspect


class InspectedKernel(Kernel):
    """A kernel of a cell that begins with %%gs --inspect: its launches run under the instruments, which show what they found,
    and then as ever."""

    def __getitem__(self, configuration):
        launch = super().__getitem__(configuration)
        return InspectedLaunch(launch.kernel, launch.grid, launch.block, launch.stream, launch.shared_bytes)


class InspectedLaunch(Launch):
    def __call__(self, *arguments):
        from IPython.display import display

        display(inspect(Launch(self.kernel, self.grid, self.block, self.stream, self.shared_bytes), *arguments))
        super().__call__(*arguments)


def compile_cell(options, cell, namespace):
    """Compiles a cell, and puts what it defines into the namespace; returns the module."""
    words = shlex.split(options)
    unknown = [w for w in words if w.startswith("-") and w not in ("--inspect",) and not w.startswith(("-D", "-O", "-f"))]
    names = [w for w in words if not w.startswith("-")]
    if unknown or len(names) > 1:
        raise new_error("%%gs", f"its line says {options!r}", "write %%gs, %%gs --inspect or %%gs NAME, and perhaps flags -D, -O, -f")
    module = compile(cell, "cell.cpp", flags=[w for w in words if w.startswith("-") and w != "--inspect"])
    if names:
        namespace[names[0]] = module
    for declared in module._declared.values():
        short = declared.name.split("::")[-1]
        if not short.isidentifier() or declared.kind in ("template", "overloaded"):
            continue
        made = module[declared.name]
        if "--inspect" in words and isinstance(made, Kernel):
            made = InspectedKernel(module, made.function)
        if isinstance(made, (Function, FunctionObject)):
            namespace[short] = made
    return module


class WaitingLine:
    """A line below the cell, while it waits for the device: for how long, and which streams are done."""

    def __init__(self):
        self._shown, self._at = None, 0.0

    def __call__(self, seconds, done, total):
        from IPython.display import display

        streams = f", {done} of {total} streams done" if total > 1 else ""
        text = {"text/plain": f"waited {seconds:.1f} s" if done == total else f"waiting for the device: {seconds:.0f} s{streams}"}
        if self._shown is None:
            self._shown = display(text, raw=True, display_id=True)
        elif done == total or seconds >= self._at + 0.5 or seconds < self._at:
            self._shown.update(text, raw=True)
        else:
            return
        self._at = seconds
        if done == total:
            self._shown = None


def load_ipython_extension(ipython):
    """%load_ext gridstride"""
    waiting = WaitingLine()
    _core._observe_waiting(waiting)
    ipython.events.register("pre_run_cell", lambda *_: waiting.__init__())  # Ctrl-C may have ended the last one's wait

    def gs_cell(line, cell):
        """Compiles the cell as C++ by Gridstride and puts its functions into the namespace.

        %%gs [NAME] [--inspect] [FLAGS]
        """
        try:
            module = compile_cell(line, cell, ipython.user_ns)
        except CompileError as e:
            ipython.showtraceback(exc_tuple=(CompileError, e, None), exception_only=True)
            ipython.user_ns["_gs_error"] = e
            raise SilentCellError from None
        print(module)

    class SilentCellError(Exception):
        """The cell doesn't compile; what the compiler says stands above."""

        def _render_traceback_(self):
            return []

    ipython.register_magic_function(gs_cell, "cell", "gs")
