"""Compiling: names, signatures, the cache, what the compiler says."""

import importlib.metadata
import pathlib

import numpy as np
import pytest
from sources import functions, kernels

import gridstride as gs
from gridstride._source import read_declarations

TRICKY = r'''
// GS_FN float commented(float x) { return x; }
/* GS_FN float also_commented(float x) { return x; } */
#define UNUSED GS_FN float in_a_macro(float x) { return x; }
static const char* const text = "GS_FN float in_text(float x) {"; // "}"
static const char* const raw = R"x(GS_FN float in_raw(float) { " )x";
namespace a::b { inline namespace c { GS_FN float nested(float x); } }
GS_FN float a::b::nested(float x) { return x; }
GS_FN float declared(float x);
GS_FN float declared(float x) { if (x < 0) { return -x; } return x; }
GS_FN float twice_there(float x) { return x; }
GS_FN double twice_there(double x) { return x; }
template <class T, int N = (3 > 2)> GS_FN T templated(T x) { return x; }
[[maybe_unused]] GS_FN inline float attributed(float x) noexcept { return x; }
struct object { int n = 0; GS_FN float operator()(float x) const { return x; } GS_FN float other() { return 1; } };
float of_the_host(float x) { auto f = [](float y) { return y; }; return f(x); }
'''


def test_device_functions_are_found_by_their_marks():
    found = {d.name: d.kind for d in read_declarations(TRICKY).values()}
    assert found == {"a::b::c::nested": "function", "nested": "function", "declared": "function", "twice_there": "overloaded",
                     "templated": "template", "attributed": "function", "object": "object"}


def test_signatures_are_the_compilers():
    assert "ripple(float32, float32) -> float32" in functions().signatures()
    assert "product(view<const float64, 2>, view<const float64, 2>, view<float64, 2>)" in functions().signatures()
    assert "weigh(view<float32>, constant_array<float32>)" in kernels().signatures()
    assert "move(view<particle>, particle)" in kernels().signatures()
    assert repr(kernels().flood) == "<gridstride kernel flood(view<float32>, float32)>"
    assert "bell" in dir(functions()) and "times" in repr(functions())


def test_names():
    assert functions().kinetic(2, 3) == functions()["physics::kinetic"](2, 3) == 9
    assert functions()["times<3>"](2) == 6
    assert functions().add is functions()["add"]
    for name, found in (("times", "times is a template; name an instance: ['times<float>']"), ("none", "there is no such device function"),
                        ("add<3>", "add is no template")):
        with pytest.raises(gs.Error) as refused:
            functions()[name]
        assert found in str(refused.value)
    with pytest.raises(AttributeError, match="has no device function 'none'"):
        functions().none
    with pytest.raises(gs.Error, match="it is no function of numbers and no kernel"):
        functions().l2(1)
    overloaded = gs.compile("GS_FN float f(float x) { return x; } GS_FN double f(double x) { return x; }")
    with pytest.raises(gs.Error, match="f is overloaded; give each of its functions a name of its own"):
        overloaded.f


def test_a_source_that_does_not_compile_gets_advice():
    with pytest.raises(gs.CompileError) as failed:
        gs.compile("GS_FN float f(float x) {\n  return y;\n}\n", "broken.cpp")
    error = failed.value
    assert (error.asked, error.line, error.column) == ("compile broken.cpp", 2, 10)
    assert any(words in error.found for words in ("was not declared", "undeclared identifier"))  # by g++, by clang
    assert "Nothing of that name is known here" in error.do
    assert "broken.cpp:2:10" in str(error) and "return y;" in error.messages
    assert isinstance(error, gs.Error)
    if (pathlib.Path(gs._configuration.BUILD) / "compiler/marks_left_out").exists():
        return  # there is no plugin that looks for GS_FN
    with pytest.raises(gs.CompileError, match="GS_FN"):
        gs.compile("float host(float x) { return x; }\nGS_FN float f(float x) { return host(x); }")


def test_what_is_no_source_is_refused():
    with pytest.raises(gs.Error, match="the source is of type bytes"):
        gs.compile(b"")
    with pytest.raises(gs.Error, match="give a file's name without folders"):
        gs.compile("", "../x.cpp")


def test_the_cache_knows_source_flags_and_names(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDSTRIDE_PYTHON_CACHE", str(tmp_path))
    source = "GS_FN void k(gs::thread, gs::view<int> x) { x[0] = VALUE; }"
    d = gs.to_device(np.zeros(1, np.int32))
    for value in (1, 2, 1):
        gs.compile(source, flags=[f"-DVALUE={value}"]).k[1, 1](d)
        assert d.copy_to_host()[0] == value
    modules = list(tmp_path.glob("*/module.so"))
    assert len(modules) == 2
    before = {m: m.stat().st_mtime_ns for m in modules}
    gs.compile(source, flags=["-DVALUE=2"])
    assert {m: m.stat().st_mtime_ns for m in tmp_path.glob("*/module.so")} == before


def test_headers_beside_a_source(tmp_path):
    header = tmp_path / "value.h"
    source = '#include "value.h"\nGS_FN void k(gs::thread, gs::view<int> x) { x[0] = value; }'
    d = gs.to_device(np.zeros(1, np.int32))
    for value in (5, 6):
        header.write_text(f"inline constexpr int value = {value};")
        gs.compile(source, include=[tmp_path]).k[1, 1](d)
        assert d.copy_to_host()[0] == value


def test_a_program_that_is_not_there_is_reported(monkeypatch):
    monkeypatch.setattr("gridstride._configuration.COMPILE_PROGRAM", "/nowhere/compile")
    with pytest.raises(gs.MachineError, match="/nowhere/compile can't be started"):
        gs.compile("// never compiled before, by its number: 81263")


def test_the_installed_module_names_the_compiler_that_it_needs_and_has_stubs():
    told = importlib.metadata.metadata("gridstride")
    assert "needs g++ 12 or later" in told["Summary"] and told["Requires-Python"] == ">=3.11"
    folder = pathlib.Path(gs.__file__).parent
    assert (folder / "py.typed").exists() and "class DeviceArray" in (folder / "_core.pyi").read_text()
