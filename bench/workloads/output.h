#pragma once
// The outputs of a workload over large arrays, and the check that all entrants fill them with the same values.

#include <algorithm>
#include <memory>
#include <string>

#include "bench/measure/agreement.h"
#include "bench/workloads/devices.h"
#include "runtime/gs.h"

namespace bench {

/// The arrays that the entrants of a workload write to.
template <class T>
struct outputs : array_everywhere<T> {
  using array_everywhere<T>::array_everywhere;
};

/// The input on which the limits of reading are measured: the device's if that is in this machine's memory. Peers read
/// the host's. An entrant that had a copy to itself would find less of it in the caches than entrants that share one.
template <class T>
std::span<const T> for_limits(const large_buffer<T>& host, const gs::device_array<T>& device) {
  return device.kind() == gs::device_kind::engine ? std::span<const T>(device.data(), device.size()) : host.read();
}

/// Runs every entrant but the limits once, into outputs full of a value that no result has, and compares the results
/// with the first peer's. Afterwards every page of every output has been touched.
template <class T>
void check_agreement(const contest& c, outputs<T>& out, tolerance allowed) {
  constexpr T poison = static_cast<T>(-77);
  const std::size_t n = out.host.size();
  const large_buffer<T> result(n), reference(n);
  std::string with;
  for (const role r : {role::peer, role::ours})
    for (const entrant& e : c.entrants()) {
      if (e.role != r) continue;
      fill(out.host.span(), [&](std::size_t) { return poison; });
      out.set_all();
      e.run(1);
      // The output that an entrant doesn't write to is still full of poison.
      const bool on_device = std::ranges::all_of(out.host.span(), [&](T value) { return value == poison; });
      const std::span<T> written = with.empty() ? reference.span() : result.span();
      if (on_device)
        out.fetch(e.hardware == hardware::gpu ? gs::device_kind::cuda : gs::device_kind::engine, written);
      else
        std::ranges::copy(out.host.span(), written.begin());
      if (with.empty())
        with = e.name;
      else
        expect_agreement(e.name, written, with, reference.read(), allowed);
    }
}

/// The assignment of peers outside of this process: `task` with these inputs and numbers. Their results, of shape
/// `shape` or as long as `out`, are compared with what the first peer in this process writes to `out`.
template <class T>
assignment make_assignment(const std::string& task, const contest& c, outputs<T>& out, tolerance allowed,
                           const std::vector<named_array>& inputs, const std::map<std::string, double>& scalars = {},
                           std::vector<std::size_t> shape = {}) {
  const auto first = std::ranges::find(c.entrants(), role::peer, &entrant::role);
  if (shape.empty()) shape = {out.host.size()};
  return {.task = task,
          .inputs = inputs,
          .scalars = scalars,
          .output = array_of<T>(std::move(shape)),
          .check = [&out, allowed, run = first->run, with = first->name](const std::string& who,
                                                                         std::span<const std::byte> result) {
            run(1);
            expect_agreement(who, {reinterpret_cast<const T*>(result.data()), result.size() / sizeof(T)}, with,
                             out.host.read(), allowed);
          }};
}

}  // namespace bench
