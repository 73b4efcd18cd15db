#pragma once
// rank_window: what gs::window shares for all types: memory of every rank that each of them reads and writes.

#include <cstddef>
#include <memory>

#include "runtime/core/config.h"
#include "runtime/world/rank_group.h"

namespace gs::inline GS_FLAVOUR::detail {

class rank_window {
 public:
  /// Of all ranks of the group: memory for `elements`, without regard to its address, and full of zeros.
  rank_window(std::shared_ptr<const rank_group> ranks, const operand& elements, const rank_place& place);
  /// Of all ranks, too.
  ~rank_window();
  rank_window(const rank_window&) = delete;
  rank_window& operator=(const rank_window&) = delete;

  const rank_group& ranks() const { return *ranks_; }
  const operand& own() const { return own_; }
  void put(const operand& x, int to, std::size_t first, const rank_place& place) const;
  void get(const operand& y, int from, std::size_t first, const rank_place& place) const;
  void fence(const rank_place& place) const;

 private:
  void check(const rank_call& call, std::size_t first) const;

  std::shared_ptr<const rank_group> ranks_;
  operand own_;
  transport_handle window_{};
  int failures_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
