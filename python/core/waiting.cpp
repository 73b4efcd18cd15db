#include "python/core/waiting.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/device/device.h"

namespace gridstride_python {
namespace nb = nanobind;
namespace {

// Looks again after a sixteenth of the time that has passed, so that waiting adds little to what is waited for.
constexpr std::chrono::microseconds spinning(50), longest_nap(5000);

// False where the time for Python to look for signals has come first.
bool wait_a_while(const std::function<bool()>& is_over, std::chrono::steady_clock::time_point began) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  for (auto now = std::chrono::steady_clock::now(); now < until; now = std::chrono::steady_clock::now()) {
    if (is_over()) return true;
    const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(now - began);
    if (waited < spinning)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::min(waited / 16, longest_nap));
  }
  return false;
}

}  // namespace

void wait_until(const std::function<bool()>& is_over) {
  const auto began = std::chrono::steady_clock::now();
  for (;;) {
    {
      const nb::gil_scoped_release others_run;
      if (wait_a_while(is_over, began)) return;
    }
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
  }
}

void wait_for_device() {
  const auto points = gs::detail::device_context::current().pending();
  wait_until([&] { return std::ranges::all_of(points, [](const auto& point) { return point->done(); }); });
}

void synchronize() {
  wait_for_device();
  gs::synchronize();
}

void synchronize(gs::stream& s) {
  const std::shared_ptr<gs::detail::fence> point = s.work().mark();
  wait_until([&] { return point->done(); });
  s.synchronize();
}

void synchronize(const gs::event& e) {
  wait_until([&] { return e.done(); });
  e.synchronize();
}

}  // namespace gridstride_python
