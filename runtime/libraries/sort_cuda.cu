// sort on a GPU: CUB's radix sort.
#include <cub/device/device_radix_sort.cuh>
#include <limits>

#include "runtime/array/device_memory.h"
#include "runtime/cuda/cuda_execute.h"
#include "runtime/libraries/sort_call.h"

namespace gs::inline GS_FLAVOUR {
namespace {

// CUB orders NaNs by their bits, some of them before all numbers: here they all become the one that it puts last.
template <class K>
struct one_nan_work {
  const K* from;
  K* to;
  std::size_t count;
  GS_FN std::size_t size() const { return count; }
  GS_FN void at(std::size_t i) const {
    const K key = from[i];
    to[i] = key == key ? key : std::numeric_limits<K>::quiet_NaN();
  }
};

struct number_work {
  std::uint32_t* to;
  std::size_t count;
  GS_FN std::size_t size() const { return count; }
  GS_FN void at(std::size_t i) const { to[i] = static_cast<std::uint32_t>(i); }
};

template <class V>
struct gather_work {
  const V* from;
  const std::uint32_t* where;
  V* to;
  std::size_t count;
  GS_FN std::size_t size() const { return count; }
  GS_FN void at(std::size_t i) const { to[i] = from[where[i]]; }
};

void copy(queue& on, void* to, const void* from, std::size_t bytes) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, static_cast<cuda_queue&>(on).handle()),
             "a copy before a sort");
}

// CUB says how much temporary memory it wants when it is called without.
template <class Sort>
void with_temporary_memory(const Sort& sort) {
  std::size_t bytes = 0;
  check_cuda(sort(nullptr, bytes), "a sort on the GPU");
  const auto memory = allocate_device_memory(bytes);
  check_cuda(sort(memory->data(), bytes), "a sort on the GPU");
}

template <class K>
void sort_keys(queue& on, const sort_call& call) {
  const cudaStream_t stream = static_cast<cuda_queue&>(on).handle();
  auto *in = static_cast<K*>(call.keys_temporary), *out = static_cast<K*>(call.keys_out);
  constexpr int bits = 8 * sizeof(K);
  if constexpr (std::is_floating_point_v<K>)
    execute_on_cuda(on, one_nan_work<K>{static_cast<const K*>(call.keys), in, call.size});
  else
    copy(on, in, call.keys, call.size * sizeof(K));
  if (call.types.value_bytes == 0)
    return with_temporary_memory([&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, call.size, 0, bits, stream);
    });

  // The values' numbers are sorted with the keys, and the values fetched by them: one sort for values of every size.
  if (call.size > std::numeric_limits<std::uint32_t>::max())
    throw error("sort_by_key on the GPU", std::to_string(call.size) + " pairs", "sort at most 4294967295 at a time");
  const auto numbers = allocate_device_memory(2 * call.size * sizeof(std::uint32_t));
  auto *unsorted = static_cast<std::uint32_t*>(numbers->data()), *sorted = unsorted + call.size;
  execute_on_cuda(on, number_work{unsorted, call.size});
  with_temporary_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, in, out, unsorted, sorted, call.size, 0, bits, stream);
  });
  copy(on, call.values_temporary, call.values, call.size * call.types.value_bytes);
  with_value_type(call.types.value_bytes, [&]<class V>() {
    execute_on_cuda(on, gather_work<V>{static_cast<const V*>(call.values_temporary), sorted,
                                       static_cast<V*>(call.values_out), call.size});
  });
}

}  // namespace

void queue_on_cuda(queue& on, const sort_call& call) {
  with_key_type(call.types, [&]<class K>() { sort_keys<K>(on, call); });
}

}  // namespace gs::inline GS_FLAVOUR
