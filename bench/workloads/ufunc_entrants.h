#pragma once
// The entrants of a workload that is a ufunc over long arrays: ours on every target, the peers, and the limits.

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/limits/bandwidth.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/output.h"
#include "runtime/gs.h"

namespace bench {

/// Up to so many elements one core takes part; with more, a round would last seconds.
constexpr std::size_t one_core_most = 10'000'000;

/// The stores that may be the faster ones for an output of so many bytes: plain ones where it fits into a cache.
inline std::vector<stores> stores_for(std::size_t bytes) {
  if (bytes <= std::size_t{32} << 20) return {stores::plain};
  return {stores::streaming, stores::plain};
}

/// The same work with OpenMP's loops on one core.
inline work on_one_core(work run) {
  return [run = std::move(run)](std::size_t calls) {
    const std::size_t all = limits::threads();
    limits::use_threads(1);
    run(calls);
    limits::use_threads(all);
  };
}

// What an entrant keeps of an argument, and what the ufunc gets: numbers are numbers everywhere.
template <class T>
const array_everywhere<T>* kept(const array_everywhere<T>& array) {
  return &array;
}
template <class T>
std::enable_if_t<std::is_arithmetic_v<T>, T> kept(T number) {
  return number;
}
template <class T>
std::span<T> host_argument(const array_everywhere<T>* array) {
  return array->host.span();
}
template <class T>
std::enable_if_t<std::is_arithmetic_v<T>, T> host_argument(T number) {
  return number;
}
template <class T>
const gs::device_array<T>& device_argument(const array_everywhere<T>* array, gs::device_kind device) {
  return array->on(device);
}
template <class T>
std::enable_if_t<std::is_arithmetic_v<T>, T> device_argument(T number, gs::device_kind) {
  return number;
}

/// Adds ours on every target: `on_device(where)` queues the work on the current device, which is synchronised then, and
/// `on_host(target)` does it on all cores and, if there are few enough elements, on one.
template <class OnDevice, class OnHost>
void add_targets(contest& c, std::size_t elements, const OnDevice& on_device, const OnHost& on_host) {
  add_ours(c, "", on_device);
  c.add("parallel", role::ours, repeated([on_host] { on_host(gs::target::parallel); }));
  if (elements <= one_core_most)
    c.add("cpu", role::ours, hardware::one_core, repeated([on_host] { on_host(gs::target::cpu); }));
}

/// Adds `f` over these arguments, arrays of a workload and numbers, with the output given. `keep` owns the arrays.
template <class Ufunc, class T, class... Argument>
void add_ufunc(contest& c, const std::shared_ptr<void>& keep, Ufunc f, outputs<T>& out, const Argument&... argument) {
  add_targets(
      c, out.host.size(),
      [keep, f, &out, ... in = kept(argument)](gs::device_kind device) {
        f(device_argument(in, device)..., gs::out(out.on(device)));
      },
      [keep, f, &out, ... in = kept(argument)](gs::target target) {
        f.on(target)(host_argument(in)..., gs::out(out.host.span()));
      });
}

/// Adds the peers: `loop(how)` is vectorised and runs on as many threads as OpenMP has, `plain()` is the loop that
/// one writes first. Both write to `out`. `keep` owns the arrays.
template <class T, class Loop, class Plain>
void add_peers(contest& c, const std::shared_ptr<void>& keep, const std::string& with, std::span<T> out, Loop loop,
               Plain plain) {
  for (const stores how : stores_for(out.size_bytes()))
    c.add(with + ", " + to_string(how), role::peer, repeated([keep, loop, how] { loop(how); }));
  if (out.size() > one_core_most) return;
  c.add(with + ", one core", role::peer, hardware::one_core,
        on_one_core(repeated([keep, loop] { loop(stores::plain); })));
  c.add("plain loop, one core", role::peer, hardware::one_core, repeated([keep, plain] { plain(); }));
}

/// Adds the limits of one array read and one written.
template <class T>
void add_copy_limits(contest& c, const std::shared_ptr<void>& keep, const array_everywhere<T>& in, outputs<T>& out) {
  const auto from = std::as_bytes(in.host.read());
  const auto to = std::as_writable_bytes(out.host.span());
  for (const stores how : stores_for(to.size()))
    c.add("copy, " + to_string(how), role::limit, repeated([keep, from, to, how] { limits::copy(from, to, how); }));
  add_gpu_limit(c, from.size() + to.size());
}

/// Adds the limits of two arrays read and one written.
inline void add_triad_limits(contest& c, const std::shared_ptr<void>& keep, const array_everywhere<float>& x,
                             const array_everywhere<float>& y, outputs<float>& out) {
  for (const stores how : stores_for(out.host.size() * sizeof(float)))
    c.add("triad, " + to_string(how), role::limit,
          repeated([keep, &x, &y, &out, how] { limits::triad(out.host.span(), x.host.read(), y.host.read(), how); }));
  add_gpu_limit(c, 3 * sizeof(float) * out.host.size());
}

}  // namespace bench
