"""What a compiled source offers: kernels, scalar functions as ufuncs, and what these are made into."""

import re

from . import _core, _source
from ._compile import compile_module
from ._errors import new_error

_SCALAR_TYPES = {
    "bool": "bool", "int8": "std::int8_t", "int16": "std::int16_t", "int32": "std::int32_t", "int64": "std::int64_t",
    "uint8": "std::uint8_t", "uint16": "std::uint16_t", "uint32": "std::uint32_t", "uint64": "std::uint64_t",
    "float32": "float", "float64": "double", "complex64": "std::complex<float>", "complex128": "std::complex<double>",
}
_GRAD = '#include "runtime/grad/grad.h"\n'


class Module:
    """A compiled source. Its functions are attributes, `wave.ripple`, and items, `wave["physics::ripple"]`; an instance
    of a template is an item, `wave["scaled<3>"]`."""

    def __init__(self, source, name="source.cpp", include=(), flags=()):
        self.source, self.name = source, name
        self._include, self._flags = tuple(include), tuple(flags)
        self._declared = _source.read_declarations(source)
        self._made = {}
        self._loops = {}
        bound = [d.name for d in self._declared.values() if d.kind == "function"]
        listed = ", ".join(f'gridstride_python::describe<&::{f}>("{f}")' for f in bound)
        self.module_file = self._compile(f'#include "python/binding/functions.h"\nGRIDSTRIDE_PYTHON_FUNCTIONS({listed})\n'
                                         if bound else '#include "python/binding/functions.h"\n')
        self._functions = {f.name: f for f in _core.open_module(str(self.module_file))} if bound else {}

    def _compile(self, bindings, checked=False):
        return compile_module(self.source, bindings, name=self.name, include=self._include, flags=self._flags, checked=checked)

    def kernel_bindings(self, name):
        """What makes a module of one kernel alone."""
        return ('#include "python/binding/functions.h"\n'
                f'GRIDSTRIDE_PYTHON_FUNCTIONS(gridstride_python::describe<&::{name}>("{name}"))\n')

    def checked_module(self, name):
        """The file of the kernel's module for the instruments."""
        return self._compile(self.kernel_bindings(name), checked=True)

    def loop(self, kind, function, layout=None, definitions=""):
        """A loop around a function, compiled when it is first asked for: elementwise, reduction, accumulation or
        generalised. `function` is its name in the source, or in `definitions`."""
        key = (kind, function, layout, definitions)
        if key not in self._loops:
            header = {"elementwise": "elementwise", "generalised": "generalise"}.get(kind, "fold")
            arguments = f'{function}, "{layout}"' if layout is not None else function
            shown = function.removeprefix("&").removeprefix("::")
            bindings = (f'#include "python/binding/{header}.h"\n{definitions}\n'
                        f'GRIDSTRIDE_PYTHON_FUNCTIONS(gridstride_python::describe_{kind}<{arguments}>("{shown}"))\n')
            self._loops[key] = _core.open_module(str(self._compile(bindings)))[0]
        return self._loops[key]

    def __getitem__(self, name):
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        qualified = [d for d in self._declared if d == name or d.endswith("::" + name)]
        if len(qualified) == 1:
            return self[qualified[0]]
        if not qualified:
            raise AttributeError(f"{self.name} has no device function '{name}'; it has {self._names()}")
        raise AttributeError(f"{self.name} has several functions '{name}': write its whole name, as module['{qualified[0]}']")

    def __dir__(self):
        return [*super().__dir__(), *(d.split("::")[-1] for d in self._declared)]

    def __repr__(self):
        return f"<gridstride module {self.name}: {self._names()}>"

    def signatures(self):
        """The signatures of all functions that Python can use as they are."""
        return [f.signature for f in self._functions.values()]

    def _names(self):
        return ", ".join(self._declared) or "none: mark functions of the device with GS_FN"

    def _make(self, name):
        template = re.fullmatch(r"([\w:]+)<(.*)>", name)
        declared = self._declared.get(template[1] if template else name)
        asked = f"{self.name}['{name}']"
        if declared is None:
            raise new_error(asked, f"there is no such device function; there are {self._names()}", "mark it with GS_FN")
        if template:
            if declared.kind != "template":
                raise new_error(asked, f"{template[1]} is no template", f"write ['{template[1]}']")
            return self._wrap(_core.open_module(str(self._compile(self.kernel_bindings(name))))[0])
        if declared.kind == "object":
            return FunctionObject(self, name)
        if declared.kind == "template":
            raise new_error(asked, f"{name} is a template", f"name an instance: ['{name}<float>']")
        if declared.kind == "overloaded":
            raise new_error(asked, f"{name} is overloaded", "give each of its functions a name of its own")
        return self._wrap(self._functions[name])

    def _wrap(self, function):
        kinds = {"kernel": Kernel, "scalar": Ufunc}
        return kinds.get(function.kind, Function)(self, function)


