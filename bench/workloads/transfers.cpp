// copy_to_device, copy_to_host: an array is copied, into memory that is already allocated.
#include <cstring>

#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

struct transfer_arrays {
  explicit transfer_arrays(std::size_t n) : x(n, [](std::size_t i) { return uniform(i); }), out(n) {}
  array_everywhere<float> x;
  outputs<float> out;
};

contest prepare_transfer(std::size_t n, bool to_device) {
  const auto a = std::make_shared<transfer_arrays>(n);
  const auto from = std::as_bytes(a->x.host.read());
  const auto to = std::as_writable_bytes(a->out.host.span());
  contest c;
  for (const gs::device_kind device : devices()) {
    c.add(gs::to_string(device), role::ours, hardware_of(device),
          on(device, repeated([a, device, to_device] {
               if (to_device)
                 a->out.on(device).copy_from_host(a->x.host.span());
               else
                 a->x.on(device).copy_to_host(a->out.host.span());
             })));
#if GRIDSTRIDE_CUDA
    if (device == gs::device_kind::cuda)
      c.add("cudaMemcpy", role::limit, hardware::gpu,
            on(device, repeated([a, device, to_device] {
                 if (to_device)
                   limits::copy_by_cuda(a->out.on(device).data(), a->x.host.data(), a->x.host.size() * sizeof(float));
                 else
                   limits::copy_by_cuda(a->out.host.data(), a->x.on(device).data(), a->x.host.size() * sizeof(float));
               })));
#endif
  }
  c.add("memcpy", role::peer, repeated([a, from, to] { std::memcpy(to.data(), from.data(), from.size()); }));
  for (const stores how : stores_for(from.size()))
    c.add("copy, " + to_string(how), role::limit, repeated([a, from, to, how] { limits::copy(from, to, how); }));
  check_agreement(c, a->out, {});
  return c;
}

workload transfer(std::string name, std::string text, std::size_t elements, bool to_device) {
  return {.name = std::move(name),
          .text = std::move(text),
          .elements = elements,
          .dtype = "float32",
          .bytes = 2 * sizeof(float) * static_cast<double>(elements),
          .memory = 6 * sizeof(float) * elements,
          .wanted = demand{demand::of_limit, 1 / 0.9, "90 % of copy"},
          .prepare = [=] { return prepare_transfer(elements, to_device); }};
}

}  // namespace

workload copy_to_device(std::size_t elements) {
  return transfer("copy_to_device", "from a host array into a device array", elements, true);
}
workload copy_to_host(std::size_t elements) {
  return transfer("copy_to_host", "from a device array into a host array", elements, false);
}

}  // namespace bench
