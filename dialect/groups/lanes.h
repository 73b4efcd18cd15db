#pragma once
// Values that lanes of a warp hand each other, of any size, as the groups of lanes do it.

#include <array>
#include <cstring>
#include <type_traits>

#include "dialect/groups/thread_block.h"

namespace cooperative_groups::detail {

/// `exchange` hands an unsigned of 4 bytes to another lane; the result is the value of which it does so word by word.
template <class T, class Exchange>
GS_DIALECT_GROUP_FN inline T exchanged(const T& value, const Exchange& exchange) {
  static_assert(std::is_trivially_copyable_v<T>, "lanes of a warp exchange values that may be copied byte by byte");
  std::array<unsigned, (sizeof(T) + 3) / 4> words{};
  std::memcpy(words.data(), &value, sizeof value);
  for (unsigned& word : words) word = exchange(word);
  T result = value;
  std::memcpy(static_cast<void*>(&result), words.data(), sizeof result);
  return result;
}

/// The number of the set bit of `mask` that has `rank` set bits below it; 32 if there is none.
GS_DIALECT_GROUP_FN inline unsigned lane_of_rank(unsigned mask, unsigned rank) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return mask == 0 ? gs::warp_size : static_cast<unsigned>(__builtin_ctz(mask));
}

}  // namespace cooperative_groups::detail