class Function:
    """A device function that is neither a kernel nor a ufunc: for guvectorize, or for other functions."""

    def __init__(self, module, function):
        self.module, self.function = module, function
        self.__name__ = function.name
        self.reference = f"&::{function.name}"

    def __repr__(self):
        return f"<gridstride {type(self).__name__.lower()} {self.function.signature}>"

    def __call__(self, *arguments):
        raise new_error(f"a call of {self.function.signature}", "it is no function of numbers and no kernel",
                        'make it a generalised ufunc: gridstride.guvectorize(f, "(i)->()")')


class _Targeted:
    """What runs where on() says."""

    _target = _stream = None

    def on(self, where):
        """The same on a target, 'cpu', 'parallel' or 'device', or on a stream of the device."""
        chosen = object.__new__(type(self))
        chosen.__dict__.update(self.__dict__)
        is_stream = isinstance(where, _core.Stream)
        chosen._target, chosen._stream = (None, where) if is_stream else (where, None)
        return chosen


class Ufunc(_Targeted, Function):
    """A scalar function over arrays, with NumPy's broadcasting: host arrays give a NumPy array, device arrays a device
    array. The types are those of its signature; nothing is converted."""

    _definitions = ""
    _call = None

    @property
    def signature(self):
        return self.function.signature

    def __call__(self, *arguments, out=None):
        if self._call is None:
            self._call = self.module.loop("elementwise", self.reference, definitions=self._definitions)
        return _core.call(self._call, arguments, out, self._target, self._stream)

    def outer(self, a, b, *, out=None):
        """f(a[i], b[j]) for every i and j."""
        if self._call is None:
            self._call = self.module.loop("elementwise", self.reference, definitions=self._definitions)
        return _core.outer(self._call, a, b, out, self._target, self._stream)

    def reduce(self, array, axis=None, *, initial=None, out=None):
        """Folds all elements, or those along an axis; the function must be associative. The same bits on every target."""
        return _core.reduce(self._fold("reduction"), array, axis, initial, out, self._target, self._stream)

    def accumulate(self, array, axis=0, *, out=None):
        """Running results along an axis."""
        return _core.accumulate(self._fold("accumulation"), array, axis, out, self._target, self._stream)

    def _fold(self, kind):
        types = [p.type for p in self.function.parameters]
        if len(types) != 2 or {*types, self.function.result.type} != {types[0]}:
            raise new_error(f"a {kind} by {self.signature}", "it is no function of two numbers of its result's type",
                            "give a function (T, T) -> T")
        return self.module.loop(kind, self.reference, definitions=self._definitions)


