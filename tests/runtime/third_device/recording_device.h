#pragma once
// The recording device: all of its work runs on one thread of its own, in the order in which it was queued, and what it
// was asked for is kept as text. It is what a device needs, and no more: a backend, a queue, a fence, and one line that
// registers it (recording_device.cpp). Programs that link it have it as GRIDSTRIDE_TARGET=recording.

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "runtime/device/target.h"

namespace recording {

inline constexpr std::size_t memory_bytes = std::size_t{1} << 30;

gs::device_kind kind();

/// What it was asked for since the last call: "3 items of 64 threads: add_kernel", "copy 12 bytes to the device", ...
std::vector<std::string> take_log();

/// The thread that its work runs on.
std::thread::id thread();

}  // namespace recording
