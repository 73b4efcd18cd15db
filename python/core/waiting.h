#pragma once
// Waiting that Ctrl-C ends, with Python's other threads running meanwhile.

#include <functional>

#include "runtime/device/stream.h"

namespace gridstride_python {

/// Waits until `is_over()`. Raises KeyboardInterrupt if Ctrl-C was pressed: what was queued still runs. Called with the
/// GIL held; `is_over` runs without it.
void wait_until(const std::function<bool()>& is_over);

/// Until everything that is queued on the current device has run, errors or not.
void wait_for_device();

/// The same, then throws the first error that happened in it, as gs::synchronize; of a stream, of an event.
///@{
void synchronize();
void synchronize(gs::stream& s);
void synchronize(const gs::event& e);
///@}

}  // namespace gridstride_python
