#include "runtime/columns/key_ordinals.h"

#include "runtime/kernel/grid_stride.h"
#include "runtime/kernel/thread.h"
#include "runtime/launch/launch.h"
#include "runtime/libraries/sort.h"
#include "runtime/libraries/sort_order.h"

namespace gs::inline GS_FLAVOUR::detail {

template <class K>
GS_FN std::uint64_t ordinal_of_key(K key) {
  if constexpr (std::is_same_v<K, bool>)
    return key;
  else
    return ordinal(without_negative_zero(key));
}

template <class K>
GS_FN void write_ordinals(thread t, view<const K> keys, view<std::uint64_t> ordinals) {
  for (auto i : t.grid_stride(keys.size())) ordinals[i] = ordinal_of_key<K>(keys[i]);
}

key_ordinals ordinals_of(const any_column& keys) {
  return with_column(keys, []<class K>(const device_array<K>& array) {
    key_ordinals ordinals(array.size());
    launch<write_ordinals<K>>(launch_over(array.size()), array, ordinals);
    return ordinals;
  });
}

sorted_keys sort_keys(const any_column& keys) {
  return with_column(keys, []<class K>(const device_array<K>& array) {
    auto [sorted, rows] = sort_by_key(array, every_row(array.size()));
    return sorted_keys{std::move(sorted), std::move(rows)};
  });
}

}  // namespace gs::inline GS_FLAVOUR::detail
