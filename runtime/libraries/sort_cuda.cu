// sort on a GPU: CUB's radix sort of the keys' ordinals. They are widened to 32 or 64 bits, which costs no pass (CUB is
// told how many bits matter) and spares the compiler eight of ten kinds of keys.
#include <cub/device/device_radix_sort.cuh>
#include <limits>

#include "runtime/array/device_memory.h"
#include "runtime/cuda/cuda_execute.h"
#include "runtime/libraries/cub_call.h"
#include "runtime/libraries/device_library.h"
#include "runtime/libraries/sort_call.h"
#include "runtime/libraries/sort_order.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

template <class K>
using wide_ordinal = std::conditional_t<sizeof(K) <= 4, std::uint32_t, std::uint64_t>;

template <class K>
struct ordinals_work {
  const K* keys;
  wide_ordinal<K>* to;
  std::size_t count;
  bool zeros_are_equal;
  GS_FN std::size_t size() const { return count; }
  GS_FN void at(std::size_t i) const { to[i] = ordinal(zeros_are_equal ? without_negative_zero(keys[i]) : keys[i]); }
};

template <class K>
struct keys_work {
  const wide_ordinal<K>* ordinals;
  K* to;
  std::size_t count;
  GS_FN std::size_t size() const { return count; }
  GS_FN void at(std::size_t i) const { to[i] = key_with<K>(static_cast<ordinal_t<K>>(ordinals[i])); }
};

struct numbers_work {
  std::uint32_t* to;
  std::size_t count;
  GS_FN std::size_t size() const { return count; }
  GS_FN void at(std::size_t i) const { to[i] = static_cast<std::uint32_t>(i); }
};

template <class V>
struct gather_work {
  const V* from;
  const std::uint32_t* indices;
  V* to;
  std::size_t count;
  GS_FN std::size_t size() const { return count; }
  GS_FN void at(std::size_t i) const { to[i] = from[indices[i]]; }
};

// Two arrays that a sort writes to in turn. Their memory lives until the work that was queued on it has run.
template <class T>
class two_arrays {
 public:
  explicit two_arrays(std::size_t n)
      : memory_(allocate_device_memory(2 * n * sizeof(T))),
        both_(static_cast<T*>(memory_->data()), static_cast<T*>(memory_->data()) + n) {}
  cub::DoubleBuffer<T>& both() { return both_; }
  T* current() { return both_.Current(); }

 private:
  std::shared_ptr<device_memory> memory_;
  cub::DoubleBuffer<T> both_;
};

template <class K>
void sort_keys(queue& device_queue, const sort_call& call) {
  two_arrays<wide_ordinal<K>> ordinals(call.size);
  execute_on_cuda(device_queue,
                  ordinals_work<K>{static_cast<const K*>(call.keys), ordinals.current(), call.size, false});
  call_cub("a sort", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, ordinals.both(), call.size, 0, 8 * sizeof(K),
                                          static_cast<cuda_queue&>(device_queue).handle());
  });
  execute_on_cuda(device_queue, keys_work<K>{ordinals.current(), static_cast<K*>(call.keys_out), call.size});
}

// to[i] = from[indices[i]] for elements of `bytes` each; `to` may be `from`.
void gather(queue& device_queue, const void* from, const std::uint32_t* indices, void* to, std::size_t n,
            std::size_t bytes) {
  std::shared_ptr<device_memory> original;
  if (from == to) {
    original = allocate_device_memory(n * bytes);
    check_cuda(cudaMemcpyAsync(original->data(), from, n * bytes, cudaMemcpyDeviceToDevice,
                               static_cast<cuda_queue&>(device_queue).handle()),
               "a copy within a sort");
    from = original->data();
  }
  with_value_type(bytes, [&]<class V>() {
    execute_on_cuda(device_queue, gather_work<V>{static_cast<const V*>(from), indices, static_cast<V*>(to), n});
  });
}

// The pairs' numbers are sorted by the keys, and keys and values fetched by them: one sort for values of every size.
template <class K>
void sort_pairs(queue& device_queue, const sort_call& call) {
  if (call.size > std::numeric_limits<std::uint32_t>::max())
    throw error("sort_by_key on the GPU", std::to_string(call.size) + " pairs", "sort at most 4294967295 at a time");
  two_arrays<wide_ordinal<K>> ordinals(call.size);
  two_arrays<std::uint32_t> numbers(call.size);
  execute_on_cuda(device_queue,
                  ordinals_work<K>{static_cast<const K*>(call.keys), ordinals.current(), call.size, true});
  execute_on_cuda(device_queue, numbers_work{numbers.current(), call.size});
  call_cub("a sort", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, ordinals.both(), numbers.both(),
                                           static_cast<std::uint32_t>(call.size), 0, 8 * sizeof(K),
                                           static_cast<cuda_queue&>(device_queue).handle());
  });
  gather(device_queue, call.keys, numbers.current(), call.keys_out, call.size, sizeof(K));
  gather(device_queue, call.values, numbers.current(), call.values_out, call.size, call.types.value_bytes);
}

void queue_any_sort(queue& device_queue, const sort_call& call) {
  with_key_type(call.types, [&]<class K>() {
    if (call.types.value_bytes == 0)
      sort_keys<K>(device_queue, call);
    else
      sort_pairs<K>(device_queue, call);
  });
}

const device_library<sort_call> sorting(device_kind::cuda, &queue_any_sort);

}  // namespace

}  // namespace gs::inline GS_FLAVOUR::detail
