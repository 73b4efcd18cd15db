#pragma once
// Waiting that Ctrl-C ends, with Python's other threads running meanwhile.

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>

#include "runtime/device/stream.h"

namespace gridstride_python {

/// Of the queues that are waited for, how many have run.
struct waiting_progress {
  std::size_t done, all;
  bool is_over() const { return done == all; }
};

/// Waits until `progress()` is over. Raises KeyboardInterrupt if Ctrl-C was pressed: what was queued still runs. Called
/// with the GIL held; `progress` runs without it.
void wait_until(const std::function<waiting_progress()>& progress);

/// Who is told of waits that take longer than a second: observer(seconds, done, all), some twenty times a second, and a
/// last time when all is done. None: nobody.
void observe_waiting(nanobind::object observer);

/// Until everything that is queued on the current device has run, errors or not.
void wait_for_device();

/// The same, then throws the first error that happened in it, as gs::synchronize; of a stream, of an event.
///@{
void synchronize();
void synchronize(gs::stream& s);
void synchronize(const gs::event& e);
///@}

}  // namespace gridstride_python