class Kernel(Function):
    """A kernel: kernel[grid, block](...) queues it and returns at once. Behind the block may stand a stream and the bytes
    of its dynamic shared memory; a kernel in block style has its own block, kernel[grid](...)."""

    is_cooperative = False

    @property
    def signature(self):
        return self.function.signature

    @property
    def cooperative(self):
        """The same, launched so that its blocks can wait for each other."""
        kernel = Kernel(self.module, self.function)
        kernel.is_cooperative = True
        return kernel

    def __getitem__(self, configuration):
        parts = configuration if isinstance(configuration, tuple) else (configuration,)
        if not 1 <= len(parts) <= 4:
            raise new_error(f"{self.__name__}[...]", f"{len(parts)} numbers stand there", "write kernel[grid, block, stream, shared_bytes]")
        grid, block, stream, shared_bytes = (*parts, *(None,) * (4 - len(parts)))
        if block is None and not self.function.block_style:
            raise new_error(f"{self.__name__}[{grid}]", "it has no block", f"write {self.__name__}[{grid}, 256]")
        return Launch(self, grid, block, stream, shared_bytes or 0)

    def __call__(self, *arguments):
        raise new_error(f"a call of the kernel {self.__name__}", "it has no grid and no block", f"write {self.__name__}[64, 256](...)")


class Launch:
    """A kernel with its grid and its block."""

    def __init__(self, kernel, grid, block, stream, shared_bytes):
        self.kernel, self.grid, self.block, self.stream, self.shared_bytes = kernel, grid, block, stream, shared_bytes

    def __call__(self, *arguments):
        _core.launch(self.kernel.function, self.grid, self.block, self.stream, self.shared_bytes, self.kernel.is_cooperative, arguments)

    def __repr__(self):
        return f"<gridstride launch {self.kernel.__name__}[{self.grid}, {self.block}]>"


class Gufunc(_Targeted):
    """A function over small arrays, for arrays of such arrays."""

    def __init__(self, module, reference, layout, definitions=""):
        self.module, self.layout = module, layout
        self._loop = module.loop("generalised", reference, layout, definitions)
        self.__name__ = self._loop.name

    @property
    def signature(self):
        return self._loop.signature

    def __call__(self, *arguments, out=()):
        """One argument for each input. `out` is the array for the output, or a tuple of one for each."""
        outs = out if isinstance(out, tuple) else (out,)
        return _core.generalised(self._loop, arguments, outs, self._target, self._stream)

    def __repr__(self):
        return f"<gridstride generalised ufunc {self.signature}, {self.layout}>"


class FunctionObject:
    """An object of the source whose call may be a template: a ufunc for the types of its arguments."""

    def __init__(self, module, name):
        self.module, self.__name__ = module, name
        self.expression = f"::{name}{{}}"
        self._ufuncs = {}

    def ufunc(self, *types):
        """The ufunc for arguments of these types: f.ufunc("float32", "float32")."""
        if types not in self._ufuncs:
            self._ufuncs[types] = instance(self.module, self.expression, types, self.__name__)
        return self._ufuncs[types]

    def __call__(self, *arguments, out=None):
        return self.ufunc(*(_type_of(a, self.__name__) for a in arguments))(*arguments, out=out)

    def __repr__(self):
        return f"<gridstride function object {self.__name__}>"


def _type_of(argument, name):
    dtype = getattr(argument, "dtype", None)
    if dtype is None or str(dtype) not in _SCALAR_TYPES:
        raise new_error(f"a call of the function object {name}", f"an argument is {type(argument).__name__} and has no type of an element",
                        f"choose the types: {name}.ufunc('float32', ...)")
    return str(dtype)


def instance(module, expression, types, name):
    """The ufunc of a function object for arguments of these types."""
    unknown = [t for t in types if t not in _SCALAR_TYPES]
    if unknown:
        raise new_error(f"{name} for {', '.join(map(str, types))}", f"there is no type {unknown[0]}", f"use {', '.join(_SCALAR_TYPES)}")
    chosen = ", ".join(_SCALAR_TYPES[t] for t in types)
    definitions = f"{_GRAD}static constexpr auto gridstride_python_instance = gs::detail::function_for<{expression}, {chosen}>();"
    return _InstanceUfunc(module, definitions, name)


class _InstanceUfunc(Ufunc):
    """A ufunc of a function that has no name in the source."""

    def __init__(self, module, definitions, name):
        self.module, self.__name__, self._definitions = module, name, definitions
        self.reference = "gridstride_python_instance"
        self.function = self._call = module.loop("elementwise", self.reference, definitions=definitions)


