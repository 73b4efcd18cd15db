#pragma once
// Shadow memory: what the instruments know about each element of device memory.

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/instruments/places/site_table.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// A stretch of a block's run from one barrier to the next. Numbered over the whole program in the order in which they
/// run, which is block after block; 0 is before everything.
using phase = std::uint32_t;

/// One access, as it is remembered.
struct mark {
  static constexpr std::uint32_t last_time = (1u << 21) - 1;  ///< and all after it, which count as ordered

  phase when = 0;
  site where = unknown_site;
  std::uint32_t thread : 10 = 0;  ///< in its block
  std::uint32_t atomic : 1 = 0;   ///< of those kept as reads: an atomic load
  std::uint32_t time : 21 = 0;    ///< fences and barriers of its warp's lanes before it, in this phase
};

/// Accesses that a cell itself has no place for: those of one warp at one time. Lists of them are a shadow's.
struct kept_access {
  mark by;                   ///< one of them
  std::uint32_t lanes = 0;   ///< that made them
  std::uint32_t length = 0;  ///< of the list from here
  std::uint32_t next = 0;    ///< 0: this is the last
};

/// What is known about one element, or a part of one. Of reads (atomic loads among them) and of atomic operations that
/// write, which don't race among themselves, all are kept that a later access may be unordered with while it is ordered
/// with the others: one of each stream, of each warp of the block that runs, of each block that hands over what it did.
struct alignas(64) cell {
  mark write;
  mark read, other_read;
  mark atomic;
  std::uint32_t more_reads = 0, more_atomics = 0;  ///< the first of a list, see shadow::kept; 0: empty
  std::uint32_t written : 1 = 0;                   ///< by work of the device
  std::uint32_t device_read : 1 = 0;               ///< by work of the device
  std::uint32_t device_wrote : 1 = 0;              ///< the same, while no copy has overwritten it
};
static_assert(sizeof(cell) == 64);

/// The cells of a piece of memory. They stand for as many bytes as the smallest access so far.
class shadow {
 public:
  explicit shadow(std::size_t bytes) : bytes_(bytes) {}
  ~shadow() {
    if (cells_) munmap(cells_, mapped_);
  }
  shadow(const shadow&) = delete;
  shadow& operator=(const shadow&) = delete;

  bool touched() const { return cells_ != nullptr; }
  std::size_t granule() const { return std::size_t{1} << shift_; }

  /// Calls visit(cell, offset) for every cell that the access touches. The access lies inside.
  template <class Visit>
  void visit(std::size_t offset, std::size_t bytes, const Visit& visit) {
    // The largest power of two that divides both, so that accesses share a cell only if they share bytes.
    const int unit = std::countr_zero(offset | bytes | largest_granule);
    if (unit < shift_) refine(unit);
    const std::size_t end = (offset + bytes + granule() - 1) >> shift_;
    for (std::size_t i = offset >> shift_; i < end; ++i) visit(cells_[i], i << shift_);
  }
  /// Calls visit(cell, begin, end) for every cell that was ever noted and its bytes in [from, to).
  template <class Visit>
  void each(std::size_t from, std::size_t to, const Visit& visit) const {
    if (!cells_ || from >= to) return;
    for (std::size_t i = from >> shift_; i << shift_ < to; ++i)
      visit(cells_[i], std::max(from, i << shift_), std::min(to, (i + 1) << shift_));
  }
  /// A copy to these bytes: what work of the device has written there is gone.
  void overwrite(std::size_t from, std::size_t to) {
    if (!cells_ || from >= to) return;
    for (std::size_t i = from >> shift_; i << shift_ < to; ++i) cells_[i].device_wrote = 0;
  }
  /// The cell of one byte, or null if nothing was ever noted.
  const cell* find(std::size_t offset) const { return cells_ ? &cells_[offset >> shift_] : nullptr; }

  kept_access& kept(std::uint32_t number) { return kept_[number]; }
  void push(std::uint32_t& list, const mark& by, std::uint32_t lanes) {
    const kept_access one{by, lanes, list == 0 ? 1 : kept_[list].length + 1, list};
    if (free_ == 0) {
      kept_.push_back(one);
      list = static_cast<std::uint32_t>(kept_.size() - 1);
    } else {
      list = free_;
      free_ = kept_[free_].next;
      kept_[list] = one;
    }
  }
  void pop(std::uint32_t& list) {
    const std::uint32_t gone = list;
    list = kept_[gone].next;
    kept_[gone].next = free_;
    free_ = gone;
  }
  void clear(std::uint32_t& list) {
    while (list != 0) pop(list);
  }

 private:
  static constexpr std::size_t largest_granule = 16;

  // Each part of a cell gets lists of its own.
  std::uint32_t copied(std::uint32_t list) {
    if (list == 0) return 0;
    const std::uint32_t rest = copied(kept_[list].next);
    copies_.push_back(kept_[list]);
    copies_.back().next = rest;
    return static_cast<std::uint32_t>(copies_.size() - 1);
  }

  [[gnu::noinline]] void refine(int shift) {
    const std::size_t mapped = (((bytes_ - 1) >> shift) + 1) * sizeof(cell);
    void* made = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
      throw machine_error("shadow memory of an array, 64 bytes per element", "the system gives no more memory",
                          "inspect with smaller arrays");
    auto* cells = static_cast<cell*>(made);
    if (cells_) {
      for (std::size_t i = 0; i < mapped / sizeof(cell); ++i) {
        cell& part = cells[i];
        part = cells_[(i << shift) >> shift_];
        part.more_reads = copied(part.more_reads);
        part.more_atomics = copied(part.more_atomics);
      }
      kept_ = std::exchange(copies_, std::vector<kept_access>(1));
      free_ = 0;
      munmap(cells_, mapped_);
    }
    cells_ = cells, mapped_ = mapped, shift_ = shift;
  }

  std::size_t bytes_;
  int shift_ = std::countr_zero(2 * largest_granule);  // of a granule's bytes; none yet
  cell* cells_ = nullptr;
  std::size_t mapped_ = 0;
  std::vector<kept_access> kept_{1}, copies_{1};  // number 0 stands for none
  std::uint32_t free_ = 0;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
