"""Errors: what was asked, what was found, and what to do."""

from ._core import Error, KernelFault, MachineError

__all__ = ["CompileError", "Error", "KernelFault", "MachineError", "new_error"]


class CompileError(Error):
    """A source that doesn't compile: what the compiler says is in `messages`, its place in `line` and `column`, which
    are 0 where they aren't known."""

    messages = ""
    line = 0
    column = 0

    def __str__(self):
        sentence = super().__str__()
        return f"{sentence}\n\n{self.messages.rstrip()}" if self.messages else sentence


def new_error(asked, found, do, kind=Error):
    """The error of these three parts, which together are its sentence."""
    error = kind(f"{asked}: {found}; {do}")
    error.asked, error.found, error.do = asked, found, do
    return error
