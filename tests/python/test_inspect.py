"""Launches under the instruments."""

import numpy as np
import pytest

import gridstride as gs

SOURCE = """GS_FN void blur(gs::thread t, gs::view<float> x) {
  const auto i = t.grid();
  if (i + 1 < x.size())
    x[i] = 0.5f * (x[i] + x[i + 1]);
}
GS_FN void beyond(gs::thread t, gs::view<float> x) {
  x[t.grid()] = 1;
}
GS_FN void scaled(gs::thread t, gs::view<const float> x, gs::view<float> y, float a, const gs::constant_array<float, 2> b) {
  for (auto i : t.grid_stride(x.size())) y[i] = a * x[i] + b[i % 2];
}
"""


def module():
    return gs.compile(SOURCE, "inspected.cpp")


def test_a_race_is_found_at_its_line_and_the_arrays_stay_as_they_are():
    x = gs.to_device(np.arange(100, dtype=np.float32))
    result = gs.inspect(module().blur[4, 32], x)
    assert {f.kind for f in result.findings} == {"race_in_block", "race_between_blocks"}
    first = result.findings[0]
    assert (first.instrument, first.line, first.other_line) == ("racecheck", 4, 4)
    assert "x[1]" in first.meaning and first.hint
    assert not result.clean and not result
    assert "inspected.cpp:4" in str(result) and "0.5f * (x[i] + x[i + 1])" in str(result)
    shown = result._repr_html_()
    assert "racecheck" in shown and "x[i + 1]" in shown and "<svg" in shown
    np.testing.assert_array_equal(x.copy_to_host(), np.arange(100))


def test_an_index_beyond_the_shape():
    (found,) = gs.inspect(module().beyond[1, 32], gs.to_device(np.zeros(20, np.float32))).findings
    assert (found.kind, found.line, found.count) == ("outside_shape", 7, 12)


def test_a_clean_launch_has_counters_by_line():
    x = gs.to_device(np.arange(1024, dtype=np.float32))
    result = gs.inspect(module().scaled[4, 256], x, gs.device_array_like(x), 0.5, np.ones(2, np.float32))
    assert result.clean and result
    lines = {line.expression: line for line in result.lines}
    assert (lines["x[i]"].line, lines["x[i]"].requests, lines["x[i]"].sectors, lines["x[i]"].ideal_sectors) == (10, 32, 128, 128)
    assert lines["y[i]"].access == "write"
    assert "nothing was found" in result._repr_html_()


def test_instruments_orders_and_the_model_are_chosen():
    x = gs.to_device(np.arange(100, dtype=np.float32))
    assert gs.inspect(module().blur[4, 32], x, instruments="memcheck").clean
    assert gs.inspect(module().blur[4, 32], x, orders=3, model="8.0").document["model"] == "8.0"
    for options, found in (({"instruments": "nosuch"}, "nosuch"), ({"orders": 5000}, "5000"), ({"model": "1.0"}, "1.0")):
        with pytest.raises(gs.Error) as refused:
            gs.inspect(module().blur[4, 32], x, **options)
        assert found in str(refused.value)


def test_what_is_no_launch_is_refused():
    with pytest.raises(gs.Error, match="write inspect"):
        gs.inspect(module().blur, 1)
    with pytest.raises(gs.Error, match="it is a host array"):
        gs.inspect(module().blur[1, 32], np.zeros(3, np.float32))