def compile(source, name="source.cpp", *, include=(), flags=()):
    """Compiles a C++ source, and returns the module with its functions. A source that was compiled before, with the same
    flags on the same processor, is taken from the cache.

    name      what messages and findings call it
    include   folders for #include "..."
    flags     more flags for the compiler
    """
    if not isinstance(source, str):
        raise new_error("compile", f"the source is of type {type(source).__name__}", "give it as a string: open('wave.cpp').read()")
    if not re.fullmatch(r"[\w.+-]+", name):
        raise new_error("compile", f"the name is {name!r}", "give a file's name without folders")
    return Module(source, name, include, flags)


def guvectorize(function, layout):
    """The generalised ufunc of a device function with this layout: guvectorize(wave.l2, "(i)->()")."""
    if not isinstance(function, Function):
        raise new_error("guvectorize", f"{function!r} is no device function", "give one of a compiled source")
    if '"' in layout or "\\" in layout or "\n" in layout:
        raise new_error("guvectorize", f"the layout is {layout!r}", 'write "(m,n),(n,p)->(m,p)"')
    return Gufunc(function.module, function.reference, layout)


def reduce(function, array, initial=None, *, out=None):
    """Folds all elements of an array by an associative function (T, T) -> T."""
    return function.reduce(array, initial=initial, out=out)


def grad(function, *arguments):
    """The derivative of a function object by its first argument, or by the one of that number: a ufunc. By several: a
    generalised ufunc with a result for each."""
    return _derivative(function, arguments, "grad")


def value_and_grad(function, *arguments):
    """A function object's value and its derivatives, in one loop."""
    return _derivative(function, arguments, "value_and_grad")


class Derivative(FunctionObject):
    """A derivative by one argument: a function object itself, so that it has derivatives."""

    def __init__(self, function, argument):
        super().__init__(function.module, f"d{function.__name__}")
        self.expression = f"gs::detail::derivative<{function.expression}, {argument}>{{}}"


def _derivative(function, arguments, kind):
    if not isinstance(function, FunctionObject):
        raise new_error(kind, f"{function!r} is no function object",
                        "give a struct of the source whose call is a template: template <class T> GS_FN T operator()(T x) const")
    if any(not isinstance(k, int) or k < 0 for k in arguments):
        raise new_error(kind, f"the arguments' numbers are {arguments}", "count from 0")
    if kind == "grad" and len(arguments) <= 1:
        return Derivative(function, arguments[0] if arguments else 0)
    return _Gradients(function, arguments or (0,), kind == "value_and_grad")


class _Gradients:
    """Several derivatives in one loop, for float32 or float64."""

    def __init__(self, function, arguments, with_value):
        self._function, self._arguments, self._with_value = function, arguments, with_value
        self._made = {}

    def __call__(self, *arguments, out=()):
        types = {_type_of(a, self._function.__name__) for a in arguments if hasattr(a, "dtype")}
        if len(types) != 1 or not types <= {"float32", "float64"}:
            raise new_error(f"derivatives of {self._function.__name__}", f"the arguments hold {', '.join(sorted(types)) or 'no type'}",
                            "give arrays of float32, or of float64")
        return self._gufunc(types.pop(), len(arguments))(*arguments, out=out)

    def _gufunc(self, dtype, count):
        if (dtype, count) not in self._made:
            results = len(self._arguments) + self._with_value
            chosen = ", ".join(map(str, self._arguments))
            writer = (f"gs::detail::gradient_writer<{self._function.expression}, {str(self._with_value).lower()}, {_SCALAR_TYPES[dtype]}, "
                      f"std::make_index_sequence<{count}>, std::make_index_sequence<{results}>, {chosen}>")
            definitions = f"{_GRAD}static constexpr auto gridstride_python_instance = &{writer}::write;"
            layout = ",".join(["()"] * count) + "->" + ",".join(["()"] * results)
            self._made[dtype, count] = Gufunc(self._function.module, "gridstride_python_instance", layout, definitions)
        return self._made[dtype, count]
