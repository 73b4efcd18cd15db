// add_host_arrays, add_device_inputs, add_device_output: the sum of two arrays on the device where some of them lie on
// the host. What the copies cost; `add` is the fourth way, in which everything is on the device.
#include <string>

#include "bench/peers/peers.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN float sum_to_copy(float x, float y) { return x + y; }
inline constexpr auto sum_on_device = gs::vectorize<sum_to_copy>.on(gs::target::device);

struct add_with_copies_arrays {
  explicit add_with_copies_arrays(std::size_t n)
      : x(n, [](std::size_t i) { return uniform(i, 1); }),
        y(n, [](std::size_t i) { return uniform(i, 2); }),
        x_there(n),
        y_there(n),
        sum_there(n),
        out(n) {}
  array_everywhere<float> x, y;
  large_buffer<float> x_there, y_there, sum_there;  // a device's memory, by hand
  outputs<float> out;
};

void copy_of(const large_buffer<float>& from, const large_buffer<float>& to, stores how) {
  limits::copy(std::as_bytes(from.read()), std::as_writable_bytes(to.span()), how);
}

contest prepare_add_with_copies(std::size_t n, bool host_inputs, bool host_output) {
  const auto a = std::make_shared<add_with_copies_arrays>(n);
  contest c;
  for (const gs::device_kind device : devices())
    c.add(gs::to_string(device), role::ours, hardware_of(device),
          on(device, repeated([=] {
               if (host_inputs && host_output)
                 sum_on_device(a->x.host.span(), a->y.host.span(), gs::out(a->out.host.span()));
               else if (host_inputs)
                 sum_on_device(a->x.host.span(), a->y.host.span(), gs::out(a->out.on(device)));
               else
                 sum_on_device(a->x.on(device), a->y.on(device), gs::out(a->out.host.span()));
               gs::synchronize();
             })));
  for (const stores how : stores_for(n * sizeof(float)))
    c.add("OpenMP, copies and loop, " + to_string(how), role::peer, repeated([=] {
            if (host_inputs) copy_of(a->x.host, a->x_there, how), copy_of(a->y.host, a->y_there, how);
            const large_buffer<float>&x = host_inputs ? a->x_there : a->x.host,
                  &y = host_inputs ? a->y_there : a->y.host;
            peers::add(x.read(), y.read(), host_output ? a->sum_there.span() : a->out.host.span(), how);
            if (host_output) copy_of(a->sum_there, a->out.host, how);
          }));
  check_agreement(c, a->out, {});
  return c;
}

workload add_with_copies(std::string name, const std::string& text, std::size_t elements, bool host_inputs,
                         bool host_output) {
  // A copy reads and writes.
  const double arrays = 3 + (host_inputs ? 4 : 0) + (host_output ? 2 : 0);
  return {.name = std::move(name),
          .text = "the sum of two arrays on the device, " + text,
          .elements = elements,
          .dtype = "float32",
          .bytes = arrays * sizeof(float) * static_cast<double>(elements),
          .operations = static_cast<double>(elements),
          .memory = 14 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [=] { return prepare_add_with_copies(elements, host_inputs, host_output); }};
}

}  // namespace

workload add_host_arrays(std::size_t elements) {
  return add_with_copies("add_host_arrays", "of host arrays into one", elements, true, true);
}
workload add_device_inputs(std::size_t elements) {
  return add_with_copies("add_device_inputs", "of device arrays into a host array", elements, false, true);
}
workload add_device_output(std::size_t elements) {
  return add_with_copies("add_device_output", "of host arrays into a device array", elements, true, false);
}

}  // namespace bench
