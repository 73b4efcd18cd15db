"""Cells of C++, and the notebooks, run as a reader runs them."""

import base64
import os
import pathlib
import re

import pytest

import gridstride as gs
from gridstride._notebook import InspectedKernel, compile_cell

nbclient = pytest.importorskip("nbclient")
import nbformat  # noqa: E402

NOTEBOOKS = pathlib.Path(__file__).parents[2] / "python" / "notebooks"


def run(name):
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    os.environ.pop("MPLBACKEND", None)  # the kernel's own draws into the notebook
    nbclient.NotebookClient(notebook, timeout=200, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    if folder := os.environ.get("GRIDSTRIDE_NOTEBOOK_OUT"):  # to look at what a reader sees
        nbformat.write(notebook, pathlib.Path(folder) / name)
    return notebook


def outputs(notebook, kind):
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and kind == "text/plain":
                found.append(output.text)
            elif kind in output.get("data", {}):
                found.append(output.data[kind])
    return found


def pictures(notebook):
    return [base64.b64decode(p) for p in outputs(notebook, "image/png")]


@pytest.mark.parametrize("name", ["part_1.ipynb", "part_2.ipynb", "your_numba_kernel.ipynb"])
def test_a_notebook_is_stored_without_outputs_and_has_about_ten_cells(name):
    cells = [c for c in nbformat.read(NOTEBOOKS / name, as_version=4).cells if c.cell_type == "code"]
    assert 7 <= len(cells) <= 11 and not any(c.outputs for c in cells)


def test_part_1():
    notebook = run("part_1.ipynb")
    text = "".join(outputs(notebook, "text/plain"))
    assert "0.1 isn't exact as float32" in text and "it holds float64 and the function takes float32" in text
    assert "1 copy to the device (4.0 MB)" in text and "a generalised ufunc: [ 5. 13.]" in text
    assert "<td>launches</td><td>1</td>" in "".join(outputs(notebook, "text/html"))
    assert len(pictures(notebook)) == 2 and all(p.startswith(b"\x89PNG") for p in pictures(notebook))


def test_part_2():
    notebook = run("part_2.ipynb")
    text, shown = "".join(outputs(notebook, "text/plain")), "".join(outputs(notebook, "text/html"))
    assert "racecheck</b>, line 4" in shown and "counts[bin]" in shown and "<svg" in shown
    assert "clean: True" in text and "[ 63.   0. 127.  64.]" in text and "π is about 3.14" in text
    assert len(pictures(notebook)) == 2


def test_your_numba_kernel():
    pytest.importorskip("numba")
    notebook = run("your_numba_kernel.ipynb")
    text, shown = "".join(outputs(notebook, "text/plain")), "".join(outputs(notebook, "text/html"))
    assert "the simulator agrees with NumPy: True" in text and "times as fast" in text
    assert "racecheck</b>, line 4" in shown and "x[i + 1]" in shown


def test_a_cell_puts_its_functions_into_the_namespace():
    namespace = {}
    module = compile_cell("m -DVALUE=3", "GS_FN int f(int x) { return x + VALUE; }\nGS_FN void k(gs::thread, gs::view<int> x) { x[0] = 1; }", namespace)
    assert namespace["m"] is module and namespace["f"](4) == 7 and type(namespace["k"]) is gs.Kernel
    compile_cell("--inspect", "GS_FN void k(gs::thread, gs::view<int> x) { x[0] = 1; }", namespace)
    assert type(namespace["k"]) is InspectedKernel
    for line in ("--nothing", "a b"):
        with pytest.raises(gs.Error, match="write %%gs"):
            compile_cell(line, "", namespace)


def test_a_long_wait_is_shown_and_ends_in_how_long_it_was():
    source = ("%%gs\nGS_FN void spin(gs::thread t, gs::view<std::uint64_t> x, std::uint64_t turns) {\n  std::uint64_t v = x[0];\n"
              "  for (std::uint64_t k = 0; k < turns; ++k) v = v * 6364136223846793005ull + 1442695040888963407ull;\n  x[0] = v;\n}\n")
    cells = ["%load_ext gridstride\nimport gridstride as gs, numpy as np", source,
             "spin[1, 1](x := gs.to_device(np.zeros(1, np.uint64)), 1000)\ngs.synchronize()",
             "streams = gs.Stream(), gs.Stream()\nspin[1, 1, streams[0]](x, 3_000_000_000)\nspin[1, 1, streams[1]](x, 1000)\ngs.synchronize()"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nbclient.NotebookClient(notebook, timeout=200, kernel_name="python3").execute()
    assert not notebook.cells[2].outputs  # a short wait says nothing
    shown = {output.data["text/plain"] for output in notebook.cells[3].outputs}  # nbclient may record an update as one more output
    assert len(shown) == 1 and re.fullmatch(r"waited \d+\.\d s", shown.pop())
