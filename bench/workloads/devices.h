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
  static const std::vector<gs::device_kind> all = gs::why_no_cuda().empty()
                                                      ? std::vector{gs::device_kind::engine, gs::device_kind::cuda}
                                                      : std::vector{gs::device_kind::engine};
  return all;
}

inline hardware hardware_of(gs::device_kind where) {
  return where == gs::device_kind::cuda ? hardware::gpu : hardware::all_cores;
}

/// Makes a device current, and the one before it again at the end.
class while_current {
 public:
  explicit while_current(gs::device_kind where) : before_(gs::current_device()) { gs::select_device(where); }
  while_current(const while_current&) = delete;
  while_current& operator=(const while_current&) = delete;
  ~while_current() { gs::select_device(before_); }

 private:
  gs::device_kind before_;
};

/// The same work with `where` as the current device.
inline work on(gs::device_kind where, work run) {
  return [where, run = std::move(run)](std::size_t calls) {
    const while_current device(where);
    run(calls);
  };
}

/// Adds ours on every device: `run(where)` queues the work on the current device, which is synchronised then. `how`
/// tells several ways apart.
template <class Run>
void add_ours(contest& c, const std::string& how, Run run) {
  for (const gs::device_kind where : devices())
    c.add(gs::to_string(where) + (how.empty() ? "" : ", " + how), role::ours, hardware_of(where),
          on(where, repeated([run, where] {
               run(where);
               gs::synchronize();
             })));
}

/// A flat array of a workload: on the host, and one as long on every device.
template <class T>
class array_everywhere {
 public:
  /// Without values on the devices.
  explicit array_everywhere(std::size_t size) : host(size) {
    for (const gs::device_kind where : devices()) {
      const while_current device(where);
      on_device_.emplace(where, gs::device_array<T>(size));
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
    for (auto& [where, array] : on_device_) {
      const while_current device(where);
      array.reshape({-1}).copy_from_host(host.span());
    }
  }
  /// Copies a device's values to `to`.
  void fetch(gs::device_kind where, std::span<T> to) const {
    const while_current device(where);
    on(where).reshape({-1}).copy_to_host(to);
  }

  /// The devices' arrays become matrices; one extent may be -1 and is computed.
  void reshape(std::ptrdiff_t rows, std::ptrdiff_t columns) {
    for (auto& [where, array] : on_device_) array = array.reshape({rows, columns});
  }

  const gs::device_array<T>& on(gs::device_kind where) const { return on_device_.at(where); }
  gs::device_array<T>& on(gs::device_kind where) { return on_device_.at(where); }

  large_buffer<T> host;

 private:
  std::map<gs::device_kind, gs::device_array<T>> on_device_;
};

}  // namespace bench
