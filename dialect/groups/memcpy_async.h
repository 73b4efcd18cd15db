#pragma once
// cooperative_groups::memcpy_async and wait: CUDA C++ Programming Guide, "Data Transfer". The engine copies at once;
// who doesn't wait still reads what others haven't copied yet, and the instruments say so.

#include <cstddef>
#include <cstdint>

#include "dialect/groups/thread_block_tile.h"

namespace cooperative_groups {

/// The group's threads copy `bytes` together.
template <class Group, class To, class From>
GS_DIALECT_GROUP_FN inline void memcpy_async(const Group& group, To* to, const From* from, std::size_t bytes) {
  const auto copy = [&]<class Word>(Word) {
    auto* const target = reinterpret_cast<Word*>(to);
    const auto* const source = reinterpret_cast<const Word*>(from);
    for (std::size_t i = group.thread_rank(); i < bytes / sizeof(Word); i += group.num_threads()) target[i] = source[i];
  };
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes) % sizeof(unsigned) == 0)
    copy(0u);
  else
    copy(static_cast<unsigned char>(0));
}

/// Until what the group copies has arrived; all but the last `Stages` copies.
///@{
template <class Group>
GS_DIALECT_GROUP_FN inline void wait(const Group& group, GS_DIALECT_HERE) {
  group.sync(here);
}
template <unsigned Stages, class Group>
GS_DIALECT_GROUP_FN inline void wait_prior(const Group& group, GS_DIALECT_HERE) {
  group.sync(here);
}
///@}

}  // namespace cooperative_groups
