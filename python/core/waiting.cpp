#include "python/core/waiting.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/device/device.h"

namespace gridstride_python {
namespace nb = nanobind;
namespace {

// Looks again after a sixteenth of the time that has passed, so that waiting adds little to what is waited for.
constexpr std::chrono::microseconds spinning(50), longest_nap(5000);
constexpr std::chrono::seconds longest_silence(1);

// False where the time for Python to look for signals has come first.
bool wait_a_while(const std::function<waiting_progress()>& progress, std::chrono::steady_clock::time_point began) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  for (auto now = std::chrono::steady_clock::now(); now < until; now = std::chrono::steady_clock::now()) {
    if (progress().is_over()) return true;
    const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(now - began);
    if (waited < spinning)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::min(waited / 16, longest_nap));
  }
  return false;
}

// Never destroyed: Python may be gone before the program's globals.
nb::object& waiting_observer() {
  static auto* const observer = new nb::object(nb::none());
  return *observer;
}

}  // namespace

void observe_waiting(nb::object observer) { waiting_observer() = std::move(observer); }

void wait_until(const std::function<waiting_progress()>& progress) {
  const auto began = std::chrono::steady_clock::now();
  for (bool is_told = false, is_over = false; !is_over;) {
    {
      const nb::gil_scoped_release others_run;
      is_over = wait_a_while(progress, began);
    }
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    const nb::object observer = waiting_observer();
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - began;
    if (observer.is_none() || (is_over ? !is_told : waited < longest_silence)) continue;
    is_told = true;
    const waiting_progress now = progress();
    observer(waited.count(), now.done, now.all);
  }
}

void wait_for_device() {
  const auto points = gs::detail::device_context::current().pending();
  wait_until([&]() -> waiting_progress {
    const auto done = std::ranges::count_if(points, [](const auto& point) { return point->done(); });
    return {static_cast<std::size_t>(done), points.size()};
  });
}

void synchronize() {
  wait_for_device();
  gs::synchronize();
}

void synchronize(gs::stream& s) {
  const std::shared_ptr<gs::detail::fence> point = s.work().mark();
  wait_until([&]() -> waiting_progress { return {point->done() ? 1u : 0u, 1}; });
  s.synchronize();
}

void synchronize(const gs::event& e) {
  wait_until([&]() -> waiting_progress { return {e.done() ? 1u : 0u, 1}; });
  e.synchronize();
}

}  // namespace gridstride_python
