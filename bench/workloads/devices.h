#pragma once
// The devices that a workload runs on, and its arrays there: the engine, and a GPU where the build and the machine have
// one.

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure/contest.h"
#include "bench/measure/input.h"
#include "bench/measure/large_buffer.h"
#include "runtime/array/device_array.h"
#include "runtime/device/device.h"

namespace bench {

inline const std::vector<gs::device_kind>& devices() {
  static const std::vector<gs::device_kind> available =
      gs::why_no_cuda().empty() ? std::vector{gs::device_kind::engine, gs::device_kind::cuda}
                                : std::vector{gs::device_kind::engine};
  return available;
}

inline hardware hardware_of(gs::device_kind device) {
  return device == gs::device_kind::cuda ? hardware::gpu : hardware::all_cores;
}

/// Makes a device current, and the previous one again at the end.
class while_current {
 public:
  explicit while_current(gs::device_kind device) : before_(gs::current_device()) { gs::select_device(device); }
  while_current(const while_current&) = delete;
  while_current& operator=(const while_current&) = delete;
  ~while_current() { gs::select_device(before_); }

 private:
  gs::device_kind before_;
};

/// The same work with `device` as the current device.
inline work on(gs::device_kind device, work run) {
  return [device, run = std::move(run)](std::size_t calls) {
    const while_current guard(device);
    run(calls);
  };
}

/// Adds ours on every device: `run(device)` queues the work on the current device, which is then synchronised. `how`
/// names one of several ways.
template <class Run>
void add_ours(contest& c, const std::string& how, const Run& run, role as = role::ours) {
  for (const gs::device_kind device : devices())
    c.add(gs::to_string(device) + (how.empty() ? "" : ", " + how), as, hardware_of(device),
          on(device, repeated([run, device] {
               run(device);
               gs::synchronize();
             })));
}
/// A peer that is a call of our own and does a part of the work, to show what that part costs.
template <class Run>
void add_part(contest& c, const std::string& part, const Run& run) {
  add_ours(c, part, run, role::peer);
}

/// A flat array of a workload on the host, and one of the same length on every device.
template <class T>
class array_everywhere {
 public:
  /// The devices' arrays have no values yet.
  explicit array_everywhere(std::size_t size) : host(size) {
    for (const gs::device_kind device : devices()) {
      const while_current guard(device);
      on_device_.emplace(device, gs::device_array<T>(size));
    }
  }
  /// array[i] = f(i) everywhere.
  template <class F>
  array_everywhere(std::size_t size, F f) : array_everywhere(size) {
    fill(host.span(), f);
    set_all();
  }

  /// Copies the host's values to every device.
  void set_all() {
    for (auto& [device, array] : on_device_) {
      const while_current guard(device);
      array.reshape({-1}).copy_from_host(host.span());
    }
  }
  /// Copies a device's values to `to`.
  void fetch(gs::device_kind device, std::span<T> to) const {
    const while_current guard(device);
    on(device).reshape({-1}).copy_to_host(to);
  }

  /// The devices' arrays become matrices; one extent may be -1 and is computed.
  void reshape(std::ptrdiff_t rows, std::ptrdiff_t columns) {
    for (auto& [device, array] : on_device_) {
      const while_current guard(device);
      array = array.reshape({rows, columns});
    }
  }

  const gs::device_array<T>& on(gs::device_kind device) const { return on_device_.at(device); }
  gs::device_array<T>& on(gs::device_kind device) { return on_device_.at(device); }

  large_buffer<T> host;

 private:
  std::map<gs::device_kind, gs::device_array<T>> on_device_;
};

}  // namespace bench
