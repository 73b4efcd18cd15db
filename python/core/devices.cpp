#include "python/core/devices.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/core/waiting.h"
#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/device/stream.h"
#include "runtime/timing/timeit.h"

namespace gridstride_python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

void select(const std::string& name) {
  for (const gs::device_kind kind : {gs::device_kind::engine, gs::device_kind::cuda})
    if (name == gs::to_string(kind)) return gs::select_device(kind);
  throw gs::error("select_device", "there is no device '" + name + "'", "use 'engine' or 'cuda'");
}

void declare_streams(nb::module_& m) {
  nb::class_<gs::stream>(m, "Stream", "Work in order on the current device; two streams may overlap.")
      .def(nb::init<>())
      .def(
          "synchronize", [](gs::stream& s) { synchronize(s); },
          "Waits until everything queued so far has run; raises the first error that happened in it.")
      .def("wait", &gs::stream::wait, "event"_a, "What is queued from now on starts after the event.")
      .def_prop_ro("idle", &gs::stream::idle, "Whether nothing is queued or running.");
  nb::class_<gs::event>(m, "Event", "A point in a stream, and the moment it was passed.")
      .def(nb::init<>())
      .def(
          "record", [](gs::event& e, gs::stream* s) { e.record(s ? *s : gs::default_stream()); },
          "stream"_a.none() = nb::none(), "Marks what is queued on the stream at this moment.")
      .def(
          "synchronize", [](const gs::event& e) { synchronize(e); }, "Waits until the point has been passed.")
      .def_prop_ro("done", &gs::event::done, "Whether the point has been passed.");
  m.def("seconds_between", &gs::seconds_between, "start"_a, "stop"_a,
        "Seconds of the device's time from one event to another; both must have been passed.");
  m.def("default_stream", &gs::default_stream, nb::rv_policy::reference,
        "The stream of everything that names no other.");
}

void declare_ledger(nb::module_& m) {
  nb::class_<gs::ledger>(m, "Account", "What happened between two moments; sizes in bytes.")
      .def_ro("copies_to_device", &gs::ledger::copies_to_device)
      .def_ro("bytes_to_device", &gs::ledger::bytes_to_device)
      .def_ro("copies_to_host", &gs::ledger::copies_to_host)
      .def_ro("bytes_to_host", &gs::ledger::bytes_to_host)
      .def_ro("copies_within_device", &gs::ledger::copies_within_device)
      .def_ro("bytes_within_device", &gs::ledger::bytes_within_device)
      .def_ro("launches", &gs::ledger::launches)
      .def_ro("allocations", &gs::ledger::allocations)
      .def_ro("allocated_bytes", &gs::ledger::allocated_bytes)
      .def_ro("synchronizations", &gs::ledger::synchronizations)
      .def_ro("loans", &gs::ledger::loans)
      .def_ro("lent_bytes", &gs::ledger::lent_bytes)
      .def("__sub__", [](const gs::ledger& a, const gs::ledger& b) { return a - b; })
      .def("__str__", [](const gs::ledger& a) { return gs::to_string(a); });
  m.def("ledger_total", &gs::ledger_total, "Everything since the program started.");
}

gs::timing time_statement(const nb::callable& statement, int runs, std::size_t loops) {
  return gs::detail::time_runs(
      [&](std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) statement();
      },
      {.runs = runs, .loops = loops});
}

void declare_timing(nb::module_& m) {
  nb::class_<gs::timing>(m, "Timing", "What timeit measured, in seconds per loop.")
      .def_ro("run_seconds", &gs::timing::run_seconds)
      .def_ro("loops", &gs::timing::loops)
      .def_prop_ro("mean", &gs::timing::mean)
      .def_prop_ro("standard_deviation", &gs::timing::standard_deviation)
      .def_prop_ro("best", &gs::timing::best)
      .def_prop_ro("worst", &gs::timing::worst)
      .def("__repr__", [](const gs::timing& t) { return gs::to_string(t); });
  m.def("timeit", &time_statement, "statement"_a, "runs"_a = 7, "loops"_a = 0,
        "Measures a function without arguments. Work that is only queued isn't part of the time: end it in "
        "synchronize().");
}

}  // namespace

void declare_devices(nb::module_& m) {
  declare_streams(m);
  declare_ledger(m);
  declare_timing(m);
  nb::class_<gs::device_info>(m, "Device", "What a device is; sizes in bytes.")
      .def_prop_ro("kind", [](const gs::device_info& d) { return gs::to_string(d.kind); })
      .def_ro("name", &gs::device_info::name)
      .def_ro("memory", &gs::device_info::memory)
      .def_ro("multiprocessors", &gs::device_info::multiprocessors)
      .def_ro("compute_capability", &gs::device_info::compute_capability)
      .def("__repr__", [](const gs::device_info& d) { return gs::to_string(d.kind) + ": " + d.name; });
  m.def("device", &gs::device, nb::rv_policy::reference, "The current device.");
  m.def("select_device", &select, "name"_a, "Makes 'engine' or 'cuda' current for the whole program.");
  m.def("why_no_cuda", &gs::why_no_cuda, "Empty if there is an NVIDIA GPU; else the reason why not.");
  m.def("_observe_waiting", &observe_waiting, "observer"_a.none());
  m.def(
      "synchronize", [] { synchronize(); },
      "Waits until everything queued on the device has run; raises the first error that happened in it.");
}

}  // namespace gridstride_python
