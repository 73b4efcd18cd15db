#include "python/core/lent_memory.h"

#include <map>
#include <mutex>

#include "runtime/core/ledger.h"

namespace gridstride_python {
namespace {

struct lent_arrays {
  std::mutex mutex;
  struct entry {
    std::weak_ptr<any_array> array;
    std::size_t bytes;
  };
  std::multimap<const void*, entry> by_address;
  std::size_t held = 0;
};
// Never destroyed: other libraries may return memory while the program ends.
lent_arrays& all_lent() {
  static auto* const lent = new lent_arrays;
  return *lent;
}

void take_back(const void* data) {
  lent_arrays& lent = all_lent();
  const std::scoped_lock lock(lent.mutex);
  --lent.held;
  const auto [begin, end] = lent.by_address.equal_range(data);
  for (auto it = begin; it != end; ++it)
    if (it->second.array.expired()) {
      lent.by_address.erase(it);
      return;
    }
}

}  // namespace

std::shared_ptr<any_array> lend(std::shared_ptr<any_array> array) {
  const void* const data = array->data();
  any_array* const lent_array = array.get();
  // The array is destroyed with the last copy of the pointer, and only then taken off the list.
  std::shared_ptr<any_array> held(lent_array, [array = std::move(array), data](any_array*) mutable {
    array.reset();
    take_back(data);
  });
  lent_arrays& lent = all_lent();
  const std::scoped_lock lock(lent.mutex);
  ++lent.held;
  lent.by_address.emplace(data, lent_arrays::entry{held, held->bytes()});
  gs::ledger_entry::loan(held->bytes());
  return held;
}

std::shared_ptr<any_array> find_lent(const void* data, std::size_t bytes) {
  lent_arrays& lent = all_lent();
  const std::scoped_lock lock(lent.mutex);
  const auto [begin, end] = lent.by_address.equal_range(data);
  for (auto it = begin; it != end; ++it)
    if (it->second.bytes == bytes)
      if (std::shared_ptr<any_array> array = it->second.array.lock()) return array;
  return nullptr;
}

std::size_t lent_now() {
  lent_arrays& lent = all_lent();
  const std::scoped_lock lock(lent.mutex);
  return lent.held;
}

}  // namespace gridstride_python
